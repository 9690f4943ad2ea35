"""Games as they come in, and their counts."""

import numpy as np

from tunesmith.tuning.play.matchup import PlayedGame
from tunesmith.tuning.play.tally import Tally


def game(moves: list[int], result: int, reason: str = "finished") -> PlayedGame:
    """Make a game."""
    return PlayedGame(0, 0, 1, 0, np.array(moves), np.zeros(len(moves), np.float32), result, reason)


def tally(*games: PlayedGame) -> Tally:
    """Count games."""
    found = Tally()
    found.add(games)
    return found
