"""How far SPSA looks and moves: fishtest's decaying gains, and what constant gains come to.

A place is on [-1, 1] in each parameter or in any other unit; perturbations c have the unit of places, gains R
have none. At game k of each side, from 1, the sides are c_k apart from the point and the point moves by
R_k c_k (wins - losses) signs. Theory (Van den Bergh, spsa_simul): the loss is a sum of parabolas in Elo, `elo`
at half a range from the optimum. Its games are between the two sides (`meeting`); against a common opponent, as
in `SPSASampler`, the same gain makes twice the noise at twice the games. Losses are positive Elo."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import chi2

from .box import Array

ALPHA, GAMMA = 0.602, 0.101
ELO = 800 / math.log(10)  # Elo of a whole expected win more than losses, near equality


@dataclass(frozen=True)
class Schedule:
    """Gains c_k = c / k^gamma and R_k = a / (offset + k)^alpha / c_k^2; `offset` is the literature's A."""

    c: float
    a: float
    offset: float
    alpha: float = ALPHA
    gamma: float = GAMMA

    def at(self, k: float) -> tuple[float, float]:
        """Return (c_k, R_k) at game k of each side, counted from 1."""
        c = self.c / k**self.gamma
        return c, self.a / (self.offset + k) ** self.alpha / c**2


def schedule(
    games: float,
    c_end: float,
    r_end: float,
    *,
    a_ratio: float = 0.1,
    alpha: float = ALPHA,
    gamma: float = GAMMA,
) -> Schedule:
    """Return the gains that are c_end and r_end at the last of `games` games, both sides counted.

    alpha = gamma = 0 makes them constant.
    """
    if not 2 <= games < math.inf or not all(0 < size < math.inf for size in (c_end, r_end)):
        raise ValueError(f"expected games >= 2 and positive gains, found {games}, {c_end}, {r_end}")
    if not (0 <= a_ratio < math.inf and 0 <= alpha <= 1 and 0 <= gamma <= 1):
        raise ValueError(
            f"expected a_ratio >= 0, alpha and gamma from 0 to 1, found {a_ratio}, {alpha}, {gamma}"
        )
    n = games / 2
    offset = int(a_ratio * n)
    return Schedule(c_end * n**gamma, r_end * c_end**2 * (offset + n) ** alpha, offset, alpha, gamma)


def move(
    point: npt.ArrayLike,
    signs: npt.ArrayLike,
    lead: float,
    *,
    c: npt.ArrayLike,
    r: float,
    low: npt.ArrayLike = -1.0,
    high: npt.ArrayLike = 1.0,
) -> Array:
    """Return where a point goes if the side at point + c signs made `lead` more wins than losses."""
    there = np.asarray(point, float) + r * np.asarray(c) * lead * np.asarray(signs)
    return np.asarray(np.clip(there, low, high))


@dataclass(frozen=True)
class Gains:
    """What a wanted precision asks for.

    Attributes
    ----------
    r_end
        Constant gain R.
    games
        Games in all (both sides) until the start is forgotten: three time constants of the slowest parameter.
    half_lives
        Games after which the squared error of each parameter has halved.
    """

    r_end: float
    games: int
    half_lives: tuple[float, ...]


def gains_for_precision(
    elo: Sequence[float],
    precision: float,
    *,
    confidence: float = 0.95,
    draw_rate: float = 0.0,
    c_end: float = 0.2,
    meeting: bool = False,
) -> Gains:
    """Return the constant gain that ends within `precision` Elo of the optimum, and the games it needs.

    Parameters
    ----------
    elo
        For each parameter what is lost at the ends of its range when the optimum is in the middle.
    confidence
        Chance to be within the precision, once the start is forgotten.
    c_end
        Perturbation as a share of half the range.
    meeting
        Whether the sides play each other, not both the same opponent: twice the gain, a quarter of the games.
    """
    _check(elo, draw_rate, c_end)
    if not (0 < precision < math.inf and 0 < confidence < 1):
        raise ValueError(f"expected positive precision and a share, found {precision} and {confidence}")
    noise = 1.0 if meeting else 2.0
    r = 8 * precision / (ELO * float(chi2.ppf(confidence, len(elo))) * (1 - draw_rate) * noise)
    constants = [1 / rate for rate in _rates(elo, r, c_end, meeting)]
    half_lives = tuple(constant * math.log(2) for constant in constants)
    return Gains(r, round(6 * max(constants)), half_lives)


@dataclass(frozen=True)
class Loss:
    """What the point loses against the optimum, in Elo.

    mean: after the games asked about. start: the part of it that is left of the start. lasting: the mean that
    no number of games lowers. half_lives: games that halve each parameter's squared error.
    """

    mean: float
    start: float
    lasting: float
    half_lives: tuple[float, ...]

    def lasting_quantile(self, share: float) -> float:
        """Return what `share` of searches lose at most, once the start is forgotten."""
        if not 0 < share < 1:
            raise ValueError(f"expected a share between 0 and 1, found {share}")
        n = len(self.half_lives)
        return self.lasting / n * float(chi2.ppf(share, n))


def expected_loss(
    elo: Sequence[float],
    start: Sequence[float],
    games: float,
    *,
    r_end: float,
    c_end: float = 0.2,
    draw_rate: float = 0.0,
    meeting: bool = False,
) -> Loss:
    """Return what constant gains lose on average after `games` games, both sides counted.

    Parameters
    ----------
    elo, c_end, draw_rate, meeting
        As of `gains_for_precision`.
    start
        For each parameter how far from its optimum the search starts, in halves of its range.
    """
    _check(elo, draw_rate, c_end)
    if len(start) != len(elo) or not np.isfinite(start).all():
        raise ValueError(f"expected {len(elo)} starts, found {list(start)}")
    if not (games >= 0 and 0 < r_end < math.inf):
        raise ValueError(f"expected games >= 0 and a positive gain, found {games} and {r_end}")
    rates = _rates(elo, r_end, c_end, meeting)
    left = np.exp(-games * np.array(rates))
    each = r_end * (1 - draw_rate) * ELO / 8 * (1 if meeting else 2)
    begun = float(np.sum(np.array(elo) * np.square(start) * left))
    half_lives = tuple(math.log(2) / rate for rate in rates)
    return Loss(begun + each * float(np.sum(1 - left)), begun, each * len(elo), half_lives)


def _rates(elo: Sequence[float], r: float, c: float, meeting: bool) -> list[float]:
    """Return how fast each parameter's squared error decays, per game."""
    return [8 * r * c**2 * one / ELO / (1 if meeting else 2) for one in elo]


def _check(elo: Sequence[float], draw_rate: float, c_end: float) -> None:
    if not elo or not all(0 < one < math.inf for one in elo):
        raise ValueError(f"expected positive Elo, found {list(elo)}")
    if not (0 <= draw_rate < 1 and 0 < c_end < math.inf):
        raise ValueError(f"expected a share of draws and a positive c_end, found {draw_rate} and {c_end}")
