"""Artificial tuning problems, by which samplers are compared without playing.

Those of CLOP's source (R. Coulom, `programs/clop/src/artificial`): a setting is a point of [-1, 1]^n, a game is
won with probability p(x) = 1 / (1 + exp(-r(x))), never drawn. In n dimensions r is the mean over coordinates.
The regret of a recommended setting is the win rate it loses against the best one."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def _log(x: Array) -> Array:
    return 2 * np.log(4 * x + 4.1) - 4 * x - 3


def _flat(x: Array) -> Array:
    d = x + 0.6
    return 0.2 / (1 + 6 * d**2 + d**3)


def _power(x: Array) -> Array:
    u = (x + 1) / 2
    return 0.2 * u**2 - u**20


def _angle(x: Array) -> Array:
    return np.select([x < -0.8, x <= -0.3, x < 0.8], [-2.0, -2 + 6 * (x + 0.8), -(x + 0.3) / 1.1], -2.0)


def _step(x: Array) -> Array:
    return np.trunc(_log(x) + 0.65)


def _rosenbrock(x: Array) -> Array:
    a, b = x[..., 0], x[..., 1]
    return 1 - 0.1 * ((1 - 4 * a) ** 2 + (10 * b + 4 - 16 * a**2) ** 2)


def _correlated(x: Array) -> Array:
    z, b = 1 + 2 * (x[..., 0] + x[..., 1]), (x[..., 0] - x[..., 1]) / 2
    hill = np.log(np.maximum(z, -1) + 1.01) - math.log(0.01) - 0.7 * z
    return -3 - 6 * b**2 + np.where(z < -1, 6 - 6 * z**2, hill)


@dataclass(frozen=True)
class Problem:
    """One problem: log-odds of a win as a function of points (last axis: coordinates), and its best point."""

    name: str
    n: int
    best: tuple[float, ...]
    log_odds: Callable[[Array], Array]

    def win_rate(self, x: npt.ArrayLike) -> Array:
        """Return the chance to win at each point (last axis: coordinates)."""
        found: Array = 1 / (1 + np.exp(-self.log_odds(np.asarray(x, float))))
        return found

    @property
    def best_rate(self) -> float:
        """The win rate of the best point."""
        return float(self.win_rate(self.best))

    def regret(self, x: npt.ArrayLike) -> Array:
        """Return the win rate lost at each point."""
        return self.best_rate - self.win_rate(x)


_LINES: dict[str, tuple[float, Callable[[Array], Array]]] = {
    "LOG": (-0.525, _log),
    "FLAT": (-0.6, _flat),
    "POWER": (2 * 0.02 ** (1 / 18) - 1, _power),
    "ANGLE": (-0.3, _angle),
    "STEP": (-0.5, _step),
}
_PLANES: dict[str, tuple[tuple[float, float], Callable[[Array], Array]]] = {
    "ROSENBROCK": ((0.25, -0.3), _rosenbrock),
    "CORRELATED": (((1 / 0.7 - 2.01) / 4,) * 2, _correlated),
}


def problem(name: str, n: int) -> Problem:
    """Return a problem by name and number of dimensions."""
    if name in _PLANES and n == 2:
        best, surface = _PLANES[name]
        return Problem(f"{name} 2", 2, best, surface)
    if name in _LINES and n >= 1:
        at, line = _LINES[name]
        return Problem(f"{name} {n}", n, (at,) * n, lambda x: line(x).mean(axis=-1))
    raise ValueError(f"no problem {name!r} in {n} dimensions; known: {', '.join([*_LINES, *_PLANES])}")


PROBLEMS: tuple[Problem, ...] = tuple(
    problem(name, n)
    for name, n in (
        ("LOG", 1),
        ("FLAT", 1),
        ("POWER", 1),
        ("ANGLE", 1),
        ("STEP", 1),
        ("LOG", 2),
        ("ROSENBROCK", 2),
        ("CORRELATED", 2),
        ("LOG", 5),
        ("FLAT", 5),
    )
)
