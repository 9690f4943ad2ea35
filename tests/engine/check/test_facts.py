"""Static facts are checked before anything is played."""

from typing import Any

import pytest

from tests.support.toys import hands, piles
from tunesmith.engine.check.asking import Asker
from tunesmith.engine.check.facts import check_facts
from tunesmith.games.game import Game


def noted(game: Game) -> list[str]:
    asker = Asker(game)
    check_facts(asker)
    assert {problem.rule for problem in asker.problems} <= {"facts"}
    return [problem.what for problem in asker.problems]


@pytest.mark.parametrize("game", [piles(), hands()], ids=lambda game: game.name)
def test_facts_that_go_together_pass(game: Game) -> None:
    assert noted(game) == []


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"stage_names": ("a", "a")}, "stage_names: named twice: a"),
        ({"feature_meanings": ("one",)}, "3 feature_names, but 1 feature_meanings"),
        ({"max_moves": 0}, "max_moves: expected a whole number from 1 to 65,536, found 0"),
        ({"max_plies": 2.5}, "max_plies: expected a whole number from 0 to 1,073,741,824, found 2.5"),
        ({"cheap_features": ("rest", "speed")}, "cheap_features: not among feature_names: speed"),
        ({"default_weights": "best"}, "default_weights: no file weights/best.json beside the game"),
        ({"stages": None}, "more than one stage name needs the function stages"),
        ({"history_key": None}, "repetition_limit > 0 needs the function history_key"),
        ({"symmetric_move": None}, "n_symmetries > 1 needs the function symmetric_move"),
        ({"final_margin": None}, "settled_margin needs the function final_margin"),
        ({"plies": len}, "expected a plain function, found builtin_function_or_method (a decorator, a method, a class?)"),
    ],
)  # fmt: skip
def test_what_does_not_go_together_is_named(changes: dict[str, Any], what: str) -> None:
    assert noted(piles(**changes)) == [what]
