"""Limits of time, in the small form of experiments/proofs/time_limits.py."""

from tunesmith import games
from tunesmith.engine.options import SearchOptions
from tunesmith.experiments.proofs.time_limits import game_clock, overruns


def test_a_search_uses_its_time_and_comes_back() -> None:
    late = overruns(games.load("kalah"), SearchOptions(sort=1), 0.01, moves=3, seed=1)
    assert len(late) == 3
    assert all(overrun > -0.01 for overrun in late)


def test_a_game_on_the_clock_ends_within_its_time() -> None:
    spent, n_moves = game_clock(games.load("kalah"), 3.0, seed=2)
    assert n_moves > 5
    assert 0 < spent < 3
