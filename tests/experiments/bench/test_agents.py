"""Written-out agents beside those of another commit."""

import pytest

from tests.support.piles_agent import agent
from tunesmith.experiments.bench.agents import PLIES, positions, tree_of
from tunesmith.games.errors import InputError


def test_positions_are_unfinished_and_the_same_again() -> None:
    class Game:
        def __init__(self) -> None:
            self.moves: list[int] = []

        def legal(self) -> list[int]:
            return [1, 2, 3]

        def play(self, move: int) -> None:
            self.moves.append(move)

        def is_over(self) -> bool:
            return False

    found = positions({"Game": Game}, 3)
    assert [len(moves) for moves in found] == list(PLIES)
    assert found == positions({"Game": Game}, 3)
    assert "Game" in agent()


def test_an_unknown_commit_is_refused(tmp_path) -> None:
    with pytest.raises(InputError, match="--against: expected a commit"):
        tree_of("no-such-commit", tmp_path)
