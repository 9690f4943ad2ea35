"""Perft counts what a plain recursion counts; the division by first moves adds up to it."""

import pytest

from tests.support.searching import as_python
from tests.support.toys import hands, piles
from tunesmith.engine.board import Board
from tunesmith.engine.perft import divide, perft
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game


def sequences(board: Board, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for move in board.legal():
        board.push(move)
        total += sequences(board, depth - 1)
        board.pop()
    return total


@pytest.mark.parametrize("toy", [piles(repetition_limit=0), hands()], ids=lambda game: game.name)
def test_sequences_are_those_of_a_plain_recursion(toy: Game) -> None:
    with as_python(toy) as game:
        for depth in range(8):
            assert perft(game, depth) == sequences(Board(game), depth)
            if depth:
                assert sum(divide(game, depth).values()) == perft(game, depth)


def test_a_finished_game_and_a_limit_of_plies_have_no_continuation() -> None:
    with as_python(piles(max_plies=3)) as game:
        assert perft(game, 2, "0 0 0 5") == 0 and divide(game, 2, "0 0 0 5") == {}
        assert perft(game, 3) == sequences(Board(game), 3) > 0
        assert perft(game, 4) == 0


def test_the_division_names_first_moves() -> None:
    with as_python(piles()) as game:
        assert divide(game, 1, "1 2 0 0") == {"a1": 1, "b1": 1, "b2": 1}
        assert divide(game, 2, "1 2 0 0") == {"a1": 2, "b1": 2, "b2": 1}


def test_lengths_that_cannot_be_are_refused() -> None:
    with pytest.raises(InputError, match="expected 0 to 1000, found -1"):
        perft(piles(), -1)
    with pytest.raises(InputError, match="expected 0 to 1000, found 1000000"):
        perft(piles(), 1_000_000)
    with pytest.raises(InputError, match="expected 1 to 1000, found 0"):
        divide(piles(), 0)
