"""Names that hold a known number are read as that number."""

import ast

from tunesmith.tuning.export.agent.speed.settled import settled
from tunesmith.tuning.export.agent.speed.tidy import Constants


def after(text: str) -> str:
    tree = ast.parse(text)
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    settled(function, Constants({}))
    return ast.unparse(ast.fix_missing_locations(tree))


def test_what_a_known_number_decides_is_decided() -> None:
    text = after(
        "def f(out):\n at = 3\n at += 2\n out[at + 1] = 7\n kept = 0\n if kept != 0:\n  return 1\n return at"
    )
    assert "out[6] = 7" in text and "if" not in text and "return 5" in text


def test_a_name_is_known_behind_a_branch_if_both_ways_agree() -> None:
    text = after("def f(x):\n a = 1\n b = 1\n if x:\n  a = 2\n  b = 2\n else:\n  b = 2\n return a + b")
    assert "return a + 2" in text


def test_a_way_that_ends_counts_for_nothing() -> None:
    assert "return 1" in after("def f(x):\n a = 1\n if x:\n  a = 2\n  return x\n return a")


def test_what_a_loop_changes_is_not_known_in_it_nor_behind_it() -> None:
    text = after("def f(x):\n a = 1\n b = 1\n while a < x:\n  a += b\n return a + b")
    assert "while a < x" in text and "a += 1" in text and "return a + 1" in text


def test_names_of_comprehensions_are_left_alone() -> None:
    assert "[a for a in x]" in after("def f(x):\n a = 1\n return [a for a in x]")
