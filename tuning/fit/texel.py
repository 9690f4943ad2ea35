"""Which weights predict the results of the games best, and how sure is each of them?

Weights are (S, F) in Elo: stage, feature; positions are `Rows`, seen by the side to move.
The fit minimises the mean loss plus a ridge towards the prior weights (`parameters`, `ridge`, `solve`); errors are
clustered by pair (`uncertainty`). What the data say nothing about keeps its prior to the last bit. Results do not
depend on the units of features. The same rows in the same order give the same bits on one machine; another order,
processor type or BLAS may change the last digits.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from tunesmith.games.errors import InputError
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.fit import solve
from tunesmith.tuning.fit.checks import (
    INFLATED,
    MOST_TRIED,
    Dependency,
    NearLabel,
    Redundancy,
    few_of,
    find_redundant,
    most_inflation,
    most_inflation_of,
)
from tunesmith.tuning.fit.constraints import Constraints
from tunesmith.tuning.fit.loss import (
    LOGITS_PER_ELO,
    Loss,
    loss_of_scores,
    mean_loss,
    most_curvature,
    products_with,
    scores,
)
from tunesmith.tuning.fit.newton import Minimum
from tunesmith.tuning.fit.parameters import AT_BOUND, FITTED, Parameters, Problem, Words, checked_prior, pose
from tunesmith.tuning.fit.ridge import choose_ridge
from tunesmith.tuning.fit.rows import Bools, Floats, Ints, Rows
from tunesmith.tuning.fit.scale import fit_scale
from tunesmith.tuning.fit.uncertainty import DataAlone, measure

MIN_GROUPS = 100  # below: warn; 100 independent results leave an error near 40 Elo in a single weight
MOST_ITERATIONS = 100
_TOLERANCE = 1e-11  # largest gradient at the end, in nats per logit, and slope in units of the curvature


class Losses(NamedTuple):
    """Mean loss on the same rows before and after the fit."""

    prior: float
    fit: float


@dataclass(frozen=True, eq=False)
class Fit:
    """Fitted weights and what is known about them. Arrays of weights are (S, F), in Elo.

    errors: standard errors of the posterior, clustered by pair; NaN where `status` is not "fitted". The ridge
    counts as one more observation of each weight, as certain as the ridge says, so that a weight the data say
    little about has the error of the prior and not zero. covariance: (P, P), zero outside fitted weights.
    data: what the data say without the ridge; see `data_errors`.
    status: "fitted", or why the weight keeps its prior: "fixed", "silent" (zero in every row), "rare" (not
    zero in fewer than min_rows rows), "dependent" (see dependencies), "near label" (see near_labels);
    "at bound": fitted as far as allowed. orders_held: pairs of flat columns that an order keeps equal.
    size: root mean square of a column where it is not zero; weight * size is its usual effect in Elo. firmness: factor
    on the ridge of each weight.
    n_effective: independent positions that would give the same errors. slope: largest scaled gradient.
    prior_scale: K of the prior's scores, 1 for weights in Elo that are right on average; NaN if none is best.
    mean_abs_score: prior and fit, in Elo; search margins depend on it.
    """

    weights: Floats
    errors: Floats
    covariance: Floats
    data: DataAlone
    prior: Floats
    status: Words
    loss: Loss
    ridge: float
    training: Losses
    held_out: Losses | None
    prior_scale: float
    mean_abs_score: tuple[float, float]
    n_rows: int
    n_groups: int
    n_effective: float
    iterations: int
    slope: float
    size: Floats
    firmness: Floats
    rows_per_weight: Ints
    groups_per_weight: Ints
    min_rows: int
    dependencies: tuple[Dependency, ...]
    redundant: tuple[Redundancy, ...]
    near_labels: tuple[NearLabel, ...]
    orders_held: tuple[tuple[int, int], ...] = ()

    @property
    def n_fitted(self) -> int:
        """Number of weights that were free to move."""
        return int((self.status == FITTED).sum() + (self.status == AT_BOUND).sum())

    @property
    def is_scarce(self) -> Bools:
        """Mark the fitted weights that fewer than MIN_GROUPS pairs speak about."""
        return np.asarray((self.status == FITTED) & (self.groups_per_weight < MIN_GROUPS), dtype=np.bool_)

    @property
    def data_errors(self) -> Floats:
        """Standard errors (S, F) by the data alone; inf where they say nothing, NaN where the weight is not fitted."""
        return np.where(self.status == FITTED, self.data.errors, np.nan)

    def interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """Give lower and upper ends of each weight's posterior interval."""
        half = float(ndtri((1 + level) / 2)) * self.errors
        return self.weights - half, self.weights + half


class Found(NamedTuple):
    """Weights (S, F), the problem that they solve, where its minimum is, and orders that keep weights equal."""

    weights: Floats
    problem: Problem
    minimum: Minimum
    ridge: float
    loss: Loss
    orders_held: tuple[tuple[int, int], ...]


@solve.in_one_thread
def find(
    rows: Rows,
    prior: Floats,
    options: FitOptions,
    constraints: Constraints | None = None,
    *,
    loss: Loss | None = None,
    start: Floats | None = None,
    max_iterations: int = MOST_ITERATIONS,
) -> Found:
    """Find the weights of `fit`, and nothing else: no errors, no losses."""
    rows = rows.used()
    if options.ridge == "auto":
        choice = choose_ridge(rows, prior, options, constraints)
        options, constraints = choice.applied(options, constraints, rows.shape)
    ridge = float(options.ridge)
    wanted = options.loss if loss is None else loss
    few = few_of(rows)
    problem = pose(rows, prior, options, constraints, few)
    parameters, limits = problem.parameters, problem.limits
    place = np.zeros(parameters.spread.shape[1])
    if start is not None and limits is None:
        place = parameters.place(checked_prior(rows, start))
    found = solve.solve(rows, parameters, ridge, wanted, place, (_TOLERANCE, max_iterations), limits, few)
    orders = () if constraints is None else constraints.orders
    held = tuple(orders[at] for at in found.held if at < len(orders))
    weights = solve.leveled(parameters.weights(solve.settled(parameters, found).place), held)
    return Found(weights, problem, found, ridge, wanted, held)


