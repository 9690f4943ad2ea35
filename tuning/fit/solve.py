"""How is a posed fit solved?

Mean loss plus ridge in the problem's parameters (logits of typical effect, see `parameters`): downhill by slopes
(`lbfgs`) with the curvature of few rows, as a pass for slopes costs a fraction of one for the Hessian; within bounds,
and where few rows say too little, by Newton's method. Equal rows in equal order give equal bits: blocks have a fixed
size and order, and BLAS runs in one thread meanwhile (`in_one_thread`).
"""

from collections.abc import Callable, Sequence
from functools import cache, wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

import numpy as np
from scipy.linalg import cho_factor, eigh
from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped,unused-ignore]

from tunesmith.games.errors import InputError
from tunesmith.tuning.fit.checks import Few, few_of
from tunesmith.tuning.fit.lbfgs import Descent, Pairs, Slope, descend
from tunesmith.tuning.fit.loss import LOGITS_PER_ELO, Loss, bend_of, derivatives, gradient_of, scores
from tunesmith.tuning.fit.newton import Minimum, Point, minimise
from tunesmith.tuning.fit.newton_constrained import Limits, minimise_within
from tunesmith.tuning.fit.parameters import Parameters, turned
from tunesmith.tuning.fit.rows import Floats, Rows

_RUNAWAY = 1e-6  # mean p(1 - p) along a direction; below, every row there is decided beyond 2400 Elo
_AT_BOUND = 1e-9  # logits
_ROUGHLY, _MOST_ROUGH = 1e-3, 30  # far below what few rows differ from all; and most steps
_APART = 0.2  # of that, sqrt(weights / rows) in units of the curvature
_MOST_PASSES = 50
_LAST_STEP = 5.0  # by which the last of the steps at least makes the slope smaller

P = ParamSpec("P")
R = TypeVar("R")


@cache
def _libraries() -> Any:
    """Find the libraries that work in threads, once: looking takes as long as a small fit."""
    return ThreadpoolController()


def in_one_thread(function: Callable[P, R]) -> Callable[P, R]:
    """Keep BLAS in one thread meanwhile: sums in several threads round differently."""

    @wraps(function)
    def limited(*args: P.args, **kwargs: P.kwargs) -> R:
        with _libraries().limit(limits=1, user_api="blas"):
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
    until: tuple[float, int],
    limits: Limits | None = None,
    known: Floats | Few | None = None,
) -> Minimum:
    """Minimise mean loss plus ridge over the parameters, from `start` (Q,), within limits of sums.

    until: tolerance, and the most iterations.
    known: few of the rows, chosen already, or the (Q, Q) Hessian of the loss alone at a place nearby. Slopes lead to
    the minimum, and the Hessian of all rows is found there if it is asked for; within bounds or limits each step takes
    it.
    """
    tolerance, max_iterations = until
    few = known if isinstance(known, Few) else None
    if limits is not None or parameters.is_bounded:
        if len(start) and not start.any():
            start = _within_few(few or few_of(rows), parameters, ridge, loss, start, limits)
    elif len(start):
        bend = None if isinstance(known, Few) else known
        if bend is None:
            start, bend = _of_few(rows, few or few_of(rows), parameters, ridge, loss, start)
        most = min(max_iterations, _MOST_PASSES)
        found = (
            None if bend is None else _downhill(rows, parameters, ridge, loss, start, bend, tolerance, most)
        )
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
    pull = ridge * parameters.penalty

    def at(place: Floats) -> Point:
        value, gradient, hessian = derivatives(rows, parameters.weights(place), loss)
        return Point(
            value + float(pull @ place**2) / 2,
            parameters.spread.T @ gradient + pull * place,
            turned(hessian, parameters.spread) + np.diag(pull),
        )

    if limits is not None:
        return minimise_within(at, start, limits, tolerance=tolerance, max_iterations=max_iterations)
    return minimise(
        at, start, parameters.lower, parameters.upper, tolerance=tolerance, max_iterations=max_iterations
    )


def _within_few(
    few: Few | None, parameters: Parameters, ridge: float, loss: Loss, start: Floats, limits: Limits | None
) -> Floats:
    """Find where few rows have their minimum: all then need a step or two."""
    if few is None:
        return start
    try:
        return _newton(few.rows, parameters, ridge, loss, start, _ROUGHLY, _MOST_ROUGH, limits).place
    except InputError:  # they may leave weights free that all rows do not
        return start


def _of_few(
    rows: Rows, few: Few | None, parameters: Parameters, ridge: float, loss: Loss, start: Floats
) -> tuple[Floats, Floats | None]:
    """Find about where few rows have their minimum, unless a start is known, and the Hessian of their loss there.

    Slopes lead there too, with the curvature if all rows were bent alike. Squared errors have more than one minimum,
    and columns that differ in none of few rows may lead to another: there the columns of all tell the curvature.
    """
    if few is None:
        return start, None
    if not start.any():
        own = few.rows
        bends = bend_of(loss)(LOGITS_PER_ELO * scores(own, parameters.prior), own.labels).curvature
        alike = (
            parameters.gram
            if loss == "squared-error"
            else turned(few.gram, parameters.spread) * LOGITS_PER_ELO**2
        )
        alike = alike * float(own.weight @ bends / own.weight.sum())
        if (factor := _factor(alike, parameters, ridge)) is not None:
            near = _APART * np.sqrt(len(start) / own.n)
            start = descend(_slope(own, parameters, ridge, loss), start, factor, near, _MOST_ROUGH).place
    return start, _bend(few.rows if few.bent is None else rows.take(few.bent), parameters, loss, start)


def _bend(rows: Rows, parameters: Parameters, loss: Loss, place: Floats) -> Floats:
    """Return the Hessian (Q, Q) of the loss alone."""
    return turned(derivatives(rows, parameters.weights(place), loss).hessian, parameters.spread)


def _factor(bend: Floats, parameters: Parameters, ridge: float) -> tuple[Floats, bool] | None:
    """Return scipy's Cholesky factor of the Hessian with ridge; None where nothing bends."""
    try:
        factor, is_lower = cho_factor(bend + np.diag(ridge * parameters.penalty), lower=True)
    except np.linalg.LinAlgError:
        return None
    return factor, is_lower


def _downhill(
    rows: Rows,
    parameters: Parameters,
    ridge: float,
    loss: Loss,
    start: Floats,
    bend: Floats,
    tolerance: float,
    most_passes: int,
) -> Minimum | None:
    """Walk by slopes, with the curvature `bend`, then if need be with that of all rows where this has led."""
    slope, steps = _slope(rows, parameters, ridge, loss), 0

    def there(found: Descent) -> Point:
        pull = np.diag(ridge * parameters.penalty)
        return Point(found.value, found.gradient, lambda: _bend(rows, parameters, loss, found.place) + pull)

    for _ in range(2):
        if (factor := _factor(bend, parameters, ridge)) is None:
            return None
        found = descend(slope, start, factor, tolerance, most_passes)
        start, steps, steepest = found.place, steps + found.passes - 1, float(np.abs(found.gradient).max())
        if found.is_found and steepest <= tolerance:
            return Minimum(start, there(found), np.ones(len(start), dtype=np.bool_), steps, steepest)
        bend = _bend(rows, parameters, loss, start)
    return None


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
