"""Is the first-named player stronger, and may we stop now? Sequential tests on counts.

Counts are ordered worst first, as in `tuning.stats.elo`; results come in the order of their number, never in
the order of arrival. A test is fixed before the first game. It stops for H1 when the log-likelihood ratio
is at or above `upper`, for H0 at or below `lower`. The test decides; how large a gain is, a fixed number of
games measures, or, with its bias removed, `tuning.stats.stopped_test`.

Sources: Wald, Sequential Analysis (bounds, length); Siegmund, Sequential Analysis, corollary 8.33
(overshoot), as in fishtest `stat_util.py`; the ratio itself is in `tuning.stats.likelihood`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count, takewhile
from typing import Literal

import numpy as np

from tunesmith.games.errors import InputError
from tunesmith.tuning.stats.brownian import leave, leave_within
from tunesmith.tuning.stats.elo import (
    NELO_UNIT,
    Counts,
    bayeselo_outcome,
    elo_to_bayeselo,
    elo_to_score,
    games_of,
    moments,
    normal_quantile,
)
from tunesmith.tuning.stats.likelihood import Floats, Model, check_hypotheses, llr, llrs

Verdict = Literal["H1", "H0", "continue", "inconclusive"]


@dataclass(frozen=True)
class Decision:
    """What the counts say now. `inconclusive`: the limit of pairs was reached between the bounds."""

    decision: Verdict
    llr: float
    lower: float
    upper: float


NARROWEST = 1e-6  # between the bounds: the numbers of narrower tests have too few digits


@dataclass(frozen=True)
class Sprt:
    """A test between `elo0` and `elo1`, in the unit of its model. `max_pairs` None: no limit."""

    elo0: float = 0.0
    elo1: float = 5.0
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "normalized"
    max_pairs: int | None = None

    def __post_init__(self) -> None:
        """Refuse a test that could not decide."""
        bounds(self.alpha, self.beta)
        check_hypotheses(self.elo0, self.elo1, self.model)
        if not self.elo0 < self.elo1:
            raise InputError(f"elo0 must be below elo1, found [{self.elo0}, {self.elo1}]")
        if self.elo1 - self.elo0 < NARROWEST:
            raise InputError(
                f"elo0 must be below elo1 by at least {NARROWEST:g}, found [{self.elo0}, {self.elo1}]"
            )
        if self.max_pairs is not None and self.max_pairs < 1:
            raise InputError(f"max_pairs must be at least 1, found {self.max_pairs}")

    @property
    def lower(self) -> float:
        """The ratio at or below which H0 is accepted."""
        return bounds(self.alpha, self.beta)[0]

    @property
    def upper(self) -> float:
        """The ratio at or above which H1 is accepted."""
        return bounds(self.alpha, self.beta)[1]

    def decide(self, counts: Counts) -> Decision:
        """Judge the counts as they are. Results that come one by one belong into `walk`."""
        value = llr(counts, self.elo0, self.elo1, self.model)
        is_full = self.max_pairs is not None and games_of(counts) >= 2 * self.max_pairs
        return Decision(_verdict(value, self.lower, self.upper, is_full), value, self.lower, self.upper)


def bounds(alpha: float = 0.05, beta: float = 0.05) -> tuple[float, float]:
    """Return (lower, upper) for the error rates: `alpha` of passing at H0, `beta` of failing at H1."""
    if not (alpha > 0 and beta > 0 and alpha + beta < 1):
        raise InputError(f"alpha and beta must be positive with a sum below 1, found {alpha} and {beta}")
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


# Results in order


@dataclass(frozen=True)
class Walk:
    """A test fed result by result.

    `stop` is the number of results after which it stopped, None if it did not; later results had no
    influence. `path` is the ratio after each result read, `counts` are those of the results read.
    """

    stop: int | None
    decision: Decision
    counts: tuple[int, ...]
    path: tuple[float, ...]


def in_order(results: Mapping[int, int | None], first: int = 0) -> list[int | None]:
    """Return the results numbered first, first + 1, ... up to the first number that is still missing."""
    return [results[number] for number in takewhile(results.__contains__, count(first))]


def walk(test: Sprt, results: Sequence[int | None], cells: int = 5, overshoot: bool = False) -> Walk:
    """Feed results in their order until the test stops.

    A result is the index of its cell, worst first: 0 (LL) to 4 (WW) for pairs, 0 (L) to 2 (W) for games
    with `cells` 3. None is a result lost to a fault: it keeps its place and counts for nothing. With
    `overshoot` the bounds are moved inwards by the mean overshoot: fewer games, error rates closer to the stated.
    """
    running = _running_counts(results, cells)
    path = llrs(running, test.elo0, test.elo1, test.model)
    up, down = mean_overshoots(path) if overshoot else (np.zeros(len(path)), np.zeros(len(path)))
    lower, upper = test.lower + up, test.upper - down
    is_full = running.sum(axis=1) >= _limit(test, cells)
    stops = np.flatnonzero((path >= upper) | (path <= lower) | is_full)
    if not len(path):
        return Walk(None, test.decide((0,) * cells), (0,) * cells, ())
    last = int(stops[0]) if len(stops) else len(path) - 1
    verdict = _verdict(path[last], lower[last], upper[last], bool(is_full[last]))
    decision = Decision(verdict, float(path[last]), float(lower[last]), float(upper[last]))
    counts = tuple(int(n) for n in running[last])
    return Walk(last + 1 if len(stops) else None, decision, counts, tuple(path[: last + 1].tolist()))


def mean_overshoots(path: Floats) -> tuple[Floats, Floats]:
    """Return, after each step, the expected overshoot below the lower and above the upper bound.

    A ratio does not stop on a bound but beyond it. The overshoot beyond a far bound is estimated from the
    steps by which the path passes its own minimum (maximum) so far: half their mean square over their mean.
    The path must hold the ratio after every single result.
    """
    lowest, highest = np.minimum.accumulate(path), np.maximum.accumulate(path)
    return _mean_excess(np.minimum(lowest, 0)), _mean_excess(np.maximum(highest, 0))


def _mean_excess(records: Floats) -> Floats:
    """Return half the steps' sum of squares over their sum, which is the record; 0 before the first."""
    squares = np.cumsum(np.diff(records, prepend=0.0) ** 2)
    excess = np.zeros(len(records))
    np.divide(squares, 2 * np.abs(records), out=excess, where=records != 0)
    return excess


