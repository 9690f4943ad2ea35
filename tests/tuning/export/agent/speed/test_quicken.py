"""All passes together."""

import ast
from collections.abc import Callable
from typing import Any

from tunesmith.tuning.export.agent.speed import quickened
from tunesmith.tuning.export.agent.speed.weighing import Weighing

FILE = """'''A test.'''
def ones(board):
    n = 0
    while board != 0:
        board &= board - 1
        n += 1
    return n
def helped(a):
    return ones(a & 15) + max(a, 3)
def main(a):
    total = 0
    for at in range(3):
        total += helped(a + at)
    return total
"""


def test_the_file_answers_as_before_without_loops_and_calls_of_its_own() -> None:
    def searches(tree: ast.Module, prepare: Callable[[dict[str, Any]], None]) -> None:
        pass

    text = quickened(FILE, {"main"}, Weighing(None, [[]], 1.0, True), searches)
    old: dict[str, Any] = {}
    new: dict[str, Any] = {}
    exec(FILE, old)
    exec(text, new)
    assert [new["main"](a) for a in range(40)] == [old["main"](a) for a in range(40)]
    assert "helped" not in text and "for " not in text
