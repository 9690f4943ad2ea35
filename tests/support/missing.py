"""Which pairs of a folder of games are yet to be played?"""

from pathlib import Path

import numpy as np

from tunesmith.tuning.play.store import read_games


def missing_pairs(folder: Path, pairs: range) -> list[int]:
    """Return the numbers of `pairs` that have not been played completely, in order."""
    numbers = read_games(folder, pairs).pair
    present, count = np.unique(numbers, return_counts=True)
    complete = set(present[count == 2].tolist())
    return [pair for pair in pairs if pair not in complete]
