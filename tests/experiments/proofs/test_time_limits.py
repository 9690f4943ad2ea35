"""Limits of time, in the small form of experiments/proofs/time_limits.py, on a clock that a look moves on.

Nothing is overrun, no move goes without depth 1, the time is used."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from tunesmith.engine.search.time_control import MOST_KEPT
from tunesmith.experiments.proofs import time_limits

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


def test_lengths_run_from_the_shortest_to_the_longest() -> None:
    for name, (least, median, most) in time_limits.DISTRIBUTIONS.items():
        found = time_limits.drawn(name, 41)
        assert (found[0], found[20], found[40]) == (least, median, most)
        assert np.array_equal(time_limits.drawn(name, 9, 5), time_limits.drawn(name, 9, 5))


@pytest.mark.parametrize(("distribution", "length"), [("narrow", 30), ("few are long", 40)])
def test_a_game_of_the_median_length_spends_its_time(distribution: str, length: int) -> None:
    to_go = time_limits.taught(time_limits.drawn(distribution, 200, 1))
    with time_limits.own_clock(0.01):
        played = time_limits.play(length, to_go, 40.0, 3)
    assert played.moves == length and played.without_depth == 0
    assert time_limits.WANTED * 40.0 <= played.spent <= 40.0


def test_the_longest_game_has_a_finished_depth_for_every_move() -> None:
    to_go = time_limits.taught(time_limits.drawn("few are long", 200, 1))
    with time_limits.own_clock(0.01):
        played = time_limits.play(400, to_go, 320.0, 3)
    assert played.without_depth == 0 and played.spent <= 320.0
    assert MOST_KEPT * 320.0 > 400 * 5 * 0.01  # what is kept is enough for a look at the root's moves


def test_without_knowledge_of_lengths_nothing_is_overrun() -> None:
    with time_limits.own_clock(0.01):
        played = time_limits.play(60, None, 40.0, 3)
    assert played.without_depth == 0 and played.spent <= 40.0


def test_the_table_says_what_is_wanted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(time_limits, "DISTRIBUTIONS", {"narrow": (8, 10, 12)})
    monkeypatch.setattr(time_limits, "SECONDS", 4.0)
    assert time_limits.main(["--moves", "0", "--countdowns", "3", "--turns", "0"]) == 0
    assert "| narrow | 8 to 12, median 10 |" in capsys.readouterr().out
    monkeypatch.setattr(time_limits, "WANTED", 1.1)
    assert time_limits.main(["--moves", "0", "--countdowns", "3", "--turns", "0"]) == 1
