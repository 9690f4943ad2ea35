"""What is known before the game begins: rounds of short loops, items of tables, tuples and lists that are only parts.

`tidied` unrolls short loops over constant ranges, reads constant items of tables, computes what constants decide, keeps
the items of local tuples and lists in names of their own where nobody asks for the whole, and leaves out names that
nobody reads."""

import ast
import copy
from typing import Any

from tunesmith.tuning.export.agent.arrays_to_lists import OPERATIONS, Folded
from tunesmith.tuning.export.agent.speed.branches import Renamed, size
from tunesmith.tuning.export.agent.speed.nodes import nodes_in
from tunesmith.tuning.export.agent.speed.parts import Parts, splittable, whole
from tunesmith.tuning.export.agent.speed.purity import SMALLER, Purity, all_names, stored_names
from tunesmith.tuning.export.agent.speed.settled import settled

LONGEST = 12  # rounds of a loop that is unrolled
UNROLLED = 900  # nodes that one becomes
FUNCTION = 9000  # nodes of a function that grows no more
BITS = (ast.LShift, ast.RShift, ast.BitOr, ast.BitXor)


class Constants(Folded):
    """Decides what constants and constant tables decide."""

    def __init__(self, tables: dict[str, Any]) -> None:
        self.tables = tables

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Read an item of a table, or of a tuple that is written in place."""
        self.generic_visit(node)
        at = whole(node.slice)
        if at is None or not isinstance(node.ctx, ast.Load):
            return node
        if isinstance(node.value, ast.Tuple) and -len(node.value.elts) <= at < len(node.value.elts):
            others = [part for part in node.value.elts if part is not node.value.elts[at]]
            if all(isinstance(part, ast.Name | ast.Constant) or _is_plain(part) for part in others):
                return node.value.elts[at]
        table = self.tables.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if isinstance(table, list | tuple) and -len(table) <= at < len(table) and type(table[at]) is int:
            return _number(table[at])
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Compute; nothing shifted, added or multiplied changes nothing."""
        self.generic_visit(node)
        left, right = whole(node.left), whole(node.right)
        if left is not None and right is not None:
            return self._computed(node, left, right)
        if right == 0 and isinstance(node.op, BITS):
            return node.left
        if left == 0 and isinstance(node.op, ast.BitOr | ast.BitXor):
            return node.right
        if 0 in (left, right) and isinstance(node.op, ast.BitAnd) and _is_plain(node):
            return ast.Constant(0)
        if left == 0 and isinstance(node.op, ast.LShift | ast.RShift) and _is_plain(node.right):
            return ast.Constant(0)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Compare whole numbers, negative ones too."""
        super().visit_Compare(node)
        left, right = whole(node.left), whole(node.comparators[0])
        if len(node.ops) > 1 or left is None or right is None or type(node.ops[0]) not in OPERATIONS:
            return node
        return ast.Constant(OPERATIONS[type(node.ops[0])](left, right))

    def _computed(self, node: ast.BinOp, left: int, right: int) -> ast.expr:
        if isinstance(node.op, ast.LShift | ast.RShift) and 0 <= right <= 64:
            return _number(left << right if isinstance(node.op, ast.LShift) else left >> right)
        if isinstance(node.op, ast.FloorDiv | ast.Mod) and right:
            return _number(left // right if isinstance(node.op, ast.FloorDiv) else left % right)
        found = OPERATIONS.get(type(node.op))
        return node if found is None else _number(found(left, right))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """Invert."""
        super().visit_UnaryOp(node)
        value = whole(node.operand)
        if isinstance(node.op, ast.Not):
            return super().visit_UnaryOp(node)
        if value is not None and isinstance(node.op, ast.Invert):
            return _number(~value)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Know `int`, `bool` and `float` of numbers."""
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in ("int", "float") and len(node.args) == 1:
            value = whole(node.args[0])
            if value is not None and not node.keywords:
                return _number(value) if node.func.id == "int" else ast.Constant(float(value))
        return node


