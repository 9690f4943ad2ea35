"""Values written as Python are the same values when read again; what cannot be written is refused by place."""

import ast
import dataclasses
import functools
import itertools
import math
import re
from typing import Any

import numpy as np
import pytest

from tunesmith.games.errors import InputError
from tunesmith.tuning.export.agent.literal import check_standard, is_numpy, is_standard, negatives, written


def again(value: Any) -> Any:
    """Write a value and read it back; functions by their names."""
    names: dict[str, Any] = {}

    def refer(part: Any) -> ast.expr:
        names[part.__name__] = part
        return ast.Name(id=part.__name__, ctx=ast.Load())

    text = ast.unparse(ast.fix_missing_locations(written(value, refer, "here")))
    return eval(text, names)


@pytest.mark.parametrize(
    "value",
    [
        None, True, 0, -7, 1 << 70, 0.1, -0.0, 1e308, math.inf, -math.inf, "a\n'\"", b"\x00", ..., (), (1,),
        [1, [2, (3, -4.5)]], {"a": {1: -2}}, {3, 1}, frozenset({"x"}), range(2, 9, 3), np.int64(5), np.bool_(True),
    ],
    ids=repr,
)  # fmt: skip
def test_a_value_comes_back(value: Any) -> None:
    found = again(value)
    assert found == value and repr(found) == repr(value.item() if isinstance(value, np.generic) else value)


def test_arrays_patterns_and_partials_come_back_as_what_they_do() -> None:
    assert again(np.array([[1, -2], [3, 4]])) == [[1, -2], [3, 4]]
    assert again(re.compile("a+", re.IGNORECASE)) == re.compile("a+", re.IGNORECASE)
    assert again(functools.partial(max, 3, key=abs))(-5) == -5
    assert math.isnan(again(math.nan))


def test_what_cannot_be_written_is_refused() -> None:
    with pytest.raises(InputError, match="here: expected numbers, texts, .* found <object"):
        again([1, object()])


@pytest.mark.parametrize(
    "value", [itertools.batched if hasattr(itertools, "batched") else math.comb, dataclasses]
)
def test_what_python_3_6_lacks_is_refused(value: object) -> None:
    with pytest.raises(InputError, match="here: expected what Python 3.6 has, found "):
        check_standard(value, "here")
    check_standard(math.floor, "here")


def test_where_things_come_from() -> None:
    assert is_standard(math) and is_standard(re.compile) and not is_standard(np.zeros)
    assert is_numpy(np.zeros) and not is_numpy(math.floor)


def test_negative_constants_get_their_brackets() -> None:
    tree = ast.BinOp(left=ast.Constant(-2), op=ast.Pow(), right=ast.Constant(2))
    assert ast.unparse(negatives(tree)) == "(-2) ** 2"
