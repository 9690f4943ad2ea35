"""Where is a smooth convex function smallest, if its slope is cheap and its curvature is known only roughly?

L-BFGS whose inverse Hessian begins as that of a part of the data: the better the part, the fewer passes over
all of it. Each pass gives value and gradient.
References: J. Nocedal & S. Wright, Numerical Optimization (2006), algorithms 7.4 and 7.5; R. Byrd et al., On
the use of stochastic Hessian information (SIAM J. Optim. 21, 2011).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_solve

from tunesmith.tuning.fit.newton import ARMIJO, HALVINGS, ROUNDING

Floats = NDArray[np.float64]
Slope = Callable[[Floats], tuple[float, Floats]]
Pairs = list[tuple[Floats, Floats]]  # of a step and what it changed in the gradient, the oldest first

_MEMORY = 20  # pairs that are remembered


class Descent(NamedTuple):
    """Where the search ended. slope: in units of the preconditioner; its square is twice the loss still to gain.

    ahead: where the next step would have led; some ten times as near to the minimum, though nobody looked.
    """

    place: Floats
    value: float
    gradient: Floats
    passes: int
    slope: float
    is_found: bool
    pairs: Pairs
    ahead: Floats


def descend(
    function: Slope,
    place: Floats,
    factor: Any,
    tolerance: float,
    max_passes: int,
    known: tuple[float, Floats] | None = None,
    pairs: Pairs | None = None,
) -> Descent:
    """Walk from `place` until the slope is at most `tolerance`; `factor` is scipy's Cholesky factor of a Hessian.

    known: value and gradient at `place`, if they are. pairs: what an earlier search nearby has seen of the curvature.
    """
    value, gradient = known or function(place)
    pairs = pairs or []
    passes = 0 if known else 1
    while True:
        step = _direction(gradient, pairs, factor)
        promised = -float(gradient @ step)
        slope = float(np.sqrt(max(promised, 0.0)))
        if slope <= tolerance or passes >= max_passes:
            return Descent(place, value, gradient, passes, slope, slope <= tolerance, pairs, place + step)
        for _ in range(HALVINGS):
            found, new = function(place + step)
            passes += 1
            if found <= value - ARMIJO * promised + ROUNDING * abs(value) or passes >= max_passes:
                break
            step, promised = step / 2, promised / 2
        if float((new - gradient) @ step) > 0:
            pairs = [*pairs[-_MEMORY + 1 :], (step, new - gradient)]
        place, value, gradient = place + step, found, new


def _direction(gradient: Floats, pairs: Pairs, factor: Any) -> Floats:
    """The two-loop recursion of L-BFGS."""
    rest, factors = gradient.copy(), []
    for step, change in reversed(pairs):
        factors.append(float(step @ rest) / float(step @ change))
        rest -= factors[-1] * change
    found = np.asarray(cho_solve(factor, rest, check_finite=False), dtype=np.float64)
    for (step, change), alpha in zip(pairs, reversed(factors), strict=True):
        found += (alpha - float(change @ found) / float(step @ change)) * step
    return -found
