"""Iteration by iteration: when deepening ends, and which move an unfinished iteration leaves."""

import numpy as np

from tests.support.searching import (
    as_python,
    line,
    reached,
    search,
    weights,
)
from tests.support.walk import WALKS
from tunesmith import games
from tunesmith.engine.board import Board
from tunesmith.engine.limits import Limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.searcher import BEST_AT_ROOT


def test_a_forced_win_ends_the_deepening() -> None:
    with as_python(WALKS["two times"]) as game:
        _, searcher = search(Board(game), np.zeros((1, 2)), SearchOptions(), Limit("depth", 9))
        assert reached(searcher) == 1


def test_an_unfinished_iteration_counts_from_its_first_move_on() -> None:
    """More nodes never give the move of a smaller depth back once a better one is known."""
    game = games.load("kalah")
    board = Board(game)
    for limit in range(50, 3000, 150):
        _, searcher = search(board, weights(game), SearchOptions(), Limit("nodes", limit))
        assert line(searcher)[0] == searcher.memory["counters"][0][BEST_AT_ROOT]
