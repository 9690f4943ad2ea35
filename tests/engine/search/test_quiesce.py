"""Quiescence by itself: the best of standing still and of noisy moves, by a plain recursion."""

import random

import numpy as np
import pytest

from tests.naive import minimax
from tests.support.searching import as_python, keys_of, random_board, weights
from tests.support.toys import piles
from tunesmith.engine.board import Board
from tunesmith.engine.compile.bind import bind
from tunesmith.engine.evaluation import WIN
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.search.alphabeta import ABORTED
from tunesmith.engine.search.quiesce import quiesce
from tunesmith.engine.search.transposition import NO_MOVE
from tunesmith.engine.searcher import NODE_LIMIT, new_searcher
from tunesmith.games.game import Game


def settled(game: Game, table: np.ndarray, board: Board, plies: int, ply: int = 0) -> tuple[int, list[int]]:
    """Return the mover's value and line: the evaluation, or the first of the best noisy moves."""
    if board.is_over:
        result = board.result or 0
        return minimax.for_mover(game, board.state, result * (WIN - ply)), []
    noisy = np.zeros(game.max_moves, np.int64)
    moves = noisy[: game.noisy_moves(board.state, noisy)].tolist() if plies else []  # type: ignore[misc]
    best, line = minimax.evaluation(game, table, 1.0, board.state), []
    if moves and len(moves) == len(board.legal_moves()):
        best = -(10**12)
    for move in moves:
        board.play(move)
        value, rest = settled(game, table, board, plies - 1, ply + 1)
        board.pop()
        if -value > best:
            best, line = -value, [move, *rest]
    return best, line


@pytest.mark.parametrize("plies", [0, 1, 2, 5])
def test_value_and_line_are_those_of_a_plain_recursion(plies: int) -> None:
    rng, moved = random.Random(plies), 0
    with as_python(piles()) as game:
        for seed in range(40):
            table = weights(game, seed)
            board = random_board(game, rng, rng.randrange(7))
            if board.is_over:
                continue
            options = SearchOptions(quiescence=plies)
            searcher = new_searcher(game, table, 1.0, options, parse_limit("depth:1"), 1)
            memory = searcher.memory[0]
            value = bind(quiesce, game)(
                memory, [board.state] * (plies + 2), keys_of(board), len(board.states), board.n_plies
            )
            line = [int(move) for move in memory.line[0]]
            expected, moves = settled(game, table, board, plies)
            assert (value, line[: line.index(NO_MOVE)]) == (expected, moves)
            moved += bool(moves)
    assert moved > 3 or plies == 0


def test_beyond_the_nodes_there_is_no_value() -> None:
    with as_python(piles()) as game:
        options = SearchOptions(quiescence=4)
        memory = new_searcher(game, weights(game), 1.0, options, parse_limit("nodes:9"), 1).memory[0]
        memory.counters[NODE_LIMIT] = 1
        board = Board(game, "1 1 0 0")
        assert bind(quiesce, game)(memory, [board.state] * 6, keys_of(board), 1, 0) == ABORTED