def _is_plain(node: ast.AST) -> bool:
    """Whether an expression of names and numbers cannot fail or change anything."""
    allowed = (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context,
               ast.Subscript)  # fmt: skip
    return all(
        isinstance(n, allowed) and not isinstance(n, ast.Div | ast.FloorDiv | ast.Mod | ast.Pow)
        for n in nodes_in(node)
    )


def _number(value: int) -> ast.expr:
    return ast.Constant(value) if value >= 0 else ast.UnaryOp(op=ast.USub(), operand=ast.Constant(-value))


class Unrolled(ast.NodeTransformer):
    """Writes the rounds of short loops over constant ranges one after the other."""

    def __init__(self, room: int) -> None:
        self.room = room

    def visit_For(self, node: ast.For) -> Any:
        """Unroll a loop that nothing leaves early."""
        self.generic_visit(node)
        rounds = _rounds(node)
        if rounds is None or not isinstance(node.target, ast.Name) or node.orelse:
            return node
        grown = len(rounds) * size(node.body)
        if grown > UNROLLED or grown > self.room or node.target.id in stored_names(node.body):
            return node
        if any(_leaves(part) for part in node.body):
            return node
        self.room -= grown
        made: list[ast.stmt] = []
        for at in rounds:
            instead: dict[str, ast.expr] = {node.target.id: _number(at)}
            made += [Renamed(instead).visit(copy.deepcopy(part)) for part in node.body]
        last = ast.Assign(targets=[node.target], value=_number(rounds[-1]), lineno=0)
        return [*made, last]


def _rounds(node: ast.For) -> range | None:
    call = node.iter
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"):
        return None
    bounds = [whole(argument) for argument in call.args]
    if not 1 <= len(bounds) <= 3 or None in bounds or call.keywords:
        return None
    given: list[Any] = bounds
    if len(given) == 3 and given[2] == 0:
        return None
    found = range(*given)
    return found if 1 <= len(found) <= LONGEST else None


def _leaves(node: ast.AST) -> bool:
    """Whether a statement leaves or repeats the loop that it stands in."""
    if isinstance(node, ast.Break | ast.Continue):
        return True
    if isinstance(node, ast.For | ast.While):
        return any(_leaves(part) for part in node.orelse)
    return any(_leaves(part) for part in ast.iter_child_nodes(node))


class Truths(ast.NodeTransformer):
    """Counts what is true without making numbers of it first: a truth value counts as 0 or 1 in any sum."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Leave out `int` in sums, differences and products."""
        self.generic_visit(node)
        if isinstance(node.op, ast.Add | ast.Sub | ast.Mult):
            node.left, node.right = _truth(node.left) or node.left, _truth(node.right) or node.right
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """Add 1 only where it is to be added."""
        self.generic_visit(node)
        test, number = _truth(node.value), node.value
        if isinstance(number, ast.IfExp) and whole(number.orelse) == 0 and whole(number.body) is not None:
            test, number = number.test, number.body
        if test is None or not isinstance(node.op, ast.Add) or not isinstance(node.target, ast.Name):
            return node
        one = number if whole(number) is not None else ast.Constant(1)
        more = ast.AugAssign(target=node.target, op=node.op, value=one)
        return ast.If(test=test, body=[more], orelse=[])


def _truth(node: ast.expr) -> ast.expr | None:
    """Return what `int` is asked to make a number of, if that is a truth value."""
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "int"
    if not is_call or len(node.args) != 1 or node.keywords:  # type: ignore[attr-defined]
        return None
    inner: ast.expr = node.args[0]  # type: ignore[attr-defined]
    parts = inner.values if isinstance(inner, ast.BoolOp) else [inner]
    are_truths = all(
        isinstance(part, ast.Compare) or (isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not))
        for part in parts
    )
    return inner if are_truths else None


