"""A game is played through once more, and the first broken rule is named with its ply."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.support.brittle_game import PLIES, make
from tunesmith.engine.match import NO_RESULT
from tunesmith.games.game import Game, State
from tunesmith.tuning.play.sandbox.rule_check import first_broken

GAME = make()
MOVES = [0, 1, 2, 3, 0, 0, 0, 3, 0, 0]


def result() -> int:
    """Return how the game ends."""
    state = GAME.initial()
    for move in MOVES:
        state = GAME.apply_move(state, move)
    return GAME.outcome(state)


def at(ply: int, function: Any, otherwise: Any) -> Any:
    """Return a function of the contract that differs at one ply."""
    return lambda state, *rest: (function if state[0] == ply else otherwise)(state, *rest)


def twice(state: State, out: Any) -> int:
    out[:2] = (0, 0)
    return 2


def not_a_number(state: State, out: Any) -> None:
    out[0] = np.nan


def test_a_proper_game_breaks_nothing() -> None:
    assert len(MOVES) == PLIES
    assert first_broken(GAME, MOVES, result()) is None
    assert first_broken(GAME, MOVES[:5], NO_RESULT) is None  # capped


@pytest.mark.parametrize(
    ("changed", "ply", "words"),
    [
        (
            {"legal_moves": at(3, twice, GAME.legal_moves)},
            3,
            "duplicate-moves: legal_moves: lists move 0 2 times",
        ),
        ({"mover": at(2, lambda state: 2, GAME.mover)}, 2, "mover: expected 0 or 1"),
        ({"outcome": at(5, lambda state: 7, GAME.outcome)}, 5, "outcome-value: outcome: expected ONGOING"),
        ({"features": at(4, not_a_number, GAME.features)}, 4, "features: 'rest' is nan"),
        (
            {"state_to_text": at(6, lambda state: "6 0", GAME.state_to_text)},
            6,
            "texts: text_to_state: read back",
        ),
        ({"move_to_text": at(0, lambda *_: "a", GAME.move_to_text)}, 0, "texts: move_to_text: 4 legal moves"),
        ({"apply_move": at(8, lambda *_: (9,), GAME.apply_move)}, 8, "state: apply_move: expected 2 words"),
    ],
)
def test_the_first_broken_rule_is_named(changed: dict[str, Any], ply: int, words: str) -> None:
    game: Game = replace(GAME, **changed)
    broken = first_broken(game, MOVES, NO_RESULT)
    assert broken is not None
    assert broken.ply == ply
    assert broken.what.startswith(words)
    assert "\n" not in broken.what


def test_illegal_moves_and_wrong_results_are_found() -> None:
    illegal = first_broken(GAME, [0, 1, 2, 3, 1], NO_RESULT)
    assert illegal is not None
    assert (illegal.ply, "move 1 was played, which is not legal" in illegal.what) == (4, True)
    wrong = first_broken(GAME, MOVES, -result())
    assert wrong is not None
    assert f"recorded as {-result()}, here it is {result()}" in wrong.what
    late = first_broken(GAME, [*MOVES, 0], NO_RESULT)
    assert late is not None
    assert "after the end" in late.what
