"""Plays the brittle game in a process of its own: `python -m tests.tuning.brittle_play FOLDER PAIRS JOBS SPEC`.

Prints a line `done N` whenever a batch ends, and at the end the summary, or the error, as JSON."""

import json
import logging
import sys
from pathlib import Path

import numpy as np

from engine import weights
from games import registry
from games.errors import TunesmithError
from tuning import interrupt, schedule, selfplay
from tuning.opening import Opening

GAME = Path(__file__).with_name("brittle_game.py")


def spelled(number: int) -> Opening:
    """Return the opening whose four moves are the digits of a number in base 4."""
    moves = tuple(number // 4**place % 4 for place in (3, 2, 1, 0))
    return Opening(moves, " ".join(map(str, moves)))


def main(
    folder: str, pairs: str, jobs: str, variant: str, patience: str = "5", backend: str = "loky", *more: str
) -> None:
    """Play some pairs."""
    logging.basicConfig(level=logging.WARNING)
    selfplay.MOST_FAULTS = 0.05  # so that a few pairs do
    schedule.SLOWNESS = 5.0
    spec = f"{GAME}:{variant}"
    player = weights.from_array(registry.load(spec), np.ones((1, 1)))
    try:
        found = selfplay.play(
            spec,
            player,
            player,
            limit="nodes:20",
            openings=[spelled(number) for number in range(256)],
            pairs=range(int(pairs)),
            seed=1,
            folder=Path(folder),
            jobs=int(jobs),
            backend=backend,
            noise=(300, 10),
            hash_mb=1,
            patience=float(patience),
            debug="debug" in more,
            progress=lambda _, done, total: print(f"done {done}", flush=True),
        )
        print(json.dumps(found))
    except TunesmithError as error:
        print(json.dumps({"error": type(error).__name__, "text": str(error)}))


if __name__ == "__main__":
    interrupt.listen(["selfplay"])  # as the command does
    main(*sys.argv[1:])
