"""Arrays as lists, and conditions decided beforehand: what makes the engine's code fast as plain Python.

An item of a numpy array costs plain Python ten times an item of a list. `Lists` rewrites the places where the two
differ: `a[i, j]`, assignment to slices, shapes, and what is made by numpy. What it cannot rewrite is refused with
`NotPlainError`: such a function keeps its arrays. `Folded` takes out what a condition of constants leaves no way to.

In the engine's own functions, `transposition` and `tree` are flat (an `array` of 4 and 8 words a row), and
the options of the search are constants."""

import ast
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tunesmith.tuning.export.agent import plain_numpy
from tunesmith.tuning.export.agent.python36 import call, helper

FLAT = {"transposition": 4, "tree": 8}
# In the engine's functions, arrays of other than whole numbers.
FLOATS = {"numbers", "values", "shares", "weights", "cells", "mix", "tableau", "other_mix"}

NUMPY: dict[int, object] = {
    id(np.zeros): plain_numpy.zeros,
    id(np.ones): plain_numpy.ones,
    id(np.full): plain_numpy.full,
    id(np.arange): plain_numpy.arange,
    id(np.array): plain_numpy.array,
    id(np.asarray): plain_numpy.array,
    id(np.rint): plain_numpy.rint,
    id(np.int64): int,
    id(np.float64): float,
    id(np.bool_): bool,
    id(np.abs): abs,
    id(np.bitwise_count): plain_numpy.popcount,
}


class NotPlainError(Exception):
    """Something is done with an array that lists cannot do."""


class Lists(ast.NodeTransformer):
    """Rewrites one function whose names are resolved (`flatten`).

    Parameters
    ----------
    options
        In a function of the engine: its search options as numbers; else None.
    """

    def __init__(self, options: Sequence[int] | None) -> None:
        self.options = options

    @property
    def is_engine(self) -> bool:
        """Whether the function is one of the engine's."""
        return self.options is not None

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Replace what comes from numpy."""
        value = getattr(node, "value", None)
        if _is_numpy(value):
            found = NUMPY.get(id(value))
            if found is None:
                raise NotPlainError(f"{value} has no plain form")
            return helper(found)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Ask for shapes in another way."""
        self.generic_visit(node)
        return call(plain_numpy.shape_of, node.value) if node.attr == "shape" else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Leave `int` out where there are whole numbers anyway; copy lists."""
        if self._reshapes(node):
            return node.func.value  # type: ignore[attr-defined, no-any-return]
        is_whole = self._is_whole(node)
        self.generic_visit(node)
        if is_whole:
            return node.args[0]
        if isinstance(node.func, ast.Attribute) and node.func.attr == "tolist":
            return call(plain_numpy.as_list, node.func.value)
        return node

    def _reshapes(self, node: ast.Call) -> bool:
        function = node.func
        return (
            self.is_engine
            and isinstance(function, ast.Attribute)
            and function.attr == "reshape"
            and getattr(function.value, "id", "") in FLAT
        )

    def _is_whole(self, node: ast.Call) -> bool:
        """Whether this is `int(...)` of an item of whole numbers."""
        if not (isinstance(node.func, ast.Name) and node.func.id == "int" and len(node.args) == 1):
            return False
        if not isinstance(node.args[0], ast.Subscript) or hasattr(node.func, "value"):
            return False
        base = node.args[0].value
        table = getattr(base, "value", None)
        if isinstance(table, np.ndarray):
            return bool(table.dtype.kind == "i")
        return self.is_engine and getattr(base, "attr", getattr(base, "id", "numbers")) not in FLOATS

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Index row by row; know options, and the rows of the table."""
        if self.is_engine and (found := self._known(node)) is not None:
            return found
        self.generic_visit(node)
        if not isinstance(node.slice, ast.Tuple):
            return node
        *rows, last = node.slice.elts
        if any(isinstance(row, ast.Slice) for row in rows):
            raise NotPlainError("a slice across rows")
        base = node.value
        name = base.id if isinstance(base, ast.Name) else ""
        if self.is_engine and name in FLAT and not isinstance(last, ast.Slice):
            return ast.Subscript(value=base, slice=_flat(rows[0], last, FLAT[name]), ctx=node.ctx)
        for row in rows:
            base = ast.Subscript(value=base, slice=row, ctx=ast.Load())
        return ast.Subscript(value=base, slice=last, ctx=node.ctx)

    def _known(self, node: ast.Subscript) -> ast.expr | None:
        base, index = node.value, node.slice
        if (
            getattr(base, "attr", getattr(base, "id", "")) == "options"
            and isinstance(index, ast.Constant)
            and self.options
        ):
            which: Any = index.value
            return ast.Constant(int(self.options[which]))
        if isinstance(base, ast.Attribute) and base.attr == "shape":
            name = getattr(base.value, "id", "")
            if name in FLAT:
                length = ast.Call(func=ast.Name(id="len", ctx=ast.Load()), args=[base.value], keywords=[])
                return ast.BinOp(left=length, op=ast.FloorDiv(), right=ast.Constant(FLAT[name]))
        return None

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        """Fill slices by a function: a list would change its length. Options are known without a name."""
        if self.is_engine and getattr(node.value, "attr", "") == "options":
            return None
        self.generic_visit(node)
        target = node.targets[0]
        if len(node.targets) > 1 or not isinstance(target, ast.Subscript):
            return node
        if not isinstance(target.slice, ast.Slice) or target.slice.step is not None:
            return node
        base, low, high = target.value, target.slice.lower, target.slice.upper
        if isinstance(base, ast.Subscript) and getattr(base.value, "id", "") in FLAT and self.is_engine:
            width = FLAT[base.value.id]  # type: ignore[attr-defined]
            low, high = (
                _flat(base.slice, ast.Constant(0), width),
                _flat(base.slice, ast.Constant(width), width),
            )
            base = base.value
        base = _loaded(base)
        bounds = [bound or ast.Constant(None) for bound in (low, high)]
        return ast.Expr(call(plain_numpy.fill, base, *bounds, node.value))

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """Refuse arithmetic on slices."""
        self.generic_visit(node)
        if isinstance(node.target, ast.Subscript) and isinstance(node.target.slice, ast.Slice):
            raise NotPlainError("arithmetic on a slice")
        return node


