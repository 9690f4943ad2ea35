"""A game in progress as a person plays it: moves are texts, history is kept, the game ends by the rules."""

import pytest

from tests.support.toys import piles
from tunesmith.engine.board import Board
from tunesmith.games.errors import GameError, InputError


def test_moves_are_played_and_taken_back() -> None:
    board = Board(piles())
    assert (board.text, board.mover, board.legal()) == ("4 5 0 0", 0, ["a1", "a2", "b1", "b2"])
    board.push("a2")
    assert (board.state, board.mover, board.moves, board.n_plies) == ((2, 5, 1, 1), 1, [1], 1)
    board.pop()
    assert board.states == [(4, 5, 0, 0)] and board.moves == []
    with pytest.raises(InputError, match="no move to take back"):
        board.pop()


def test_a_move_that_is_not_legal_is_refused_with_those_that_are() -> None:
    board = Board(piles(text_to_move=lambda state, text: 1), "1 0 0 0")
    with pytest.raises(InputError, match="move 'a2': not legal in 1 0 0 0; legal are a1"):
        board.push("a2")


def test_who_takes_the_last_stone_wins_and_nothing_follows() -> None:
    board = Board(piles(), "1 0 1 8")
    board.push("a1")
    assert (board.is_over, board.result, board.reason, board.legal()) == (True, -1, "no_stones", [])
    with pytest.raises(InputError, match=r"the game is over \(no_stones\)"):
        board.push("a1")
    board.pop()
    assert not board.is_over and board.result is None and board.reason is None


def test_a_position_that_recurs_is_a_draw() -> None:
    board = Board(
        piles(pass_turn=None, apply_move=lambda state, move: (*state[:2], 1 - state[2], state[3] + 1))
    )
    board.push("a1")
    assert (board.result, board.reason) == (0, "repetition")
    assert board.history_keys == [85, 85]


@pytest.mark.parametrize(("first", "ending"), [(False, (1, "no_stones")), (True, (0, "max_plies"))])
def test_the_games_order_decides_between_a_win_and_a_limit(first: bool, ending: tuple[int, str]) -> None:
    board = Board(piles(max_plies=1, repetition_first=first), "1 0 0 0")
    board.push("a1")
    assert (board.result, board.reason) == ending


def test_plies_before_the_position_count_where_it_tells() -> None:
    assert Board(piles(), "1 1 0 7").n_plies == 7
    assert Board(piles(plies=None), "1 1 0 7").n_plies == 0
    assert Board(piles(max_plies=7), "1 1 0 7").reason == "max_plies"


def numbers(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in text.split())


def test_a_text_that_a_game_fails_at_is_the_games_fault() -> None:
    """The error names the game, and the line that failed; a game that refuses a text is heard as before."""
    with pytest.raises(
        GameError, match=r"game 'piles': numbers fails at the text 'x': ValueError: .*test_board.py:\d+"
    ):
        Board(piles(text_to_state=numbers), "x")
    with pytest.raises(GameError, match="'piles': .* fails at the text 'b9': ValueError"):
        Board(piles(text_to_move=lambda state, text: int(text))).push("b9")
    with pytest.raises(InputError, match="expected four numbers"):
        Board(piles(), "x")
