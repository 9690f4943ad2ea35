"""How much more likely are these counts under H1 than under H0? Log-likelihood ratios of match results.

Counts are ordered worst first: three are games (L, D, W), five are pairs (LL, LD, DD+WL, WD, WW). Bounds
are in the unit of the model: normalised Elo, logistic Elo, or BayesElo (drawelo from the sample, of pairs as
`single_games` sees them).

The generalised ratio compares the two distributions that are closest to the sample (maximum likelihood) and
obey a hypothesis: a mean, or a mean in standard deviations (t-value). Theory: Li, Liu and Ying on GSPRT,
and Van den Bergh's notes named in fishtest `LLRcalc.py`. Closed forms and the direct sums of older programs
stand below.

Arithmetic is by columns, and a column is a float or an array: the same lines serve one match and a thousand.
A row that has converged is left alone, so that its ratio does not depend on the rows beside it.
"""

import math
from collections.abc import Sequence
from functools import reduce
from typing import Any, Literal, TypeVar, cast, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tunesmith.games.errors import InputError
from tunesmith.tuning.stats.elo import NELO_UNIT, Counts, check_counts, elo_to_score

Model = Literal["normalized", "logistic", "bayesian"]
MODELS: tuple[Model, ...] = get_args(Model)

Floats = NDArray[np.float64]
Column = TypeVar("Column", float, Floats)

ZERO_CELL = 0.001
"""Stands for an empty cell (fishtest, fastchess, OpenBench), so that the ratio stays finite."""

_RAREST = 1e-5
"""Least share of losses and of wins that a drawelo is taken of."""

REACH = 1000.0
"""No bound lies beyond: the score of 1000 Elo is .997."""


def check_hypotheses(low: float, high: float, model: str) -> None:
    """Refuse an unknown model and bounds that are not numbers within reach."""
    if model not in MODELS:
        raise InputError(f"the model is one of {', '.join(MODELS)}, found {model!r}")
    if not (abs(low) <= REACH and abs(high) <= REACH):
        raise InputError(f"bounds must lie within -{REACH:.0f} and {REACH:.0f}, found [{low}, {high}]")


def llr(counts: Counts, low: float, high: float, model: Model = "normalized") -> float:
    """Return the generalised log-likelihood ratio of bound `high` against `low`; about 0 without games."""
    check_hypotheses(low, high, model)
    columns = [float(n) for n in check_counts(counts)]
    return _ratio([n or ZERO_CELL for n in columns], low, high, model)


def llrs(counts: ArrayLike, low: float, high: float, model: Model = "normalized") -> Floats:
    """Return `llr` for every row of an array of counts, shape (n, 3) or (n, 5)."""
    check_hypotheses(low, high, model)
    rows = np.asarray(counts, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] not in (3, 5):
        raise InputError(f"expected rows of 3 or 5 counts, found an array of shape {rows.shape}")
    if not (np.isfinite(rows) & (rows >= 0)).all():
        raise InputError("counts must be finite and not negative, found others in the array")
    if not len(rows):
        return np.zeros(0)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return _ratio(list(np.where(rows > 0, rows, ZERO_CELL).T), low, high, model)


# Generalised ratio. Columns are the cells of the distribution, worst first.


def _ratio(counts: Sequence[Column], low: float, high: float, model: Model) -> Column:
    n = _sum(counts)
    p = [count / n for count in counts]
    if model == "normalized":
        games = len(p) // 2
        g0, g1 = (_tilt_to_t(p, nelo / NELO_UNIT * games**0.5) for nelo in (low, high))
    elif model == "logistic":
        g0, g1 = (_tilt_to_mean(p, elo_to_score(elo)) for elo in (low, high))
    else:
        g0, g1 = (_tilt_to_mean(p, score) for score in _bayesian_scores(p, low, high))
    return n * _sum([pi * _log(d0 / d1) for pi, d0, d1 in zip(p, g0, g1, strict=True)])


def _tilt_to_mean(p: Sequence[Column], score: Column | float) -> list[Column]:
    """Return g such that p / g is the distribution closest to p with that mean."""
    steps = len(p) - 1
    phi: list[Column] = [i / steps - score + 0 * pi for i, pi in enumerate(p)]
    theta = _secular(p, phi, 0 * p[0])
    return [1 + theta * x for x in phi]


