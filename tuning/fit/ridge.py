"""How firmly should the data be held towards the prior weights?

A ridge r is the penalty r / 2 * (change in logits where the feature is present)^2 on the mean loss, for each
weight: in a data set of n independent rows it expects changes of about 174 / sqrt(r * n) Elo.
Two judges: pairs that the fit has not seen (grouped cross-validation) rule out the strengths that predict
worse; of the others the one that makes the changes of the weights most likely is taken (evidence, Laplace's
approximation). Cross-validation alone hardly feels a weight that few positions speak about, and would let it
run; the evidence asks whether a change is of the size of the others.
Then pairs that the fit has not seen say whether single weights or groups of them are better held less firmly
than others (`shrinkage`): only if that predicts better than one ridge for all by more than its standard error.
References: A. Hoerl & R. Kennard (1970); D. MacKay, Bayesian interpolation (Neural Computation 4, 1992).
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from tunesmith.games.errors import InputError
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.fit.constraints import Constraints
from tunesmith.tuning.fit.loss import LOGITS_PER_ELO, Loss, bend_of, mean_loss, scores
from tunesmith.tuning.fit.newton import Minimum
from tunesmith.tuning.fit.newton_constrained import Limits
from tunesmith.tuning.fit.out_of_core import at_most
from tunesmith.tuning.fit.parameters import Parameters, pose
from tunesmith.tuning.fit.rows import Floats, Ints, Rows, some_games
from tunesmith.tuning.fit.shrinkage import ONE, TOLERANCE, Case, groups_of, hold, kinds_of, of_weights
from tunesmith.tuning.fit.solve import in_one_thread, solve
from tunesmith.tuning.fit.sparse import Sparse
from tunesmith.tuning.fit.split import fold_numbers
from tunesmith.tuning.fit.uncertainty import information

RIDGES = (1.0, 0.1, 0.03, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 1e-6)
AS_GOOD = 2.0  # standard errors by which a strength may predict worse than the best
NEGLIGIBLE = 0.01  # part of the whole gain over the prior that a strength may lose
MOST_ROWS, _MOST_NUMBERS = (
    300_000,
    1 << 25,
)  # about, of dense rows; more make no better choice, and take hours
_SALT = 0x7269646765  # the pairs asked must not follow the split or the folds


class Kind(NamedTuple):
    """A way to hold weights: mean loss on pairs left out, and the error of its difference to that of one ridge.

    firmness: (S, F) factors on the ridge that it finds on all rows.
    """

    name: str
    loss: float
    error: float
    firmness: Floats


class RidgeChoice(NamedTuple):
    """Mean loss of the results of pairs left out, for each ridge of the grid, strongest first.

    errors: standard error of the difference to the smallest loss, clustered by pair. evidence: logarithm of
    how likely each ridge makes the data, up to a constant. rows: how many were asked. kinds: ways to hold the
    weights that were tried at this ridge, one ridge for all first; kind: the one to take. by_pair: (2, pairs), of each
    the sums of weight * loss under the chosen ridge, one for all, and of weight.
    """

    ridge: float
    grid: tuple[float, ...]
    losses: tuple[float, ...]
    prior_loss: float
    errors: tuple[float, ...]
    evidence: tuple[float, ...]
    rows: int
    kinds: tuple[Kind, ...]
    kind: Kind
    by_pair: Floats

    def applied(
        self, options: FitOptions, constraints: Constraints | None, shape: tuple[int, int]
    ) -> tuple[FitOptions, Constraints]:
        """Return options and constraints of weights (S, F) with this choice in them."""
        held = Constraints.of(shape) if constraints is None else constraints
        return options.model_copy(update={"ridge": self.ridge}), replace(held, firmness=self.kind.firmness)


@in_one_thread
def choose_ridge(
    rows: Rows,
    prior: Floats,
    options: FitOptions,
    constraints: Constraints | None = None,
    *,
    grid: tuple[float, ...] = RIDGES,
    folds: int = 5,
    one_for_all: bool = False,
) -> RidgeChoice:
    """Choose the ridge as the module says; a pair's fold follows from its number.

    one_for_all: compare no other ways to hold the weights. Every fold uses the scales and free weights found on all
    rows. Of more than MOST_ROWS rows (fewer where there are many columns) some pairs are asked, with ridges so much
    firmer that the prior is as certain for them as each ridge makes it for all.
    """
    rows = rows.used()
    if not grid or not all(0 < ridge < np.inf for ridge in grid):
        raise InputError(f"grid: expected finite ridges above 0, found {grid}")
    some = some_games(rows, _most_rows(rows), _SALT)
    firmer = rows.n / some.n
    rows = some.loaded()
    loss: Loss = options.loss
    parameters, limits, _, _ = pose(rows, prior, options, constraints)
    strongest_first = tuple(firmer * ridge for ridge in sorted(grid, reverse=True))
    fold = _folds(rows, folds)
    left_out, places = _left_out(rows, parameters, strongest_first, fold, loss, limits)
    losses = left_out @ rows.weight / rows.weight.sum()
    best = int(np.argmin(losses))
    errors = _paired_errors(rows, left_out - left_out[best])
    prior_loss = mean_loss(replace(rows, labels=rows.judged_by), parameters.prior, loss)
    path = _path(rows, parameters, strongest_first, loss, limits)
    weights = parameters.weights(path[best].place)
    n = information(rows, parameters, weights, path[best], strongest_first[best], loss).n_effective
    evidence = _evidence(path, parameters, strongest_first, n)
    allowed = losses[best] + np.maximum(AS_GOOD * errors, NEGLIGIBLE * max(prior_loss - losses[best], 0.0))
    chosen = int(np.argmax(np.where(losses <= allowed, evidence, -np.inf)))
    families = None if constraints is None else constraints.families
    groups = groups_of(parameters, families)
    case = Case(rows, parameters, limits, loss, strongest_first[chosen], groups, n)
    kinds = _kinds(
        case, path[chosen], fold, left_out[chosen], [place[chosen] for place in places], one_for_all
    )
    kind = min((k for k in kinds if k.loss + k.error <= kinds[0].loss), key=lambda k: k.loss)
    return RidgeChoice(
        sorted(grid, reverse=True)[chosen], tuple(sorted(grid, reverse=True)), tuple(losses.tolist()), prior_loss,
        tuple(errors.tolist()), tuple((evidence - evidence.max()).tolist()), rows.n, kinds, kind,
        _by_pair(rows, left_out[chosen]),
    )  # fmt: skip


def _most_rows(rows: Rows) -> int:
    return (
        MOST_ROWS if isinstance(rows.features, Sparse) else at_most(MOST_ROWS, _MOST_NUMBERS, rows.shape[1])
    )


def _folds(rows: Rows, folds: int) -> Ints:
    """Give each row the fold of its pair; at least two folds have some."""
    fold = fold_numbers(rows.group, folds)
    if len(np.unique(fold)) < 2:
        raise InputError(
            f"folds: expected pairs in several of {folds} folds, found all in one; use more pairs"
        )
    return fold


def _kinds(
    case: Case, whole: Minimum, fold: Ints, one: Floats, places: list[Floats], one_for_all: bool
) -> tuple[Kind, ...]:
    """Compare the ways to hold weights on pairs left out; there firmness, too, is found without them.

    whole: the fit of all rows with one ridge. one: each row's loss with it, which each fold fits at its of `places`.
    """
    names = kinds_of(case) if np.isfinite(case.n) and not one_for_all else (ONE,)
    values = np.stack([one] * len(names))
    for number, place in zip(np.unique(fold) if len(names) > 1 else (), places, strict=False):
        learnt, tested = case.rows.take(fold != number), case.rows.take(fold == number)
        part = case._replace(rows=learnt, n=case.n * learnt.weight.sum() / case.rows.weight.sum())
        start = solve(learnt, case.parameters, case.ridge, case.loss, place, TOLERANCE, 100, case.limits)
        for at, name in enumerate(names[1:], start=1):
            held = hold(part, name, start).minimum
            values[at, fold == number] = _losses(tested, case.parameters, held, case.loss)
    losses = values @ case.rows.weight / case.rows.weight.sum()
    errors = _paired_errors(case.rows, values - values[0])
    firmness = [of_weights(case.parameters, hold(case, name, whole).firmness) for name in names]
    return tuple(Kind(*kind) for kind in zip(names, losses.tolist(), errors.tolist(), firmness, strict=True))


def _losses(rows: Rows, parameters: Parameters, found: Minimum, loss: Loss) -> Floats:
    logits = LOGITS_PER_ELO * scores(rows, parameters.weights(found.place))
    return bend_of(loss)(logits, rows.judged_by).value


def _left_out(
    rows: Rows,
    parameters: Parameters,
    ridges: tuple[float, ...],
    fold: Ints,
    loss: Loss,
    limits: Limits | None,
) -> tuple[Floats, list[list[Floats]]]:
    """Give the loss of every row (ridges, n) under weights fitted without its pair, and for each fold their places."""
    values, places = np.zeros((len(ridges), rows.n)), []
    for number in np.unique(fold):
        tested = rows.take(fold == number)
        path = _path(rows.take(fold != number), parameters, ridges, loss, limits)
        places.append([found.place for found in path])
        for at, found in enumerate(path):
            values[at, fold == number] = _losses(tested, parameters, found, loss)
    return values, places


def _by_pair(rows: Rows, losses: Floats) -> Floats:
    _, number = np.unique(rows.group, return_inverse=True)
    return np.stack([np.bincount(number, rows.weight * losses), np.bincount(number, rows.weight)])


def _path(
    rows: Rows, parameters: Parameters, ridges: tuple[float, ...], loss: Loss, limits: Limits | None
) -> list[Minimum]:
    """Fit every ridge in turn, each from the last solution."""
    place, path = np.zeros(parameters.spread.shape[1]), []
    for ridge in ridges:
        path.append(solve(rows, parameters, ridge, loss, place, TOLERANCE, 100, limits))
        place = path[-1].place
    return path


def _paired_errors(rows: Rows, excess: Floats) -> Floats:
    """Give the standard error of the mean excess of each ridge, clustered by pair."""
    share = rows.weight / rows.weight.sum()
    centred = share * (excess - (excess @ share)[:, None])
    _, number = np.unique(rows.group, return_inverse=True)
    return np.array([np.sqrt((np.bincount(number, row) ** 2).sum()) for row in centred], dtype=np.float64)


def _evidence(path: list[Minimum], parameters: Parameters, ridges: tuple[float, ...], n: float) -> Floats:
    """Give ln of the likelihood with the weights integrated out, n being the effective number of rows."""
    if not np.isfinite(n):
        return np.zeros(len(ridges))
    made = []
    for ridge, minimum in zip(ridges, path, strict=True):
        moves = minimum.directions
        pull = moves.T @ (ridge * parameters.penalty[:, None] * moves)
        curvature = moves.T @ minimum.point.hessian @ moves
        occam = np.linalg.slogdet(pull)[1] - np.linalg.slogdet(curvature)[1]
        made.append(-n * minimum.point.value + occam / 2)
    return np.array(made, dtype=np.float64)
