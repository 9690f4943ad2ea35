"""How is a planned fit solved, and how sure is the solution?

Newton's method on mean loss plus ridge, in the plan's parameters (logits of typical effect, see
`texel_plan`). Errors are clustered by pair, because the positions of a pair share two results. Equal rows
in equal order give equal bits: blocks have a fixed size and order, and BLAS runs in one thread meanwhile
(`in_one_thread`). References: H. White (Econometrica 48, 1980), K.-Y. Liang & S. Zeger (Biometrika 73,
1986).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import ParamSpec, TypeVar

import numpy as np
from scipy.linalg import cho_factor, eigh
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped,unused-ignore]

from tunesmith.games.errors import InputError
from tunesmith.tuning.fit.constraints import circle
from tunesmith.tuning.fit.lbfgs import descend
from tunesmith.tuning.fit.loss import (
    LOGITS_PER_ELO,
    LOSSES,
    Loss,
    Ordered,
    bend_of,
    derivatives,
    design,
    gradient_of,
    group_sums,
)
from tunesmith.tuning.fit.newton import Minimum, Point, minimise
from tunesmith.tuning.fit.newton_constrained import Limits, minimise_within
from tunesmith.tuning.fit.plan import Plan
from tunesmith.tuning.fit.rows import Floats, Ints, Rows
from tunesmith.tuning.fit.split import split

_RUNAWAY = 1e-6  # mean p(1 - p) along a direction; below, every row there is decided beyond 2400 Elo
_AT_BOUND = 1e-9  # logits
LARGE = 100_000  # rows; from here on a part of them gives the search a head start ...
_SOME_ROWS, _SOME_NUMBERS = 300_000, 1 << 25  # ... of at most so many rows, and numbers
_SALT = 0x68656164  # the part must not follow the split or the folds
_ROUGHLY, _MOST_ROUGH = 1e-6, 30
_CLOSE, _MOST_PASSES = 1e-10, 25  # slope in units of the preconditioner
_TINY = float(np.finfo(np.float64).tiny)

P = ParamSpec("P")
R = TypeVar("R")


def in_one_thread(function: Callable[P, R]) -> Callable[P, R]:
    """Keep BLAS in one thread meanwhile: sums in several threads round differently."""

    @wraps(function)
    def limited(*args: P.args, **kwargs: P.kwargs) -> R:
        with threadpool_limits(limits=1, user_api="blas"):
            return function(*args, **kwargs)

    return limited


def checked_prior(rows: Rows, prior: Floats) -> Floats:
    """Copy the prior as (S, F), refusing another shape or numbers that are not finite."""
    before = np.array(prior, dtype=np.float64)
    if before.shape != rows.shape:
        raise InputError(f"prior: expected shape (stages, features) = {rows.shape}, found {before.shape}")
    for s, f in np.argwhere(~np.isfinite(before)):
        raise InputError(f"prior: stage {s}, feature {f}: expected a finite weight, found {before[s, f]}")
    return before


def check_options(ridge: float, loss: Loss) -> None:
    """Refuse a ridge below 0 and a loss that is not known."""
    if not 0 <= ridge < np.inf:
        raise InputError(f"ridge: expected a finite number from 0 up, found {ridge}")
    if not isinstance(loss, Ordered) and loss not in LOSSES:
        raise InputError(f"loss: expected one of {', '.join(LOSSES)}, found {loss!r}")


def checked_orders(prior: Floats, orders: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """Refuse orders of columns that are not there, or that the prior breaks."""
    flat = prior.ravel()
    if found := circle(orders):
        raise InputError(f"orders: columns {' <= '.join(map(str, found))} are a circle: tie them instead")
    for a, b in orders:
        if not (0 <= a < prior.size and 0 <= b < prior.size and a != b):
            raise InputError(f"orders: expected two different columns below {prior.size}, found {a} and {b}")
        if flat[a] > flat[b]:
            raise InputError(
                f"orders: expected the prior to keep column {a} <= {b}, found {flat[a]} > {flat[b]}"
            )
    return orders


def settled(plan: Plan, found: Minimum) -> Minimum:
    """Put numbers that a bound holds exactly on it, and mark them as not free."""
    if found.basis is None:
        return found
    low = found.place - plan.lower <= _AT_BOUND
    high = plan.upper - found.place <= _AT_BOUND
    place = np.where(low, plan.lower, np.where(high, plan.upper, found.place))
    return found._replace(place=place, free=~(low | high))


def leveled(weights: Floats, held: Sequence[tuple[int, int]]) -> Floats:
    """Make weights that an order keeps equal so to the last bit."""
    flat = weights.ravel().copy()
    for _ in held:  # a chain needs as many rounds as it has links
        for a, b in held:
            flat[b] = flat[a]
    return flat.reshape(weights.shape)


def solve(
    rows: Rows,
    plan: Plan,
    ridge: float,
    loss: Loss,
    start: Floats,
    tolerance: float,
    max_iterations: int,
    limits: Limits | None = None,
) -> Minimum:
    """Minimise mean loss plus ridge over the plan's parameters, from `start` (Q,), within limits of sums."""
    if rows.n >= LARGE and not start.any() and len(start):
        start = _head_start(rows, plan, ridge, loss, limits)
    return _newton(rows, plan, ridge, loss, start, tolerance, max_iterations, limits)


