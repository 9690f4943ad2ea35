"""Values lie where it is said."""

import ast

import pytest

from tunesmith.tuning.export.agent.speed.intervals import Intervals

FUNCTION = """
def f(state, more):
    a = state[0] & 7
    b = TABLE[a]
    c = a - b
    d = 3 if a > 2 else c
    e = (a > 2) - (b > 2)
    count = 0
    if a:
        count += a
    if b:
        count += 2
    best = 0
    best = a if a > best else best
    loop = 0
    for i in range(9):
        loop += 1
    g = state[0] % 5 * -2
    h = state[1] + 1
    i2, j = a, b
    k = (w := a) + 1
    w = 0
    x = a >> 1
    x -= 5
    return d
"""
TABLE = [4, -1, 9, 0, 0, 0, 0, 2]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a", (0, 7)),
        ("b", (-1, 9)),
        ("c", (-9, 8)),
        ("d", (-9, 8)),
        ("e", (-1, 1)),
        ("count", (0, 9)),
        ("best", (0, 7)),
        ("loop", None),
        ("g", (-8, 0)),
        ("h", None),
        ("i2", None),
        ("w", None),
        ("x", None),
        ("state", None),
    ],
)
def test_intervals(name: str, expected: tuple[int, int] | None) -> None:
    function = ast.parse(FUNCTION).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert Intervals(function, {"TABLE": TABLE}).of(ast.Name(name, ast.Load())) == expected
