"""Small functions as part of their callers: a call costs plain Python as much as ten operations.

`inlined` puts the body of a function in the place of its call where that changes nothing: its parameters become the
arguments themselves where those are names, numbers or used once, else names of their own; its local names become new
ones; its early returns become branches. A call is taken out of an expression only past what neither changes anything
nor can be changed. Functions with a table of answers, recursive ones, and those that return from inside a loop stay."""

import ast
import copy
from collections.abc import Callable

from tunesmith.tuning.export.agent.speed.branches import (
    Renamed,
    as_expression,
    assigned,
    is_simple,
    size,
    uses,
    with_branches,
)
from tunesmith.tuning.export.agent.speed.nodes import nodes_in
from tunesmith.tuning.export.agent.speed.purity import (
    SMALLER,
    Effects,
    Purity,
    all_names,
    functions_of,
    parameters,
    stored_names,
)

SMALL = 60  # nodes of a function that becomes part of every caller
LARGE = 3000  # of one that has a single place of call
SPREAD = 2000  # of all copies of one whose answers are known not to be worth a table
GROWN = 6000  # of a caller: larger ones take no more in
# Built-in functions of two arguments that are faster as a choice.
CHOICES = """
def max(first, second):
    return second if second > first else first
def min(first, second):
    return second if second < first else first
"""
KEPT = (*SMALLER, ast.Try, ast.With, ast.Import, ast.ImportFrom, ast.Delete, ast.NamedExpr)
Sink = Callable[[ast.expr], list[ast.stmt]]


class Body:
    """One function that may become part of others."""

    def __init__(self, function: ast.FunctionDef, body: list[ast.stmt]) -> None:
        self.function = function
        self.names = parameters(function) or []
        self.body = body
        self.stored = stored_names(body)
        self.expression = as_expression(body)


