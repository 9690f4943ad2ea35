"""How is a posed fit solved?

Newton's method on mean loss plus ridge, in the problem's parameters (logits of typical effect, see
`parameters`). Equal rows in equal order give equal bits: blocks have a fixed size and order, and BLAS runs
in one thread meanwhile (`in_one_thread`).
"""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import NamedTuple, ParamSpec, TypeVar

import numpy as np
from scipy.linalg import cho_factor, eigh
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped,unused-ignore]

from tunesmith.games.errors import InputError
from tunesmith.tuning.fit.lbfgs import Pairs, Slope, descend
from tunesmith.tuning.fit.loss import LOGITS_PER_ELO, Loss, bend_of, derivatives, gradient_of, scores
from tunesmith.tuning.fit.newton import Function, Minimum, Point, minimise
from tunesmith.tuning.fit.newton_constrained import Limits, minimise_within
from tunesmith.tuning.fit.parameters import Parameters, turned
from tunesmith.tuning.fit.rows import Floats, Rows
from tunesmith.tuning.fit.sparse import Sparse
from tunesmith.tuning.fit.split import split

_RUNAWAY = 1e-6  # mean p(1 - p) along a direction; below, every row there is decided beyond 2400 Elo
_AT_BOUND = 1e-9  # logits
LARGE = 100_000  # rows; from here on a part of them gives the search a head start ...
_SOME_ROWS, _SOME_NUMBERS = 300_000, 1 << 25  # ... of at most so many rows, and numbers
_SALT = 0x68656164  # the part must not follow the split or the folds
_FEW_ROWS, _PER_COLUMN, _MOST_FEW = 2_000, 50, 40_000  # the part of sparse rows: least, for each column, most
_ROUGHLY, _MOST_ROUGH = 1e-3, 30  # far below what the part differs from the whole; and most steps
_APART = 0.2  # of that, sqrt(weights / rows) in units of the curvature
_MOST_PASSES = 25
_LAST_STEP = 5.0  # by which the last of the steps at least makes the slope smaller
_NEAR = 1e-7  # slope in units of the curvature: from here one Newton step leaves only rounding

P = ParamSpec("P")
R = TypeVar("R")


def in_one_thread(function: Callable[P, R]) -> Callable[P, R]:
    """Keep BLAS in one thread meanwhile: sums in several threads round differently."""

    @wraps(function)
    def limited(*args: P.args, **kwargs: P.kwargs) -> R:
        with threadpool_limits(limits=1, user_api="blas"):
            return function(*args, **kwargs)

    return limited


def settled(parameters: Parameters, found: Minimum) -> Minimum:
    """Put numbers that a bound holds exactly on it, and mark them as not free."""
    if found.basis is None:
        return found
    low = found.place - parameters.lower <= _AT_BOUND
    high = parameters.upper - found.place <= _AT_BOUND
    place = np.where(low, parameters.lower, np.where(high, parameters.upper, found.place))
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
    parameters: Parameters,
    ridge: float,
    loss: Loss,
    start: Floats,
    tolerance: float,
    max_iterations: int,
    limits: Limits | None = None,
) -> Minimum:
    """Minimise mean loss plus ridge over the parameters, from `start` (Q,), within limits of sums.

    After a head start the Hessian is that of a place `_NEAR` the minimum.
    """
    is_sparse = isinstance(rows.features, Sparse)
    if len(start) and (is_sparse or (rows.n >= LARGE and not start.any())):
        start, is_near = _head_start(rows, parameters, ridge, loss, start, limits)
        found = _step_home(rows, parameters, ridge, loss, start, tolerance) if is_near else None
        if found is not None:
            return found
    return _newton(rows, parameters, ridge, loss, start, tolerance, max_iterations, limits)


def _newton(
    rows: Rows,
    parameters: Parameters,
    ridge: float,
    loss: Loss,
    start: Floats,
    tolerance: float,
    max_iterations: int,
    limits: Limits | None,
) -> Minimum:
    at = _point(rows, parameters, ridge, loss)
    if limits is not None:
        return minimise_within(at, start, limits, tolerance=tolerance, max_iterations=max_iterations)
    return minimise(
        at, start, parameters.lower, parameters.upper, tolerance=tolerance, max_iterations=max_iterations
    )


def _point(rows: Rows, parameters: Parameters, ridge: float, loss: Loss) -> Function:
    pull = ridge * parameters.penalty

    def at(place: Floats) -> Point:
        value, gradient, hessian = derivatives(rows, parameters.weights(place), loss)
        return Point(
            value + float(pull @ place**2) / 2,
            parameters.spread.T @ gradient + pull * place,
            turned(hessian, parameters.spread) + np.diag(pull),
        )

    return at


