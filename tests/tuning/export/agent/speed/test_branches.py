"""Returns as branches."""

import ast

from tunesmith.tuning.export.agent.speed.branches import as_expression, with_branches


def body(text: str) -> list[ast.stmt]:
    function = ast.parse(text).body[0]
    assert isinstance(function, ast.FunctionDef)
    return function.body


def test_an_early_return_becomes_a_choice() -> None:
    made = with_branches(body("def f(a):\n    if a:\n        return 1\n    return 2"))
    assert made is not None
    expression = as_expression(made)
    assert expression is not None and ast.unparse(expression) == "1 if a else 2"


def test_a_return_inside_a_loop_stays() -> None:
    assert with_branches(body("def f(a):\n    for b in a:\n        return b\n    return 2")) is None
