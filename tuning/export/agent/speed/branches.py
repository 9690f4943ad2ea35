"""Statements and expressions that become others: returns as branches, names as expressions, pairs one by one."""

import ast
import copy

from tunesmith.tuning.export.agent.speed.nodes import nodes_in

SHORT = 15  # nodes of what may be written twice


def size(node: ast.AST | list[ast.stmt]) -> int:
    """Return the number of nodes of a tree that stand for code."""
    parts = node if isinstance(node, list) else [node]
    return len(nodes_in(*parts))


def ends(body: list[ast.stmt]) -> bool:
    """Whether nothing after these statements is reached."""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, ast.If):
        return ends(last.body) and ends(last.orelse)
    return isinstance(last, ast.Return | ast.Raise | ast.Break | ast.Continue)


def with_branches(body: list[ast.stmt]) -> list[ast.stmt] | None:
    """Return statements whose every return ends a branch; None if one stands in a loop."""
    for at, statement in enumerate(body):
        if isinstance(statement, ast.Return | ast.Raise):
            return body[: at + 1]
        if not any(isinstance(node, ast.Return) for node in nodes_in(statement)):
            continue
        if not isinstance(statement, ast.If):
            return None
        rest = body[at + 1 :]
        if not ends(statement.body) and not ends(statement.orelse) and size(rest) > SHORT:
            return None
        branches = []
        for branch in (statement.body, statement.orelse):
            made = with_branches(branch if ends(branch) else [*branch, *copy.deepcopy(rest)])
            if made is None:
                return None
            branches.append(made)
        chosen = ast.If(test=statement.test, body=branches[0], orelse=branches[1])
        return [*body[:at], chosen]
    return [*body, ast.Return(value=ast.Constant(None))]


def as_expression(body: list[ast.stmt]) -> ast.expr | None:
    """Return the one expression that a body in branches comes to, or None."""
    if len(body) != 1:
        return None
    only = body[0]
    if isinstance(only, ast.Return):
        return only.value or ast.Constant(None)
    if isinstance(only, ast.If):
        yes, no = as_expression(only.body), as_expression(only.orelse)
        if yes is not None and no is not None:
            return ast.IfExp(test=only.test, body=yes, orelse=no)
    return None


class Renamed(ast.NodeTransformer):
    """Puts expressions in the place of names."""

    def __init__(self, instead: dict[str, ast.expr]) -> None:
        self.instead = instead

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Replace a name; a stored one by a name."""
        found = self.instead.get(node.id)
        if found is None:
            return node
        if isinstance(node.ctx, ast.Load):
            return copy.deepcopy(found)
        return ast.Name(id=ast.unparse(found), ctx=node.ctx)  # what is stored gets names


def is_simple(node: ast.expr) -> bool:
    """Whether repeating an expression costs no more than a name."""
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.operand, ast.Constant)
    return isinstance(node, ast.Name | ast.Constant)


def uses(nodes: list[ast.stmt], name: str) -> int:
    """Return how often a name is read."""
    return sum(
        isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)
        for node in nodes
        for n in nodes_in(node)
    )


def assigned(target: ast.expr, value: ast.expr) -> list[ast.stmt]:
    """Return the assignment of a value; of a tuple to names, one by one where that comes to the same."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        names = [part.id for part in target.elts if isinstance(part, ast.Name)]
        read = [{n.id for n in nodes_in(part) if isinstance(n, ast.Name)} for part in value.elts]
        is_free = all(name not in later for at, name in enumerate(names) for later in read[at + 1 :])
        if len(names) == len(target.elts) and len(set(names)) == len(names) and is_free:
            return [
                ast.Assign(targets=[ast.Name(id=name, ctx=ast.Store())], value=part, lineno=0)
                for name, part in zip(names, value.elts, strict=True)
                if not (isinstance(part, ast.Name) and part.id == name)
            ]
    return [ast.Assign(targets=[target], value=value, lineno=0)]
