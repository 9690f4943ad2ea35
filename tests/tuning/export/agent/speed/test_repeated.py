"""What is computed twice: the answers stay, the second computation goes."""

import ast
import random
from typing import Any

import pytest

from tunesmith.tuning.export.agent.speed.repeated import without_repetitions

SIDES = """
def boards(state):
    return (state[0], state[1] | 1, state[2])

def value(state, side):
    own, opp, rest = state
    if side != 0:
        own, opp = opp, own
    mask = own | rest
    mask |= mask << 1
    mask |= mask << 2
    first, second, third = boards(state)
    if side == 0:
        mine = first
        theirs = second
    else:
        mine = second
        theirs = first
    found = (mine & theirs) * 3 + (own & opp)
    again = own | rest
    again |= again << 1
    again |= again << 2
    a, b, c = boards(state)
    if side == 0:
        ours = a
        others = b
    else:
        ours = b
        others = a
    while c > 3:
        c -= (own & opp) % 2 + 1
    return found + (ours & others) * 5 + mask - again + (c if side else own & opp)
"""
# Names that are assigned to in loops, and arguments: not what they were.
CHANGING = """
def value(a, b, n):
    whole = a + b * 2
    for at in range(n):
        if whole > 40:
            break
        if at:
            whole += before
        a, b = (b + 1, a)
        before = a + b * 2
        whole = a + b * 2
    return whole + (a + b * 2)
"""


def both(text: str) -> tuple[Any, Any, str]:
    """Return the function before and after, and the text after."""
    made = ast.unparse(without_repetitions(ast.parse(text), set()))
    old: dict[str, Any] = {}
    new: dict[str, Any] = {}
    exec(text, old)
    exec(made, new)
    return old["value"], new["value"], made


@pytest.mark.parametrize("text", [SIDES, CHANGING])
def test_the_answers_stay(text: str) -> None:
    old, new, _ = both(text)
    rng = random.Random(3)
    for _ in range(500):
        numbers = tuple(rng.choice([0, 1, 2, 5, 12, 30]) for _ in range(3))
        given = numbers if text is CHANGING else (numbers, rng.randrange(2))
        assert new(*given) == old(*given)


def test_what_was_computed_has_a_name_already() -> None:
    _, _, made = both(SIDES)
    assert made.count("boards(state)") == 2  # its definition, and one call
    assert made.count("ownv1 | rest") == 1
    assert made.count("& oppv1") == 1
    assert made.count("side == 0") == 1


def test_functions_that_do_more_than_answer_stay_as_they_are() -> None:
    text = "def fill(out, a, b):\n    out[0] = a + b * 2\n    out[1] = a + b * 2"
    assert ast.unparse(without_repetitions(ast.parse(text), set())) == text
