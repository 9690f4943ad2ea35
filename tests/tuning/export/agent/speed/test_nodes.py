"""The nodes of a tree are those of Python's own walk."""

import ast
from pathlib import Path

import pytest

from tunesmith.engine.search import alphabeta
from tunesmith.tuning.export.agent.speed.nodes import nodes_in

ODD = """
import numpy as np
from a import b as c
def f(x, /, y=1, *args, key, other=None, **named):
    global g, h
    z = {**x, 1: 2, None: y}
    del z[1:2]
    a, *rest = (lambda *, p, q=3: -p)(p=f'{y!r:>{x}}')
    return [i for i in rest if i < 3 < y] or not z
class C(B, kind=D):
    at: int = 3
    async def wait(self):
        async with self as one, two:
            await one
        try:
            yield
        except (E, F) as error:
            raise G from error
        match self:
            case C(at=1, kind={'k': [_, *more], **left}) | None:
                pass
"""


@pytest.mark.parametrize("text", [ODD, Path(str(alphabeta.__file__)).read_text()], ids=["odd", "search"])
def test_the_nodes_are_those_of_a_walk_without_how_names_are_used(text: str) -> None:
    tree = ast.parse(text)
    twin = [node for node in ast.walk(tree) if not isinstance(node, ast.expr_context)]
    assert nodes_in(tree) == twin
    first, second, *_ = tree.body
    assert nodes_in(first, second) == nodes_in(first) + nodes_in(second)


def test_what_is_not_there_yet_is_left_out() -> None:
    """Nodes that are being made lack what is filled in later."""
    assert [type(node) for node in nodes_in(ast.Assign(targets=[], value=ast.Name("x")))] == [
        ast.Assign,
        ast.Name,
    ]
    assert [type(node) for node in nodes_in(ast.Return())] == [ast.Return]
