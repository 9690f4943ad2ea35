"""Items of local tuples in names of their own."""

import ast

from tunesmith.tuning.export.agent.speed.parts import splittable

FILE = """
def both(a, b):
    pair = (a, b)
    pair = (pair[1], pair[0])
    whole = (a, b)
    longer = (a, b)
    longer = (a, b, 1)
    room = [0.0] * 3
    room[1] = a
    return pair[0] + room[1] + longer[0], whole, whole
"""


def test_only_what_nobody_asks_for_as_a_whole_is_taken_apart() -> None:
    function = ast.parse(FILE).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert splittable(function) == {"pair": 2, "room": 3}
