"""A module with one number or operator changed, and how Python is given it in place of the file.

A whole number grows by one, another by a twentieth, + becomes -, * becomes /, < becomes <=, `and` becomes `or`, a
minus before an expression goes, and so on. Docstrings, annotations, decorators and messages are not changed.
"""

import ast
import importlib.machinery
import importlib.util
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType
from typing import NamedTuple

OTHERS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.And: ast.Or, ast.Or: ast.And,
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
}  # fmt: skip


class Mutant(NamedTuple):
    """A module with one change: in which line, what it says there now, and the whole."""

    line: int
    text: str
    tree: ast.Module


class Place(NamedTuple):
    """What may be changed: the node, for a chain of comparisons which of its signs, and where it stands."""

    line: int
    statement: ast.stmt
    node: ast.AST
    sign: int = 0


def count(source: str) -> int:
    """Return how many changes of a module there are."""
    return len(_places(ast.parse(source)))


def mutant(source: str, number: int) -> Mutant:
    """Return change `number` of a module; they are in order of its lines."""
    tree = ast.parse(source)
    place = _places(tree)[number]
    if isinstance(place.node, ast.UnaryOp):
        tree = _Drop(place.node).visit(tree)
    else:
        _change(place)
    return Mutant(place.line, ast.unparse(place.statement).partition("\n")[0], tree)


def _places(tree: ast.Module) -> list[Place]:
    """Return what may be changed, in order of lines."""
    found = [
        Place(getattr(node, "lineno", statement.lineno), statement, node, sign)
        for statement in ast.walk(tree)
        if isinstance(statement, ast.stmt)
        and not isinstance(statement, ast.Raise | ast.Import | ast.ImportFrom)
        for node, sign in _within(statement)
    ]
    return sorted(found, key=lambda place: place.line)


def _within(node: ast.AST) -> Iterator[tuple[ast.AST, int]]:
    if isinstance(node, ast.AugAssign) and type(node.op) in OTHERS:
        yield node, 0
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.stmt | ast.JoinedStr):
                continue
            if _is_number(child) or _is_negated(child):
                yield child, 0
            elif isinstance(child, ast.BinOp | ast.BoolOp) and type(child.op) in OTHERS:
                yield child, 0
            elif isinstance(child, ast.Compare):
                yield from ((child, sign) for sign, one in enumerate(child.ops) if type(one) in OTHERS)
            yield from _within(child)


def _is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def _is_negated(node: ast.AST) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and not _is_number(node.operand)


def _change(place: Place) -> None:
    node = place.node
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        node.value = node.value + 1 if isinstance(node.value, int) else node.value * 1.05 or 0.05
    elif isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign):
        node.op = OTHERS[type(node.op)]()  # type: ignore[assignment]
    elif isinstance(node, ast.Compare):
        node.ops[place.sign] = OTHERS[type(node.ops[place.sign])]()  # type: ignore[call-overload]


class _Drop(ast.NodeTransformer):
    """Leaves one sign out."""

    def __init__(self, node: ast.UnaryOp) -> None:
        self.node = node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return node.operand if node is self.node else node


class Changed(importlib.machinery.SourceFileLoader):
    """Loads a changed module in place of its file."""

    def __init__(self, name: str, path: str, tree: ast.Module) -> None:
        super().__init__(name, path)
        self.tree = tree

    def get_code(self, fullname: str) -> CodeType:
        """Compile the changed tree."""
        return compile(self.tree, self.path, "exec")


class Finder:
    """Finds the changed module before anybody finds its file."""

    def __init__(self, name: str, path: Path, tree: ast.Module) -> None:
        self.name, self.path, self.tree = name, path, tree

    def find_spec(
        self, name: str, _: Sequence[str] | None = None, __: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of the one module."""
        if name != self.name:
            return None
        return importlib.util.spec_from_file_location(
            name, self.path, loader=Changed(name, str(self.path), self.tree)
        )
