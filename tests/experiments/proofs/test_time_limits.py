"""Limits of time, in the small form of experiments/proofs/time_limits.py, on a clock that a look moves on."""

import json
import os
import subprocess
import sys

CODE = """
import itertools, json, time
ticks = itertools.count()
time.perf_counter = lambda: next(ticks) * 0.125
from tunesmith import games
from tunesmith.engine.options import SearchOptions
from tunesmith.experiments.proofs.time_limits import game_clock, overruns
kalah = games.load("kalah")
print(json.dumps([overruns(kalah, SearchOptions(sort=1), 1.0, moves=3, seed=1), game_clock(kalah, 60.0, seed=2)]))
"""


def test_a_search_and_a_game_use_their_time_and_end_within_it() -> None:
    """In plain Python, where every look at the clock moves it on by an eighth of a second: no machine is too slow."""
    ran = subprocess.run(
        [sys.executable, "-c", CODE],
        env={**os.environ, "TUNESMITH_NUMBA": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    late, (spent, n_moves) = json.loads(ran.stdout)
    assert len(late) == 3
    assert all(
        0 <= overrun <= 0.5 for overrun in late
    )  # seen at the next look, and a few looks after the end
    assert n_moves > 5
    assert 20 < spent < 60
