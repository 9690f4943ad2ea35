"""What do the counts of a match say about strength, and how sure is it?

Counts are ordered worst first: three counts are games (L, D, W), five are pairs (LL, LD, DD+WL, WD, WW), a
pair being two games from one opening with sides swapped. Everything speaks of the first-named player. A score
is points per game in [0, 1]; Elo is logistic, 400 log10(s / (1 - s)), unless a name says nelo (difference in
standard deviations of one game) or bayeselo (win and loss logistic around a drawelo). All results are finite.

Formulas as in fishtest (`stat_util.py`), fastchess (`matchmaking/elo`), OpenBench (`stats.py`),
vdbergh/pentanomial and chess-tuning-tools; `tests/golden/statistics.md` holds the published figures.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from statistics import NormalDist
from typing import Literal

from tunesmith.games.errors import InputError

NELO_UNIT = 800 / math.log(10)
"""Normalised Elo of one standard deviation of a game; also the slope of Elo at score 1/2."""

Z95 = 1.959963984540054
"""Half width of a 95 % interval in standard errors: the normal distribution's quantile at 0.975."""

Counts = Sequence[float]
Outcome = Literal["stronger", "weaker", "not shown"]

_EMPTY_LIMIT = 0.001
"""Interval of a match without games, as a score: the clamp of fishtest and OpenBench."""

_FEW = 60
"""Results outside the fullest cell from which on an interval is the plain normal one, as published figures are."""

_UNSEEN, _WIDER = 1 / 3, 0.1
"""Where nothing lies outside the fullest cell: results added to both ends (in squared quantiles), and the growth of
the quantile. Both fade until `_FEW`. Chosen by `experiments.proofs.few_pairs`: least coverage above 94 %."""

_MOST_MIRRORED = 1000
"""Results that are not level up to which equality is tested exactly; beyond, the normal interval is as good."""

_JEFFREYS = 0.5
"""Added to every cell where counts show no spread of their own (cutechess adds it always)."""


@dataclass(frozen=True)
class Moments:
    """Mean and variance of the score; `units` are games for three counts, pairs for five."""

    units: float
    score: float
    variance: float


@dataclass(frozen=True)
class Estimate:
    """Strength of the first-named player at a fixed number of games. See `estimate` for the edge cases."""

    games: int | float
    score: float
    elo: float
    elo_half_width: float
    elo_low: float
    elo_high: float
    nelo: float
    nelo_half_width: float
    los: float
    is_clamped: bool
    level: float


def nelo_half_width(games: int) -> float:
    """Return to how much normalised Elo so many games show a difference at 95 %: 681 / sqrt(games)."""
    return Z95 * NELO_UNIT / math.sqrt(games)


# Counts


def check_counts(counts: Counts) -> tuple[float, ...]:
    """Return the counts as plain numbers, whole ones as `int`; refuse what is not three or five counts."""
    try:
        values = tuple(float(count) for count in counts)
    except (TypeError, ValueError):
        raise InputError(f"counts must be numbers, found {counts!r}") from None
    if len(values) not in (3, 5):
        raise InputError(f"expected 3 counts (L D W) or 5 (LL LD DD+WL WD WW), found {list(counts)}")
    if any(not math.isfinite(value) or value < 0 for value in values):
        raise InputError(f"counts must be finite and not negative, found {list(counts)}")
    return tuple(int(value) if value.is_integer() else value for value in values)


def moments(counts: Counts) -> Moments:
    """Return score and variance per game (three counts) or per pair average (five). No games score 1/2."""
    counts = check_counts(counts)
    units = sum(counts)
    if units == 0:
        return Moments(0, 0.5, 0.0)
    steps = len(counts) - 1
    score = sum(n * i for i, n in enumerate(counts)) / (units * steps)
    variance = sum(n * (i / steps - score) ** 2 for i, n in enumerate(counts)) / units
    return Moments(units, score, variance)


