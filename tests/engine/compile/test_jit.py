"""Without a compiler the same code plays the same moves: every game, every kind of search, at a node limit."""

import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from tests.support.searching import as_python, line, nodes, random_board, score, search
from tests.support.searching import weights as random_weights
from tunesmith import games
from tunesmith.engine import weights
from tunesmith.engine.board import Board
from tunesmith.engine.compile import jit
from tunesmith.engine.limits import Limit
from tunesmith.engine.match import Arena
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.searcher import BEST_AT_ROOT, new_searcher
from tunesmith.games.game import Game

GUESSING = SearchOptions(
    quiescence=3, futility=50, reductions=3, null_move=1, internal_deepening=3, aspiration=20
)


def answers(game: Game, texts: list[list[int]], options: SearchOptions) -> list[tuple[object, ...]]:
    """Return move, score, nodes and line of a search after each list of moves."""
    found = []
    for moves in texts:
        board = Board(game)
        for move in moves:
            board.play(move)
        _, searcher = search(board, random_weights(game, 4), options, Limit("nodes", 25))
        best = int(searcher.memory["counters"][0][BEST_AT_ROOT])
        found.append((best, score(searcher), nodes(searcher), line(searcher)))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("options", [SearchOptions(), GUESSING], ids=["defaults", "guessing"])
@pytest.mark.parametrize("name", games.names())
def test_searches_agree_in_move_score_nodes_and_line(name: str, options: SearchOptions) -> None:
    game, rng = games.load(name), random.Random(name)
    places = [random_board(game, rng, rng.randrange(0, 20, 2)).moves for _ in range(2)]
    compiled = answers(game, places, options)
    with as_python(game) as copy:
        assert answers(copy, places, options) == compiled


def test_whole_games_agree() -> None:
    game = games.load("kalah")
    hand = weights.load("hand", game)

    def play(rules: Game) -> list[tuple[list[int], list[float], int | None]]:
        players = [
            new_searcher(rules, hand.array(rules), hand.scale, SearchOptions(), Limit("nodes", 15), 1)
            for _ in range(2)
        ]
        records = Arena(rules, players[0], players[1], noise=(300, 6)).play_pair([], seed=5)
        return [
            (record.moves.tolist(), np.nan_to_num(record.scores).tolist(), record.result)
            for record in records
        ]

    compiled = play(game)
    with as_python(game) as copy:
        assert play(copy) == compiled


def test_what_is_asked_for_in_advance_changes_nothing_and_need_not_exist() -> None:
    table = np.arange(6).reshape(3, 2)
    ask = jit.compile_function(ask_in_advance)
    assert [ask(table, row) for row in (0, 2, -1, 1 << 40)] == [15] * 4
    assert np.array_equal(table, np.arange(6).reshape(3, 2))


def ask_in_advance(table: Any, row: int) -> int:
    jit.prefetch(table, row)
    return int(table.sum())


def sum_of(numbers: Any) -> int:
    total = 0
    view = numbers
    for at in range(3):
        if total < 5:
            total += view[0]
        view = numbers[at:]
    return total


def first_of(numbers: Any) -> int:
    return int(np.full(3, numbers[0])[0])


def rest_of(numbers: Any) -> Any:
    return numbers[1:]


def keep_in(kept: Any, numbers: Any) -> int:
    kept[0] = numbers
    return len(kept)


def hand_over(part: Any) -> Any:
    compiled = jit.compile_part(part)
    return jit.compile_function(lambda numbers: compiled(numbers)), compiled


def n_held() -> int:
    jit.numba.core.runtime._nrt_python.memsys_enable_stats()
    stats = jit.numba.core.runtime.rtsys.get_allocation_stats()
    return int(stats.alloc - stats.free)


@pytest.mark.skipif(not jit.COMPILED, reason="counts of references are compiled code's")
@pytest.mark.parametrize(("part", "counts"), [(sum_of, False), (first_of, True), (rest_of, True)])
def test_a_part_that_only_looks_counts_no_references_and_none_is_lost(part: Any, counts: bool) -> None:
    call, compiled = hand_over(part)
    numbers = np.arange(5)
    call(numbers)
    before = n_held(), sys.getrefcount(numbers)
    for _ in range(10):
        assert np.array_equal(call(numbers), part(numbers))
    assert (n_held(), sys.getrefcount(numbers)) == before
    code = "".join(compiled.inspect_llvm().values())
    assert ("call void @NRT_" in code) == counts


@pytest.mark.skipif(not jit.COMPILED, reason="counts of references are compiled code's")
def test_what_a_part_keeps_lives_on() -> None:
    keep = jit.compile_part(keep_in)

    def keep_new(n: int) -> int:
        kept = [np.zeros(1, np.int64), np.zeros(1, np.int64)]
        for _ in range(n):
            keep(kept, np.full(1000, 7))
            np.zeros(1000)  # would lie where the array was that is kept
        return int(kept[0].sum())

    run = jit.compile_function(keep_new)
    before = n_held()
    assert run(5) == 7000
    assert n_held() == before


ALGEBRA = """
import sys
import numpy as np
from tunesmith.engine.compile.jit import compile_function

counted = compile_function(lambda row: row.sum())
print(counted(np.ones(3)), "scipy.linalg" in sys.modules)
squared = compile_function(lambda row: row @ row)
print(squared(np.full(3, 2.0)), sys.modules["scipy.linalg.cython_blas"].__file__ is not None)
"""


@pytest.mark.skipif(not jit.COMPILED, reason="the linear algebra of compiled code")
def test_linear_algebra_is_loaded_where_compiled_code_asks_for_it() -> None:
    done = subprocess.run([sys.executable, "-c", ALGEBRA], check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["3.0", "False", "12.0", "True"]
