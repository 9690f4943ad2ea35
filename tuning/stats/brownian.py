"""Where does Brownian motion from 0, between an absorbing wall below and one above, end, and when?

The ratio of a sequential test is taken as such a motion; `drift` and `variance` are those of a unit of time, a game
or a pair. The probability of an end within a time is a series in functions that vanish at both walls (Cox and Miller,
The Theory of Stochastic Processes, 1965, section 5.7); where that converges slowly Siegmund's approximation stands in
(Sequential Analysis, 1985, chapter 3). As in fishtest (`brownian.py`).
"""

import math


def leave(drift: float, variance: float, lower: float, upper: float) -> tuple[float, float]:
    """Return (probability of leaving at the top, mean time) if there is no limit of time (Wald)."""
    gamma = drift / variance
    top = _top(gamma, lower, upper)
    if abs(2 * gamma * (upper - lower)) < 1e-6:
        return top, -lower * upper / variance
    return top, (top * upper + (1 - top) * lower) / drift


def _top(gamma: float, lower: float, upper: float) -> float:
    """Return the probability of meeting the upper wall first, whenever that is; gamma: drift / variance."""
    width = upper - lower
    if abs(gamma * width) < 1e-8:
        return -lower / width
    # (1 - e^(-2 gamma lower)) / (e^(-2 gamma upper) - e^(-2 gamma lower)), so that no exponent is positive
    if gamma > 0:
        return math.expm1(2 * gamma * lower) / math.expm1(-2 * gamma * width)
    return math.exp(2 * gamma * upper) * math.expm1(-2 * gamma * lower) / math.expm1(2 * gamma * width)


def leave_within(
    time: float, drift: float, variance: float, lower: float, upper: float
) -> tuple[float, float]:
    """Return the probabilities of having met the lower and the upper wall first, by that time."""
    below = 1 - worse_outcome(time, -lower, -drift, variance, -upper, -lower)
    above = 1 - worse_outcome(time, upper, drift, variance, lower, upper)
    return tuple(min(max(p, 0.0), 1.0) for p in (below, above))  # type: ignore[return-value]


def worse_outcome(time: float, at: float, drift: float, variance: float, lower: float, upper: float) -> float:
    """Return the probability of doing worse than being at `at` at `time`.

    Worse: the lower wall was met before, or the motion is between the walls but below `at`; if `at` is the
    upper wall, it has not been met yet.
    """
    width = upper - lower
    if variance * time < 0.01 * width**2 or abs(drift / variance * width) > 15:
        return _siegmund(time, at, drift, variance, lower, upper)
    return _series(time, at, drift, variance, lower, upper)


def _series(time: float, at: float, drift: float, variance: float, lower: float, upper: float) -> float:
    """Expand in functions that vanish at both walls: all that ever ends below, less what is still to come."""
    gamma, width, start, y = drift / variance, upper - lower, -lower, at - lower
    total, decay, n = 0.0, math.inf, 0
    while decay > 1e-12:
        n += 1
        k = n * math.pi / width
        decay = math.exp(gamma * (y - start) - variance * time / 2 * (k**2 + gamma**2))
        # 2 / width times the integral of e^(gamma y) sin(k y), without its exponential
        shape = 2 / width * (gamma * math.sin(k * y) - k * math.cos(k * y)) / (k**2 + gamma**2)
        total += decay * shape * math.sin(k * start)
    return _top(-gamma, -upper, -lower) + total


def _siegmund(time: float, at: float, drift: float, variance: float, lower: float, upper: float) -> float:
    """Take the normal distribution and reflect once at each wall."""
    from scipy.special import log_ndtr

    sigma, centre, gamma = math.sqrt(variance * time), drift * time, drift / variance

    def mass(x: float, weight: float = 0.0) -> float:
        return math.exp(weight + float(log_ndtr(x / sigma)))

    below = mass(2 * lower - at + centre, 2 * gamma * lower)
    above = mass(at - centre - 2 * upper, 2 * gamma * upper)
    return mass(at - centre) + below - above
