"""Names that hold a known number where they are read: the number in their place.

Goes through a function in the order in which it runs. After a branch a name is known if both ways agree, after a loop
if the loop does not assign to it. What known numbers decide is decided."""

import ast
import copy

from tunesmith.tuning.export.agent.speed.branches import ends
from tunesmith.tuning.export.agent.speed.nodes import nodes_in
from tunesmith.tuning.export.agent.speed.parts import whole
from tunesmith.tuning.export.agent.speed.purity import SMALLER, stored_names

Known = dict[str, ast.expr]
SCOPED = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr)


class _Numbers(ast.NodeTransformer):
    """Puts known numbers in the place of names that are read."""

    def __init__(self, known: Known) -> None:
        self.known = known

    def visit_Name(self, node: ast.Name) -> ast.AST:
        found = self.known.get(node.id)
        return copy.deepcopy(found) if found is not None and isinstance(node.ctx, ast.Load) else node


class _Settling:
    """Goes through the statements of one function; `folding` decides what numbers decide."""

    def __init__(self, folding: ast.NodeTransformer, left_out: set[str]) -> None:
        self.folding, self.left_out = folding, left_out

    def block(self, body: list[ast.stmt], known: Known) -> list[ast.stmt]:
        """Return a block with numbers in it; `known` becomes what is known behind it."""
        made: list[ast.stmt] = []
        for statement in body:
            made += self.statement(statement, known)
            if ends(made):
                break
        return made

    def statement(self, node: ast.stmt, known: Known) -> list[ast.stmt]:
        """Return what a statement becomes."""
        if isinstance(node, ast.If):
            return self._branch(node, known)
        if isinstance(node, ast.For | ast.While | ast.Try | ast.With):
            return [self._whole(node, known)]
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            node.value = self.read(node.value, known)
            name = node.target.id
            if whole(node.value) is not None and name in known:
                value = self.read(ast.BinOp(ast.Name(name, ast.Load()), node.op, node.value), known)
                node = ast.Assign(targets=[node.target], value=value, lineno=0)
            else:
                known.pop(name, None)
                return [node]
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                setattr(node, field, self.read(value, known))
        if isinstance(node, ast.Assign):
            node.targets = [self.read(target, known) for target in node.targets]
            self._assign(node, known)
        else:
            _forget(known, [node])
        return [node]

    def read(self, node: ast.expr, known: Known) -> ast.expr:
        """Return an expression with numbers in it."""
        return self.folding.visit(_Numbers(known).visit(node))  # type: ignore[no-any-return]

    def _assign(self, node: ast.Assign, known: Known) -> None:
        _forget(known, node.targets)
        for target in node.targets:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                same = len(target.elts) == len(node.value.elts)
                pairs = list(zip(target.elts, node.value.elts, strict=True)) if same else []
            for place, value in pairs:
                if isinstance(place, ast.Name) and place.id not in self.left_out and whole(value) is not None:
                    known[place.id] = value

    def _branch(self, node: ast.If, known: Known) -> list[ast.stmt]:
        node.test = self.read(node.test, known)
        if isinstance(node.test, ast.Constant):
            return self.block(node.body if node.test.value else node.orelse, known)
        yes, no = dict(known), dict(known)
        node.body = self.block(node.body, yes) or [ast.Pass()]
        node.orelse = self.block(node.orelse, no)
        ways = [way for way, body in ((yes, node.body), (no, node.orelse)) if not ends(body)]
        known.clear()
        if ways:
            first, *others = ways
            known.update({n: v for n, v in first.items() if all(_is_same(v, way.get(n)) for way in others)})
        return [node]

    def _whole(self, node: ast.stmt, known: Known) -> ast.stmt:
        if isinstance(node, ast.For):
            node.iter = self.read(node.iter, known)
        _forget(known, [node])
        if isinstance(node, ast.While):
            node.test = self.read(node.test, known)
        for name in ("body", "orelse", "finalbody"):
            if getattr(node, name, None):
                setattr(node, name, self.block(getattr(node, name), dict(known)) or [ast.Pass()])
        for handler in getattr(node, "handlers", []):
            handler.body = self.block(handler.body, dict(known)) or [ast.Pass()]
        return node


def _is_same(one: ast.expr, other: ast.expr | None) -> bool:
    return other is not None and whole(one) == whole(other)


def _forget(known: Known, nodes: list[ast.stmt] | list[ast.expr]) -> None:
    for name in stored_names(nodes):
        known.pop(name, None)


def settled(function: ast.FunctionDef, folding: ast.NodeTransformer) -> None:
    """Put known numbers in the place of a function's names."""
    if any(isinstance(n, SMALLER) for n in nodes_in(*function.body)):
        return
    inner = [n for n in nodes_in(function) if isinstance(n, SCOPED)]
    function.body = _Settling(folding, stored_names(inner)).block(function.body, {}) or [ast.Pass()]
