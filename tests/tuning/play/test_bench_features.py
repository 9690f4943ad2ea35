"""A feature is taken out of functions of anybody, with all that was computed for its sake, and nothing else."""

from dataclasses import replace

import numpy as np
import pytest

from tests.support.toys import piles
from tunesmith import games
from tunesmith.games.game import Game
from tunesmith.tuning.cli.new_game import write_game
from tunesmith.tuning.play.bench_features import leaves_out_by_itself, without_feature

THIRD = 2
_CALLS: list[str] = []


def slow(name: str) -> float:
    """Stand for something that takes its time."""
    _CALLS.append(name)
    return 1.0


def in_lines(state, out):
    """Write each feature by a line of its own."""
    out[0] = 1.0
    rest, twice = slow("rest"), 0.0
    for _ in range(2):
        twice += slow("twice")
        if twice > 5:
            break
    out[1] = rest
    out[THIRD] = twice


def in_a_loop(state, out):
    """Write all features by one line."""
    for index in range(3):
        out[index] = 1.0


def together(state, out):
    """Add to two features in one loop, with a condition that one of them needs."""
    out[0] = out[1] = 0.0
    seen = 0
    while seen < 4:
        seen += 1
        if slow("own") > 2 or seen % 2:
            out[1] += slow("one")
        else:
            out[0] += slow("nought")
    out[2] = float(seen)


def computed(features, index: int | None) -> tuple[list[float], list[str]]:
    """Return what is written, and what was called for it, without a feature (None: with all)."""
    game = piles(features=features)
    less = game if index is None else without_feature(game, index)
    assert less is not None
    _CALLS.clear()
    values = np.full(3, -7.0)
    less.features(game.initial(), values)
    return values.tolist(), list(_CALLS)


def test_what_a_feature_needs_goes_with_it() -> None:
    assert computed(in_lines, None) == ([1.0, 1.0, 2.0], ["rest", "twice", "twice"])
    assert computed(in_lines, 0) == ([-7.0, 1.0, 2.0], ["rest", "twice", "twice"])
    assert computed(in_lines, 2) == ([1.0, 1.0, -7.0], ["rest"])


def test_what_others_need_stays() -> None:
    values, _ = computed(together, None)
    for index in range(3):
        less, calls = computed(together, index)
        assert less == [-7.0 if at == index else value for at, value in enumerate(values)]
        assert ("one" in calls, "nought" in calls) == (index != 1, index != 0)


def test_what_is_written_together_is_not_told_apart() -> None:
    assert [without_feature(piles(features=in_a_loop), index) for index in range(3)] == [None] * 3
    assert without_feature(replace(piles(), features=eval("lambda state, out: None")), 0) is None


@pytest.mark.parametrize("full", [False, True])
def test_features_of_new_games_are_told_apart(full: bool, tmp_path) -> None:
    game: Game = games.load(str(write_game("mine", tmp_path, full)[0]))
    state, values = game.initial(), np.zeros(game.n_features)
    moves = np.zeros(game.max_moves, np.int64)
    for _ in range(6):
        state = game.apply_move(state, int(moves[game.legal_moves(state, moves) // 2]))
    game.features(state, values)
    for index in range(game.n_features):
        less = without_feature(game, index)
        assert less is not None
        found = np.full(game.n_features, -7.0)
        less.features(state, found)
        assert found.tolist() == [-7.0 if at == index else value for at, value in enumerate(values.tolist())]


def test_games_that_leave_features_out_by_themselves_are_known(tmp_path) -> None:
    assert leaves_out_by_itself(games.load("kalah"))
    assert not leaves_out_by_itself(games.load(str(write_game("mine", tmp_path)[0])))