def _head_start(
    rows: Rows, parameters: Parameters, ridge: float, loss: Loss, start: Floats, limits: Limits | None
) -> tuple[Floats, bool]:
    """Find where some of the rows have their minimum, and without bounds nearly that of all rows: True if it is so.

    Newton's method on all rows then needs a pass or two instead of many, and each of its passes costs as many
    of ours as there are columns, more or less.
    """
    if isinstance(rows.features, Sparse):  # a pass costs little: the curvature of few rows will do
        wanted, most_passes = max(_FEW_ROWS, min(_PER_COLUMN * rows.shape[1], _MOST_FEW)), 4 * _MOST_PASSES
    else:
        wanted, most_passes = min(_SOME_ROWS, _SOME_NUMBERS // rows.shape[1], rows.n // 4), _MOST_PASSES
    share = min(wanted / rows.n, 1.0)
    some = ~split(rows.group, 1 - share, _SALT)
    if not rows.weight[some].any():
        return start, False
    few = rows.take(some).loaded()
    try:
        if limits is not None or parameters.is_bounded:
            return _newton(few, parameters, ridge, loss, start, _ROUGHLY, _MOST_ROUGH, limits).place, False
        at = _roughly(few, parameters, ridge, loss, start)
        factor = cho_factor(_point(few, parameters, ridge, loss)(at).hessian, lower=True)
    except (InputError, np.linalg.LinAlgError):  # the part may leave weights free that the whole does not
        return start, False
    near = descend(_slope(rows, parameters, ridge, loss), at, factor, _NEAR, most_passes)
    return near.place, near.is_found


def _roughly(rows: Rows, parameters: Parameters, ridge: float, loss: Loss, start: Floats) -> Floats:
    """Walk to about the minimum by slopes, with the curvature of the surveyed columns if all rows were bent alike."""
    score = scores(rows, parameters.weights(start))
    bend = bend_of(loss)(LOGITS_PER_ELO * score, rows.labels).curvature
    curved = float(rows.weight @ bend / rows.weight.sum()) * parameters.gram
    factor = cho_factor(curved + np.diag(ridge * parameters.penalty), lower=True)
    near = _APART * np.sqrt(len(start) / rows.n)
    return descend(_slope(rows, parameters, ridge, loss), start, factor, near, _MOST_ROUGH).place


def _step_home(
    rows: Rows, parameters: Parameters, ridge: float, loss: Loss, near: Floats, tolerance: float
) -> Minimum | None:
    """Take the curvature of all rows near the minimum, once, and walk on by slopes; None if that does not get there."""
    point = _point(rows, parameters, ridge, loss)(near)
    try:
        factor = cho_factor(point.hessian, lower=True)
    except np.linalg.LinAlgError:
        return None
    known = point.value, point.gradient
    found = descend(_slope(rows, parameters, ridge, loss), near, factor, tolerance, _MOST_PASSES, known)
    steepest = float(np.abs(found.gradient).max())
    if steepest > tolerance:
        return None
    end = Point(found.value, found.gradient, point.hessian)
    return Minimum(found.place, end, np.ones(len(near), dtype=np.bool_), 1, steepest)


def _slope(rows: Rows, parameters: Parameters, ridge: float, loss: Loss) -> Slope:
    pull = ridge * parameters.penalty

    def at(place: Floats) -> tuple[float, Floats]:
        value, gradient = gradient_of(rows, parameters.weights(place), loss)
        return value + float(pull @ place**2) / 2, parameters.spread.T @ gradient + pull * place

    return at


class Curvature(NamedTuple):
    """What is known of the curvature near a minimum.

    factor: scipy's Cholesky factor of nearly the Hessian there, if there is one. seen: steps and what they changed in
    the gradient of the loss of such rows, without ridge; those of a search come to it.
    """

    factor: tuple[Floats, bool] | None
    seen: Pairs


def solve_near(
    rows: Rows,
    parameters: Parameters,
    ridge: float,
    loss: Loss,
    start: Floats,
    known: Curvature,
    tolerance: float,
    limits: Limits | None = None,
) -> Floats:
    """Minimise from near the minimum.

    Without limits slopes alone will do: a pass for them costs a fraction of one for the Hessian.
    """
    if len(start) and known.factor is not None and limits is None and not parameters.is_bounded:
        pull = ridge * parameters.penalty
        pairs = [(step, change + pull * step) for step, change in known.seen]
        slope = _slope(rows, parameters, ridge, loss)
        found = descend(slope, start, known.factor, _LAST_STEP * tolerance, _MOST_PASSES, pairs=pairs)
        known.seen[:] = [(step, change - pull * step) for step, change in found.pairs]
        if found.is_found:
            return found.ahead
    return _newton(rows, parameters, ridge, loss, start, tolerance, 100, limits).place


def refuse_runaway(parameters: Parameters, found: Minimum) -> None:
    """Refuse weights that grew until every result they touch was certain: nothing would stop them."""
    if not found.free.any():
        return
    chosen = np.ix_(found.free, found.free)
    rates, directions = eigh(found.point.hessian[chosen], parameters.gram[chosen])
    if rates[0] < _RUNAWAY:
        effect = np.abs(parameters.spread[:, found.free] @ directions[:, 0]) * parameters.size.ravel()
        s, f = np.unravel_index(int(effect.argmax()), parameters.prior.shape)
        raise InputError(f"ridge: 0 lets the weight of stage {s}, feature {f} grow for ever: use one above 0")
