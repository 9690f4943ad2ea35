"""Between which numbers does the value of an expression lie? Known from how it is computed, or not known."""

import ast
from collections.abc import Iterable, Mapping, Sequence
from itertools import product

from tunesmith.tuning.export.agent.speed.nodes import nodes_in
from tunesmith.tuning.export.agent.speed.parts import whole
from tunesmith.tuning.export.agent.speed.purity import stored_names

Interval = tuple[float, float]  # least and greatest


class Intervals:
    """Looks through the assignments of one function."""

    def __init__(self, function: ast.FunctionDef, tables: Mapping[str, Sequence[float]]) -> None:
        self.tables = tables
        self.values: dict[str, list[ast.expr]] = {}  # what is assigned to each name
        self.more: dict[str, list[ast.expr]] = {}  # what is added to it, each at most once
        self.out = {argument.arg for argument in function.args.args}
        self.open: set[str] = set()
        for statement in function.body:
            self._note(statement)
        for node in nodes_in(function):
            if isinstance(node, ast.NamedExpr):
                self.out |= stored_names([node.target])

    def _note(self, node: ast.stmt) -> None:
        if isinstance(node, ast.If):
            for part in (*node.body, *node.orelse):
                self._note(part)
        elif isinstance(node, ast.For | ast.While):
            self.out |= stored_names([node])
        elif isinstance(node, ast.Assign) and all(isinstance(target, ast.Name) for target in node.targets):
            for name in stored_names(node.targets):
                self.values.setdefault(name, []).append(node.value)
        elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
            for name in stored_names([node.target]):
                self.more.setdefault(name, []).append(node.value)
        else:
            self.out |= stored_names([node])

    def of(self, node: ast.expr) -> Interval | None:
        """Return the interval of an expression's value, None if it is not known."""
        number = whole(node)
        if number is not None:
            return number, number
        if isinstance(node, ast.Name):
            return self._name(node.id)
        if isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
            return 0, 1
        if isinstance(node, ast.IfExp):
            return self._any([node.body, node.orelse])
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            table = self.tables.get(node.value.id)
            return (min(table), max(table)) if table else None
        return self._operation(node) if isinstance(node, ast.BinOp) else None

    def _name(self, name: str) -> Interval | None:
        if name in self.out or name in self.open or name not in self.values:
            return None
        self.open.add(name)
        found = self._any(self.values[name])
        for node in self.more.get(name, []):
            step = self.of(node)
            found = (found[0] + min(step[0], 0), found[1] + max(step[1], 0)) if found and step else None
        self.open.remove(name)
        return found

    def _any(self, nodes: Iterable[ast.expr]) -> Interval | None:
        """Return where one of some values lies; what a name was before is in its own interval."""
        parts: list[ast.expr] = []
        for node in nodes:
            parts += [node.body, node.orelse] if isinstance(node, ast.IfExp) else [node]
        found = [self.of(part) for part in parts if not (isinstance(part, ast.Name) and part.id in self.open)]
        known = [one for one in found if one is not None]
        if not known or len(known) < len(found):
            return None
        return min(one[0] for one in known), max(one[1] for one in known)

    def _operation(self, node: ast.BinOp) -> Interval | None:
        left, right = self.of(node.left), self.of(node.right)
        number = whole(node.right)
        if number is not None and number > 0:
            if isinstance(node.op, ast.BitAnd):
                return 0, number
            if isinstance(node.op, ast.Mod):
                return 0, number - 1
        if left is None or right is None:
            return None
        if isinstance(node.op, ast.Add):
            return left[0] + right[0], left[1] + right[1]
        if isinstance(node.op, ast.Sub):
            return left[0] - right[1], left[1] - right[0]
        if isinstance(node.op, ast.Mult):
            ends = [a * b for a, b in product(left, right)]
            return min(ends), max(ends)
        if isinstance(node.op, ast.RShift) and number is not None and number >= 0 <= left[0]:
            return int(left[0]) >> number, int(left[1]) >> number
        return None
