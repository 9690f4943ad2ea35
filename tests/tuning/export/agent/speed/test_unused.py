"""What counts for nothing is left out."""

import ast

from tunesmith.tuning.export.agent.speed.unused import reached, without_unused_parameters

FILE = """
def main(a):
    return used(a, a + 1)
def used(a, b):
    return a
def alone(a):
    return a
"""


def test_parameters_and_functions_without_use_go() -> None:
    tree = without_unused_parameters(ast.parse(FILE), {"main"})
    assert "used(a)" in ast.unparse(tree)
    assert "alone" not in ast.unparse(reached(tree, {"main"}))
