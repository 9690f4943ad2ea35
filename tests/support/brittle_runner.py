"""Seats the brittle game in a runner, in a process of its own: `python -m tests.support.brittle_runner FOLDER JOBS SPEC BACKEND`.

Two settings play twelve pairs each; prints one JSON line with their scores (null: no score) and counts."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from tests.support.brittle_play import GAME, spelled
from tunesmith.engine import weights
from tunesmith.games import registry
from tunesmith.games.errors import FaultError
from tunesmith.tuning.files import finite
from tunesmith.tuning.play import pool, selfplay
from tunesmith.tuning.play.matchup import Matchup
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.search.matches import TrialMatches
from tunesmith.tuning.search.runner import runner_for

N = 12


def main(folder: str, jobs: str, variant: str, backend: str = "loky") -> None:
    """Play."""
    selfplay.MOST_FAULTS = 0.1
    pool.SLOWNESS = 5.0
    spec = f"{GAME}:{variant}"
    player = weights.from_array(registry.load(spec), np.ones((1, 1)))
    openings = [spelled(number) for number in range(N)]
    matches = TrialMatches(
        Matchup(spec, player, player, ("nodes:20", "nodes:20"), 1, move_cap=500, hash_mb=1),
        (("one", player),),
        openings,
        Path(folder),
        Resources(int(jobs), backend),
    )
    runner = runner_for(matches)
    found = {}
    try:
        for number in (0, 1):
            runner.begin(number, replace(player, scale=2.0 + number), range(N))
        while len(found) < 2:
            number, outcome = runner.next()
            failed = isinstance(outcome, FaultError)
            found[str(number)] = str(outcome) if failed else outcome.scores[0].tolist()
            runner.leave(number)
    finally:
        runner.close()
    print(json.dumps(finite(found)))


if __name__ == "__main__":
    main(*sys.argv[1:])
