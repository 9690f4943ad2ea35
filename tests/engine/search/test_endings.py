"""When a game is over: the state's word, repetition and the limit of plies, in the game's order."""

import random

import pytest

from tests.naive import minimax
from tests.support.searching import keys_of, random_board
from tests.support.toys import START, piles
from tests.support.walk import WALKS
from tunesmith.engine.board import Board
from tunesmith.engine.compile.bind import uncompiled
from tunesmith.engine.search.endings import ending, is_drawn, occurrences
from tunesmith.games.game import ONGOING, Game


def test_occurrences_are_counted_among_the_first_keys_only() -> None:
    keys = [5, 7, 5, 0, 5, 5]
    assert [occurrences(keys, n, 5) for n in range(7)] == [0, 1, 1, 2, 2, 3, 4]


@pytest.mark.parametrize(
    "game", [*WALKS.values(), piles(max_plies=3), piles(max_plies=3, repetition_first=True)]
)
def test_a_course_of_a_game_ends_as_its_plain_rules_say(game: Game) -> None:
    end, rng = uncompiled(ending, game), random.Random(1)
    over = 0
    for _ in range(60):
        board = random_board(game, rng, rng.randrange(12))
        while not board.is_over and len(board.moves) < 30:
            board.play(rng.choice(board.legal_moves()))
        for n in range(1, len(board.states) + 1):
            found = end(board.states[n - 1], board.history_keys, n, n - 1)
            assert found == minimax.ending(game, board.states[:n])
            over += found != ONGOING
    assert over >= 30


def test_plies_are_the_callers_count_where_the_state_has_none() -> None:
    drawn = uncompiled(is_drawn, piles(max_plies=9, plies=None))
    assert [drawn(START, [1], 1, n) for n in (8, 9)] == [False, True]
    drawn = uncompiled(is_drawn, piles(max_plies=9))
    assert [drawn((4, 5, 0, n), [1], 1, 0) for n in (8, 9)] == [False, True]


def test_positions_that_do_not_count_are_never_repeated() -> None:
    drawn = uncompiled(is_drawn, piles())
    assert not drawn(START, [0, 0, 0], 3, 2)
    assert drawn(START, [6, 0, 6], 3, 2)


def test_keys_of_a_board_are_those_of_its_positions() -> None:
    board = Board(piles())
    board.push("a2")
    assert keys_of(board)[:2].tolist() == board.history_keys == [85, 83]
