"""What functions do besides answering."""

import ast

import pytest

from tunesmith.tuning.export.agent.speed.purity import Purity

FILE = """
from time import process_time
TABLE = [1, 2, 3]
COUNTS = [0]
def answers(a, b):
    found = [0] * 3
    fills(found, a)
    return found[0] + TABLE[b] + max(a, b)
def fills(out, a):
    out[0] = a
def through(rows, a):
    row = rows[a]
    fills(row, a)
def counts(a):
    COUNTS[0] += 1
    return a
def reads(searcher, a):
    return searcher.numbers[a]
def late():
    return process_time()
def called(f, a):
    return f(a)
def caller(a):
    return counts(a)
def seen(a):
    return COUNTS[a]
def whole(a):
    return tuple(map(int, a))
def mapped(f, a):
    return tuple(map(f, a))
"""


@pytest.mark.parametrize(
    ("name", "is_function", "mutated"),
    [
        ("answers", True, set()),
        ("fills", False, {0}),
        ("through", False, {0}),
        ("counts", False, set()),
        ("caller", False, set()),
        ("reads", False, set()),
        ("late", False, set()),
        ("called", False, set()),
        ("seen", False, set()),
        ("whole", True, set()),
        ("mapped", False, set()),
    ],
)
def test_effects_follow_what_is_called_and_stored(name: str, is_function: bool, mutated: set[int]) -> None:
    effects = Purity(ast.parse(FILE)).effects[name]
    assert (effects.is_function, effects.mutated) == (is_function, mutated)
