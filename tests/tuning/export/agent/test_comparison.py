"""An agent's code is compared with what it was made from, and a difference is named with its position."""

import random
from typing import Any

import pytest

from tests.support.searching import as_python
from tests.support.toys import piles
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.weights import from_array
from tunesmith.tuning.export.agent.build import Builder
from tunesmith.tuning.export.agent.comparison import LONGEST, LoadedAgent, random_boards
from tunesmith.tuning.export.agent.resolve import ARRAYS, LISTS


def trial() -> LoadedAgent:
    game, options = piles(), SearchOptions()
    weights = from_array(game, [[1.0, 2.0, -3.0], [0.5, 0.0, 4.0]])  # type: ignore[arg-type]
    made = Builder(game, weights, options, parse_limit("nodes:20"), 1, (LISTS, LISTS))
    return LoadedAgent(game, weights, options, *made.code("A test."))


def test_an_agent_that_does_the_same_has_no_fault() -> None:
    with as_python(piles()):
        assert trial().fault() is None


@pytest.mark.parametrize(
    ("name", "wrong", "words"),
    [
        ("outcome", lambda state: 5, "outcome in "),
        ("apply_move", lambda state, move: state, "apply_move in "),
        ("move_to_text", lambda state, move: "x", "move_to_text in "),
        ("legal_moves", lambda state, out: 1 // 0, "ZeroDivisionError: "),
    ],
)
def test_the_first_difference_is_named(name: str, wrong: Any, words: str) -> None:
    made = trial()
    made.functions[name] = wrong
    found = made.fault()
    assert found is not None and found.startswith(words)


def test_positions_are_unfinished_and_follow_from_the_seed() -> None:
    one, same = ([b.text for b in random_boards(piles(), random.Random(3))] for _ in range(2))
    assert one == same and len(set(one)) > 5
    for board in random_boards(piles(), random.Random(3)):
        assert not board.is_over and len(board.moves) < LONGEST


def test_rules_may_keep_their_arrays() -> None:
    game, options = piles(), SearchOptions()
    weights = from_array(game, [[1.0, 2.0, -3.0], [0.5, 0.0, 4.0]])  # type: ignore[arg-type]
    text, _ = Builder(game, weights, options, parse_limit("nodes:20"), 1, (ARRAYS, LISTS)).code("A test.")
    assert "numpy" in text
