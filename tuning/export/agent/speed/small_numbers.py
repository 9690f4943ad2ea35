"""What is a value the sum of? Of what small numbers say, each by itself, in any way.

A small number is what a mask has left of a word. Sums are followed through the names that a function settles, and
through what tells counts apart that are packed into one: shifts, masks and remainders, where no count can spill into
the next."""

import ast
import copy
import math
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from tunesmith.tuning.export.agent.speed.nodes import nodes_in
from tunesmith.tuning.export.agent.speed.parts import whole
from tunesmith.tuning.export.agent.speed.purity import stored_names

LARGEST = 255  # small number
MOST_SUMS = 4096  # that are looked up in a table
NUMBER = "n"
PLAIN = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Subscript, ast.Constant, ast.operator,
         ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context)  # fmt: skip
BUILT_IN = {"int": int, "bool": bool, "abs": abs, "min": min, "max": max}
Tables = Mapping[str, Sequence[float]]  # of whole numbers


class Part(NamedTuple):
    """What one small number says: in words of `NUMBER`, and for each of its values."""

    node: ast.expr
    values: tuple[int, ...]


class Sum(NamedTuple):
    """A whole number and what small numbers say, by their own words, each added once."""

    constant: int
    parts: dict[str, Part]


class Sums:
    """Takes the values of one function apart into what single small numbers say."""

    def __init__(self, function: ast.FunctionDef, tables: Tables) -> None:
        self.meaning = settled_values(function)
        self.tables = {name: table for name, table in tables.items() if name not in stored_names([function])}
        self.fixed = {argument.arg for argument in function.args.args} | self.tables.keys()
        self.known: dict[str, Sum | None] = {}
        self.numbers: dict[str, ast.expr] = {}  # the small numbers: what to ask for, by their own words

    def of(self, node: ast.expr) -> Sum | None:
        """Return what an expression is the sum of, None if it is no such sum."""
        words = ast.unparse(node)
        if words not in self.known:
            self.known[words] = None  # until it is known
            meaning = self.meaning.get(node.id) if isinstance(node, ast.Name) else node
            if meaning is not None:
                self.known[words] = self._found(meaning, node)
        return self.known[words]

    def _found(self, node: ast.expr, name: ast.expr) -> Sum | None:
        number = whole(node)
        if number is not None:
            return Sum(number, {})
        if isinstance(node, ast.Name):
            return self.of(node)
        found = self._operation(node) if isinstance(node, ast.BinOp) else None
        return found or self._small(node, name) or self._function(node) or self._looked_up(node)

    def _operation(self, node: ast.BinOp) -> Sum | None:
        left, number = self.of(node.left), whole(node.right)
        if number is not None and number >= 0 and left is not None:
            if isinstance(node.op, ast.RShift | ast.BitAnd | ast.Mod):
                return _apart(left, node.op, number)
            if isinstance(node.op, ast.Mult):
                return _mapped(left, ast.Mult(), number)
        right = self.of(node.right)
        if left is None or right is None or not isinstance(node.op, ast.Add | ast.Sub):
            return None
        return _added(left, right if isinstance(node.op, ast.Add) else _mapped(right, ast.Mult(), -1))

    def _small(self, node: ast.expr, name: ast.expr) -> Sum | None:
        """Return a small number: what a mask has left of anything."""
        if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd)):
            return None
        mask = whole(node.right)
        if mask is None or not 0 < mask <= LARGEST:
            return None
        meant = _Meant(self.meaning).visit(copy.deepcopy(node))
        if not all(
            isinstance(n, PLAIN) or (isinstance(n, ast.Name) and n.id in self.fixed) for n in nodes_in(meant)
        ):
            return None
        words = ast.unparse(meant)
        if isinstance(name, ast.Name) or words not in self.numbers:
            self.numbers[words] = name
        return Sum(0, {words: Part(ast.Name(NUMBER, ast.Load()), tuple(range(mask + 1)))})

    def _function(self, node: ast.expr) -> Sum | None:
        """Return what depends on one small number alone, in any way."""
        inside = _Inside(self)
        made = inside.visit(copy.deepcopy(node))
        if inside.is_other or len(inside.found) != 1:
            return None
        (words, domain), *_ = inside.found.items()
        values = _values(made, domain, self.tables)
        return None if values is None else Sum(0, {words: Part(made, values)})

    def _looked_up(self, node: ast.expr) -> Sum | None:
        """Return what a table says of a sum, if that is the sum of what it says of each part alone."""
        if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
            return None
        table, at = self.tables.get(node.value.id), self.of(node.slice)
        if table is None or at is None:
            return None
        columns = [sorted(set(part.values)) for part in at.parts.values()]
        if math.prod(map(len, columns)) > MOST_SUMS:
            return None
        said = dict(enumerate(table))
        base = said.get(at.constant, math.nan)
        more = {v: said.get(at.constant + v, math.nan) - base for column in columns for v in column}
        for chosen in product(*columns):
            if said.get(at.constant + sum(chosen)) != base + sum(more[v] for v in chosen):
                return None
        parts = {}
        for words, part in at.parts.items():
            index = ast.BinOp(part.node, ast.Add(), _number(at.constant))
            own = ast.BinOp(ast.Subscript(node.value, index, ast.Load()), ast.Sub(), _number(int(base)))
            parts[words] = Part(own, tuple(int(more[v]) for v in part.values))
        return Sum(int(base), parts)


