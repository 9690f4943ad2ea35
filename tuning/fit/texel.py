"""Which weights predict the results of the games best, and how sure is each of them?

Weights are (S, F) in Elo: stage, feature; positions are `Rows`, seen by the side to move (`texel_rows`).
The fit minimises the mean loss plus a ridge towards the prior weights (`texel_plan`, `texel_ridge`) by
Newton's method; errors are clustered by pair (`texel_solve`). What the data say nothing about keeps its
prior to the last bit. Results do not depend on the units of features. The same rows in the same order give
the same bits on one machine; another order, processor type or BLAS may change the last digits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from tunesmith.games.errors import InputError
from tunesmith.tuning.fit.checks import Dependency, NearLabel, near_labels, survey
from tunesmith.tuning.fit.loss import Loss, Ordered, derivatives, expected_result, mean_loss, scores
from tunesmith.tuning.fit.plan import AT_BOUND, FITTED, MIN_ROWS, Words, make_plan
from tunesmith.tuning.fit.ridge import RIDGES, RidgeChoice, choose_ridge
from tunesmith.tuning.fit.rows import Bools, Floats, Ints, Rows
from tunesmith.tuning.fit.scale import ScaleAndTempo, fit_scale, fit_scale_and_tempo
from tunesmith.tuning.fit.solve import (
    check_options,
    checked_orders,
    checked_prior,
    clustered_covariance,
    in_one_thread,
    leveled,
    refuse_runaway,
    settled,
    solve,
)
from tunesmith.tuning.fit.split import split

__all__ = [
    "Rows",
    "Loss",
    "Ordered",
    "fit",
    "Fit",
    "Losses",
    "choose_ridge",
    "RidgeChoice",
    "RIDGES",
    "split",
    "fit_scale",
    "fit_scale_and_tempo",
    "ScaleAndTempo",
    "scores",
    "expected_result",
    "mean_loss",
    "derivatives",
    "Dependency",
    "NearLabel",
    "MIN_ROWS",
    "MIN_GROUPS",
]

MIN_GROUPS = 100  # below: warn; 100 independent results leave an error near 40 Elo in a single weight
TOLERANCE = 1e-10  # largest gradient at the end, in nats per logit


class Losses(NamedTuple):
    """Mean loss on the same rows before and after the fit."""

    prior: float
    fit: float


@dataclass(frozen=True, eq=False)
class Fit:
    """Fitted weights and what is known about them. Arrays of weights are (S, F), in Elo.

    errors: standard errors, clustered by pair; NaN where `status` is not "fitted". The ridge counts as one
    more observation of each weight, as certain as the ridge says, so that a weight the data say little about
    has the error of the prior and not zero. covariance: (P, P), zero outside fitted weights.
    status: "fitted", or why the weight keeps its prior: "fixed", "silent" (zero in every row), "rare" (not
    zero in fewer than min_rows rows), "dependent" (see dependencies), "near label" (see near_labels);
    "at bound": fitted as far as allowed. orders_held: pairs of flat columns that an order keeps equal.
    size: root mean square of a column where it is not zero; weight * size is its usual effect in Elo.
    n_effective: independent positions that would give the same errors. slope: largest scaled gradient.
    prior_scale: K of the prior's scores, 1 for weights in Elo that are right on average; NaN if none is best.
    mean_abs_score: prior and fit, in Elo; search margins depend on it.
    """

    weights: Floats
    errors: Floats
    covariance: Floats
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
    rows_per_weight: Ints
    groups_per_weight: Ints
    min_rows: int
    min_groups: int
    dependencies: tuple[Dependency, ...]
    near_labels: tuple[NearLabel, ...]
    orders_held: tuple[tuple[int, int], ...] = ()

    @property
    def n_fitted(self) -> int:
        """Number of weights that were free to move."""
        return int((self.status == FITTED).sum() + (self.status == AT_BOUND).sum())

    @property
    def is_scarce(self) -> Bools:
        """Mark the fitted weights that fewer than min_groups pairs speak about."""
        return np.asarray(
            (self.status == FITTED) & (self.groups_per_weight < self.min_groups), dtype=np.bool_
        )

    def interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """Give lower and upper ends of each weight's confidence interval."""
        half = float(ndtri((1 + level) / 2)) * self.errors
        return self.weights - half, self.weights + half


