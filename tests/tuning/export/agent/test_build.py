"""What the free names of an agent's code stand for, and the one file that comes of it."""

import ast

import pytest

from tests.support.piles_agent import GAME, builder
from tests.support.toys import move_to_text
from tunesmith.engine.compile import jit
from tunesmith.engine.search.deepening import think
from tunesmith.engine.search.mcts import think_uct
from tunesmith.games.bits import mixed
from tunesmith.games.clone import Cloner
from tunesmith.games.errors import InputError
from tunesmith.tuning.export.agent import plain_numpy, slots
from tunesmith.tuning.export.agent.resolve import ARRAYS, ENGINE, LISTS


def test_slots_become_facts_of_the_game_and_of_the_limit() -> None:
    made = builder(limit="game-time:60")
    found = {
        name: made.substitute(name, getattr(slots, name), LISTS)[0]
        for name in (
            "MAX_MOVES",
            "HAS_SWAP",
            "CLOCK_SECONDS",
            "MOVE_SECONDS",
            "IS_RANDOM",
            "FEATURES",
            "STAGES",
        )
    }
    assert found == {
        "MAX_MOVES": 4, "HAS_SWAP": 1, "CLOCK_SECONDS": 60.0, "MOVE_SECONDS": 0.0, "IS_RANDOM": 1,
        "FEATURES": GAME.feature_names, "STAGES": GAME.stage_names,
    }  # fmt: skip


def test_texts_and_the_search_are_those_of_game_and_options() -> None:
    assert builder().substitute("move_to_text", slots.move_to_text, LISTS) == (move_to_text, LISTS)
    assert builder().substitute("think", slots.think, LISTS) == (think, ENGINE)
    assert builder(algorithm="uct").substitute("think", slots.think, LISTS) == (think_uct, ENGINE)


@pytest.mark.parametrize(
    ("rules", "buffer"), [(LISTS, plain_numpy.buffer), (ARRAYS, plain_numpy.array_buffer)]
)
def test_room_for_moves_is_what_the_rules_want(rules: str, buffer: object) -> None:
    assert builder(rules=rules).substitute("buffer", slots.buffer, LISTS) == (buffer, rules)


def test_the_engines_arithmetic_becomes_plain_pythons() -> None:
    assert builder().substitute("times", jit.times, ENGINE) == (plain_numpy.low_times, LISTS)
    assert builder().substitute("_CLOCK_PERIOD", 1023, ENGINE)[0] == 0


def test_the_code_stands_alone_and_names_the_games_functions() -> None:
    text, names = builder().code("A test.")
    tree = ast.parse(text, feature_version=(3, 6))
    defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    assert ast.get_docstring(tree) == "A test." and {"main", "Thinker", "Game"} <= defined
    assert "tunesmith" not in text and "numpy" not in text
    assert {"legal_moves", "apply_move", "outcome", "text_to_state", "buffer"} <= names.keys()
    assert set(names.values()) <= defined


def test_what_does_not_fit_together_is_refused() -> None:
    with pytest.raises(InputError, match="joint: expected pessimistic, piles has no simultaneous choices"):
        builder(joint="matrix")


def test_keys_that_the_table_takes_in_are_scattered_others_not() -> None:
    for name, options in (("path_free", {"path_free": True}), ("path", {"path_free": False})):
        made = builder(**options)
        found = made.substitute("mixed", mixed, LISTS)[0]
        assert found is (plain_numpy.shifted if name == "path_free" else mixed)
        copied = made.substitute("mixed", Cloner(lambda name, value: value).clone(mixed), LISTS)[
            0
        ]  # as in a variant of a game
        assert (copied is plain_numpy.shifted) == (name == "path_free")
