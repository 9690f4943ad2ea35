"""What did a setting score against its opponents?

Scores are the setting's, 0 to 1 a pair; counts run LL, LD, DD+WL, WD, WW."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tunesmith.engine.match import NO_RESULT
from tunesmith.tuning.play.point_of_view import for_first_named
from tunesmith.tuning.play.records import Games
from tunesmith.tuning.play.summary import pair_results
from tunesmith.tuning.stats import elo

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a setting scored on some openings.

    Attributes
    ----------
    scores
        (opponents, pairs); NaN for a pair without two results.
    wdl
        (opponents, pairs, 3): games won, drawn, lost.
    openings
        (pairs,): their numbers.
    moves
        Digest of all moves: equal if and only if the same games were played.
    """

    names: tuple[str, ...]
    scores: Array
    wdl: npt.NDArray[np.int64]
    openings: npt.NDArray[np.int64]
    moves: str = ""

    @property
    def pairs(self) -> int:
        """Number of openings."""
        return int(self.scores.shape[1])

    def counts(self, opponent: int | None = None) -> list[int]:
        """Return the pairs of each class, worst first, against one opponent or all."""
        found = self.scores if opponent is None else self.scores[opponent]
        classes = np.rint(4 * found[np.isfinite(found)]).astype(int)
        return [int(n) for n in np.bincount(classes, minlength=5)]

    def results(self) -> list[int]:
        """Return games won, drawn and lost."""
        return [int(n) for n in self.wdl.sum(axis=(0, 1))]

    @property
    def score(self) -> float:
        """Mean score, every opponent alike."""
        return elo.moments(self.counts()).score

    def by_opening(self) -> list[float | None]:
        """Return the score on each opening, the mean over opponents; None without a result."""
        n = np.isfinite(self.scores).sum(axis=0)
        total = np.nansum(self.scores, axis=0)
        return [float(points / games) if games else None for points, games in zip(total, n, strict=True)]

    def by_opponent(self) -> dict[str, list[int]]:
        """Return the counts against each opponent."""
        return {name: self.counts(at) for at, name in enumerate(self.names)}


def paired_difference(one: Outcome, other: Outcome) -> tuple[float, float]:
    """Return by how much `one` scores more on common openings, and the standard error of that."""
    n = min(one.pairs, other.pairs)
    apart = (one.scores[:, :n] - other.scores[:, :n]).ravel()
    apart = apart[np.isfinite(apart)]
    if len(apart) < 2:
        return 0.0, 0.5
    return float(apart.mean()), float(apart.std(ddof=1) / len(apart) ** 0.5)


def known_results(pairs: int) -> tuple[Array, npt.NDArray[np.int64]]:
    """Return scores and results of a setting against itself: known, so they count as much as games do."""
    return np.full(pairs, 0.5), np.tile([1, 0, 1], (pairs, 1))


def scores_of(games: Games, pairs: int) -> Array:
    """Return the score of each pair, NaN for those without two results."""
    found = pair_results(games)
    scores = np.full(pairs, np.nan)
    scores[found.pair] = found.classes / 4
    return scores


def results_of(games: Games, pairs: int) -> npt.NDArray[np.int64]:
    """Return games won, drawn, lost by the first-named player in each pair; those without result are in none."""
    own = for_first_named(games.result, games.game)
    wdl = np.zeros((pairs, 3), np.int64)
    for column, value in enumerate((1, 0, -1)):
        np.add.at(wdl[:, column], games.pair[(own == value) & (games.result != NO_RESULT)], 1)
    return wdl
