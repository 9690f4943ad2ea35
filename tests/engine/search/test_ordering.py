"""Which move is tried first: table, hints, killers, history; and how the best of the rest is picked."""

import random

import numpy as np
import pytest

from tests.support.toys import START, piles
from tunesmith.engine.compile.bind import uncompiled
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.search import ordering
from tunesmith.engine.searcher import GAME_SECONDS, GENERATION, N_HISTORY, SECONDS_LEFT, new_searcher


@pytest.fixture
def memory() -> np.recarray:
    return new_searcher(piles(), np.ones((2, 3)), 1.0, SearchOptions(), parse_limit("game-time:9"), 1).memory[
        0
    ]


def order(memory: np.recarray, first: int = -1, **without: bool) -> list[int]:
    """Return the moves of the start position in the order in which they are picked."""
    memory.options[:] = SearchOptions(**without).encode()
    memory.moves[0, :4] = range(4)
    uncompiled(ordering.rate_moves, piles())(memory, START, 0, 4, first, 0)
    return [ordering.pick(memory.moves[0], memory.order[0], at, 4) for at in range(4)]


def test_table_then_hints_then_killers_then_history(memory: np.recarray) -> None:
    """In piles odd moves have a hint."""
    assert order(memory) == [1, 3, 0, 2]
    memory.history[0, 2] = 50
    assert order(memory) == [1, 3, 2, 0]
    memory.killers[0] = 0, 3
    assert order(memory) == [3, 1, 0, 2]
    assert order(memory, first=2) == [2, 3, 1, 0]
    assert order(memory, hints=False) == [0, 3, 2, 1]
    assert order(memory, hints=False, killers=False) == [2, 0, 1, 3]
    assert order(memory, hints=False, killers=False, history=False) == [0, 1, 2, 3]


def test_picking_is_a_stable_sort_of_the_first_few() -> None:
    rng = random.Random(1)
    for _ in range(50):
        n = rng.randrange(1, 20)
        moves, ratings = list(range(n)), [rng.randrange(4) for _ in range(n)]
        expected = sorted(range(n), key=lambda at, r=tuple(ratings): -r[at])[: ordering.N_PICKED]
        found = [ordering.pick(moves, ratings, at, n) for at in range(n)]
        assert found[: ordering.N_PICKED] == expected
        assert found[ordering.N_PICKED :] == sorted(set(range(n)) - set(expected))


@pytest.mark.parametrize("kept", [1, 5, 99])
def test_the_best_are_kept_in_front(kept: int) -> None:
    moves, ratings = [0, 1, 2, 3, 4, 5], [5, 9, 5, 7, 1, 9]
    n = ordering.keep_best(moves, ratings, 6, kept)
    assert moves[:n] == [1, 5, 3, 0, 2, 4][:kept] and n == min(kept, 6)


def test_two_killers_a_ply_and_history_by_squares_of_depth(memory: np.recarray) -> None:
    for move, depth in ((3, 2), (3, 5), (1, 100)):
        ordering.note_cut(memory, 4, move, 1, depth)
    assert memory.killers[4].tolist() == [1, 3]
    assert memory.history[1, [1, 3]].tolist() == [64 * 64, 4 + 25]
    ordering.fade(memory)
    assert memory.killers[4].tolist() == [-1, -1]
    assert memory.history[1, [1, 3]].tolist() == [512, 3]


def test_a_new_game_forgets_and_sets_the_clock(memory: np.recarray) -> None:
    generation = int(memory.counters[GENERATION])
    memory.history[0, 1], memory.numbers[SECONDS_LEFT] = 99, 0.5
    ordering.forget(memory)
    assert not memory.history.any() and memory.counters[GENERATION] == generation + 1
    assert memory.numbers[SECONDS_LEFT] == memory.numbers[GAME_SECONDS] == 9


def test_every_move_has_a_place_in_the_history() -> None:
    assert [ordering.history_index(move) for move in (0, N_HISTORY - 1)] == [0, N_HISTORY - 1]
    assert all(0 <= ordering.history_index(move) < N_HISTORY for move in (N_HISTORY, 1 << 40, (1 << 63) - 1))