def _running_counts(results: Sequence[int | None], cells: int) -> Floats:
    if cells not in (3, 5):
        raise InputError(f"results fall into 3 cells (games) or 5 (pairs), found {cells}")
    wrong = [result for result in results if result is not None and result not in range(cells)]
    if wrong:
        raise InputError(f"a result is a number from 0 (worst) to {cells - 1} or None, found {wrong[0]!r}")
    codes = np.array([-1 if result is None else result for result in results], dtype=np.int64)
    return np.cumsum(codes[:, None] == np.arange(cells), axis=0, dtype=np.float64)


def _limit(test: Sprt, cells: int) -> float:
    """Return the number of results that fill the test: pairs, or twice as many games."""
    return math.inf if test.max_pairs is None else test.max_pairs * (2 if cells == 3 else 1)


def _verdict(value: float, lower: float, upper: float, is_full: bool) -> Verdict:
    if value >= upper:
        return "H1"
    if value <= lower:
        return "H0"
    return "inconclusive" if is_full else "continue"


# What to expect. The ratio is taken as Brownian motion.


@dataclass(frozen=True)
class Length:
    """How a test ends for a true difference `elo`, in the unit of the test's model."""

    elo: float
    pass_probability: float
    expected_games: float


def expected_length(test: Sprt, elo: float, drawelo: float | None = None) -> Length:
    """Return the probability of H1 and the mean number of games if the true difference is `elo`, without a limit.

    Normalised bounds need nothing else. Logistic and BayesElo bounds need the `drawelo` of the games, see
    `stats.drawelo_of_draw_rate`; openings are then taken as balanced.
    """
    check_hypotheses(elo, elo, test.model)
    drift, variance = _motion(test, elo, drawelo)
    chance, games = leave(drift, variance, test.lower, test.upper)
    return Length(elo, chance, games)


