"""What small numbers say of a value, added up, is the value."""

import ast
import random

import pytest

from tunesmith.tuning.export.agent.speed.small_numbers import Sums, settled_values

PACKED = [0, 1, 16, 17, 32, 33, 2, 18]
BOTH = [float(7 + i * i - 3 * j) for i in range(8) for j in range(8)]  # what i says, and what j says
TABLES = {"PACKED": PACKED, "BOTH": BOTH}
FILE = """
def look(word, other):
    a = word & 7
    b = word >> 3 & 7
    tally = PACKED[a] + PACKED[b]
    value = {}
"""


def taken(words: str) -> tuple[Sums, ast.FunctionDef]:
    function = ast.parse(FILE.format(words)).body[0]
    assert isinstance(function, ast.FunctionDef)
    return Sums(function, TABLES), function


@pytest.mark.parametrize(
    "words",
    [
        "5",
        "a - b",
        "3 * 2 + a * 4",
        "tally & 15",
        "tally >> 4",
        "tally & 0xF3",
        "(tally & 15) % 9",
        "(a == 3) - max(b, 2)",
        "PACKED[7 - a] + PACKED[a] + b",
        "BOTH[a * 8 + b]",
        "BOTH[b * 8 + 5] - BOTH[b * 8 + a]",
    ],
)
def test_parts_add_up_to_the_value(words: str) -> None:
    sums, function = taken(words)
    found = sums.of(settled_values(function)["value"])
    assert found is not None
    body = compile(ast.unparse(function.body), "look", "exec")
    rng = random.Random(words)
    for word in [*range(64), *(rng.randrange(1 << 40) for _ in range(50))]:
        names = {"word": word, "other": 0, **TABLES}
        exec(body, names)
        asked = {own: eval(ast.unparse(number), names) for own, number in sums.numbers.items()}
        assert found.constant + sum(p.values[asked[own]] for own, p in found.parts.items()) == names["value"]


@pytest.mark.parametrize(
    "words",
    [
        "tally % 4",
        "tally >> 1",
        "other",
        "a * b",
        "max(a, b)",
        "PACKED[other]",
        "a / 2",
        "BOTH[a + b]",
        "BOTH[a * 9 + b]",
    ],
)
def test_what_is_no_such_sum_is_none(words: str) -> None:
    """Counts that carry into others, numbers of unknown size, and what two small numbers say together.

    A table of both, too, says what they say together, or knows nothing of some."""
    sums, function = taken(words)
    assert sums.of(settled_values(function)["value"]) is None


@pytest.mark.parametrize("words", ["tally & 3", "tally - 40 & 15"])
def test_counts_that_carry_into_others_are_one_small_number(words: str) -> None:
    sums, function = taken(words)
    found = sums.of(settled_values(function)["value"])
    assert found is not None and len(found.parts) == 1
    assert all(p.values == tuple(range(len(p.values))) for p in found.parts.values())


def test_a_name_that_is_settled_twice_has_no_value() -> None:
    function = ast.parse("def look(word):\n    a = word & 7\n    b = a\n    b = 2").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert list(settled_values(function)) == ["a"]