def settled_values(function: ast.FunctionDef) -> dict[str, ast.expr]:
    """Return the values of the names that one statement of the function's own block assigns to, and no other."""
    times: dict[str, int] = {argument.arg: 2 for argument in function.args.args}
    for node in nodes_in(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            times[node.id] = times.get(node.id, 0) + 1
    found = {}
    for statement in function.body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name) and times[target.id] == 1:
                found[target.id] = statement.value
    return found


class _Meant(ast.NodeTransformer):
    """Puts values in the place of names."""

    def __init__(self, meaning: dict[str, ast.expr]) -> None:
        self.meaning = meaning

    def visit_Name(self, node: ast.Name) -> ast.AST:
        found = self.meaning.get(node.id)
        return node if found is None else self.visit(copy.deepcopy(found))


class _Inside(ast.NodeTransformer):
    """Puts `NUMBER` in the place of small numbers, and notes which these are, or whether there is anything else."""

    def __init__(self, sums: Sums) -> None:
        self.sums, self.is_other = sums, False
        self.root: ast.AST | None = None
        self.found: dict[str, int] = {}  # how many values each has

    def visit(self, node: ast.AST) -> Any:
        """Replace the largest parts that one number says."""
        is_root, self.root = self.root is None, self.root or node
        if isinstance(node, ast.Name | ast.BinOp):
            known = None if is_root else self.sums.of(node)
            if known is not None and len(known.parts) == 1:
                (words, part), *_ = known.parts.items()
                self.found[words] = len(part.values)
                own = copy.deepcopy(part.node)
                return ast.BinOp(own, ast.Add(), _number(known.constant)) if known.constant else own
        if isinstance(node, ast.Name):
            self.is_other |= node.id not in self.sums.tables and node.id not in BUILT_IN
        elif isinstance(node, ast.Call):
            self.is_other |= (
                not isinstance(node.func, ast.Name) or node.func.id not in BUILT_IN or bool(node.keywords)
            )
        elif not isinstance(node, PLAIN):
            self.is_other = True
        return self.generic_visit(node)


def _values(node: ast.expr, n_values: int, tables: Tables) -> tuple[int, ...] | None:
    """Return the values of an expression for all numbers, None if they are not all whole ones."""
    code = compile(ast.fix_missing_locations(ast.Expression(copy.deepcopy(node))), "table", "eval")
    try:
        found = [eval(code, {"__builtins__": {}, **BUILT_IN, **tables, NUMBER: n}) for n in range(n_values)]
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return None
    return tuple(map(int, found)) if all(map(is_integral, found)) else None


def is_integral(value: object) -> bool:
    """Tell whether a value is a whole number, of whatever type."""
    return isinstance(value, int) or (isinstance(value, float) and value.is_integer())


def _mapped(one: Sum, op: ast.operator, number: int) -> Sum:
    """Return a sum whose parts all have an operation with a number done to them."""
    do = DONE[type(op)]
    parts = {
        words: Part(
            ast.BinOp(part.node, op, _number(number)), tuple(do(value, number) for value in part.values)
        )
        for words, part in one.parts.items()
    }
    return Sum(do(one.constant, number), parts)


DONE: dict[type, Callable[[int, int], int]] = {
    ast.Mult: lambda value, number: value * number,
    ast.RShift: lambda value, number: value >> number,
    ast.BitAnd: lambda value, number: value & number,
    ast.Mod: lambda value, number: value % number,
}


def _number(value: int) -> ast.expr:
    return ast.Constant(value) if value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-value))


def _added(one: Sum, other: Sum) -> Sum:
    parts = dict(one.parts)
    for words, part in other.parts.items():
        if words in parts:
            before = parts[words]
            values = tuple(a + b for a, b in zip(before.values, part.values, strict=True))
            part = Part(ast.BinOp(before.node, ast.Add(), part.node), values)
        parts[words] = part
    return Sum(one.constant + other.constant, parts)


def _apart(one: Sum, op: ast.operator, number: int) -> Sum | None:
    """Return the sum of what an operation leaves of each part, None if parts may spill into each other."""
    columns = [part.values for part in one.parts.values()] + [(one.constant,)]
    if isinstance(op, ast.Mod):
        is_apart = number > 0 and sum(max(v % number for v in column) for column in columns) < number
    else:
        is_apart = all(value >= 0 for column in columns for value in column)
        for first, last in _runs(number) if isinstance(op, ast.BitAnd) else [(number, number)]:
            is_apart &= _most(columns, 0, first) < 1 << first
            is_apart &= _most(columns, first, last) < 1 << (last - first)
    return _mapped(one, op, number) if is_apart else None


def _most(columns: list[tuple[int, ...]], first: int, last: int) -> int:
    """Return what the numbers in some bits may come to, one of each column."""
    return sum(max((value >> first) & ((1 << (last - first)) - 1) for value in column) for column in columns)


def _runs(mask: int) -> list[tuple[int, int]]:
    """Return from where to where there are ones in a mask: 0b1011 has (0, 2) and (3, 4)."""
    found, first = [], None
    for at in range(mask.bit_length() + 1):
        if mask >> at & 1:
            first = at if first is None else first
        elif first is not None:
            found.append((first, at))
            first = None
    return found
