"""First moves drawn by a seed, in an agent for Expendibots."""

import importlib
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from tests.support import refereeing
from tunesmith import games
from tunesmith.engine.board import Board
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.player import Player
from tunesmith.engine.weights import load
from tunesmith.tuning.export.agent.first_moves import DEPTH, N_DRAWN, WITHIN
from tunesmith.tuning.export.agent.write import write_agent

GAME = games.load("expendibots")


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    folder = tmp_path_factory.mktemp("drawing")
    write_agent(GAME, load("hand", GAME), folder, parse_limit("nodes:20"), name="expendibots_drawing")
    sys.path.insert(0, str(folder))
    yield importlib.import_module("expendibots_drawing.player")
    sys.path.remove(str(folder))


def first_moves(code: ModuleType, seed: int | None, n: int = 1) -> list[str]:
    """Return what the agent plays as White and Black, against itself with the same seed."""
    players: list[Any] = [code.Player(colour, seed) for colour in ("white", "black")]
    board = Board(GAME)
    for ply in range(2 * n):
        action = players[ply % 2].action()
        board.push(refereeing.TEXTS[GAME.name](action))
        for player in players:
            player.update(("white", "black")[ply % 2], action)
    return board.notation


def test_a_seed_draws_the_same_moves_again_and_another_others(code):
    drawn = [first_moves(code, seed) for seed in (1, 1, 2, 3)]
    assert drawn[0] == drawn[1]
    assert len({tuple(moves) for moves in drawn}) == 3


def test_moves_are_within_20_elo_of_the_best(code):
    """Found again by the compiled engine, which searches behind each move."""
    engine = Player(GAME, load("hand", GAME), parse_limit(f"depth:{DEPTH}"))
    board, refused = Board(GAME), 0
    for text in first_moves(code, 4):
        scores = {}
        for move in board.legal():
            board.push(move)
            engine.new_game()
            scores[move] = -engine.analyse(board).score
            board.pop()
        good = {move for move, score in scores.items() if score >= max(scores.values()) - WITHIN}
        assert text in good
        refused += len(scores) - len(good)
        board.push(text)
    assert refused > 0


def test_without_a_seed_and_after_the_first_moves_nothing_is_drawn(code, monkeypatch):
    asked = []
    monkeypatch.setattr(code, "drawn", lambda thinker, game, seed: asked.append(seed) or -1)
    first_moves(code, None)
    assert asked == []
    first_moves(code, 7, N_DRAWN + 1)
    assert asked == [7] * 2 * N_DRAWN


def test_a_move_that_ends_the_game_is_left_to_the_search(code, monkeypatch):
    monkeypatch.setattr(code.Game, "is_over", lambda self: len(self.states) > 1)
    player = code.Player("white", 1)
    monkeypatch.setattr(code.Game, "legal", lambda self: [0, 1])
    assert code.drawn(player.thinker, player.game, 1) == -1
    assert len(player.game.states) == 1


def test_where_one_move_alone_is_good_the_search_chooses(code, monkeypatch):
    player = code.Player("white", 1)
    monkeypatch.setattr(code, "good_moves", lambda thinker, game: game.legal()[:1])
    assert code.drawn(player.thinker, player.game, 1) == -1