@solve.in_one_thread
def fit(
    rows: Rows,
    prior: Floats,
    options: FitOptions,
    constraints: Constraints | None = None,
    *,
    loss: Loss | None = None,
    start: Floats | None = None,
    judging: Rows | None = None,
    max_iterations: int = MOST_ITERATIONS,
) -> Fit:
    """Fit weights to rows, starting from and held towards `prior` (S, F).

    loss: in place of that of the options, such as `Ordered`. start: weights to start from, for speed. Errors: ridge 0
    where some weights separate the results perfectly; a gradient that stays too large; pairs of `judging` among the
    rows.
    """
    rows = rows.used()
    _check_held_out(rows, judging)
    weights, problem, found, ridge, used, orders_held = find(
        rows, prior, options, constraints, loss=loss, start=start, max_iterations=max_iterations
    )
    parameters, seen, before = problem.parameters, problem.seen, problem.parameters.prior
    if ridge == 0:
        solve.refuse_runaway(parameters, found)
    found = solve.settled(parameters, found)
    sure = measure(rows, parameters, weights, found, ridge, used)
    status = np.where(parameters.moved_by(~found.free), AT_BOUND, parameters.status)
    variance = np.where(status == FITTED, np.diag(sure.posterior).reshape(before.shape), np.nan)
    (prior_scale, *mean_abs_score), training = _judged(rows, before, weights, used)
    return Fit(
        weights=weights,
        errors=np.sqrt(variance),
        covariance=sure.posterior,
        data=sure.data,
        prior=before,
        status=status,
        loss=used,
        ridge=ridge,
        training=training,
        held_out=None if judging is None else _losses(judging, before, weights, used),
        prior_scale=prior_scale,
        mean_abs_score=(mean_abs_score[0], mean_abs_score[1]),
        n_rows=rows.n,
        n_groups=rows.n_groups,
        n_effective=sure.n_effective,
        iterations=found.iterations,
        slope=found.slope,
        size=parameters.size,
        firmness=parameters.firmness,
        rows_per_weight=seen.n_rows.reshape(before.shape),
        groups_per_weight=seen.n_groups.reshape(before.shape),
        min_rows=options.min_rows,
        dependencies=parameters.dependencies,
        redundant=_redundant(rows, parameters, found, ridge, used),
        near_labels=problem.near_labels,
        orders_held=orders_held,
    )


def _redundant(
    rows: Rows, parameters: Parameters, found: Minimum, ridge: float, loss: Loss
) -> tuple[Redundancy, ...]:
    """Group columns that say nearly the same: none where the Hessian proves it, which saves the products of all rows.

    It is at most the largest curvature of a row times the gram matrix.
    """

    def product(place: Floats) -> Floats:
        moved = (parameters.spread @ place).reshape(rows.shape)
        return LOGITS_PER_ELO**2 * (parameters.spread.T @ products_with(rows, moved))

    if (near := parameters.near) is not None:
        lower = (found.point.hessian - np.diag(ridge * parameters.penalty)) / most_curvature(loss)
        bound = most_inflation(lower)
        doubt = np.flatnonzero(bound >= INFLATED)
        if (
            np.isfinite(bound).all()
            and len(doubt) <= MOST_TRIED
            and all(most_inflation_of(int(column), lower, near, product) < INFLATED for column in doubt)
        ):
            return ()
    return find_redundant(parameters.gram, parameters.dependencies, parameters.columns)


def _check_held_out(rows: Rows, held_out: Rows | None) -> None:
    """Refuse a test set of another shape, or one that shares pairs with the rows."""
    if held_out is None:
        return
    if held_out.shape != rows.shape:
        raise InputError(f"held_out: expected {rows.shape} stages and features, found {held_out.shape}")
    shared = np.intersect1d(rows.group, held_out.group)
    if len(shared):
        raise InputError(
            f"held_out: expected pairs of its own, found {len(shared)} also fitted on, such as {shared[0]}"
        )


def _losses(rows: Rows, before: Floats, after: Floats, loss: Loss) -> Losses:
    return Losses(mean_loss(rows, before, loss), mean_loss(rows, after, loss))


def _judged(
    rows: Rows, before: Floats, after: Floats, loss: Loss
) -> tuple[tuple[float, float, float], Losses]:
    """Give the scale of the prior, the mean absolute scores, and the losses; one set of scores in memory at a time."""
    score = scores(rows, before)
    scale, size, lost = _scale_or_nan(score, rows), _mean_abs(score, rows), loss_of_scores(rows, score, loss)
    del score
    score = scores(rows, after)
    return (scale, size, _mean_abs(score, rows)), Losses(lost, loss_of_scores(rows, score, loss))


def _scale_or_nan(score: Floats, rows: Rows) -> float:
    try:
        return fit_scale(score, rows.labels, rows.weight)
    except InputError:
        return float("nan")


def _mean_abs(score: Floats, rows: Rows) -> float:
    return float(rows.weight @ np.abs(score) / rows.weight.sum())
