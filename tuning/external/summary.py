"""What do games of engines amount to? Counts of pairs, of games by result, reason and fault.

Pairs are counted LL, LD, DD+WL, WD, WW for the first-named player; results are the first player's (White's)."""

import json
from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tunesmith.tuning.documents.engines import EngineGame, EngineSummary, FaultyGame
from tunesmith.tuning.external.engine import BOTH
from tunesmith.tuning.play.point_of_view import for_first_named

Rows = dict[int, list[EngineGame]]  # both games of a pair, by its number


def blamed(names: Sequence[str], fault: int | None) -> str:
    """Return who is at fault, in words."""
    return " and ".join(names) if fault == BOTH else names[fault or 0]


def classes(rows: Rows) -> list[int | None]:
    """Return the class of each pair in order, worst first for the first-named.

    None without two results, and for a pair whose games are those of an earlier pair, move by move: where all pairs
    begin at the same position, engines that play the same game again show nothing new.
    """
    found: list[int | None] = []
    seen: set[str] = set()
    for number in sorted(rows):
        first, second = (row.result for row in rows[number])
        played = json.dumps([[row.fen, row.opening, row.moves] for row in rows[number]])
        found.append(None if first is None or second is None or played in seen else 2 + first - second)
        seen.add(played)
    return found


def count_pairs(rows: Rows) -> list[int]:
    """Return LL, LD, DD+WL, WD, WW."""
    known = [kind for kind in classes(rows) if kind is not None]
    return [known.count(kind) for kind in range(5)]


def summarise(rows: Rows) -> EngineSummary:
    """Return counts of games by result (White's), reason and fault, and how many are distinct."""
    games = [row for pair in rows.values() for row in pair]
    results = Counter(row.result for row in games)
    return EngineSummary(
        games=len(games),
        distinct_games=len({(row.fen, *row.opening, *row.moves) for row in games}),
        results={"white": results[1], "draw": results[0], "black": results[-1]},
        capped=sum(row.end_reason == "capped" for row in games),
        faults=sum(row.fault is not None for row in games),
        asked_again=sum(row.asked_again for row in games),
        ends=dict(sorted(Counter(row.end_reason for row in games).items())),
    )


def faults_of(rows: Rows) -> list[FaultyGame]:
    """Return the games that ended by a fault, as they are told."""
    faulty = [row for number in sorted(rows) for row in rows[number] if row.fault is not None]
    return [FaultyGame(**{name: getattr(row, name) for name in FaultyGame.model_fields}) for row in faulty]


def pair_cells(rows: Rows) -> npt.NDArray[np.int64]:
    """Return (3, 3) counts of the pairs that count: the first-named player's result when it moved first, and second."""
    cells = np.zeros((3, 3), np.int64)
    for kind, number in zip(classes(rows), sorted(rows), strict=True):
        own = [for_first_named(row.result, row.game) for row in rows[number] if row.result is not None]
        if kind is not None:
            cells[own[0] + 1, own[1] + 1] += 1
    return cells
