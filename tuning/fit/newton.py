"""Where is a smooth function of a few numbers smallest, within bounds?

Projected Newton: numbers at a bound that the gradient pushes outwards stay there; the others take a Newton
step, clipped to the bounds and halved until the value falls by a fair part of what the gradient promises.
The caller scales the numbers so that 1 means about the same for each. The function should be convex, or the
Hessian given for it never negative (Gauss and Newton). Not reaching the tolerance is an error.
Source: D. Bertsekas, Projected Newton methods (SIAM J. Control Optim. 20, 1982).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from tunesmith.games.errors import InputError

Floats = NDArray[np.float64]

ARMIJO = 1e-4  # the part of the promised fall that a step must bring (Nocedal & Wright, section 3.1)
ROUNDING = 1e-14  # changes of the value below this part of it are noise and stop no step
HALVINGS = 40
DAMPINGS = (0.0, 1e-12, 1e-9, 1e-6, 1e-3, 1.0)  # in parts of the mean curvature


@dataclass(frozen=True, eq=False)
class Point:
    """Value, gradient (Q,) and curvature of the function at one place: the Hessian (Q, Q), or how to find it."""

    value: float
    gradient: Floats
    curvature: Floats | Callable[[], Floats]

    @cached_property
    def hessian(self) -> Floats:
        """The Hessian (Q, Q), found when it is asked for, and once."""
        return self.curvature() if callable(self.curvature) else self.curvature


class Minimum(NamedTuple):
    """Where the search ended: `free` numbers are not held by a bound; `slope` is their largest gradient."""

    place: Floats
    point: Point
    free: NDArray[np.bool_]
    iterations: int
    slope: float
    basis: Floats | None = None  # (Q, m) directions that constraints leave free; None: those of `free`
    held: tuple[int, ...] = ()  # constraints that hold the place

    @property
    def directions(self) -> Floats:
        """Directions (Q, m) in which the place can move."""
        return np.eye(len(self.place))[:, self.free] if self.basis is None else self.basis


Function = Callable[[Floats], Point]


def minimise(
    function: Function, start: Floats, lower: Floats, upper: Floats, *, tolerance: float, max_iterations: int
) -> Minimum:
    """Walk from `start` to where no free number has a gradient above `tolerance`."""
    place = np.clip(start, lower, upper)
    point = function(place)
    iteration = 0
    while True:
        pushed_out = ((place <= lower) & (point.gradient >= 0)) | ((place >= upper) & (point.gradient <= 0))
        free = ~pushed_out
        slope = float(np.abs(point.gradient[free]).max(initial=0.0))
        if slope <= tolerance:
            return Minimum(place, point, free, iteration, slope)
        if iteration == max_iterations:
            raise _not_converged(iteration, slope, tolerance)
        step = np.zeros_like(place)
        step[free] = newton_step(point.hessian[np.ix_(free, free)], point.gradient[free])
        moved = halved(function, place, point, step, lower, upper)
        if moved is None:
            raise _not_converged(iteration, slope, tolerance)
        place, point = moved
        iteration += 1


def newton_step(hessian: Floats, gradient: Floats) -> Floats:
    """Solve hessian @ step = -gradient; where the Hessian is flat, damp it as little as will do."""
    mean = max(float(np.trace(hessian)) / len(hessian), np.finfo(np.float64).tiny)
    for damping in DAMPINGS:
        damped = hessian + damping * mean * np.eye(len(hessian))
        try:
            return np.asarray(-cho_solve(cho_factor(damped, lower=True), gradient), dtype=np.float64)
        except np.linalg.LinAlgError:
            continue
    return -gradient


def halved(
    function: Function,
    place: Floats,
    point: Point,
    step: Floats,
    lower: Floats | float = -np.inf,
    upper: Floats | float = np.inf,
) -> tuple[Floats, Point] | None:
    """Halve the step until it pays; None if no length does."""
    for _ in range(HALVINGS):
        there = np.clip(place + step, lower, upper)
        found = function(there)
        allowed = point.value + ARMIJO * min(float(point.gradient @ (there - place)), 0.0)
        if found.value <= allowed + ROUNDING * abs(point.value):
            return there, found
        step = step / 2
    return None


def _not_converged(iterations: int, slope: float, tolerance: float) -> InputError:
    return InputError(
        f"the fit did not converge: after {iterations} iterations the largest scaled gradient is "
        f"{slope:.3g}, expected at most {tolerance:.3g}; "
        "allow more iterations, use a stronger ridge or fix some weights"
    )