def worst_length(test: Sprt, drawelo: float | None = None) -> Length:
    """Return the longest mean length over the differences between the bounds: about their middle."""
    steps = [test.elo0 + (test.elo1 - test.elo0) * i / 100 for i in range(101)]
    return max((expected_length(test, elo, drawelo) for elo in steps), key=lambda row: row.expected_games)


@dataclass(frozen=True)
class Ends:
    """How a test with a limit of pairs ends: probabilities of H1, of H0, and of the limit between the bounds."""

    elo: float
    accepted: float
    rejected: float
    undecided: float


def ends_within(test: Sprt, pairs: int, elo: float, drawelo: float | None = None) -> Ends:
    """Return how the test ends within so many pairs if the true difference is `elo`.

    The ratio is taken as Brownian motion between absorbing walls, `tuning.stats.brownian` has the sources; against
    simulated tests `experiments.proofs.capped_tests`. Without a limit H1 is missed with probability `beta` at `elo1`;
    with one, more often.
    """
    drift, variance = _motion(test, elo, drawelo)
    rejected, accepted = leave_within(2 * pairs, drift, variance, test.lower, test.upper)
    return Ends(elo, accepted, rejected, max(0.0, 1 - accepted - rejected))


SURE = 0.9
"""What "can show" means of a test with a limit: H1 before the limit in nine of ten tests."""


def resolvable(test: Sprt, pairs: int, drawelo: float | None = None) -> float | None:
    """Return the least true difference that the test accepts within so many pairs in nine of ten tests.

    None: there is none within 900 normalised Elo (600 Elo).
    """

    def is_sure(elo: float) -> bool:
        return ends_within(test, pairs, elo, drawelo).accepted >= SURE

    low, high = test.elo0, 900.0 if test.model == "normalized" else 600.0
    if high <= low or not is_sure(high):
        return None
    while high - low > 0.01:
        middle = (low + high) / 2
        low, high = (low, middle) if is_sure(middle) else (middle, high)
    return high


def pairs_to_resolve(test: Sprt, drawelo: float | None = None) -> int | None:
    """Return the limit of pairs within which a true difference of `elo1` is accepted in nine of ten tests.

    None: no limit is enough, because `beta` alone misses it more often.
    """

    def is_enough(pairs: int) -> bool:
        return ends_within(test, pairs, test.elo1, drawelo).accepted >= SURE

    high = max(1, round(expected_length(test, test.elo1, drawelo).expected_games / 2))
    low, most = 0, 64 * high
    while not is_enough(high):
        low, high = high, 2 * high
        if high > most:
            return None
    while high - low > max(1, high // 1000):
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def shown_gain(pairs: int, level: float = 0.95, power: float = 0.8) -> float:
    """Return the normalised Elo that a match of fixed length excludes equality for, with that power."""
    z = normal_quantile(0.5 + level / 2) + normal_quantile(power)
    return z * NELO_UNIT / math.sqrt(2 * max(1, pairs))


def _motion(test: Sprt, elo: float, drawelo: float | None) -> tuple[float, float]:
    """Return mean and variance of the growth of the ratio in one game."""
    if test.model == "normalized":
        step = (test.elo1 - test.elo0) / NELO_UNIT
        return (elo - (test.elo0 + test.elo1) / 2) / NELO_UNIT * step, step**2
    if drawelo is None:
        raise InputError(f"the length of a test with {test.model} bounds depends on drawelo, found none")
    if test.model == "logistic":
        variance = moments(bayeselo_outcome(elo_to_bayeselo(elo, drawelo), drawelo)).variance
        s0, s1, s = (elo_to_score(x) for x in (test.elo0, test.elo1, elo))
        return (s - (s0 + s1) / 2) * (s1 - s0) / variance, (s1 - s0) ** 2 / variance
    p0, p1, p = (bayeselo_outcome(x, drawelo) for x in (test.elo0, test.elo1, elo))
    jumps = [math.log(b / a) if a and b else 0.0 for a, b in zip(p0, p1, strict=True)]  # drawelo 0: no draws
    mean = sum(q * jump for q, jump in zip(p, jumps, strict=True))
    return mean, sum(q * (jump - mean) ** 2 for q, jump in zip(p, jumps, strict=True))