def _is_numpy(value: object) -> bool:
    """Whether a value is a function or a type of numpy's (not an array, nor a number)."""
    home = getattr(value, "__module__", None) or type(value).__module__
    made = isinstance(value, np.ndarray | np.generic)
    return str(home).split(".")[0] == "numpy" and not made


def _flat(row: ast.expr, word: ast.expr, width: int) -> ast.expr:
    start = ast.BinOp(left=ast.Constant(width), op=ast.Mult(), right=row)
    if isinstance(word, ast.Constant) and word.value == 0:
        return start
    return ast.BinOp(left=start, op=ast.Add(), right=word)


def _loaded(node: ast.expr) -> ast.expr:
    if hasattr(node, "ctx"):
        node.ctx = ast.Load()
    return node


OPERATIONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


class Folded(ast.NodeTransformer):
    """Decides what constants decide, and leaves out what is never reached."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Compute whole numbers."""
        self.generic_visit(node)
        if not _are_whole(node.left, node.right) or type(node.op) not in OPERATIONS:
            return node
        return ast.Constant(OPERATIONS[type(node.op)](node.left.value, node.right.value))  # type: ignore[attr-defined]

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Compare whole numbers."""
        self.generic_visit(node)
        if len(node.ops) > 1 or not _are_whole(node.left, *node.comparators):
            return node
        if type(node.ops[0]) not in OPERATIONS:
            return node
        left, right = node.left, node.comparators[0]
        return ast.Constant(OPERATIONS[type(node.ops[0])](left.value, right.value))  # type: ignore[attr-defined]

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """Negate."""
        self.generic_visit(node)
        if isinstance(node.op, ast.Not) and isinstance(node.operand, ast.Constant):
            return ast.Constant(not node.operand.value)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """Drop what does not count in `and` and `or`, and all that comes after what settles them."""
        self.generic_visit(node)
        settles = isinstance(node.op, ast.Or)
        kept: list[ast.expr] = []
        for at, value in enumerate(node.values):
            if not isinstance(value, ast.Constant):
                kept.append(value)
            elif bool(value.value) == settles or at == len(node.values) - 1:
                kept.append(value)
                break
        if len(kept) == 1:
            return kept[0]
        return ast.BoolOp(op=node.op, values=kept)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """Choose the side."""
        self.generic_visit(node)
        if isinstance(test := _condition(node.test), ast.Constant):
            return node.body if test.value else node.orelse
        return node

    def visit_If(self, node: ast.If) -> Any:
        """Choose the branch."""
        self.generic_visit(node)
        node.test = _condition(node.test)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        node.body, node.orelse = _reached(node.body), _reached(node.orelse)
        node.body = node.body or [ast.Pass()]
        return node

    def visit_While(self, node: ast.While) -> Any:
        """Leave out a loop that never runs."""
        self.generic_visit(node)
        node.test = _condition(node.test)
        if isinstance(node.test, ast.Constant) and not node.test.value:
            return node.orelse
        node.body = _reached(node.body) or [ast.Pass()]
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        """Keep the body from getting empty."""
        self.generic_visit(node)
        node.body = _reached(node.body) or [ast.Pass()]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """End where the function ends."""
        self.generic_visit(node)
        node.body = _reached(node.body) or [ast.Pass()]
        return node


def _condition(test: ast.expr) -> ast.expr:
    """Return a condition of which only the truth counts: constants at the end of `and`, `or` count too."""
    if isinstance(test, ast.BoolOp) and isinstance(last := test.values[-1], ast.Constant):
        is_or = isinstance(test.op, ast.Or)
        if bool(last.value) != is_or:  # neutral
            rest = test.values[:-1]
            return rest[0] if len(rest) == 1 else ast.BoolOp(op=test.op, values=rest)
        if all(_is_harmless(value) for value in test.values[:-1]):
            return ast.Constant(is_or)
    return test


def _is_harmless(node: ast.expr) -> bool:
    return not any(isinstance(inner, ast.Call) for inner in ast.walk(node))


def _reached(body: list[ast.stmt]) -> list[ast.stmt]:
    for at, statement in enumerate(body):
        if isinstance(statement, ast.Return | ast.Raise | ast.Break | ast.Continue):
            return body[: at + 1]
    return body


def _are_whole(*nodes: ast.expr) -> bool:
    return all(isinstance(node, ast.Constant) and type(node.value) is int for node in nodes)
