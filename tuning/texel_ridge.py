"""How firmly should the data be held towards the prior weights?

As firmly as predicts best on pairs that the fit has not seen (grouped cross-validation). A ridge r is the
penalty r / 2 * (change in logits where the feature is present)^2 on the mean loss, for each weight: in a
data set of n independent rows it expects changes of about 174 / sqrt(r * n) Elo.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from games.errors import InputError
from tuning.texel_checks import survey
from tuning.texel_plan import MIN_ROWS, Plan, make_plan
from tuning.texel_rows import Bools, Floats, Ints, Loss, Rows, mean_loss
from tuning.texel_solve import check_options, checked_prior, in_one_thread, solve
from tuning.texel_split import fold_numbers

RIDGES = (1.0, 0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
_TOLERANCE = 1e-5  # moves the loss by some 1e-10, below what tells ridges apart


class RidgeChoice(NamedTuple):
    """Mean loss on pairs left out, for each ridge of the grid; `ridge` has the smallest."""

    ridge: float
    grid: tuple[float, ...]
    losses: tuple[float, ...]
    prior_loss: float


@in_one_thread
def choose_ridge(
    rows: Rows,
    prior: Floats,
    grid: tuple[float, ...] = RIDGES,
    folds: int = 5,
    *,
    salt: int = 0,
    loss: Loss = "cross-entropy",
    fixed: Bools | None = None,
    ties: Ints | None = None,
    lower: Floats | None = None,
    upper: Floats | None = None,
    min_rows: int = MIN_ROWS,
) -> RidgeChoice:
    """Choose the ridge that predicts left-out pairs best; a pair's fold follows from its number and `salt`.

    Every fold uses the scales and free weights found on all rows. Of equally good ridges the strongest wins.
    """
    rows = rows.used()
    before = checked_prior(rows, prior)
    if not grid or not all(0 < ridge < np.inf for ridge in grid):
        raise InputError(f"grid: expected finite ridges above 0, found {grid}")
    check_options(max(grid), loss)
    plan = make_plan(survey(rows), before, fixed, ties, lower, upper, min_rows)
    strongest_first = tuple(sorted(grid, reverse=True))
    fold = fold_numbers(rows.group, folds, salt)
    if len(np.unique(fold)) < 2:
        raise InputError(
            f"folds: expected pairs in several of {folds} folds, found all in one; use more pairs"
        )
    total = np.zeros(len(grid))
    for left_out in np.unique(fold):
        training, tested = rows.take(fold != left_out), rows.take(fold == left_out)
        path = _path(training, plan, strongest_first, loss)
        total += tested.weight.sum() * np.array([mean_loss(tested, weights, loss) for weights in path])
    losses = total / rows.weight.sum()
    best = strongest_first[int(np.argmin(losses))]
    return RidgeChoice(best, strongest_first, tuple(losses.tolist()), mean_loss(rows, before, loss))


def _path(rows: Rows, plan: Plan, ridges: tuple[float, ...], loss: Loss) -> list[Floats]:
    """Fit every ridge in turn, each from the last solution."""
    place, path = np.zeros(plan.spread.shape[1]), []
    for ridge in ridges:
        place = solve(rows, plan, ridge, loss, place, _TOLERANCE, max_iterations=100).place
        path.append(plan.weights(place))
    return path
