"""Counts of played games: results, reasons, lengths, how many games are distinct, results of pairs.

Shares are of games with a result, seen from the first player (player 0), unless a name says otherwise. Pair
results are seen from the first-named player, who is player 0 in game 0 of each pair, and counted worst
first: LL, LD, DD+WL, WD, WW. Games without a result (capped, faults) are counted and in no score. All of it follows
from the `Outline` of the games, of which there may be millions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.engine.match import NO_RESULT
from tunesmith.tuning.documents.matches import Summary
from tunesmith.tuning.play.matchup import FAULT
from tunesmith.tuning.play.point_of_view import for_first_named
from tunesmith.tuning.play.records import ADJUDICATED, CAPPED, Games
from tunesmith.tuning.stats.elo import Z95

DISTINCT_ENOUGH = 0.95
ONE_SIDED = 0.80
RESULTS = {"first": 1, "draw": 0, "second": -1}


@dataclass(frozen=True, eq=False)
class Outline:
    """A few numbers of each game, 28 bytes in all; (n,) each.

    line: equal for games of equal start and moves. opponent, reason: places in `opponents` (digests of second-named
    players, in the order of their first games) and `reasons`.
    """

    pair: npt.NDArray[np.int64]
    game: npt.NDArray[np.int8]
    result: npt.NDArray[np.int8]
    length: npt.NDArray[np.int32]
    line: npt.NDArray[np.int64]
    opponent: npt.NDArray[np.int16]
    reason: npt.NDArray[np.int32]
    opponents: tuple[str, ...]
    reasons: tuple[str, ...]

    def __len__(self) -> int:
        """Number of games."""
        return len(self.pair)

    @staticmethod
    def of(games: Games | Outline | Iterable[Games]) -> Outline:
        """Outline games, or blocks of them (`store.read_blocks`), of which one at a time is in memory."""
        if isinstance(games, Outline):
            return games
        opponents, reasons = dict[str, int](), dict[str, int]()
        rows = [
            _outlined(block, opponents, reasons) for block in ([games] if isinstance(games, Games) else games)
        ]
        columns: dict[str, Any] = {
            name: np.concatenate([np.zeros(0, kind), *(row[name] for row in rows)])
            for name, kind in _KINDS.items()
        }
        return Outline(**columns, opponents=tuple(opponents), reasons=tuple(reasons))

    @property
    def is_fault(self) -> npt.NDArray[np.bool_]:
        """Whether the game ended by a fault of the code under test, (n,)."""
        return np.array([reason.startswith(FAULT) for reason in self.reasons], np.bool_)[self.reason]

    @property
    def ends(self) -> dict[str, int]:
        """How many games ended for which reason."""
        counts = np.bincount(self.reason, minlength=len(self.reasons)).tolist()
        return {reason: n for reason, n in sorted(zip(self.reasons, counts, strict=True)) if n}

    def take(self, chosen: npt.NDArray[np.bool_]) -> Outline:
        """Return the games chosen by a mask."""
        return replace(self, **{name: getattr(self, name)[chosen] for name in _KINDS})


_KINDS: dict[str, Any] = {
    "pair": np.int64,
    "game": np.int8,
    "result": np.int8,
    "length": np.int32,
    "line": np.int64,
    "opponent": np.int16,
    "reason": np.int32,
}


def _outlined(games: Games, opponents: dict[str, int], reasons: dict[str, int]) -> dict[str, Any]:
    """Return the columns of an outline; names that are new are numbered on."""
    columns = {
        "pair": games.pair,
        "game": games.game,
        "result": games.result,
        "length": np.diff(games.starts),
        "line": [hash(line) for line in games.lines()],
        "opponent": [opponents.setdefault(name, len(opponents)) for name in games.opponent.tolist()],
        "reason": [reasons.setdefault(name, len(reasons)) for name in games.end_reason.tolist()],
    }
    return {name: np.asarray(columns[name], kind) for name, kind in _KINDS.items()}


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


def summarise(games: Games | Outline, pairs: int | None = None) -> Summary:
    """Count games, results, ends and distinct games; with `pairs` only of the pairs below that number."""
    found = Outline.of(games)
    if pairs is not None:
        found = found.take(found.pair < pairs)
    is_known = found.result != NO_RESULT
    known = found.result[is_known]
    counts = {name: int((known == value).sum()) for name, value in RESULTS.items()}
    n_faults, ends = int(found.is_fault.sum()), found.ends
    n_distinct = len(np.unique(found.line[~found.is_fault]))
    return Summary(
        games=len(found),
        pairs=len(np.unique(found.pair)),
        distinct_games=n_distinct,
        results=counts,
        result_shares={name: count / max(1, len(known)) for name, count in counts.items()},
        first_player_share=float((known.mean() + 1) / 2) if len(known) else None,
        first_player_half_width=_half_width(found.pair[is_known], (known + 1) / 2),
        capped=ends.get(CAPPED, 0),
        adjudicated=ends.get(ADJUDICATED, 0),
        faults=n_faults,
        ends=ends,
        mean_length=float(found.length[is_known].mean()) if len(known) else None,
        warnings=_warnings(len(found) - n_faults, counts, n_distinct),
    )


def _half_width(pair: npt.NDArray[np.int64], points: npt.NDArray[np.float64]) -> float | None:
    """Return the half width of the 95 % interval of the mean; a pair's games share an opening, so it counts once."""
    pairs, place, sizes = np.unique(pair, return_inverse=True, return_counts=True)
    if len(pairs) < 2:
        return None
    excess = np.bincount(place, points - points.mean())  # of each pair, summed over its games
    error = np.sqrt((excess**2).sum() * len(pairs) / (len(pairs) - 1)) / sizes.sum()
    return float(Z95 * error)


def by_opponent(games: Games | Outline) -> list[tuple[str, Outline]]:
    """Return the games against each second-named player by its digest, in the order of their first pairs."""
    found = Outline.of(games)
    return [(digest, found.take(found.opponent == at)) for at, digest in enumerate(found.opponents)]


def pair_results(games: Games | Outline) -> PairResults:
    """Return each pair's result for the first-named player, in the order of pair numbers."""
    pairs, place = np.unique(games.pair, return_inverse=True)
    points = np.zeros(len(pairs), np.int64)  # half points: a win 2, a draw 1
    n_known = np.zeros(len(pairs), np.int64)
    is_known = games.result != NO_RESULT
    result, game = games.result.astype(np.int64), games.game.astype(np.int64)
    np.add.at(points, place[is_known], for_first_named(result, game)[is_known] + 1)
    np.add.at(n_known, place[is_known], 1)
    complete = n_known == 2
    return PairResults(pairs[complete], points[complete], int((~complete).sum()))


def _warnings(n_played: int, results: dict[str, int], n_distinct: int) -> list[str]:
    found = []
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