def games_of(counts: Counts) -> float:
    """Return the number of games: two a pair."""
    return sum(check_counts(counts)) * (len(counts) // 2)


def points(counts: Counts) -> float:
    """Return the points of the first-named player: 1 a win, 1/2 a draw."""
    return sum(n * i for i, n in enumerate(check_counts(counts))) / 2


def draw_rate(counts: Counts) -> float:
    """Return the share of the middle cell: drawn games, or drawn pairs (DD and WL)."""
    middle, total = check_counts(counts)[len(counts) // 2], sum(counts)
    return middle / total if total else 0.0


def spread(counts: Counts) -> float:
    """Return the variance per unit; where counts fill at most one cell, 1/2 is added to every cell."""
    return moments(counts if _has_spread(counts) else [n + _JEFFREYS for n in counts]).variance


def _has_spread(counts: Counts) -> bool:
    return sum(1 for n in counts if n > 0) > 1


def sigma_per_game(counts: Counts) -> float:
    """Return the standard deviation of one game: sqrt(variance), for pairs sqrt(2 variance)."""
    return math.sqrt(spread(counts) * (len(counts) // 2))


# Scales


def elo_to_score(elo: float) -> float:
    """Return the expected score, 1 / (1 + 10 ** (-elo / 400))."""
    return 0.5 * (1 + math.tanh(elo / NELO_UNIT))


def score_to_elo(score: float) -> float:
    """Return the Elo difference of a score strictly between 0 and 1."""
    if not 0 < score < 1:
        raise InputError(f"a score strictly between 0 and 1 has an Elo, found {score}")
    return 400 * math.log10(score / (1 - score))


def nelo_to_score(nelo: float, sigma: float) -> float:
    """Return the score of a normalised Elo, with `sigma` the standard deviation of one game."""
    return 0.5 + nelo * sigma / NELO_UNIT


def score_to_nelo(score: float, sigma: float) -> float:
    """Return the normalised Elo of a score."""
    if not sigma > 0:
        raise InputError(f"the standard deviation of a game must be positive, found {sigma}")
    return NELO_UNIT * (score - 0.5) / sigma


def normalized_elo(counts: Counts) -> float:
    """Return the normalised Elo of counts or of frequencies."""
    return score_to_nelo(moments(counts).score, sigma_per_game(counts))


# Estimate


def normal_cdf(x: float) -> float:
    """Return the normal distribution function, exact in both tails."""
    return 0.5 * math.erfc(-x / math.sqrt(2))


def normal_quantile(p: float) -> float:
    """Return the x with distribution function `p`."""
    return NormalDist().inv_cdf(p)


def estimate(counts: Counts, level: float = 0.95) -> Estimate:
    """Return score, Elo and nelo with half widths, Elo interval and likelihood of superiority.

    The interval is `score_interval`'s; whoever claims something of it asks `judge`. Half widths are half of the
    interval of Elo, and the longer side of that of nelo. Where the formulas have no finite answer, `is_clamped` is
    set and these rules hold:

    * Elo is taken of the score kept a quarter of a point away from 0 and from full points, half of the least
      loss possible: 10 wins of 10 count as 9.75 of 10. An interval that leaves (0, 1) ends at .001 or .999, or
      as near to 0 or 1 as that.
    * Counts in one cell (all won, all drawn, one pair) show no spread: for nelo it is taken from the counts with
      1/2 added to every cell, for LOS around score 1/2 (ten losses of ten give .0006). The score stays as it is.
    * Without games: score and LOS 1/2, Elo and nelo 0, the interval is that of scores .001 and .999.
    """
    low, high = score_interval(counts, level)
    facts, games = moments(counts), games_of(counts)
    margin = _margin(games)
    elo_low, elo_high = (score_to_elo(_keep_off(s, min(margin, _EMPTY_LIMIT))) for s in (low, high))
    return Estimate(
        games=games,
        score=facts.score,
        elo=score_to_elo(_keep_off(facts.score, margin)),
        elo_half_width=(elo_high - elo_low) / 2,
        elo_low=elo_low,
        elo_high=elo_high,
        nelo=normalized_elo(counts),
        nelo_half_width=NELO_UNIT * max(high - facts.score, facts.score - low) / sigma_per_game(counts),
        los=_superiority(counts, facts),
        is_clamped=low < margin or high > 1 - margin or not _has_spread(counts),
        level=level,
    )


def judge(low: float, high: float) -> Outcome:
    """Return what an interval of Elo says of the first-named player: the one judgement of every match."""
    if low > 0:
        return "stronger"
    return "weaker" if high < 0 else "not shown"


def score_interval(counts: Counts, level: float = 0.95) -> tuple[float, float]:
    """Return an interval of the true score, the same for all counts; its ends may leave (0, 1).

    Where at least 60 results lie outside the fullest cell, it is mean and standard error with the normal
    distribution's quantile. The fewer do, the less a sample says of its own spread: results are added to both ends,
    as by Agresti and Coull (The American Statistician 52, 1998) to the two cells of a share, and the quantile grows
    by up to a tenth. It holds score 1/2 unless `equality` is below 1 - `level`.
    """
    _check_level(level)
    counts = check_counts(counts)
    z, facts = normal_quantile(0.5 + level / 2), moments(counts)
    unseen = max(0.0, 1 - (facts.units - max(counts)) / _FEW)
    first, *inner, last = counts
    added = _UNSEEN * z**2 * unseen
    padded = moments([first + added, *inner, last + added])
    half = z * (1 + _WIDER * unseen) * math.sqrt(padded.variance / padded.units)
    low, high = min(padded.score - half, facts.score), max(padded.score + half, facts.score)
    if not low <= 0.5 <= high and (equality(counts) or 0) > 1 - level:
        low, high = min(low, 0.5), max(high, 0.5)
    return low, high


def equality(counts: Counts) -> float | None:
    """Return the probability that equal players come out at least as far apart as these counts, by exact count.

    Between equal players a result is as likely as its mirror image, whatever draws and openings do (Fisher's test of
    signs, of points). None: more than 1,000 results are not level.
    """
    whole = [round(n) for n in check_counts(counts)]
    steps = len(whole) // 2
    groups = [(whole[steps + d], whole[steps - d], d) for d in range(1, steps + 1)]
    if sum(won + lost for won, lost, _ in groups) > _MOST_MIRRORED:
        return None
    lead = abs(sum(d * (won - lost) for won, lost, d in groups))
    if not lead:
        return 1.0
    near, far = groups[0][0] + groups[0][1], sum(won + lost for won, lost, _ in groups[1:])
    # tails[k]: ways in which at least k of the near results are won, each of them worth a step
    tails = [*accumulate(math.comb(near, k) for k in range(near, -1, -1))][::-1]
    ways = 0
    for won in range(far + 1):
        least = max(0, -(-(lead - 2 * (2 * won - far) + near) // 2))
        ways += math.comb(far, won) * tails[least] if least <= near else 0
    return 2 * ways / (1 << (near + far))


def games_needed(counts: Counts, level: float = 0.95, power: float = 0.8) -> int | None:
    """Return how many games show the seen difference, None if there is none.

    If the true score is the one seen, a match of that length excludes equality at `level` (two-sided) with
    about probability `power`. The spread is taken around 1/2, so that no length is below z squared (8 games
    or pairs by default), however large the difference. For five counts it is even: two games a pair.
    """
    _check_level(level)
    _check_level(power, "power")
    difference = moments(counts).score - 0.5
    if difference == 0:
        return None
    z = max(0.0, normal_quantile(0.5 + level / 2) + normal_quantile(power))
    units = math.ceil(z**2 * (1 + spread(counts) / difference**2))
    return max(1, units) * (len(counts) // 2)


def _superiority(counts: Counts, facts: Moments) -> float:
    if facts.units == 0:
        return 0.5
    variance = facts.variance
    if not _has_spread(counts):
        padded = moments([n + _JEFFREYS for n in counts])
        variance = padded.variance + (padded.score - 0.5) ** 2
    return normal_cdf((facts.score - 0.5) / math.sqrt(variance / facts.units))


def furthest_elo(games: float) -> float:
    """Return the largest Elo that so many games can show, see `estimate`."""
    return score_to_elo(1 - _margin(games))


def _margin(games: float) -> float:
    return 0.25 / max(games, 1) if games else _EMPTY_LIMIT


def _keep_off(score: float, margin: float) -> float:
    return min(max(score, margin), 1 - margin)


def _check_level(level: float, name: str = "level") -> None:
    if not 0 < level < 1:
        raise InputError(f"{name} must lie strictly between 0 and 1, found {level}")


# BayesElo: the model that makes games up


def bayeselo_outcome(bayeselo: float, drawelo: float, bias: float = 0.0) -> tuple[float, float, float]:
    """Return the probabilities of loss, draw and win for a player favoured by `bias` in this opening."""
    if not drawelo >= 0:
        raise InputError(f"drawelo must not be negative, found {drawelo}")
    win = elo_to_score(bayeselo + bias - drawelo)
    loss = elo_to_score(-bayeselo - bias - drawelo)
    return loss, max(0.0, 1 - loss - win), win


def pair_outcome(bayeselo: float, drawelo: float, biases: Sequence[float] = (0.0,)) -> tuple[float, ...]:
    """Return the probabilities of LL, LD, DD+WL, WD, WW, openings drawn evenly from `biases`."""
    _check_biases(biases)
    cells = [0.0] * 5
    for bias in biases:
        second = bayeselo_outcome(bayeselo, drawelo, -bias)
        for i, p in enumerate(bayeselo_outcome(bayeselo, drawelo, bias)):
            for j, q in enumerate(second):
                cells[i + j] += p * q / len(biases)
    return tuple(cells)


def _check_biases(biases: Sequence[float]) -> None:
    if not biases:
        raise InputError("expected at least one opening bias, found none")


def fit_bayeselo(counts: Counts) -> tuple[float, float]:
    """Return (bayeselo, drawelo) of three counts, of which losses and wins must not be empty."""
    loss, draw, win = _three(counts)
    total = loss + draw + win
    if not (loss > 0 and win > 0 and loss < total and win < total):
        raise InputError(f"BayesElo needs a win and a loss, found L D W = {list(counts)}")
    lost, won = (200 * math.log10(n / (total - n)) for n in (loss, win))
    return won - lost, -won - lost


def drawelo_of_draw_rate(rate: float) -> float:
    """Return the drawelo at which equal players draw that share of their games."""
    if not 0 <= rate < 1:
        raise InputError(f"a draw rate lies in [0, 1), found {rate}")
    return 400 * math.log10((1 + rate) / (1 - rate))


def bayeselo_to_elo(bayeselo: float, drawelo: float, biases: Sequence[float] = (0.0,)) -> float:
    """Return the logistic Elo of a BayesElo difference."""
    return score_to_elo(moments(pair_outcome(bayeselo, drawelo, biases)).score)


def elo_to_bayeselo(elo: float, drawelo: float, biases: Sequence[float] = (0.0,)) -> float:
    """Return the BayesElo difference that scores like `elo`."""
    return _solve(lambda b: bayeselo_to_elo(b, drawelo, biases) - elo, "Elo", elo)


def _three(counts: Counts) -> tuple[float, ...]:
    if len(counts) != 3:
        raise InputError(f"BayesElo needs 3 counts of single games (L D W), found {list(counts)}")
    return check_counts(counts)


def _solve(excess: Callable[[float], float], name: str, value: float) -> float:
    from scipy.optimize import brentq  # here, because commands that need no solver must start at once

    limit = 1000.0
    if not (math.isfinite(value) and excess(-limit) <= 0 <= excess(limit)):
        raise InputError(f"{name} {value} is out of reach: it would need a BayesElo beyond {limit:.0f}")
    return brentq(excess, -limit, limit, xtol=1e-12)