class Inliner:
    """Works through the functions of a file, those that others call first."""

    def __init__(self, tree: ast.Module, kept: set[str], spread: int = 0) -> None:
        self.tree = tree
        self.spread = spread
        self.purity = Purity(tree)
        self.kept = kept
        self.bodies: dict[str, Body] = {}
        self.places = _places(tree)
        self.number = 0
        for node in functions_of(ast.parse(CHOICES)).values():
            if node.name not in self.purity.functions:
                self.bodies[node.name] = Body(node, node.body)
        self.taken = all_names(tree)

    def run(self) -> None:
        """Inline what can be."""
        for name in _callees_first(self.purity):
            function = self.purity.functions[name]
            self.left = GROWN - size(function)
            if not any(isinstance(node, SMALLER) for node in nodes_in(*function.body)):
                function.body = self.statements(function.body)
            self._offer(name, function)

    def _offer(self, name: str, function: ast.FunctionDef) -> None:
        body = [part for part in function.body if not _is_text(part)]
        n_nodes, places = size(body), self.places.get(name, 0)
        if name in self.kept or function.decorator_list or parameters(function) is None or not places:
            return
        most = LARGE if places == 1 else max(SMALL, self.spread // places)
        if n_nodes > most or name in _called(function):
            return
        if any(isinstance(node, KEPT) for node in nodes_in(*body)):
            return
        made = with_branches(copy.deepcopy(body))
        if made is not None:
            self.bodies[name] = Body(function, made)

    # Statements

    def statements(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Return a block with calls replaced."""
        return [made for statement in body for made in self.statement(statement)]

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        """Return what a statement becomes."""
        if isinstance(node, ast.While):
            return [self._loop(node)]
        before: list[ast.stmt] = []
        for name in ("iter", "test", "value"):
            value = getattr(node, name, None)
            if isinstance(value, ast.expr):
                whole = self._whole(node, value)
                if whole is not None:
                    return whole
                setattr(node, name, self.expression(value, before))
        if isinstance(node, ast.Assign | ast.AugAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                self._inside(target)
        for name in ("body", "orelse", "finalbody"):
            if isinstance(getattr(node, name, None), list):
                setattr(node, name, self.statements(getattr(node, name)))
        for handler in getattr(node, "handlers", []):
            handler.body = self.statements(handler.body)
        return [*before, node]

    def _inside(self, target: ast.expr) -> None:
        if isinstance(target, ast.Subscript):
            target.slice = self.expression(target.slice, None)

    def _loop(self, node: ast.While) -> ast.stmt:
        """Ask a condition inside the loop where a call in it becomes statements."""
        before: list[ast.stmt] = []
        test = self.expression(copy.deepcopy(node.test), None if node.orelse else before)
        node.body = self.statements(node.body)
        if not before:
            node.test = test
            return node
        stop = ast.If(test=ast.UnaryOp(op=ast.Not(), operand=test), body=[ast.Break()], orelse=[])
        return ast.While(test=ast.Constant(True), body=[*before, stop, *node.body], orelse=[])

    def _whole(self, node: ast.stmt, value: ast.expr) -> list[ast.stmt] | None:
        """Return what a statement becomes whose value is just one call of several statements."""
        if not isinstance(value, ast.Call) or not isinstance(node, ast.Assign | ast.Return | ast.Expr):
            return None
        if isinstance(node, ast.Assign) and len(node.targets) > 1:
            return None
        body = self._found(value)
        if body is None or body.expression is not None:
            return None
        if isinstance(node, ast.Assign) and not _is_place(node.targets[0]):
            return None
        before: list[ast.stmt] = []
        calls = _Calls(self, before)
        value.args = [calls.visit(argument) for argument in value.args]

        def sink(answer: ast.expr) -> list[ast.stmt]:
            if isinstance(node, ast.Return):
                return [ast.Return(value=answer)]
            if isinstance(node, ast.Assign):
                return assigned(copy.deepcopy(node.targets[0]), answer)
            return [] if self.purity.is_harmless(answer) else [ast.Expr(value=answer)]

        return [*before, *self._splice(body, value.args, sink)]

    def _splice(self, body: Body, arguments: list[ast.expr], sink: Sink) -> list[ast.stmt]:
        """Return a function's statements for some arguments; what it returns goes to `sink`."""
        self.left -= size(body.body)
        instead: dict[str, ast.expr] = {}
        first: list[ast.stmt] = []
        for name, argument in zip(body.names, arguments, strict=True):
            if is_simple(argument) and name not in body.stored:
                instead[name] = argument
                continue
            instead[name] = ast.Name(id=self._new(name), ctx=ast.Load())
            first.append(_assign(instead[name], argument))
        for name in sorted(body.stored - set(body.names)):
            instead[name] = ast.Name(id=self._new(name), ctx=ast.Load())
        copied = [Renamed(instead).visit(copy.deepcopy(part)) for part in body.body]
        return [*first, *_sunk(copied, sink)]

    def _new(self, name: str) -> str:
        while True:
            self.number += 1
            made = f"{name.rstrip('0123456789_')}_{self.number}"
            if made not in self.taken:
                self.taken.add(made)
                return made

    # Expressions

    def expression(self, node: ast.expr, before: list[ast.stmt] | None) -> ast.expr:
        """Return an expression with calls replaced; `before` takes statements, if any may come before it."""
        return _Calls(self, before).visit(node)  # type: ignore[no-any-return]

    def _found(self, node: ast.Call) -> Body | None:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        body = self.bodies.get(name)
        if body is None or node.keywords or len(node.args) != len(body.names):
            return None
        if any(isinstance(argument, ast.Starred) for argument in node.args) or self.left < size(body.body):
            return None
        return body


class _Calls(ast.NodeTransformer):
    """Replaces calls in one expression, in the order in which they are made."""

    def __init__(self, inliner: Inliner, before: list[ast.stmt] | None) -> None:
        self.inliner, self.before = inliner, before
        self.passed = True  # whether all so far may be passed by a harmless call

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        body = self.inliner._found(node)
        made = None if body is None else self._made(node, body)
        if made is None:
            self.passed = self.passed and self.inliner.purity.is_harmless(node)
            return node
        return made

    def _made(self, node: ast.Call, body: Body) -> ast.expr | None:
        is_harmless = self.inliner.purity.is_harmless
        if not all(is_harmless(argument) for argument in node.args):
            return None
        found = self.inliner.purity.effects.get(body.function.name, Effects())
        changes = found.impure or bool(found.mutated)
        if body.expression is not None and not (changes and not all(map(is_simple, node.args))):
            plain = self._replaced(node, body)
            if plain is not None:
                return plain
        if self.before is None or changes or not self.passed:
            return None
        answers: list[ast.expr] = []
        straight = isinstance(body.body[-1], ast.Return) and not _has_return(body.body[:-1])
        name = "" if straight else self.inliner._new("answer")

        def sink(answer: ast.expr) -> list[ast.stmt]:
            if straight:
                answers.append(answer)
                return []
            return [_assign(ast.Name(id=name, ctx=ast.Load()), answer)]

        self.before.extend(self.inliner._splice(body, node.args, sink))
        return answers[0] if straight else ast.Name(id=name, ctx=ast.Load())

    def _replaced(self, node: ast.Call, body: Body) -> ast.expr | None:
        """Return the expression of a function with the arguments in it, if none is computed twice."""
        parts: list[ast.stmt] = list(body.body)
        instead: dict[str, ast.expr] = {}
        for name, argument in zip(body.names, node.args, strict=True):
            if not is_simple(argument) and uses(parts, name) > 1:
                return None
            instead[name] = argument
        if body.stored:  # of comprehensions
            return None
        self.inliner.left -= size(parts)
        made: ast.expr = Renamed(instead).visit(copy.deepcopy(body.expression or node))
        return made

    def _conditional(self, nodes: list[ast.expr]) -> list[ast.expr]:
        inner = _Calls(self.inliner, None)
        inner.passed = self.passed
        made = [inner.visit(node) for node in nodes]
        self.passed = inner.passed
        return made

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        node.values = [self.visit(node.values[0]), *self._conditional(node.values[1:])]
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        node.test = self.visit(node.test)
        node.body, node.orelse = self._conditional([node.body, node.orelse])
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        if len(node.ops) == 1:
            return self.generic_visit(node)
        node.left = self.visit(node.left)
        node.comparators = [self.visit(node.comparators[0]), *self._conditional(node.comparators[1:])]
        return node

    def _comprehension(self, node: ast.expr) -> ast.AST:
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_Lambda = _comprehension


def _has_return(body: list[ast.stmt]) -> bool:
    return any(isinstance(node, ast.Return) for node in nodes_in(*body))


def _assign(target: ast.expr, value: ast.expr) -> ast.stmt:
    return ast.Assign(targets=[ast.Name(id=ast.unparse(target), ctx=ast.Store())], value=value, lineno=0)


def _is_place(target: ast.expr) -> bool:
    """Whether assigning late is the same: a name, or names."""
    if isinstance(target, ast.Tuple):
        return all(isinstance(part, ast.Name) for part in target.elts)
    return isinstance(target, ast.Name)


def _sunk(body: list[ast.stmt], sink: Sink) -> list[ast.stmt]:
    made: list[ast.stmt] = []
    for statement in body:
        if isinstance(statement, ast.Return):
            made += sink(statement.value or ast.Constant(None))
        elif isinstance(statement, ast.If):
            yes, no = _sunk(statement.body, sink), _sunk(statement.orelse, sink)
            made.append(ast.If(test=statement.test, body=yes or [ast.Pass()], orelse=no))
        else:
            made.append(statement)
    return made


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _called(function: ast.AST) -> list[str]:
    return [n.func.id for n in nodes_in(function) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]


def _places(tree: ast.Module) -> dict[str, int]:
    places: dict[str, int] = {}
    for name in _called(tree):
        places[name] = places.get(name, 0) + 1
    return places


def _callees_first(purity: Purity) -> list[str]:
    done: list[str] = []
    began: set[str] = set()
    pending = [(name, False) for name in reversed(list(purity.functions))]
    while pending:
        name, is_after = pending.pop()
        if is_after:
            done.append(name)
        elif name not in began:
            began.add(name)
            pending.append((name, True))
            pending += [
                (c, False)
                for c in _called(purity.functions[name])
                if c in purity.functions and c not in began
            ]
    return done


def inlined(tree: ast.Module, kept: set[str], spread: int = 0) -> ast.Module:
    """Return the file with small functions as part of their callers; the functions named in `kept` stay calls.

    `spread`: so many nodes all copies of one function may have together.
    """
    Inliner(tree, kept, spread).run()
    return ast.fix_missing_locations(tree)
