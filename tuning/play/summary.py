"""Counts of played games: results, reasons, lengths, how many games are distinct, results of pairs.

Shares are of games with a result, seen from the first player (player 0), unless a name says otherwise. Pair
results are seen from the first-named player, who is player 0 in game 0 of each pair, and counted worst
first: LL, LD, DD+WL, WD, WW. Games without a result (capped, faults) are counted and in no score."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tunesmith.engine.match import NO_RESULT
from tunesmith.tuning.documents.matches import Summary
from tunesmith.tuning.play.point_of_view import for_first_named
from tunesmith.tuning.play.records import Games
from tunesmith.tuning.stats.elo import Z95

DISTINCT_ENOUGH = 0.95
ONE_SIDED = 0.80
RESULTS = {"first": 1, "draw": 0, "second": -1}


@dataclass(frozen=True, eq=False)
class PairResults:
    """Results of pairs in the order of their numbers.

    pair: (n,) int64 numbers. classes: (n,) int64, 0 to 4: LL, LD, DD+WL, WD, WW of the first-named player.
    left_out: pairs that are incomplete or have a game without a result.
    """

    pair: npt.NDArray[np.int64]
    classes: npt.NDArray[np.int64]
    left_out: int

    def get(self, pair: int) -> int | None:
        """Return the class of a pair, or None if it was left out."""
        at = int(np.searchsorted(self.pair, pair))
        return int(self.classes[at]) if at < len(self.pair) and self.pair[at] == pair else None

    def __getitem__(self, pair: int) -> int:
        """Return the class of a pair that was not left out."""
        found = self.get(pair)
        if found is None:
            raise KeyError(pair)
        return found

    @property
    def counts(self) -> tuple[int, int, int, int, int]:
        """Number of pairs of each class, worst first."""
        a, b, c, d, e = np.bincount(self.classes, minlength=5).tolist()
        return a, b, c, d, e


def summarise(games: Games, pairs: int | None = None) -> Summary:
    """Count games, results, ends and distinct games; with `pairs` only of the pairs below that number."""
    if pairs is not None:
        games = games.take(games.pair < pairs)
    is_known = games.result != NO_RESULT
    known = games.result[is_known]
    counts = {name: int((known == value).sum()) for name, value in RESULTS.items()}
    n_distinct = len(distinct_rows(games))
    return Summary(
        games=len(games),
        pairs=len(np.unique(games.pair)),
        distinct_games=n_distinct,
        results=counts,
        result_shares={name: count / max(1, len(known)) for name, count in counts.items()},
        first_player_share=float((known.mean() + 1) / 2) if len(known) else None,
        first_player_half_width=_half_width(games.pair[is_known], (known + 1) / 2),
        capped=int(games.is_capped.sum()),
        adjudicated=int(games.is_adjudicated.sum()),
        faults=int(games.is_fault.sum()),
        ends=dict(sorted(Counter(games.end_reason.tolist()).items())),
        mean_length=float(np.diff(games.starts)[is_known].mean()) if len(known) else None,
        warnings=_warnings(games, counts, n_distinct),
    )


def _half_width(pair: npt.NDArray[np.int64], points: npt.NDArray[np.float64]) -> float | None:
    """Return the half width of the 95 % interval of the mean; a pair's games share an opening, so it counts once."""
    pairs, place, sizes = np.unique(pair, return_inverse=True, return_counts=True)
    if len(pairs) < 2:
        return None
    excess = np.bincount(place, points - points.mean())  # of each pair, summed over its games
    error = np.sqrt((excess**2).sum() * len(pairs) / (len(pairs) - 1)) / sizes.sum()
    return float(Z95 * error)


def by_opponent(games: Games) -> list[tuple[str, Games]]:
    """Return the games against each second-named player by its digest, in the order of their first pairs."""
    opponents = games.opponent
    return [(digest, games.take(opponents == digest)) for digest in dict.fromkeys(opponents.tolist())]


def distinct_rows(games: Games) -> npt.NDArray[np.int64]:
    """Return the rows of the first of each set of games with equal start and moves; faults are no games."""
    lines = games.lines()
    first: dict[bytes, int] = {}
    for row in np.flatnonzero(~games.is_fault).tolist():
        first.setdefault(lines[row], row)
    return np.array(sorted(first.values()), np.int64)


def pair_results(games: Games) -> PairResults:
    """Return each pair's result for the first-named player, in the order of pair numbers."""
    pairs, place = np.unique(games.pair, return_inverse=True)
    points = np.zeros(len(pairs), np.int64)  # half points: a win 2, a draw 1
    n_known = np.zeros(len(pairs), np.int64)
    is_known = games.result != NO_RESULT
    np.add.at(points, place[is_known], for_first_named(games.result, games.game)[is_known] + 1)
    np.add.at(n_known, place[is_known], 1)
    complete = n_known == 2
    return PairResults(pairs[complete], points[complete], int((~complete).sum()))


def _warnings(games: Games, results: dict[str, int], n_distinct: int) -> list[str]:
    found = []
    n_played = len(games) - int(games.is_fault.sum())
    if n_distinct < DISTINCT_ENOUGH * n_played:
        found.append(
            f"only {n_distinct} of {n_played} games are distinct ({n_distinct / n_played:.0%}): repeated games "
            "prove nothing new; use more openings, or noise"
        )
    total = sum(results.values())
    name, most = max(results.items(), key=lambda item: item[1])
    if most > ONE_SIDED * total and total >= 20:
        what = {"first": "won by the first player", "draw": "drawn", "second": "won by the second player"}
        found.append(
            f"{most / total:.0%} of the games are {what[name]}: results say little; use other openings (more "
            "plies, a narrower bound), or more noise"
        )
    return found
