"""The clocks of a search, told by a clock that the test brings along."""

import random

import pytest

from tests.support.searching import as_python, think, ticking, weights
from tunesmith import games
from tunesmith.engine.board import Board
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.searcher import SECONDS_LEFT, new_searcher


def test_a_game_clock_is_never_overrun(monkeypatch: pytest.MonkeyPatch) -> None:
    """Moves get ever smaller shares of what is left, so that no number of moves uses it up."""
    with as_python(games.load("kalah")) as game, ticking(monkeypatch, 0.0001):
        searcher = new_searcher(game, weights(game), 1.0, SearchOptions(), parse_limit("game-time:0.3"), 1)
        left = searcher.memory["numbers"][0]
        board, rng, before = Board(game), random.Random(1), 0.3
        while not board.is_over:
            think(searcher, board)
            assert 0.0 < left[SECONDS_LEFT] < before
            before = float(left[SECONDS_LEFT])
            board.play(rng.choice(board.legal_moves()))
        assert before < 0.3
