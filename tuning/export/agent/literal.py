"""Values written as Python: numbers, texts, containers, arrays, patterns; and what has to be imported.

Functions and classes inside containers become names, which `refer` gives."""

import ast
import functools
import itertools
import math
import re
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from tunesmith.games.errors import InputError
from tunesmith.tuning.export.agent import plain_numpy

Refer = Callable[[object], ast.expr]

# What the standard library did not have in 3.6, and what does the same.
YOUNGER: dict[int, object] = {
    id(itertools.pairwise): plain_numpy.pairwise,
    id(math.prod): plain_numpy.product_of,
    id(math.isqrt): plain_numpy.whole_root,
}
MISSING = {
    "math": {"comb", "perm", "dist", "lcm", "cbrt", "exp2", "nextafter", "ulp", "sumprod", "fma"},
    "itertools": {"batched"},
    "functools": {"cached_property", "singledispatchmethod"},
}
MISSING_MODULES = {"dataclasses", "contextvars", "zoneinfo", "graphlib", "tomllib"}


def home_of(value: object) -> str:
    """Return the name of the module that a function, class or module belongs to."""
    if isinstance(value, types.ModuleType):
        return value.__name__
    return str(getattr(value, "__module__", None) or type(value).__module__)


def is_standard(value: object) -> bool:
    """Whether a function, class or module comes with Python."""
    return home_of(value).split(".")[0] in sys.stdlib_module_names


def is_numpy(value: object) -> bool:
    """Whether a function, class or module is numpy's."""
    return home_of(value).split(".")[0] == "numpy"


def check_standard(value: object, where: str) -> None:
    """Refuse what Python 3.6 does not know."""
    home, name = home_of(value), getattr(value, "__name__", "")
    if home.split(".")[0] in MISSING_MODULES or name in MISSING.get(home, ()):
        raise InputError(f"{where}: expected what Python 3.6 has, found {home}.{name}")


def written(value: Any, refer: Refer, where: str) -> ast.expr:
    """Return an expression that makes a value again.

    Raises
    ------
    InputError
        It is of a kind that cannot be written; `where` says what asks for it.
    """
    if value is None or isinstance(value, str | bytes) or value is Ellipsis:
        return ast.Constant(value)
    if isinstance(value, bool | np.bool_):
        return ast.Constant(bool(value))
    if isinstance(value, np.generic):
        return written(value.item(), refer, where)
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, np.ndarray):
        return written(value.tolist(), refer, where)
    if isinstance(value, tuple | list | set | frozenset | dict | range):
        return _container(value, refer, where)
    if isinstance(value, re.Pattern):
        arguments: list[ast.expr] = [ast.Constant(value.pattern), ast.Constant(int(value.flags))]
        return ast.Call(func=refer(re.compile), args=arguments, keywords=[])
    if isinstance(value, functools.partial):
        given = [written(part, refer, where) for part in (value.func, *value.args)]
        named = [
            ast.keyword(arg=name, value=written(part, refer, where)) for name, part in value.keywords.items()
        ]
        return ast.Call(func=refer(functools.partial), args=given, keywords=named)
    if isinstance(value, type | types.FunctionType | types.BuiltinFunctionType | types.ModuleType):
        return refer(value)
    raise InputError(
        f"{where}: expected numbers, texts, containers, arrays or functions, found {value!r:.80}"
    )


def _number(value: float) -> ast.expr:
    if isinstance(value, int):
        return ast.Constant(int(value)) if value >= 0 else _negative(ast.Constant(-int(value)))
    if math.isfinite(value):
        number = ast.Constant(abs(float(value)))
        return _negative(number) if math.copysign(1.0, value) < 0 else number
    return ast.Call(func=ast.Name(id="float", ctx=ast.Load()), args=[ast.Constant(str(value))], keywords=[])


def _negative(node: ast.expr) -> ast.expr:
    return ast.UnaryOp(op=ast.USub(), operand=node)


def _container(value: Any, refer: Refer, where: str) -> ast.expr:
    def parts(values: Any) -> list[ast.expr]:
        return [written(part, refer, where) for part in values]

    if isinstance(value, dict):
        return ast.Dict(keys=[*parts(value.keys())], values=parts(value.values()))
    if isinstance(value, range):
        return ast.Call(
            func=ast.Name(id="range", ctx=ast.Load()),
            args=parts((value.start, value.stop, value.step)),
            keywords=[],
        )
    if isinstance(value, tuple):
        if type(value) is not tuple:  # a named one
            return ast.Call(func=refer(type(value)), args=parts(value), keywords=[])
        return ast.Tuple(elts=parts(value), ctx=ast.Load())
    if isinstance(value, list):
        return ast.List(elts=parts(value), ctx=ast.Load())
    name = "frozenset" if isinstance(value, frozenset) else "set"
    items = ast.List(elts=parts(sorted(value, key=repr)), ctx=ast.Load())
    return ast.Call(func=ast.Name(id=name, ctx=ast.Load()), args=[items], keywords=[])


def negatives(tree: ast.AST) -> ast.AST:
    """Write negative constants as negations, so that brackets are set where they are needed."""
    return _Negatives().visit(tree)  # type: ignore[no-any-return]


class _Negatives(ast.NodeTransformer):
    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, int | float) and not isinstance(node.value, bool):
            return _number(node.value)
        return node