def _tilt_to_t(p: Sequence[Column], t: float) -> list[Column]:
    """Return g such that p / g is the distribution closest to p with (mean - 1/2) / deviation = t.

    Linearised at a mean and deviation the condition is one on a mean, of phi; iterate until they are its own.
    """
    values = [i / (len(p) - 1) for i in range(len(p))]
    # Start from all mass on the ends: the one distribution of which we know that it obeys the hypothesis.
    offset = t / (2 * math.sqrt(1 + t * t))
    mu, sigma, theta = 0.5 + offset + 0 * p[0], math.sqrt(0.25 - offset**2) + 0 * p[0], 0 * p[0]
    g, moves = list(p), p[0] > 0  # all rows move at first
    for _ in range(200):
        phi = [a - 0.5 - (t * sigma / 2) * (1 + ((a - mu) / sigma) ** 2) for a in values]
        theta = _secular(p, phi, theta)
        g = [_where(moves, 1 + theta * x, old) for x, old in zip(phi, g, strict=True)]
        q = [pi / gi for pi, gi in zip(p, g, strict=True)]
        before = mu, sigma
        mu = _sum([qi * a for qi, a in zip(q, values, strict=True)])
        sigma = _sum([qi * (a - mu) ** 2 for qi, a in zip(q, values, strict=True)]) ** 0.5
        moves = moves & (abs(mu - before[0]) + abs(sigma - before[1]) > 1e-13)
        if not _any(moves):
            break
    return g


def _secular(p: Sequence[Column], phi: Sequence[Column], theta: Column) -> Column:
    """Solve sum p phi / (1 + theta phi) = 0 between the poles around 0, starting at `theta` if it lies there.

    Newton on the sum times (1 + theta max phi)(1 + theta min phi), which has no poles there; bisection
    where a step leaves the bracket.
    """
    top, bottom = _extreme(phi, max, np.maximum), _extreme(phi, min, np.minimum)
    low, high = -(1 - 1e-15) / top, -(1 - 1e-15) / bottom
    accuracy = 1e-12 * (high - low)
    theta = _where((low < theta) & (theta < high), theta, 0 * theta)
    moves = top > 0  # all rows
    for _ in range(100):
        ratios = [x / (1 + theta * x) for x in phi]
        parts = [pi * r for pi, r in zip(p, ratios, strict=True)]
        value = _sum(parts)
        slope = -_sum([part * r for part, r in zip(parts, ratios, strict=True)])
        slope = slope + value * (top / (1 + theta * top) + bottom / (1 + theta * bottom))
        low, high = _where(value > 0, theta, low), _where(value < 0, theta, high)
        guess = theta - value / _where(slope < 0, slope, 0 * slope - 1e-300)
        guess = _where((low <= guess) & (guess <= high), guess, (low + high) / 2)
        moved, theta = abs(guess - theta), _where(moves, guess, theta)
        moves = moves & (moved > accuracy)
        if not _any(moves):
            break
    return theta


def single_games(p: Sequence[Any]) -> tuple[Any, Any, Any]:
    """Return shares of losses, draws and wins: `p` itself, or those of independent games that make such pairs.

    Five shares do not say how many of the middle pairs were two draws, but mean and variance of a game follow
    from those of a pair. Lopsided openings make pairs vary less, and count as draws. No share is below 0.
    """
    if len(p) == 3:
        return p[0], p[1], p[2]
    mean = _sum([i / 4 * pi for i, pi in enumerate(p)])
    variance = _sum([(i / 4 - mean) ** 2 * pi for i, pi in enumerate(p)])
    lead = mean - 0.5
    decided = np.minimum(1.0, 4 * (2 * variance + lead**2))
    loss, win = (np.maximum(decided / 2 + sign * lead, _RAREST) for sign in (-1, 1))
    return loss, np.maximum(1 - loss - win, 0.0), win


def _bayesian_scores(p: Sequence[Any], low: float, high: float) -> list[Any]:
    loss, _, win = single_games(p)
    # 10 ** (-drawelo / 400), with drawelo from the sample
    x = (loss / (1 - loss) * win / (1 - win)) ** 0.5
    scores = []
    for bound in (low, high):
        y = 10 ** (bound / 400)
        scores.append((1 + x * y / (1 + x * y) - x / (x + y)) / 2)
    return scores


# Columns: a float each for one match, an array each for many


def _sum(columns: Sequence[Column]) -> Column:
    return reduce(lambda a, b: a + b, columns)


def _extreme(columns: Sequence[Column], plain: Any, vectorised: Any) -> Column:
    result: Any = plain(columns) if isinstance(columns[0], float) else reduce(vectorised, columns)
    return cast("Column", result)


def _where(condition: bool | NDArray[np.bool_], yes: Column, no: Column) -> Column:
    if isinstance(condition, np.ndarray):
        result: Any = np.where(condition, yes, no)
        return cast("Column", result)
    return yes if condition else no


def _any(condition: bool | NDArray[np.bool_]) -> bool:
    return bool(condition.any()) if isinstance(condition, np.ndarray) else condition


def _log(column: Column) -> Column:
    result: Any = math.log(column) if isinstance(column, float) else np.log(column)
    return cast("Column", result)


# Without iteration, and direct sums
