"""Tables of games that are written by hand."""

import numpy as np

from tunesmith.tuning.play.matchup import PlayedGame
from tunesmith.tuning.play.records import Games, to_table

Row = tuple[int, int, int, str, list[int]]


def games_of(rows: list[Row]) -> Games:
    """Make a table of (pair, game, result of player 0, reason, moves)."""
    played = [
        PlayedGame(
            pair, game, 7 * pair + game, 1, np.array(moves), np.zeros(len(moves), np.float32), result, why
        )
        for pair, game, result, why, moves in rows
    ]
    openings = {row[0]: f"opening {row[0]}" for row in rows}
    return Games(to_table(played, openings, ("a", "b"), {"game": "kalah"}), {})


def even(n: int, result: int = 1) -> list[Row]:
    """Make pairs of games that all differ and all have one result."""
    return [(pair, game, result, "over", [pair, game]) for pair in range(n) for game in (0, 1)]
