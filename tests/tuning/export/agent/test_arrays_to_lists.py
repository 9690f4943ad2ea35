"""Arrays as lists, and conditions decided beforehand: the values stay."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.tuning.export.agent.arrays_to_lists import Folded, Lists, NotPlainError


@given(st.integers(-3, 3), st.booleans())
def test_folding_keeps_values(x, flag):
    def call(*_: object) -> bool:
        return flag

    for text in (
        "1 and x",
        "0 or x",
        "x or 0",
        "x and 0 or 3",
        "not 0 and x",
        "2 < 1 or x > 0",
        "call() and 0",
    ):
        tree = ast.parse(text, mode="eval")
        folded = ast.fix_missing_locations(Folded().visit(ast.parse(text, mode="eval")))
        names = {"x": x, "call": call}
        assert eval(compile(folded, "", "eval"), names) == eval(compile(tree, "", "eval"), names)
        branch = ast.parse(f"if {text}:\n    y = 1\nelse:\n    y = 2")
        chosen = ast.fix_missing_locations(Folded().visit(ast.parse(ast.unparse(branch))))
        first, second = dict(names), dict(names)
        exec(compile(branch, "", "exec"), first)
        exec(compile(chosen, "", "exec"), second)
        assert first["y"] == second["y"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a[i, j]", "a[i][j]"),
        ("a[i, j, k]", "a[i][j][k]"),
        ("a.shape", "shape_of(a)"),
        ("a[1:3] = 7", "fill(a, 1, 3, 7)"),
        ("a[:] = b", "fill(a, None, None, b)"),
        ("a[i] = 7", "a[i] = 7"),
        ("a.tolist()", "as_list(a)"),
    ],
)
def test_places_where_arrays_and_lists_differ_are_rewritten(text: str, expected: str) -> None:
    assert ast.unparse(ast.fix_missing_locations(Lists(None).visit(ast.parse(text)))) == expected


def test_in_the_engine_the_table_is_flat_and_options_are_numbers() -> None:
    made = Lists([5, 6, 7]).visit(
        ast.parse("x = transposition[row, 2] + searcher.options[1] + transposition.shape[0]")
    )
    assert (
        ast.unparse(ast.fix_missing_locations(made))
        == "x = transposition[4 * row + 2] + 6 + len(transposition) // 4"
    )


@pytest.mark.parametrize("text", ["a[1:2, 0]", "a[1:3] += 1"])
def test_what_lists_have_no_word_for_is_refused(text: str) -> None:
    with pytest.raises(NotPlainError):
        Lists(None).visit(ast.parse(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 2 + 3 * 4", "x = 14"),
        ("if 0:\n    a()\nelse:\n    b()", "b()"),
        ("while 0:\n    a()", ""),
        ("y = a if 1 < 2 else b", "y = a"),
        ("def f():\n    return 1\n    a()", "def f():\n    return 1"),
    ],
)
def test_what_constants_decide_is_left_out(text: str, expected: str) -> None:
    assert ast.unparse(ast.fix_missing_locations(Folded().visit(ast.parse(text)))) == expected