# Numbers that are multiplied anyway


def _without_floats(function: ast.FunctionDef) -> None:
    """Leave out `float` where a name is only multiplied by numbers that are no whole ones: the product is the same."""
    factors: set[int] = set()
    for node in nodes_in(function):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and _is_float(node.left):
            factors.add(id(node.right))
    others = {
        n.id
        for n in nodes_in(function)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and id(n) not in factors
    }
    for node in nodes_in(function):
        if not (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)):
            continue
        value = node.value
        is_call = (
            isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "float"
        )
        if isinstance(value, ast.Call) and is_call and len(value.args) == 1 and len(node.targets) == 1:
            if node.targets[0].id not in others and not isinstance(value.args[0], ast.Constant):
                node.value = value.args[0]


def _is_float(node: ast.expr) -> bool:
    inner = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else node
    return isinstance(inner, ast.Constant) and isinstance(inner.value, float)


# Names that nobody reads


class Dead(ast.NodeTransformer):
    """Leaves out assignments to names that are never read, where computing the value changes nothing."""

    def __init__(self, purity: Purity, unread: set[str]) -> None:
        self.purity, self.unread, self.found = purity, unread, False

    def visit_Assign(self, node: ast.Assign) -> Any:
        """Leave out."""
        target = node.targets[0]
        if len(node.targets) == 1 and isinstance(target, ast.Name) and target.id in self.unread:
            if self.purity.is_harmless(node.value):
                self.found = True
                return None
        return node

    def visit_If(self, node: ast.If) -> Any:
        """Keep the body from getting empty."""
        self.generic_visit(node)
        if not node.body and not node.orelse and self.purity.is_harmless(node.test):
            return None
        node.body = node.body or [ast.Pass()]
        return node

    def _kept(self, node: Any) -> Any:
        """Keep the body from getting empty."""
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node

    visit_For = visit_While = visit_With = visit_Try = _kept


def _without_dead(function: ast.FunctionDef, purity: Purity) -> None:
    while True:
        read = {n.id for n in nodes_in(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        read |= {
            n.target.id
            for n in nodes_in(function)
            if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name)
        }
        dead = Dead(purity, stored_names(function.body) - read)
        function.body = [made for part in function.body if (made := dead.visit(part)) is not None] or [
            ast.Pass()
        ]
        if not dead.found:
            return


def tidied(tree: ast.Module) -> ast.Module:
    """Return the file with what is known beforehand done beforehand."""
    purity = Purity(tree)
    tables = constant_tables(tree, purity)
    taken = all_names(tree)
    for function in purity.functions.values():
        if any(isinstance(n, SMALLER) for n in nodes_in(*function.body)):
            continue
        Unrolled(FUNCTION - size(function)).visit(function)
        Constants(tables).visit(function)
        settled(function, Constants(tables))
        split = splittable(function)
        names = {name: _named(name, n, taken) for name, n in split.items()}
        Parts(names).visit(function)
        settled(function, Constants(tables))
        Truths().visit(function)
        _without_floats(function)
        _without_dead(function, purity)
    return ast.fix_missing_locations(tree)


def _named(name: str, n: int, taken: set[str]) -> list[str]:
    made = []
    for at in range(n):
        part = f"{name}_{at}"
        while part in taken:
            part += "_"
        taken.add(part)
        made.append(part)
    return made


def unchanged_lists(tree: ast.Module) -> set[str]:
    """Return the names of the file's lists of numbers that nothing changes."""
    return {
        name for name, table in constant_tables(tree, Purity(tree)).items() if isinstance(table, list | tuple)
    }


def constant_tables(tree: ast.Module, purity: Purity) -> dict[str, Any]:
    """Return the values of the file's tables that nothing changes."""
    found: dict[str, Any] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if name in purity.changed or name in found:
                continue
            try:
                found[name] = ast.literal_eval(node.value)
            except ValueError:
                continue
    return found