@in_one_thread
def fit(
    rows: Rows,
    prior: Floats,
    *,
    ridge: float,
    loss: Loss = "cross-entropy",
    fixed: Bools | None = None,
    ties: Ints | None = None,
    lower: Floats | None = None,
    upper: Floats | None = None,
    orders: Sequence[tuple[int, int]] = (),
    start: Floats | None = None,
    hold_near_labels: bool = True,
    held_out: Rows | None = None,
    min_rows: int = MIN_ROWS,
    min_groups: int = MIN_GROUPS,
    tolerance: float = TOLERANCE,
    max_iterations: int = 100,
) -> Fit:
    """Fit weights to rows, starting from and held towards `prior` (S, F).

    ridge: strength of the hold, see `choose_ridge`. fixed: True keeps the prior. ties: weights with the same
    number from 0 up stay equal; -1 stands alone. orders: (a, b) of flat columns keeps weight a <= weight b.
    start: weights to start from, for speed. hold_near_labels: features that nearly are the result keep their
    prior. Errors: ridge 0 where some weights separate the results
    perfectly; `tolerance` not reached; pairs of `held_out` among the rows.
    """
    rows = rows.used()
    before = checked_prior(rows, prior)
    check_options(ridge, loss)
    _check_held_out(rows, held_out)
    seen = survey(rows)
    labels = near_labels(rows)
    held = tuple(label.feature for label in labels) if hold_near_labels else ()
    plan = make_plan(seen, before, fixed, ties, lower, upper, min_rows, held)
    limits = plan.limits(checked_orders(before, orders)) if orders else None
    place = (
        np.zeros(plan.spread.shape[1]) if start is None or orders else plan.place(checked_prior(rows, start))
    )
    found = solve(rows, plan, ridge, loss, place, tolerance, max_iterations, limits)
    if ridge == 0:
        refuse_runaway(plan, found)
    orders_held = tuple(orders[at] for at in found.held if at < len(orders))
    found = settled(plan, found)
    weights = leveled(plan.weights(found.place), orders_held)
    covariance, n_effective = clustered_covariance(rows, plan, weights, found, ridge, loss)
    status = np.where(plan.moved_by(~found.free), AT_BOUND, plan.status)
    variance = np.where(status == FITTED, np.diag(covariance).reshape(before.shape), np.nan)
    prior_scale, *mean_abs_score = _sizes(rows, before, weights)
    return Fit(
        weights=weights,
        errors=np.sqrt(variance),
        covariance=covariance,
        prior=before,
        status=status,
        loss=loss,
        ridge=ridge,
        training=_losses(rows, before, weights, loss),
        held_out=None if held_out is None else _losses(held_out, before, weights, loss),
        prior_scale=prior_scale,
        mean_abs_score=(mean_abs_score[0], mean_abs_score[1]),
        n_rows=rows.n,
        n_groups=rows.n_groups,
        n_effective=n_effective,
        iterations=found.iterations,
        slope=found.slope,
        size=plan.size,
        rows_per_weight=seen.n_rows.reshape(before.shape),
        groups_per_weight=seen.n_groups.reshape(before.shape),
        min_rows=min_rows,
        min_groups=min_groups,
        dependencies=plan.dependencies,
        near_labels=labels,
        orders_held=orders_held,
    )


@in_one_thread
def weights_of(
    rows: Rows,
    prior: Floats,
    *,
    ridge: float,
    loss: Loss = "cross-entropy",
    fixed: Bools | None = None,
    ties: Ints | None = None,
    lower: Floats | None = None,
    upper: Floats | None = None,
    orders: Sequence[tuple[int, int]] = (),
    start: Floats | None = None,
    hold_near_labels: bool = True,
    min_rows: int = MIN_ROWS,
) -> Floats:
    """Fit weights as `fit` does, and nothing else: no errors, no losses."""
    rows = rows.used()
    held = tuple(label.feature for label in near_labels(rows)) if hold_near_labels else ()
    plan = make_plan(survey(rows), prior, fixed, ties, lower, upper, min_rows, held)
    limits = plan.limits(orders) if orders else None
    place = np.zeros(plan.spread.shape[1]) if start is None or orders else plan.place(start)
    found = solve(rows, plan, ridge, loss, place, TOLERANCE, 100, limits)
    return leveled(
        plan.weights(settled(plan, found).place), tuple(orders[at] for at in found.held if at < len(orders))
    )


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


def _sizes(rows: Rows, before: Floats, after: Floats) -> tuple[float, float, float]:
    """Give the scale of the prior and the mean absolute scores, one set of scores in memory at a time."""
    score = scores(rows, before)
    scale, size = _scale_or_nan(score, rows), _mean_abs(score, rows)
    del score
    return scale, size, _mean_abs(scores(rows, after), rows)


def _scale_or_nan(score: Floats, rows: Rows) -> float:
    try:
        return fit_scale(score, rows.labels, rows.weight)
    except InputError:
        return float("nan")


def _mean_abs(score: Floats, rows: Rows) -> float:
    return float(rows.weight @ np.abs(score) / rows.weight.sum())
