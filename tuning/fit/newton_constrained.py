"""Where is a smooth convex function smallest while some sums of its numbers stay below limits?

Newton with an active set: a quadratic model says which limits hold the place (multipliers above 0, found by
non-negative least squares in the dual); along them the step is Newton's, shortened where another limit is in
the way and halved until the value falls. The start must lie within the limits.
Sources: J. Nocedal & S. Wright, Numerical Optimization (2006), chapters 16 and 18; C. Lawson & R. Hanson,
Solving Least Squares Problems (1974), chapter 23.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve, cholesky, null_space, solve_triangular
from scipy.optimize import nnls

from tunesmith.games.errors import InputError
from tunesmith.tuning.fit import newton

Ints = NDArray[np.int64]

_TOUCHING = 1e-9  # room below this is none; numbers count in logits
_ROUNDING = 1e-14  # part of the largest number of a gradient below which one is rounding
_REDUNDANT = 1e-12  # part of the mean curvature that keeps limits which say the same apart


class Limits(NamedTuple):
    """matrix (m, Q) @ place (Q,) <= limit (m,)."""

    matrix: newton.Floats
    limit: newton.Floats

    def room(self, place: newton.Floats) -> newton.Floats:
        """How far each sum may still grow."""
        return np.asarray(self.limit - self.matrix @ place, dtype=np.float64)


def minimise_within(
    function: newton.Function, start: newton.Floats, limits: Limits, *, tolerance: float, max_iterations: int
) -> newton.Minimum:
    """Walk from `start` to where the gradient is at most `tolerance` in every direction left free."""
    place, point = start.copy(), function(start)
    for iteration in range(max_iterations + 1):
        room = limits.room(place)
        held = _held(point, limits.matrix, room)
        basis = null_space(limits.matrix[held]) if held.size else np.eye(len(place))
        slope = float(np.abs(basis.T @ point.gradient).max(initial=0.0))
        if slope <= tolerance and (room[held] <= _TOUCHING).all():
            free = np.ones(len(place), dtype=np.bool_)
            return newton.Minimum(place, point, free, iteration, slope, basis, tuple(held.tolist()))
        step = _step(point, limits.matrix[held], room[held], basis)
        moved = newton.halved(function, place, point, step * _longest(limits.matrix, room, step, held))
        if moved is None:
            break
        place, point = moved
    raise InputError(
        f"the fit did not converge within its constraints: the largest scaled gradient is {slope:.3g}, "
        f"expected at most {tolerance:.3g}; use a stronger ridge or fewer constraints"
    )


def _held(point: newton.Point, matrix: newton.Floats, room: newton.Floats) -> Ints:
    """Find the limits that the minimum of the quadratic model leans on."""
    if not matrix.size:  # no limits, or nothing that could move
        return np.zeros(0, dtype=np.int64)
    mean = max(float(np.trace(point.hessian)) / len(point.hessian), np.finfo(np.float64).tiny)
    factor = cho_factor(point.hessian + _REDUNDANT * mean * np.eye(len(point.hessian)), lower=True)
    solved = cho_solve(factor, np.column_stack([matrix.T, point.gradient]))
    dual = matrix @ solved[:, :-1]
    dual[np.diag_indices_from(dual)] += _REDUNDANT * max(float(np.trace(dual)) / len(dual), _REDUNDANT)
    root = cholesky(dual)
    target = solve_triangular(root, matrix @ solved[:, -1] + np.maximum(room, 0), trans="T")
    return np.flatnonzero(nnls(root, -target)[0] > 0).astype(np.int64)


def _step(
    point: newton.Point, matrix: newton.Floats, room: newton.Floats, basis: newton.Floats
) -> newton.Floats:
    """Go to the held limits, and along them to the minimum of the quadratic model."""
    step = np.linalg.lstsq(matrix, room)[0] if len(matrix) else np.zeros(len(point.gradient))
    if basis.shape[1]:
        slope = point.gradient + point.hessian @ step
        gradient = basis.T @ slope
        # What rounding leaves of a gradient is none: where nothing bends it would be divided by next to nothing.
        size = np.abs(point.gradient).max() + np.abs(slope).max()
        gradient[np.abs(gradient) <= _ROUNDING * size] = 0.0
        step = step + basis @ newton.newton_step(basis.T @ point.hessian @ basis, gradient)
    return np.asarray(step, dtype=np.float64)


def _longest(matrix: newton.Floats, room: newton.Floats, step: newton.Floats, held: Ints) -> float:
    """Give the part of a step (at most 1) that stays within the limits."""
    growth = matrix @ step
    in_way = growth > 0
    in_way[held] = False
    ratios = np.maximum(room[in_way], 0) / growth[in_way]
    return float(ratios.min(initial=1.0))