def _newton(
    rows: Rows,
    plan: Plan,
    ridge: float,
    loss: Loss,
    start: Floats,
    tolerance: float,
    max_iterations: int,
    limits: Limits | None,
) -> Minimum:
    pull = ridge * plan.penalty

    def at(place: Floats) -> Point:
        value, gradient, hessian = derivatives(rows, plan.weights(place), loss)
        return Point(
            value + float(pull @ place**2) / 2,
            plan.spread.T @ gradient + pull * place,
            plan.spread.T @ hessian @ plan.spread + np.diag(pull),
        )

    if limits is not None:
        return minimise_within(at, start, limits, tolerance=tolerance, max_iterations=max_iterations)
    return minimise(at, start, plan.lower, plan.upper, tolerance=tolerance, max_iterations=max_iterations)


def _head_start(rows: Rows, plan: Plan, ridge: float, loss: Loss, limits: Limits | None) -> Floats:
    """Find where some of the rows have their minimum, and without bounds nearly that of all rows.

    Newton's method on all rows then needs a pass or two instead of many, and each of its passes costs as many
    of ours as there are columns, more or less.
    """
    nowhere = np.zeros(plan.spread.shape[1])
    share = min(_SOME_ROWS, _SOME_NUMBERS // rows.shape[1], rows.n // 4) / rows.n
    some = ~split(rows.group, 1 - share, _SALT)
    if not some.any() or not rows.weight[some].any():
        return nowhere
    few = rows.take(some).loaded()
    try:
        found = _newton(few, plan, ridge, loss, nowhere, _ROUGHLY, _MOST_ROUGH, limits)
        if limits is not None or plan.is_bounded:
            return found.place
        factor = cho_factor(found.point.hessian, lower=True)
    except (InputError, np.linalg.LinAlgError):  # the part may leave weights free that the whole does not
        return nowhere
    pull = ridge * plan.penalty

    def slope_at(place: Floats) -> tuple[float, Floats]:
        value, gradient = gradient_of(rows, plan.weights(place), loss)
        return value + float(pull @ place**2) / 2, plan.spread.T @ gradient + pull * place

    return descend(slope_at, found.place, factor, _CLOSE, _MOST_PASSES).place


def refuse_runaway(plan: Plan, found: Minimum) -> None:
    """Refuse weights that grew until every result they touch was certain: nothing would stop them."""
    if not found.free.any():
        return
    chosen = np.ix_(found.free, found.free)
    rates, directions = eigh(found.point.hessian[chosen], plan.gram[chosen])
    if rates[0] < _RUNAWAY:
        effect = np.abs(plan.spread[:, found.free] @ directions[:, 0]) * plan.size.ravel()
        s, f = np.unravel_index(int(effect.argmax()), plan.prior.shape)
        raise InputError(f"ridge: 0 lets the weight of stage {s}, feature {f} grow for ever: use one above 0")


def clustered_covariance(
    rows: Rows, plan: Plan, weights: Floats, found: Minimum, ridge: float, loss: Loss
) -> tuple[Floats, float]:
    """Give the covariance (P, P) in Elo squared, and the effective number of rows; NaN for a single pair.

    A^-1 (M + L / n) A^-1, where A is the Hessian with ridge, M sums the outer products of the pairs'
    gradients (times G / (G - 1) for G pairs), L is the ridge part of A, and n = trace(A - L) / trace(M) the
    number of independent rows with the same information. L / n counts the ridge as one more observation:
    without it, a weight that only the ridge holds would have no error at all. Squared error takes Gauss and
    Newton's Hessian.
    """
    moves = found.directions
    if not moves.shape[1]:
        return np.zeros((weights.size, weights.size)), float("nan")
    spread, pull = plan.spread @ moves, moves.T @ (ridge * plan.penalty[:, None] * moves)
    curvature = moves.T @ found.point.hessian @ moves
    noise = _gradient_noise(rows, weights, loss, spread)
    n_effective = float(np.trace(curvature) - np.trace(pull)) / max(float(np.trace(noise)), _TINY)
    half = np.linalg.solve(curvature, spread.T)
    return half.T @ (noise + pull / n_effective) @ half, n_effective


def _gradient_noise(rows: Rows, weights: Floats, loss: Loss, spread: Floats) -> Floats:
    """Sum the outer products of each pair's share of the gradient (Q, Q)."""
    per_row = LOGITS_PER_ELO / rows.weight.sum()
    noise, n_groups = np.zeros((spread.shape[1], spread.shape[1])), 0

    def gradients(at: slice | Ints) -> Floats:
        columns = design(rows, at)
        slope = bend_of(loss)(LOGITS_PER_ELO * (columns @ weights.ravel()), rows.labels[at]).slope
        return np.asarray((per_row * rows.weight[at] * slope)[:, None] * columns, dtype=np.float64)

    for sums in group_sums(rows, gradients):
        part = sums @ spread
        noise += part.T @ part
        n_groups += len(sums)
    return noise * (n_groups / (n_groups - 1) if n_groups > 1 else np.nan)
