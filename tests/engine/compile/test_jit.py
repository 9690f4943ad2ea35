"""Without a compiler the same code plays the same moves: every game, every kind of search, at a node limit."""

import random
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
