"""Which names of a function are global, and where its source is found."""

import ast
import math
from typing import Any, NamedTuple

import numpy as np
import pytest

from tests.support.toys import START, legal_moves
from tunesmith.games.errors import InputError
from tunesmith.tuning.export.agent.resolve import ARRAYS, LISTS, Resolver, source_of

SIZE = 5


class Owner:
    """Keeps a global name and notes what it stands for."""

    def __init__(self) -> None:
        self.seen: dict[str, object] = {}

    def resolve(self, name: str, value: object, manner: str) -> ast.expr:
        self.seen[name] = value
        node = ast.Name(id=name, ctx=ast.Load())
        node.value = value  # type: ignore[attr-defined]
        return node

    def named(self, value: object, manner: str, name: str) -> ast.expr:
        return self.resolve(name, value, manner)


def uses(function: Any, manner: str = LISTS) -> dict[str, object]:
    owner = Owner()
    Resolver(owner, function, manner, "here").visit(source_of(function, "here"))
    return owner.seen


def shadowed(n: int) -> Any:
    START = n
    return [SIZE for SIZE in range(START)], len([n])


def inner(n: int) -> Any:
    def deeper(SIZE: int) -> int:
        return SIZE + n

    return deeper(SIZE), math.floor(n), __file__


def test_a_name_is_global_where_nothing_around_it_binds_it() -> None:
    assert "START" not in uses(shadowed) and "SIZE" not in uses(shadowed)
    assert uses(inner)["SIZE"] == 5 and "__file__" not in uses(inner)
    assert legal_moves.__globals__["START"] is START


def test_names_of_a_closure_are_known_by_value() -> None:
    def make(k: int) -> Any:
        def add(n: int) -> int:
            return n + k

        return add

    assert uses(make(7))["k"] == 7


def room() -> Any:
    return np.zeros(3)


def test_numpy_is_looked_into_where_arrays_become_lists() -> None:
    assert uses(room, LISTS)["zeros"] is np.zeros
    assert "zeros" not in uses(room, ARRAYS)


def test_a_lambda_that_stands_alone_is_a_function() -> None:
    double = lambda n: 2 * n  # noqa: E731
    tree = source_of(double, "here")
    assert ast.unparse(ast.fix_missing_locations(tree)) == "def chosen(n):\n    return 2 * n"


def test_what_has_no_source_of_its_own_is_refused() -> None:
    with pytest.raises(InputError, match="here: expected"):
        source_of(eval("lambda: 1"), "here")
    with pytest.raises(InputError, match="here: expected a lambda that stands alone in its lines"):
        source_of((lambda: 1, lambda: 2)[0], "here")


class Pair(NamedTuple):
    """Two numbers."""

    first: Any = SIZE
    second: Any = 0


def test_a_named_tuples_names_are_those_of_its_module() -> None:
    """And not of the module whose functions every named tuple has."""
    found = uses(Pair)
    assert found["NamedTuple"] is NamedTuple and found["SIZE"] == SIZE
