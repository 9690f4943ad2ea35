"""How well does each ridge predict pairs that a fit has not seen, with these labels or with others for the same rows?

The folds of the pairs are left out in turn. Only fits of all rows take a Hessian, each where it ends; the next weaker
ridge begins there, with that curvature. A fit without a fold, or with other labels, begins at that of its neighbour,
moved as the fit of all rows moved from there to here, and takes slopes alone: what all rows say of the curvature is
nearly right (that of cross-entropy knows no labels), what earlier walks on the same rows have seen of it mends the
rest, and passes for slopes cost a fraction.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor

from tunesmith.games.errors import InputError
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.fit.constraints import Constraints
from tunesmith.tuning.fit.lbfgs import Pairs
from tunesmith.tuning.fit.loss import LOGITS_PER_ELO, Loss, bend_of, mean_loss, scores
from tunesmith.tuning.fit.newton import Minimum
from tunesmith.tuning.fit.newton_constrained import Limits
from tunesmith.tuning.fit.out_of_core import at_most
from tunesmith.tuning.fit.parameters import Parameters, pose
from tunesmith.tuning.fit.rows import Bools, Floats, Ints, Rows, some_games
from tunesmith.tuning.fit.shrinkage import TOLERANCE
from tunesmith.tuning.fit.solve import Curvature, solve, solve_near
from tunesmith.tuning.fit.sparse import Sparse
from tunesmith.tuning.fit.split import fold_numbers

FOLDS = 5
ALL = -1  # in place of a fold: none is left out
NEAR = (
    3e-5  # slope in units of the curvature: moves the loss by 5e-10 nats, far below what tells ridges apart
)
MOST_ROWS, _MOST_NUMBERS = (
    300_000,
    1 << 25,
)  # about, of dense rows; more make no better choice, and take hours
_SALT = 0x7269646765  # the pairs asked must not follow the split or the folds


class Design(NamedTuple):
    """Rows, their folds (n,), and what is fitted to them with each of the ridges, the strongest first.

    firmer: factor on the ridges where only some of the rows are asked, so that the prior is as certain for them.
    """

    rows: Rows
    fold: Ints
    ridges: tuple[float, ...]
    parameters: Parameters
    limits: Limits | None
    loss: Loss
    firmer: float

    def blended(self, blend: float) -> Design:
        """Return the same with labels of so much result, the rest what a search expected."""
        return self._replace(rows=self.rows.blended(blend))


def make_design(
    rows: Rows,
    prior: Floats,
    options: FitOptions,
    constraints: Constraints | None,
    grid: tuple[float, ...],
    folds: int,
) -> Design:
    """Pose what cross-validation asks; every fold uses the scales and free weights found on all rows."""
    if not grid or not all(0 < ridge < np.inf for ridge in grid):
        raise InputError(f"grid: expected finite ridges above 0, found {grid}")
    rows = rows.used()
    some = some_games(rows, _most_rows(rows), _SALT)
    firmer, rows = rows.n / some.n, some.loaded()
    parameters, limits, _, _ = pose(rows, prior, options, constraints)
    ridges = tuple(firmer * ridge for ridge in sorted(grid, reverse=True))
    return Design(rows, _folds(rows, folds), ridges, parameters, limits, options.loss, firmer)


def _most_rows(rows: Rows) -> int:
    is_sparse = isinstance(rows.features, Sparse)
    return MOST_ROWS if is_sparse else at_most(MOST_ROWS, _MOST_NUMBERS, rows.shape[1])


def _folds(rows: Rows, folds: int) -> Ints:
    """Give each row the fold of its pair; at least two folds have some."""
    fold = fold_numbers(rows.group, folds)
    if len(np.unique(fold)) < 2:
        raise InputError(
            f"folds: expected pairs in several of {folds} folds, found all in one; use more pairs"
        )
    return fold


class Tried:
    """The fits of a design with one set of labels, each made when it is asked for by the number of its ridge.

    known: fits of the same design with labels not far from these, which all ridges were asked of, or of its own known.
    """

    def __init__(self, design: Design, known: Tried | None = None) -> None:
        self.design, self._known = design, known
        self._whole: dict[int, Minimum] = {}
        self._place: dict[int, Floats] = {}
        self._places: dict[int, list[Floats]] = {}
        self._left_out: dict[int, Floats] = {}
        self._seen: defaultdict[int, Pairs] = defaultdict(list) if known is None else known._seen

    @cached_property
    def prior_loss(self) -> float:
        """Mean loss of the results under the prior."""
        rows, parameters, loss = self.design.rows, self.design.parameters, self.design.loss
        return mean_loss(replace(rows, labels=rows.judged_by), parameters.prior, loss)

    @cached_property
    def _learnt(self) -> list[Rows]:
        """All rows but those of each fold: weights of 0 copy nothing."""
        rows, fold = self.design.rows, self.design.fold
        return [
            replace(rows, weight=np.where(fold == number, 0.0, rows.weight)) for number in np.unique(fold)
        ]

    @cached_property
    def _tested(self) -> list[tuple[Bools, Rows]]:
        """Each fold; its results are the same whatever the labels."""
        if self._known is not None:
            return self._known._tested
        rows, fold = self.design.rows, self.design.fold
        return [(fold == number, rows.take(fold == number)) for number in np.unique(fold)]

    def whole(self, at: int) -> Minimum:
        """Return the fit of all rows."""
        if at not in self._whole:
            start, tolerance, bend = self._start(at)
            rows, _, ridges, parameters, limits, loss, _ = self.design
            self._whole[at] = solve(rows, parameters, ridges[at], loss, start, (tolerance, 100), limits, bend)
        return self._whole[at]

    def _start(self, at: int) -> tuple[Floats, float, Floats | None]:
        """Return where the fit of all rows begins, when it ends, and what is known of the curvature of its loss.

        With other labels only the Hessian is missing.
        """
        if self._known is not None:
            return self.place(at), 10 * NEAR, self._first.bend(at)
        if not at:
            return np.zeros(self.design.parameters.spread.shape[1]), TOLERANCE, None
        return self.whole(at - 1).place, TOLERANCE, self.bend(at - 1)

    def bend(self, at: int) -> Floats:
        """Return the Hessian of the loss of all rows where their fit is, without the ridge."""
        return self.whole(at).point.hessian - np.diag(self.design.ridges[at] * self.design.parameters.penalty)

    @property
    def _first(self) -> Tried:
        """The fits with the first labels."""
        return self if self._known is None else self._known._first

    def place(self, at: int) -> Floats:
        """Return where the fit of all rows is; with other labels known, nearly."""
        if self._known is None:
            return self.whole(at).place
        if at not in self._place:
            one, *before = [other.place(at) for other in self._line(at)]
            start = 2 * one - before[0] if before else one
            self._place[at] = self._near(self.design.rows, at, start, ALL)
        return self._place[at]

    def places(self, at: int) -> list[Floats]:
        """Return where the fits without each fold are."""
        if at not in self._places:
            starts = [self.place(at) + apart for apart in self._apart(at)]
            self._places[at] = [
                self._near(rows, at, start, fold)
                for fold, (rows, start) in enumerate(zip(self._learnt, starts, strict=True))
            ]
        return self._places[at]

    def left_out(self, at: int) -> Floats:
        """Return the loss of every row's result (n,) under the fit that has not seen its pair."""
        if at not in self._left_out:
            found = self._left_out[at] = np.zeros(self.design.rows.n)
            for (chosen, rows), place in zip(self._tested, self.places(at), strict=True):
                found[chosen] = losses_of(rows, self.design.parameters, place, self.design.loss)
        return self._left_out[at]

    def loss(self, at: int) -> float:
        """Return the mean of `left_out`."""
        weight = self.design.rows.weight
        return float(self.left_out(at) @ weight / weight.sum())

    def _apart(self, at: int) -> Sequence[Floats]:
        """Return nearly how far from the fit of all rows those without each fold are."""
        if self._known is None:
            return self._offsets(at - 1) if at else [np.zeros_like(self.place(at))] * len(self._learnt)
        one, *before = [other._offsets(at) for other in self._line(at)]
        return [2 * a - b for a, b in zip(one, before[0], strict=True)] if before else one

    def _offsets(self, at: int) -> list[Floats]:
        return [place - self.place(at) for place in self.places(at)]

    def _line(self, at: int) -> list[Tried]:
        """Return the fits with the nearest other labels that have tried the ridge, the first of all in any case.

        The nearest two labels where both have: as labels go on by equal steps, so nearly do fits. Limits of sums could
        be broken on the way, and whoever is held by them must start within.
        """
        known, one = list[Tried](), self._known
        while one is not None:
            known.append(one)
            one = one._known
        have = [one for one in known if one._known is None or at in one._places]
        is_line = self.design.limits is None and have[:2] == known[:2]
        return have[:2] if is_line else have[:1]

    def _near(self, rows: Rows, at: int, start: Floats, fold: int) -> Floats:
        """Walk to the minimum of rows without a fold (or `ALL`), knowing what walks there have seen before."""
        _, _, ridges, parameters, limits, loss, _ = self.design
        known = Curvature(self._first._factor(at), self._seen[fold])
        return solve_near(rows, parameters, ridges[at], loss, start, known, NEAR, limits)

    def _factor(self, at: int) -> tuple[Floats, bool] | None:
        """Factor the Hessian of all rows; None where it is flat."""
        try:
            return cho_factor(self.whole(at).point.hessian, lower=True)
        except np.linalg.LinAlgError:
            return None


def losses_of(rows: Rows, parameters: Parameters, place: Floats, loss: Loss) -> Floats:
    """Return the loss of each row's result under the weights of a place."""
    return bend_of(loss)(LOGITS_PER_ELO * scores(rows, parameters.weights(place)), rows.judged_by).value


def paired_errors(rows: Rows, excess: Floats) -> Floats:
    """Give the standard error of the mean of each line of excess (k, n), clustered by pair."""
    share = rows.weight / rows.weight.sum()
    centred = share * (excess - (excess @ share)[:, None])
    _, number = np.unique(rows.group, return_inverse=True)
    return np.array([np.sqrt((np.bincount(number, row) ** 2).sum()) for row in centred], dtype=np.float64)
