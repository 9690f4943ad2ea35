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

from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.fit.constraints import Constraints
from tunesmith.tuning.fit.folds import FOLDS, Tried, losses_of, make_design, paired_errors
from tunesmith.tuning.fit.parameters import turned
from tunesmith.tuning.fit.rows import Floats, Rows
from tunesmith.tuning.fit.shrinkage import ONE, TOLERANCE, Case, groups_of, hold, kinds_of, of_weights
from tunesmith.tuning.fit.solve import in_one_thread, solve
from tunesmith.tuning.fit.uncertainty import information

RIDGES = (1.0, 0.1, 0.03, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 1e-6)
AS_GOOD = 2.0  # standard errors by which a strength may predict worse than the best
NEGLIGIBLE = 0.01  # part of the whole gain over the prior that a strength may lose


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
    weights that were tried at this ridge, one ridge for all first; kind: the one to take.
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
    folds: int = FOLDS,
) -> RidgeChoice:
    """Choose the ridge as the module says; a pair's fold follows from its number.

    Of very many rows some pairs are asked (`folds`).
    """
    design = make_design(rows, prior, options, constraints, grid, folds)
    tried, every = Tried(design), range(len(grid))
    best, chosen = choose(tried)
    left_out = np.stack([tried.left_out(at) for at in every])
    n = effective(tried, best)
    evidence = np.array([evidence_of(tried, at, n) for at in every], dtype=np.float64)
    families = None if constraints is None else constraints.families
    groups = groups_of(design.parameters, families)
    case = Case(design.rows, design.parameters, design.limits, design.loss, design.ridges[chosen], groups, n)
    kinds = _kinds(case, tried, chosen)
    kind = min((k for k in kinds if k.loss + k.error <= kinds[0].loss), key=lambda k: k.loss)
    strongest_first = tuple(sorted(grid, reverse=True))
    return RidgeChoice(
        strongest_first[chosen], strongest_first, tuple(map(tried.loss, every)), tried.prior_loss,
        tuple(paired_errors(design.rows, left_out - left_out[best]).tolist()),
        tuple((evidence - evidence.max()).tolist()), design.rows.n, kinds, kind,
    )  # fmt: skip


def choose(tried: Tried, around: int | None = None) -> tuple[int, int]:
    """Return the numbers of the ridge that predicts best and of that to take.

    around: a guess of the latter; then only those about it are tried, and further ones as long as the last on a side
    predicts as well as the best.
    """
    every = range(len(tried.design.ridges))
    asked = every if around is None else range(max(around - 1, 0), min(around + 2, len(every)))
    while True:
        best = min(asked, key=tried.loss)
        as_good = [at for at in asked if _is_as_good(tried, at, best)]
        wider = range(asked[0] - (asked[0] in as_good), asked[-1] + 1 + (asked[-1] in as_good))
        wider = range(max(wider.start, 0), min(wider.stop, len(every)))
        if wider == asked:
            break
        asked = wider
    if len(as_good) == 1:
        return best, best
    n = effective(tried, best)
    return best, max(as_good, key=lambda at: evidence_of(tried, at, n))


def _is_as_good(tried: Tried, at: int, best: int) -> bool:
    excess = tried.loss(at) - tried.loss(best)
    error = paired_errors(tried.design.rows, (tried.left_out(at) - tried.left_out(best))[None])[0]
    allowed = max(AS_GOOD * float(error), NEGLIGIBLE * max(tried.prior_loss - tried.loss(best), 0.0))
    return excess <= allowed


def effective(tried: Tried, best: int) -> float:
    """Return the effective number of rows, at the ridge that predicts best."""
    rows, _, ridges, parameters, _, loss, _ = tried.design
    found = tried.whole(best)
    return information(
        rows, parameters, parameters.weights(found.place), found, ridges[best], loss
    ).n_effective


def evidence_of(tried: Tried, at: int, n: float) -> float:
    """Return ln of the likelihood with the weights integrated out, n being the effective number of rows."""
    if not np.isfinite(n):
        return 0.0
    minimum, penalty = tried.whole(at), tried.design.parameters.penalty
    moves = minimum.directions
    pull = moves.T @ (tried.design.ridges[at] * penalty[:, None] * moves)
    curvature = turned(minimum.point.hessian, moves)
    occam = np.linalg.slogdet(pull)[1] - np.linalg.slogdet(curvature)[1]
    return float(-n * minimum.point.value + occam / 2)


def _kinds(case: Case, tried: Tried, chosen: int) -> tuple[Kind, ...]:
    """Compare the ways to hold weights on pairs left out; there firmness, too, is found without them.

    tried: with one ridge, of which the case holds the one `chosen`.
    """
    names = kinds_of(case) if np.isfinite(case.n) else (ONE,)
    whole, fold, bend = tried.whole(chosen), tried.design.fold, tried.bend(chosen)
    values = np.stack([tried.left_out(chosen)] * len(names))
    for number, place in zip(np.unique(fold) if len(names) > 1 else (), tried.places(chosen), strict=False):
        learnt, tested = case.rows.take(fold != number), case.rows.take(fold == number)
        part = case._replace(rows=learnt, n=case.n * learnt.weight.sum() / case.rows.weight.sum())
        start = solve(
            learnt, case.parameters, case.ridge, case.loss, place, (TOLERANCE, 100), case.limits, bend
        )
        for at, name in enumerate(names[1:], start=1):
            held = hold(part, name, start).minimum
            values[at, fold == number] = losses_of(tested, case.parameters, held.place, case.loss)
    losses = values @ case.rows.weight / case.rows.weight.sum()
    errors = paired_errors(case.rows, values - values[0])
    firmness = [of_weights(case.parameters, hold(case, name, whole).firmness) for name in names]
    return tuple(Kind(*kind) for kind in zip(names, losses.tolist(), errors.tolist(), firmness, strict=True))
