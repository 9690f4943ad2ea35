"""Which feature is slow? The features of a game with one of them left out, whoever wrote the game.

A game that looks at `FEATURES_WANTED` leaves a feature out by itself. In any other the statements that write the
feature are taken out of `features`, and with them whatever was computed for their sake alone: assignments to names
that nothing reads any more, loops and conditions in which nothing is left. That changes no other feature, since
functions of a game are pure. What is written by a loop over the buffer, or by another function, cannot be taken
apart this way."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from tunesmith.games.game import Game, digest, specialise

Function = Callable[..., Any]


def leaves_out_by_itself(game: Game) -> bool:
    """Whether the features of a game depend on `FEATURES_WANTED`."""
    one, two = (specialise({"f": game.features}, {"FEATURES_WANTED": mask})["f"] for mask in (1, 2))
    return digest(one) != digest(two)


def without_feature(game: Game, index: int) -> Game | None:
    """Return the game with one feature not computed; None where it cannot be told apart from others."""
    function = _without(game.features, index)
    return None if function is None else replace(game, features=function)


def _without(function: Any, index: int) -> Function | None:
    try:
        (node,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    except (OSError, TypeError, SyntaxError, ValueError):  # no file, or one that has changed
        return None
    if not isinstance(node, ast.FunctionDef) or function.__closure__:
        return None
    writes = _Writes(node.args.args[1].arg, index, function.__globals__)
    writes.visit(node)
    if not writes.found:
        return None
    _Sweep(node).run()
    made: dict[str, Any] = {}
    tree = ast.fix_missing_locations(ast.Module([node], []))
    exec(compile(tree, inspect.getfile(function), "exec"), function.__globals__, made)
    copy: Function = made[node.name]
    return copy


class _Writes(ast.NodeTransformer):
    """Takes out the statements that write one entry of the buffer."""

    def __init__(self, buffer: str, index: int, scope: dict[str, Any]) -> None:
        self._buffer, self._index, self._scope = buffer, index, scope
        self.found = False

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        """Drop a target, and the statement with the last one."""
        kept = [target for target in node.targets if not self._is_entry(target)]
        self.found = self.found or len(kept) < len(node.targets)
        return ast.Assign(kept, node.value) if kept else ast.Pass()

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        """Drop the statement."""
        if not self._is_entry(node.target):
            return node
        self.found = True
        return ast.Pass()

    def _is_entry(self, target: ast.expr) -> bool:
        if not (isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name)):
            return False
        at = target.slice
        number = self._scope.get(at.id) if isinstance(at, ast.Name) else getattr(at, "value", None)
        return target.value.id == self._buffer and type(number) is int and number == self._index


class _Sweep:
    """Drops statements without effect: `needed` grows by the names that statements with an effect read."""

    def __init__(self, node: ast.FunctionDef) -> None:
        self._node = node
        self._needed: set[str] = set()

    def run(self) -> None:
        """Sweep the function."""
        known = -1
        while known < len(self._needed):
            known = len(self._needed)
            for statement in self._node.body:
                self._counts(statement, False)
        self._node.body = self._kept(self._node.body, False)

    def _counts(self, statement: ast.stmt, in_loop: bool) -> bool:
        """Whether a statement has an effect; if it has, what it reads is needed."""
        if isinstance(statement, ast.If | ast.For | ast.While):
            return self._compound_counts(statement, in_loop)
        if isinstance(statement, ast.Break | ast.Continue):
            return in_loop
        if isinstance(statement, ast.Pass):
            return False
        targets = _names_set(statement)
        counts = targets is None or bool(targets & self._needed)
        if counts:
            self._read(statement)
        return counts

    def _compound_counts(self, statement: ast.If | ast.For | ast.While, in_loop: bool) -> bool:
        inner = [*statement.body, *statement.orelse]
        is_loop = not isinstance(statement, ast.If)
        counts = any([self._counts(one, in_loop and not is_loop) for one in inner])
        if counts:
            self._read(statement.iter if isinstance(statement, ast.For) else statement.test)
            if is_loop:  # then its `break` counts too
                for one in statement.body:
                    self._counts(one, True)
        return counts

    def _read(self, node: ast.AST) -> None:
        names = (part for part in ast.walk(node) if isinstance(part, ast.Name))
        self._needed |= {name.id for name in names if isinstance(name.ctx, ast.Load)}

    def _kept(self, statements: Iterable[ast.stmt], in_loop: bool) -> list[ast.stmt]:
        kept = [statement for statement in statements if self._counts(statement, in_loop)]
        for statement in kept:
            if isinstance(statement, ast.If | ast.For | ast.While):
                within = in_loop or not isinstance(statement, ast.If)
                statement.body = self._kept(statement.body, within)
                statement.orelse = self._kept(statement.orelse, in_loop)
        return kept or [ast.Pass()]


def _names_set(statement: ast.stmt) -> set[str] | None:
    """Return the names that a statement sets, if it does nothing else."""
    if not isinstance(statement, ast.Assign | ast.AugAssign | ast.AnnAssign):
        return None
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    flat = [part for target in targets for part in getattr(target, "elts", [target])]
    return {part.id for part in flat if isinstance(part, ast.Name)} if _all_names(flat) else None


def _all_names(targets: Iterable[ast.expr]) -> bool:
    return all(isinstance(target, ast.Name) for target in targets)
