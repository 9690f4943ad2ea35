"""Other people's formulas, and ways between scales, that only tests compare ours with."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tunesmith.games.errors import InputError
from tunesmith.tuning.stats.elo import (
    _EMPTY_LIMIT,
    NELO_UNIT,
    Counts,
    _check_biases,
    _check_level,
    _has_spread,
    _keep_off,
    _solve,
    bayeselo_outcome,
    check_counts,
    elo_to_score,
    fit_bayeselo,
    games_of,
    moments,
    nelo_to_score,
    normalized_elo,
    pair_outcome,
    score_to_elo,
    score_to_nelo,
)
from tunesmith.tuning.stats.likelihood import ZERO_CELL, Model, check_hypotheses
from tunesmith.tuning.stats.ratings import Floats

_PAIR_PRIOR = tuple(2.5 * share for share in (0.14, 0.19, 0.34, 0.19, 0.14))


def variance_ratio(pairs: Counts, games: Counts) -> float:
    """Return variance of a game seen through pairs over that of the same games taken alone.

    Below 1, playing in pairs saves that share of the games. Needs games that differ.
    """
    if not _has_spread(games):
        raise InputError(f"the games show no spread, found {list(games)}")
    return 2 * moments(pairs).variance / moments(games).variance


def nelo_to_elo(nelo: float, sigma: float) -> float:
    """Return the logistic Elo of a normalised one."""
    return score_to_elo(nelo_to_score(nelo, sigma))


def elo_to_nelo(elo: float, sigma: float) -> float:
    """Return the normalised Elo of a logistic one."""
    return score_to_nelo(elo_to_score(elo), sigma)


def student_half_width(counts: Counts, level: float = 0.95) -> float:
    """Return OpenBench's Elo error bar: Student's t for z, the longer side of the interval.

    At least two games or pairs; scores are kept within [.001, .999].
    """
    from scipy.stats import t  # here, because it takes a second to import

    _check_level(level)
    facts = moments(counts)
    if facts.units < 2:
        raise InputError(f"an error bar needs two games or pairs, found {list(counts)}")
    reach = float(t.ppf(0.5 + level / 2, facts.units - 1)) * math.sqrt(facts.variance / facts.units)
    ends = (facts.score - reach, facts.score, facts.score + reach)
    low, middle, high = (score_to_elo(_keep_off(s, _EMPTY_LIMIT)) for s in ends)
    return max(high - middle, middle - low)


def game_outcome(
    bayeselo: float, drawelo: float, biases: Sequence[float] = (0.0,)
) -> tuple[float, float, float]:
    """Return the probabilities of loss, draw and win over openings from `biases`, played from both sides."""
    _check_biases(biases)
    sides = [bayeselo_outcome(bayeselo, drawelo, sign * bias) for bias in biases for sign in (1, -1)]
    loss, draw, win = (sum(cell) / len(sides) for cell in zip(*sides, strict=True))
    return loss, draw, win


def bayeselo_to_nelo(bayeselo: float, drawelo: float, biases: Sequence[float] = (0.0,)) -> float:
    """Return the normalised Elo of a BayesElo difference."""
    return normalized_elo(pair_outcome(bayeselo, drawelo, biases))


def nelo_to_bayeselo(nelo: float, drawelo: float, biases: Sequence[float] = (0.0,)) -> float:
    """Return the BayesElo difference whose pairs have that normalised Elo."""
    return _solve(lambda b: bayeselo_to_nelo(b, drawelo, biases) - nelo, "nelo", nelo)


def dirichlet_score(pairs: Counts, draws: int = 1000, seed: int = 0) -> tuple[float, float]:
    """Return (score, variance) of few pairs: 4 log10(s / (1 - s)), s the posterior mean; larger is stronger.

    The prior is worth 2.5 pairs; the variance is that of the same transform over posterior draws. The formula
    of chess-tuning-tools, whose sign is the other one.
    """
    import numpy as np

    counts = check_counts(pairs)
    if len(counts) != 5:
        raise InputError(f"expected 5 counts of pairs, found {list(pairs)}")
    # Best first, and the legacy generator: this is the order and the stream of the published figures.
    alpha = np.array([n + prior for n, prior in zip(counts, _PAIR_PRIOR, strict=True)])[::-1]
    scores = np.arange(4, -1, -1) / 4
    samples = np.random.RandomState(seed).dirichlet(alpha, size=draws) @ scores
    mean = float(alpha @ scores / alpha.sum())
    return score_to_elo(mean) / 100, float(np.var(4 * np.log10(samples / (1 - samples))))


def llr_approximate(counts: Counts, low: float, high: float, model: Model = "normalized") -> float:
    """Return the closed form for bounds near each other and the sample, normalized or logistic."""
    check_hypotheses(low, high, model)
    cells = [n or ZERO_CELL for n in check_counts(counts)]
    if model == "normalized":
        t, t0, t1 = (nelo / NELO_UNIT for nelo in (normalized_elo(cells), low, high))
        return games_of(cells) / 2 * math.log((1 + (t - t0) ** 2) / (1 + (t - t1) ** 2))
    if model == "logistic":
        facts, s0, s1 = moments(cells), elo_to_score(low), elo_to_score(high)
        return facts.units * (s1 - s0) * (2 * facts.score - s0 - s1) / (2 * facts.variance)
    raise InputError("the bayesian model has no closed form here, use normalized or logistic bounds")


def llr_direct(counts: Counts, low: float, high: float) -> float:
    """Return the ratio of two BayesElo models at the sample's drawelo (old fishtest; three counts)."""
    check_hypotheses(low, high, "bayesian")
    cells = [n or ZERO_CELL for n in check_counts(counts)]
    return _direct_sum(cells, low, high, fit_bayeselo(cells)[1])


def llr_cutechess(counts: Counts, low: float, high: float) -> float:
    """Return cutechess's ratio: bounds in logistic Elo, half a game added to every cell (three counts)."""
    check_hypotheses(low, high, "bayesian")
    cells = [n + 0.5 for n in check_counts(counts)]
    drawelo = fit_bayeselo(cells)[1]
    x = 10 ** (-drawelo / 400)
    slope = 4 * x / (1 + x) ** 2  # Elo of one BayesElo between equals
    return _direct_sum(cells, low / slope, high / slope, drawelo)


def _direct_sum(counts: Sequence[float], low: float, high: float, drawelo: float) -> float:
    p0, p1 = (bayeselo_outcome(bound, drawelo) for bound in (low, high))
    return sum(n * math.log(b / a) for n, a, b in zip(counts, p0, p1, strict=True))


def pair_counts(cells: Floats, i: int, j: int) -> list[int]:
    """Return the counts LL, LD, DD+WL, WD, WW of `i` against `j`."""
    own = cells[min(i, j), max(i, j)]
    counts = [int(sum(own[a, s - a] for a in range(3) if 0 <= s - a < 3)) for s in range(5)]
    return counts if i < j else counts[::-1]


def from_points(points: npt.ArrayLike) -> Floats:
    """Return games of a table of points, i's against j, if nobody knows who moved first: half either way."""
    won = np.asarray(points, np.float64) / 2
    return np.stack([won.T, np.zeros(won.shape), won], axis=2)
