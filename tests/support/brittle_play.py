"""Plays the brittle game in a process of its own: `python -m tests.support.brittle_play FOLDER PAIRS JOBS SPEC`.

Prints a line `done N` whenever a batch ends, and at the end the summary, or the error, as JSON. More words say:
`debug`, that games are checked ply by ply; `ends=NUMBER,GROUP,CALLS`, how this process ends itself, by a signal to
itself or (GROUP is 1) to its group: at the second report after nobody is to die any more at the gate of the game,
and so many calls of functions later, anywhere in our code or in others'; `lost=SECONDS`, when a cluster is given up."""

import json
import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tests.support.listening import Listening
from tunesmith.engine import weights
from tunesmith.experiments.proofs import _dying as dying
from tunesmith.games import registry
from tunesmith.games.errors import TunesmithError
from tunesmith.tuning.cli import interrupt
from tunesmith.tuning.play import backends, pool, selfplay
from tunesmith.tuning.play.matchup import Matchup, Noise
from tunesmith.tuning.play.openings.opening import Opening
from tunesmith.tuning.play.resources import Resources

GAME = Path(__file__).resolve().with_name("brittle_game.py")


def spelled(number: int) -> Opening:
    """Return the opening whose four moves are the digits of a number in base 4."""
    moves = tuple(number // 4**place % 4 for place in (3, 2, 1, 0))
    return Opening(moves, " ".join(map(str, moves)))


def ending(number: int, is_for_group: int, calls: int) -> Callable[[], None]:
    """Return what is to be called at every report, and ends this process at some moment, counted in calls."""
    gate = Path(os.environ["BRITTLE_GATE"])
    left = 2

    def report() -> None:
        nonlocal left
        left -= not any(gate.glob("death-*"))
        if left == 0:
            dying.after_calls(number, is_for_group, calls)

    return report


def main(
    folder: str, pairs: str, jobs: str, variant: str, patience: str = "5", backend: str = "loky", *more: str
) -> None:
    """Play some pairs."""
    logging.basicConfig(level=logging.WARNING)
    selfplay.MOST_FAULTS = 0.05  # so that a few pairs do
    pool.SLOWNESS = 5.0
    if "trouble=gate" in variant:
        pool.BATCH_SECONDS = 0.0  # one pair in a batch, however fast the machine is
    ends = [word.removeprefix("ends=").split(",") for word in more if word.startswith("ends=")]
    at_report = [ending(*map(int, words)) for words in ends]

    def progress(_: str, done: int, total: int) -> None:
        print(f"done {done}", flush=True)
        for act in at_report:
            act()

    for word in more:
        if word.startswith("lost="):
            backends.dask_cluster().LOST = float(word.removeprefix("lost="))  # type: ignore[attr-defined]
    spec = f"{GAME}:{variant}"
    player = weights.from_array(registry.load(spec), np.ones((1, 1)))
    try:
        matchup = Matchup(
            spec,
            player,
            player,
            ("nodes:20", "nodes:20"),
            1,
            Noise(0.3, 10),
            hash_mb=1,
            debug="debug" in more,
        )
        openings = [spelled(number) for number in range(256)]
        resources = Resources(int(jobs), backend, Listening(progress), float(patience))
        found = selfplay.play(matchup, openings, range(int(pairs)), Path(folder), resources)
        print(json.dumps(found.content()))
    except TunesmithError as error:
        print(json.dumps({"error": type(error).__name__, "text": str(error)}))


if __name__ == "__main__":
    interrupt.listen(["selfplay"])  # as the command does
    main(*sys.argv[1:])
