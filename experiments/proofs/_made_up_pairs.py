"""Made-up pairs of known strength, and many sequential tests of them at once, for the proofs of statistics.

A world is a BayesElo difference, a drawelo and the biases of its openings: draws and how the two games of a
pair hang together follow from them. Counts and shares are worst first. Test number i depends on (seed, i) only."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.tuning.stats.elo import (
    drawelo_of_draw_rate,
    fit_bayeselo,
    moments,
    normalized_elo,
    pair_outcome,
    score_to_elo,
)
from tunesmith.tuning.stats.likelihood import Model, llrs, single_games
from tunesmith.tuning.stats.sprt import Sprt, expected_length

Floats = npt.NDArray[np.float64]

UNITS: dict[Model, Callable[[tuple[float, ...]], float]] = {
    "normalized": normalized_elo,
    "logistic": lambda shares: score_to_elo(moments(shares).score),
    "bayesian": lambda shares: fit_bayeselo(single_games(shares))[0],
}
"""The true difference of shares of pairs, in the unit of a model's bounds."""

_ROWS = 40_000  # counts that are judged at a time


@dataclass(frozen=True)
class World:
    """How games end: draws between equals in a balanced opening, and what openings favour by (Elo)."""

    draws: float = 0.5
    biases: tuple[float, ...] = (-90.0, 0.0, 200.0)

    def shares(self, model: Model, elo: float) -> tuple[float, ...]:
        """Return the shares of pairs if the true difference is `elo` in the unit of `model`."""
        from scipy.optimize import brentq

        drawelo = drawelo_of_draw_rate(self.draws)

        def excess(bayeselo: float) -> float:
            return UNITS[model](pair_outcome(bayeselo, drawelo, self.biases)) - elo

        return pair_outcome(float(brentq(excess, -900, 900, xtol=1e-10)), drawelo, self.biases)

    def drawelo(self) -> float:
        """Return the drawelo of independent games that vary as these pairs do."""
        return fit_bayeselo(single_games(self.shares("logistic", 0.0)))[1]


@dataclass(frozen=True)
class End:
    """How one test ended: pairs read, whether for H1, and their counts."""

    pairs: int
    passed: bool
    counts: tuple[int, ...]


def play_tests(
    test: Sprt, shares: tuple[float, ...], tests: int, seed: int, overshoots: Sequence[bool] = (False,)
) -> Iterator[tuple[End, ...]]:
    """Play tests 0 .. `tests` - 1, in order of number; yield how each ended with plain or corrected bounds.

    Each stops as `tuning.stats.sprt.walk` does; all of `overshoots` judge the same results.
    """
    block = max(16, int(expected_length(Sprt(test.elo0, test.elo1), test.elo0).expected_games / 4))
    at_once = max(1, _ROWS // block)
    for first in range(0, tests, at_once):
        numbers = range(first, min(first + at_once, tests))
        yield from _finish(test, np.cumsum(shares)[:-1], seed, numbers, block, overshoots)


def _finish(
    test: Sprt, steps: Floats, seed: int, numbers: range, block: int, overshoots: Sequence[bool]
) -> list[tuple[End, ...]]:
    """Read on, block by block, in the tests that have not stopped."""
    draws = [np.random.Generator(np.random.Philox(key=(seed, number))) for number in numbers]
    ends: list[dict[bool, End]] = [{} for _ in numbers]
    going = np.arange(len(numbers))
    counts, path = np.zeros((len(numbers), 0, 5)), np.zeros((len(numbers), 0))
    while len(going):
        results = np.searchsorted(steps, [draws[at].random(block) for at in going], side="right")
        before = counts[:, -1:] if counts.shape[1] else np.zeros((len(going), 1, 5))
        more = before + np.cumsum(results[:, :, None] == np.arange(5), axis=1, dtype=np.float64)
        ratios = llrs(more.reshape(-1, 5), test.elo0, test.elo1, test.model).reshape(results.shape)
        counts, path = np.concatenate([counts, more], axis=1), np.concatenate([path, ratios], axis=1)
        for overshoot in overshoots:
            _note_ends(test, going, counts, path, overshoot, ends)
        is_open = np.array([len(ends[at]) < len(overshoots) for at in going])
        going, counts, path = going[is_open], counts[is_open], path[is_open]
    return [tuple(found[overshoot] for overshoot in overshoots) for found in ends]


def _note_ends(
    test: Sprt, going: Any, counts: Floats, path: Floats, overshoot: bool, ends: list[dict[bool, End]]
) -> None:
    lower, upper = _bounds(test, path, overshoot)
    has_stopped = (path >= upper) | (path <= lower)
    for row in np.flatnonzero(has_stopped.any(axis=1)):
        last = int(has_stopped[row].argmax())
        end = End(last + 1, bool(path[row, last] >= upper[row, last]), tuple(map(int, counts[row, last])))
        ends[going[row]].setdefault(overshoot, end)


def _bounds(test: Sprt, path: Floats, overshoot: bool) -> tuple[Floats, Floats]:
    """Return the bounds after every result, moved inwards by the mean overshoot so far if asked for."""
    lower, upper = np.full(path.shape, test.lower), np.full(path.shape, test.upper)
    if overshoot:
        lowest = np.minimum(np.minimum.accumulate(path, axis=1), 0)
        highest = np.maximum(np.maximum.accumulate(path, axis=1), 0)
        lower, upper = lower + _excess(lowest), upper - _excess(highest)
    return lower, upper


def _excess(records: Floats) -> Floats:
    squares = np.cumsum(np.diff(records, axis=1, prepend=0.0) ** 2, axis=1)
    found = np.zeros(records.shape)
    np.divide(squares, 2 * np.abs(records), out=found, where=records != 0)
    return found
