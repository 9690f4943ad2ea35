"""A player asked in a simultaneous game knows the board and the side it plays, nothing else."""

from types import FunctionType
from typing import Any

import numpy as np
import pytest

from tests.support.searching import as_python
from tests.support.toys import hands, hands_apply_move, piles
from tunesmith import games
from tunesmith.engine.board import Board
from tunesmith.engine.compile import jit
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.player import Player, seen_by_mover
from tunesmith.engine.weights import from_array, load

GAME = hands()


@pytest.fixture(scope="module")
def player() -> Player:
    with as_python(GAME) as game:  # no longer than it is made: other tests here ask for compiled code
        return Player(game, from_array(game, np.array([[100.0]])), parse_limit("depth:4"))


def answers(player: Player, text: str) -> set[tuple[Any, ...]]:
    """Return what the player says after each possible hidden choice."""
    found = set()
    for choice in ("rock", "paper", "scissors"):
        board = Board(GAME, text)
        board.push(choice)
        player.new_game()
        analysis = player.analyse(board)
        found.add((analysis.move, analysis.score, analysis.nodes, analysis.line))
    return found


@pytest.mark.parametrize("text", ["0 0 0 0", "1 0 0 1", "0 1 0 2"])
def test_the_second_choice_does_not_depend_on_the_first(player: Player, text: str) -> None:
    assert len(answers(player, text)) == 1


def test_both_choosers_are_in_the_same_situation(player: Player) -> None:
    """The second chooser thinks as the first one would with the score turned."""
    ahead, behind = Board(GAME, "1 0 0 1"), Board(GAME, "0 1 0 1")
    behind.push("rock")
    player.new_game()
    first = player.analyse(ahead)
    player.new_game()
    second = player.analyse(behind)
    assert (first.move, first.score) == (second.move, second.score)


def test_what_the_mover_sees() -> None:
    """The first chooser the board, the second the board turned round; in other games simply the board."""
    board = Board(GAME, "1 0 0 1")
    assert seen_by_mover(board) == (board.state, board.history_keys)
    board.push("paper")
    assert seen_by_mover(board) == ((0, 1, 0, 1), [0, 0])
    other = Board(piles())
    assert seen_by_mover(other) == (other.state, other.history_keys)


def test_keys_of_the_turned_history_are_those_of_turned_positions() -> None:
    """Repetition, as the second chooser sees it: whole turns only."""

    def key(state: Any) -> int:
        return 0 if state[2] else 1 + state[0] + 10 * state[1]

    game = hands(history_key=key, repetition_limit=9)
    board = Board(game, "1 0 0 1")
    board.push("rock")
    board.push("rock")
    board.push("rock")
    assert board.states[-1] == hands_apply_move((1, 0, 0, 2), 0)
    assert seen_by_mover(board)[1] == [11, 0, 11, 0]


@pytest.mark.parametrize(
    ("limit", "is_spared"), [("nodes:300", True), ("nodes:100000", False), ("depth:2", False)]
)
def test_a_short_search_is_not_compiled_and_answers_the_same(
    monkeypatch: pytest.MonkeyPatch, limit: str, is_spared: bool
) -> None:
    game = games.load("kalah")
    weights, board = load("hand", game), Board(game)
    compiled, spared = (Player(game, weights, parse_limit(limit), hash_mb=1) for _ in range(2))
    monkeypatch.setattr(Player, "takes_long", property(lambda player: True))
    spared.spare_compiling()
    assert isinstance(spared._think, FunctionType) is (is_spared or not jit.COMPILED)
    assert spared.analyse(board) == compiled.analyse(board)
