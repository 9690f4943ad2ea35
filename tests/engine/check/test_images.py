"""Images of a position are the same position: moves, results, features, for symmetries and exchanged players."""

import random
from typing import Any

import pytest

from tests.support.toys import hands, piles
from tunesmith.engine.check.asking import Asker
from tunesmith.engine.check.images import check_hidden_choice, check_swap, check_symmetry
from tunesmith.engine.check.position import look
from tunesmith.games.game import Game


def noted(check: Any, game: Game, *states: tuple[int, ...]) -> set[str]:
    """Return what a rule notes of positions, each asked with several random numbers."""
    asker = Asker(game)
    for state in states:
        for seed in range(5):
            check(asker, look(asker, state, random.Random(seed)))
    return {f"{problem.rule}: {problem.what}" for problem in asker.problems}


@pytest.mark.parametrize("check", [check_symmetry, check_swap])
def test_piles_may_change_places_and_players_too(check: Any) -> None:
    assert noted(check, piles(), (4, 5, 0, 0), (1, 3, 1, 2), (0, 0, 1, 5)) == set()


def test_a_hidden_choice_is_hidden() -> None:
    assert noted(check_hidden_choice, hands(), (0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 2, 1)) == set()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"symmetries": lambda state, k: (state[1], state[0], *state[2:])}, "image 0 is not the position itself"),
        ({"symmetric_move": lambda state, move, k: move}, "in image 1 the same move leads elsewhere (it is move 3 there)"),
    ],
)  # fmt: skip
def test_a_wrong_symmetry_is_noted(changes: dict[str, Any], words: str) -> None:
    assert f"symmetry: {words}" in noted(check_symmetry, piles(**changes), (4, 5, 0, 0))


def test_a_feature_that_knows_the_pile_is_noted() -> None:
    def features(state: Any, out: Any) -> None:
        out[:] = 1.0
        out[2] = state[0] - state[1]

    assert noted(check_symmetry, piles(features=features), (4, 5, 0, 0)) == {
        "symmetry: 'difference' is -1, in image 1 1, expected -1"
    }


def test_players_who_stay_where_they_are_are_noted() -> None:
    assert "swap: the mover stays the same number" in noted(
        check_swap, piles(swap_sides=lambda state: state), (4, 5, 0, 0)
    )


def test_a_choice_that_shows_is_noted() -> None:
    def features(state: Any, out: Any) -> None:
        out[0] = float(state[2])

    found = noted(check_hidden_choice, hands(features=features), (0, 0, 0, 0))
    assert "hidden-choice: depend on the hidden choice" in found
