"""Local tuples and lists that are only parts: their items in names of their own."""

import ast
import copy
from typing import Any

from tunesmith.tuning.export.agent.speed.branches import assigned
from tunesmith.tuning.export.agent.speed.nodes import nodes_in
from tunesmith.tuning.export.agent.speed.purity import SMALLER


def whole(node: ast.expr) -> int | None:
    """Return the value of a written whole number, else None."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = whole(node.operand)
        return None if value is None else -value
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


class Parts(ast.NodeTransformer):
    """Keeps the items of some local tuples and lists in names of their own."""

    def __init__(self, split: dict[str, list[str]]) -> None:
        self.split = split

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Read or store an item."""
        if isinstance(node.value, ast.Name) and node.value.id in self.split:
            names, at = self.split[node.value.id], whole(node.slice)
            return ast.Name(id=names[at or 0], ctx=node.ctx)
        return self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> Any:
        """Assign item by item."""
        target = node.targets[0]
        if isinstance(target, ast.Name) and target.id in self.split:
            names = self.split[target.id]
            places = ast.Tuple(elts=[ast.Name(id=name, ctx=ast.Store()) for name in names], ctx=ast.Store())
            parts = _parts(node.value, self.split) or []
            value = ast.Tuple(elts=[self.visit(part) for part in parts], ctx=ast.Load())
            return assigned(places, value)
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Make the whole where it is wanted."""
        if node.id in self.split and isinstance(node.ctx, ast.Load):
            return ast.Tuple(
                elts=[ast.Name(id=name, ctx=ast.Load()) for name in self.split[node.id]], ctx=ast.Load()
            )
        return node


def _parts(value: ast.expr, known: dict[str, list[str]]) -> list[ast.expr] | None:
    """Return the items of a value that is written as a tuple, a list, or a list of one number."""
    if isinstance(value, ast.Tuple | ast.List) and not any(isinstance(p, ast.Starred) for p in value.elts):
        return list(value.elts)
    if isinstance(value, ast.Name) and value.id in known:
        return [ast.Name(id=name, ctx=ast.Load()) for name in known[value.id]]
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult) and isinstance(value.left, ast.List):
        times = whole(value.right)
        if (
            times
            and times <= 64
            and len(value.left.elts) == 1
            and isinstance(value.left.elts[0], ast.Constant)
        ):
            return [copy.deepcopy(value.left.elts[0]) for _ in range(times)]
    return None


def splittable(function: ast.FunctionDef) -> dict[str, int]:
    """Return the local names whose values are always tuples (or lists) of one length, and that length."""
    values: dict[str, list[ast.expr]] = {}
    out = {argument.arg for argument in function.args.args}
    wholes: dict[str, int] = {}
    is_part: set[int] = set()
    n_items: dict[str, int] = {}
    plain_targets: set[int] = set()
    for node in nodes_in(function):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            values.setdefault(node.targets[0].id, []).append(node.value)
            plain_targets.add(id(node.targets[0]))
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            if whole(node.slice) is not None:
                is_part.add(id(node.value))
                n_items[node.value.id] = n_items.get(node.value.id, 0) + 1
                if isinstance(node.ctx, ast.Del):
                    out.add(node.value.id)
        if isinstance(node, SMALLER) and node is not function:
            return {}
    for node in nodes_in(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in is_part:
            wholes[node.id] = wholes.get(node.id, 0) + 1
        if (
            isinstance(node, ast.Name)
            and not isinstance(node.ctx, ast.Load)
            and id(node) not in plain_targets
        ):
            out.add(node.id)
    chosen = {name: n for name, n in _lengths(values).items() if n and name not in out}
    lists = {n for n, given in values.items() if any(isinstance(v, ast.List | ast.BinOp) for v in given)}
    stored = {
        n.value.id
        for n in nodes_in(function)
        if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name) and not isinstance(n.ctx, ast.Load)
    }
    while True:
        copies = {
            n.id: name
            for name, given in values.items()
            if name in chosen
            for n in given
            if isinstance(n, ast.Name)
        }
        bad = {
            name
            for name in chosen
            if (name in lists | stored and (wholes.get(name, 0) or name in copies))
            or wholes.get(name, 0) > 1 + n_items.get(name, 0) // 2 + _copied(name, values)
            or any(isinstance(v, ast.Name) and chosen.get(v.id) != chosen[name] for v in values[name])
            or any(not -chosen[name] <= at < chosen[name] for at in _indices(function, name))
        }
        if not bad:
            return chosen
        chosen = {name: n for name, n in chosen.items() if name not in bad}


def _copied(name: str, values: dict[str, list[ast.expr]]) -> int:
    return sum(isinstance(v, ast.Name) and v.id == name for given in values.values() for v in given)


def _indices(function: ast.FunctionDef, name: str) -> list[int]:
    return [
        at
        for n in nodes_in(function)
        if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name) and n.value.id == name
        if (at := whole(n.slice)) is not None
    ]


def _lengths(values: dict[str, list[ast.expr]]) -> dict[str, int]:
    """Return the one length of what is assigned to each name, where there is one."""
    found: dict[str, int] = {}
    for _ in range(4):  # copies of copies
        for name, given in values.items():
            lengths = {
                found.get(value.id, 0) if isinstance(value, ast.Name) else len(_parts(value, {}) or [])
                for value in given
                if not (isinstance(value, ast.Name) and value.id not in found)
            }
            if len(lengths) == 1:
                found[name] = lengths.pop()
    return found
