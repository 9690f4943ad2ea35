"""An agent's memory and its way to a move, in the code that is written for piles."""

import random
from typing import Any

import pytest

from tests.support.piles_agent import GAME, WEIGHTS, agent, thinker
from tests.support.searching import as_python, random_board
from tests.support.toys import START, piles
from tunesmith.engine.board import Board
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.player import Player


def replayed(board: Board) -> Any:
    game = agent()["Game"]()
    for move in board.moves:
        game.play(move)
    return game


def test_a_history_is_that_of_a_board() -> None:
    rng = random.Random(1)
    for _ in range(30):
        board = random_board(GAME, rng, rng.randrange(9))
        game = replayed(board)
        assert game.states == board.states and game.keys == board.history_keys
        assert (game.is_over(), game.n_plies()) == (board.is_over, board.n_plies)
        assert game.legal() == board.legal_moves()


def test_moves_are_those_of_the_engine() -> None:
    rng, compared = random.Random(2), 0
    with as_python(piles()) as copy:
        player = Player(copy, WEIGHTS, parse_limit("nodes:200"), hash_mb=1)
        for _ in range(10):
            board = random_board(copy, rng, rng.randrange(5))
            if board.is_over:
                continue
            player.new_game()
            found = agent()["Thinker"](WEIGHTS.to_json()).choose(replayed(board))
            assert copy.move_to_text(board.state, found) == player.choose(board)
            compared += 1
    assert compared >= 5


def test_without_a_search_the_hint_decides() -> None:
    """In piles odd moves have a hint; the first of them is played."""
    assert agent()["first_choice"](agent()["Game"](START)) == 1
    assert agent()["first_choice"](agent()["Game"]((1, 1, 0, 0))) == 0


def test_the_memory_holds_the_weights_by_name_and_those_in_use() -> None:
    memory = thinker().memory
    assert memory.weights == WEIGHTS.array(GAME).tolist() and memory.used == [0, 1, 2]


@pytest.mark.parametrize(("limit", "seconds"), [("nodes:200", 0.0), ("game-time:30", 30.0)])
def test_a_new_game_sets_the_clock(limit: str, seconds: float) -> None:
    made = thinker(limit)
    assert made.clock() == seconds
    made.set_clock(0.25)
    assert made.clock() == 0.25
    made.forget()
    assert made.clock() == seconds
