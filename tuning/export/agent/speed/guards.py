"""Calls that a question about the arguments spares: what a function answers at once is answered where it is called."""

import ast
import copy

from tunesmith.tuning.export.agent.speed.branches import Renamed, is_simple, size
from tunesmith.tuning.export.agent.speed.nodes import nodes_in
from tunesmith.tuning.export.agent.speed.purity import Purity, functions_of, parameters

MOST = 12  # nodes of a question that is asked at every call


def guarded(tree: ast.Module) -> ast.Module:
    """Return the file with calls made only where a function's first question does not answer them."""
    purity = Purity(tree)
    guards = questions(purity)
    for function in functions_of(tree).values():
        function.body = [_Guarded(purity, guards).visit(part) for part in function.body]
    return ast.fix_missing_locations(tree)


def questions(purity: Purity) -> dict[str, tuple[ast.expr, ast.expr]]:
    """Return, of functions that ask one first, the question and the answer if it is true."""
    found = {}
    for name, function in purity.functions.items():
        guard = _guard(function)
        if guard is not None and purity.effects[name].is_function and purity.is_harmless(guard[0]):
            found[name] = guard
    return found


def _guard(function: ast.FunctionDef) -> tuple[ast.expr, ast.expr] | None:
    """Return the question that a function asks first of its arguments, and its answer if that is true."""
    body = [p for p in function.body if not (isinstance(p, ast.Expr) and isinstance(p.value, ast.Constant))]
    first = body[0] if body else None
    if not isinstance(first, ast.If) or len(first.body) != 1 or first.orelse or size(first.test) > MOST:
        return None
    only = first.body[0]
    if not isinstance(only, ast.Return) or only.value is None or not is_simple(only.value):
        return None
    read = {n.id for n in nodes_in(first.test, only.value) if isinstance(n, ast.Name)}
    return (first.test, only.value) if read <= set(parameters(function) or []) else None


class _Guarded(ast.NodeTransformer):
    def __init__(self, purity: Purity, guards: dict[str, tuple[ast.expr, ast.expr]]) -> None:
        self.purity, self.guards = purity, guards

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Ask first, where asking repeats nothing."""
        self.generic_visit(node)
        found = self.guards.get(node.func.id) if isinstance(node.func, ast.Name) else None
        if found is None or not isinstance(node.func, ast.Name) or node.keywords:
            return node
        names = parameters(self.purity.functions[node.func.id]) or []
        if len(names) != len(node.args) or not all(self.purity.is_harmless(a) for a in node.args):
            return node
        read = {n.id for n in nodes_in(*found) if isinstance(n, ast.Name)}
        if not all(is_simple(a) for name, a in zip(names, node.args, strict=True) if name in read):
            return node
        instead = dict(zip(names, node.args, strict=True))
        test, answer = (Renamed(instead).visit(copy.deepcopy(part)) for part in found)
        return ast.IfExp(test=test, body=answer, orelse=node)
