"""How strong is a player whose strength changes from one rating period to the next (Glicko-2)?

Glickman, "Example of the Glicko-2 system" (2013). A player has a rating, its standard error (the deviation) and a
volatility: how much its strength moves in a period, on a scale of 400 / ln(10) points. Points are Elo-like,
1500 in the middle; scores are 1, 1/2 and 0. For players that do not change, as the files of weights in a
gauntlet, `tuning.ratings` uses all games at once and is sharper."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scipy.special import expit

from games.errors import InputError

SCALE, MIDDLE = 400 / math.log(10), 1500.0
FAR = 30.0  # logits beyond which an expected score no longer changes: keeps the information above 0
CLOSE = 1e-9  # of the logarithm of the squared volatility
STEPS = 1000  # to get there: ten are usual


@dataclass(frozen=True)
class Glicko:
    """A player; the defaults are those of somebody nobody has seen."""

    rating: float = MIDDLE
    deviation: float = 350.0
    volatility: float = 0.06

    def __post_init__(self) -> None:
        if not math.isfinite(self.rating):
            raise InputError(f"rating: expected a number, found {self.rating}")
        for name in ("deviation", "volatility"):
            value = getattr(self, name)
            if not 1e-100 < value < 1e100:  # their squares are numbers too
                raise InputError(f"{name}: expected a positive number, found {value}")


def glicko2(
    player: Glicko, opponents: Sequence[Glicko], scores: Sequence[float], *, tau: float = 0.5
) -> Glicko:
    """Return a player after a rating period.

    Parameters
    ----------
    opponents
        One for each game, as they were before the period.
    scores
        What the player scored in each game, 0 to 1.
    tau
        How readily the volatility changes; 0.3 to 1.2 are usual.

    Raises
    ------
    InputError
        Scores and opponents differ in number, a score is none, tau is not positive.
    """
    _check(opponents, scores, tau)
    mu, phi = (player.rating - MIDDLE) / SCALE, player.deviation / SCALE
    if not scores:
        return Glicko(player.rating, SCALE * math.hypot(phi, player.volatility), player.volatility)
    information, surprise = 0.0, 0.0
    for opponent, score in zip(opponents, scores, strict=True):
        g = 1 / math.sqrt(1 + 3 * (opponent.deviation / SCALE / math.pi) ** 2)
        logit = min(max(g * (mu - (opponent.rating - MIDDLE) / SCALE), -FAR), FAR)
        information += g**2 * float(expit(logit) * expit(-logit))
        surprise += g * float(score - expit(logit))
    sigma = _volatility(player.volatility, phi**2, 1 / information, (surprise / information) ** 2, tau)
    after = 1 / math.sqrt(1 / (phi**2 + sigma**2) + information)
    return Glicko(player.rating + SCALE * after**2 * surprise, SCALE * after, sigma)


def _check(opponents: Sequence[Glicko], scores: Sequence[float], tau: float) -> None:
    if len(scores) != len(opponents):
        raise InputError(f"scores: expected one for each of {len(opponents)} opponents, found {len(scores)}")
    for score in scores:
        if not 0 <= score <= 1:
            raise InputError(f"scores: expected numbers from 0 to 1, found {score}")
    if not 0 < tau < math.inf:
        raise InputError(f"tau: expected a positive number, found {tau}")


def _volatility(sigma: float, variance: float, noise: float, square: float, tau: float) -> float:
    """Return the likeliest volatility: step 5 of the description, where `square` is its Delta squared."""
    before, excess = 2 * math.log(sigma), square - variance - noise

    def slope(x: float) -> float:
        spread = math.exp(x)
        whole = variance + noise + spread
        return spread / whole * (square / whole - 1) / 2 - (x - before) / tau**2

    other = math.log(excess) if excess > 0 else before - tau
    while excess <= 0 and slope(other) < 0:
        other -= tau
    return math.exp(_illinois(slope, before, other) / 2)


def _illinois(slope: Callable[[float], float], a: float, b: float) -> float:
    """Return a root between a and b, by the steps of the description.

    After games that surprise beyond belief there are three: other solvers could end in another one.
    """
    at_a, at_b = slope(a), slope(b)
    for _ in range(STEPS):
        if abs(b - a) <= CLOSE or at_b == at_a:
            break
        c = a + (a - b) * at_a / (at_b - at_a)
        at_c = slope(c)
        if at_c * at_b <= 0:
            a, at_a = b, at_b
        else:
            at_a /= 2
        b, at_b = c, at_c
    return a


__all__ = ["Glicko", "glicko2"]
