"""A weighted sum over small numbers: one table for each of them.

Many features are sums of what single small numbers say: the seeds of a pond, what stands on a square. With their
weights they come to one table for each number, of two stages at once (as a complex number, which costs one addition).

Nothing but rounding differs then. A score is a whole number, and sums that differ by an error have the same one unless
they lie that near the middle of two: there, and where what is added may be too large to know the error, the function
as it was is asked. So the answers are the same."""

import ast
import copy
from collections.abc import Iterator
from typing import Any, NamedTuple

from tunesmith.tuning.export.agent.speed.intervals import Intervals
from tunesmith.tuning.export.agent.speed.memo import steps
from tunesmith.tuning.export.agent.speed.nodes import nodes_in
from tunesmith.tuning.export.agent.speed.parts import whole
from tunesmith.tuning.export.agent.speed.purity import SMALLER, Purity, all_names, functions_of, stored_names
from tunesmith.tuning.export.agent.speed.small_numbers import (
    BUILT_IN,
    NUMBER,
    Sum,
    Sums,
    Tables,
    is_integral,
    settled_values,
)
from tunesmith.tuning.export.agent.speed.tidy import constant_tables, tidied
from tunesmith.tuning.export.agent.speed.weighing import Weighing

FEWEST = 4  # terms of a sum
UNIT = 2.0**-53  # of rounding
MOST = 1e5  # of a product whose size is asked for each time
MOST_SCORE = 1e7  # of a score that tables tell
MOST_ERROR = 1e-3  # of it


class Chain(NamedTuple):
    """A written-out sum of weight x feature: where it stands, and its terms."""

    node: ast.BinOp
    terms: list[tuple[float, ast.expr]]


def summed(tree: ast.Module, weighing: Weighing) -> ast.Module:
    """Return the file with its weighted sum taken from tables, where that is less to do."""
    made = copy.deepcopy(tree)
    for function in functions_of(made).values():
        if any(isinstance(n, SMALLER) for n in nodes_in(*function.body)):
            continue
        chains = list(_chains(function))
        rows = [[weight for weight in row if weight] for row in weighing.weights]
        if [[weight for weight, _ in chain.terms] for chain in chains] == rows:
            before = steps(function.body)
            if not _tabulated(made, function, chains):
                return tree
            made = tidied(made)
            return made if steps(functions_of(made)[function.name].body) < before else tree
    return tree


def _chains(function: ast.FunctionDef) -> Iterator[Chain]:
    """Yield the sums of weight x feature in a function."""
    inner: set[int] = set()
    for node in nodes_in(function):
        if isinstance(node, ast.BinOp) and id(node) not in inner:
            terms: list[tuple[float, ast.expr]] = []
            rest: ast.expr = node
            while isinstance(rest, ast.BinOp) and isinstance(rest.op, ast.Add):
                inner.add(id(rest))
                terms.append(_term(rest.right))
                rest = rest.left
            terms.append(_term(rest))
            if len(terms) >= FEWEST and all(weight for weight, _ in terms):
                yield Chain(node, terms[::-1])


def _term(node: ast.expr) -> tuple[float, ast.expr]:
    """Return weight and feature of a product, the weight 0 if it is none."""
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)):
        return 0.0, node
    sign, weight = 1.0, node.left
    if isinstance(weight, ast.UnaryOp) and isinstance(weight.op, ast.USub):
        sign, weight = -1.0, weight.operand
    if not isinstance(weight, ast.Constant) or type(weight.value) is not float:
        return 0.0, node
    return sign * weight.value, node.right


# The tables


def _tabulated(tree: ast.Module, function: ast.FunctionDef, chains: list[Chain]) -> bool:
    """Let a function take its sums from tables; tell whether that was done."""
    purity = Purity(tree)
    tables = {
        name: table
        for name, table in constant_tables(tree, purity).items()
        if isinstance(table, list | tuple) and table and all(map(is_integral, table))
    }
    names = [argument.arg for argument in function.args.args]
    stored = stored_names(function.body) | functions_of(tree).keys()
    place = next((at for at, part in enumerate(function.body) if _holds(part, chains[0].node)), -1)
    rounding = _rounding(function)
    if rounding is None or place < 0 or stored & {*names, *BUILT_IN}:
        return False
    sums = Sums(function, tables)
    split = [_split(sums, chain) for chain in chains]
    numbers = sorted({words for own, _ in split for _, one in own for words in one.parts})
    guards = _guards(function, tables, split, chains, rounding)
    if not numbers or guards is None:
        return False
    taken = all_names(tree)
    exact = copy.deepcopy(function)
    exact.name, exact.decorator_list = _new(f"{function.name}_exactly", taken), []
    made: list[ast.stmt] = [exact]
    before = []
    replaced: dict[int, ast.expr] = {}
    for first in range(0, len(chains), 2):
        stages = split[first : first + 2]
        total = _new("total", taken)
        items = []
        for words in numbers:
            name = _new("SUMS", taken)
            made.append(
                ast.Assign(
                    [ast.Name(name, ast.Store())], _table(stages, words, words == numbers[0]), lineno=0
                )
            )
            items.append(f"{name}[{ast.unparse(sums.numbers[words])}]")
        before += ast.parse(f"{total} = {' + '.join(items)}").body
        for at, (_, rest) in enumerate(stages):
            part = total if len(stages) == 1 else f"{total}.{('real', 'imag')[at]}"
            terms = [part, *(f"{weight!r} * {ast.unparse(feature)}" for weight, feature in rest)]
            replaced[id(chains[first + at].node)] = ast.parse(" + ".join(terms), mode="eval").body
    function.body[place:place] = before
    _Replaced(replaced).visit(function)
    rounding.guard(function, guards, f"{exact.name}({', '.join(names)})", taken)
    at = tree.body.index(function)
    tree.body[at:at] = made
    ast.fix_missing_locations(tree)
    return True


def _holds(node: ast.AST, inner: ast.AST) -> bool:
    return any(part is inner for part in nodes_in(node))


def _new(name: str, taken: set[str]) -> str:
    number = 1
    while f"{name}_{number}" in taken:
        number += 1
    taken.add(f"{name}_{number}")
    return f"{name}_{number}"


Own = list[tuple[float, Sum]]  # weights, and what small numbers say
Rest = list[tuple[float, ast.expr]]


def _split(sums: Sums, chain: Chain) -> tuple[Own, Rest]:
    """Return the terms that are sums over small numbers, and the others."""
    own: Own = []
    rest: Rest = []
    for weight, feature in chain.terms:
        known = sums.of(feature)
        if known is not None and known.parts:
            own.append((weight, known))
        else:
            rest.append((weight, feature))
    return own, rest


def _table(stages: list[tuple[Own, Rest]], words: str, is_first: bool) -> ast.expr:
    """Return the table of one small number, for one or two stages; the first one adds the constants."""
    texts, n_values = [], 1
    for own, _ in stages:
        terms = [repr(float(sum(weight * one.constant for weight, one in own)) if is_first else 0.0)]
        for weight, one in own:
            if words in one.parts:
                terms.append(f"{weight!r} * ({ast.unparse(one.parts[words].node)})")
                n_values = len(one.parts[words].values)
        texts.append(" + ".join(terms))
    item = texts[0] if len(texts) == 1 else f"complex({', '.join(texts)})"
    return ast.parse(f"[{item} for {NUMBER} in range({n_values})]", mode="eval").body


class _Replaced(ast.NodeTransformer):
    def __init__(self, instead: dict[int, ast.expr]) -> None:
        self.instead = instead

    def visit(self, node: ast.AST) -> Any:
        """Replace some nodes."""
        return self.instead.get(id(node)) or self.generic_visit(node)


# Where rounding could differ


class _Rounding(NamedTuple):
    """Where a function rounds its score: `if -MOST <= score <= MOST: ... round(score) ...`."""

    node: ast.If
    score: str
    factor: float  # score for each unit of the weighted sum

    def guard(self, function: ast.FunctionDef, guards: list[str], exact: str, taken: set[str]) -> None:
        """Ask the exact function where the score of tables does not tell."""
        near = _new("near", taken)
        error, *ranges = guards
        tests = " and ".join([f"-{MOST_SCORE!r} < {self.score} < {MOST_SCORE!r}", *ranges])
        text = f"if not ({tests}):\n    return {exact}\n{near} = round({self.score})\n"
        text += f"if not -{error} < {self.score} - {near} < {error}:\n    return {exact}\n"
        at = function.body.index(self.node)
        rounded = {id(n): ast.Name(near, ast.Load()) for n in nodes_in(self.node) if _is_round(n, self.score)}
        inside = [_Replaced(dict(rounded)).visit(part) for part in self.node.body]
        function.body[at : at + 1] = [*ast.parse(text).body, *inside]


def _is_round(node: ast.AST, score: str) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node) == f"round({score})"


def _rounding(function: ast.FunctionDef) -> _Rounding | None:
    """Return where a function rounds its score, None if it does not as `plain_numpy.to_score` does."""
    meaning = settled_values(function)
    for statement in function.body:
        if not isinstance(statement, ast.If) or not isinstance(statement.test, ast.Compare):
            continue
        left, (middle, *right) = statement.test.left, statement.test.comparators
        if len(right) != 1 or not isinstance(middle, ast.Name) or -(whole(left) or 0) != whole(right[0]):
            continue
        if (whole(right[0]) or 0) < MOST_SCORE or not any(
            _is_round(n, middle.id) for n in nodes_in(statement)
        ):
            continue
        factor = 1.0
        for node in nodes_in(meaning.get(middle.id, ast.Constant(0.0))):
            if isinstance(node, ast.Constant) and type(node.value) is float:
                factor *= node.value
            elif not isinstance(node, ast.Mult | ast.Name | ast.expr_context):
                if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)):
                    factor = 0.0
        return _Rounding(statement, middle.id, factor) if factor > 0.0 else None
    return None


def _guards(
    function: ast.FunctionDef,
    tables: Tables,
    split: list[tuple[Own, Rest]],
    chains: list[Chain],
    rounding: _Rounding,
) -> list[str] | None:
    """Return how far from a whole number a score may be, and what must be true of features of unknown size."""
    intervals = Intervals(function, tables)
    limits: dict[str, float] = {}
    largest = 0.0
    for own, rest in split:
        size = 0.0
        for weight, one in own:
            columns = [part.values for part in one.parts.values()]
            size += abs(weight) * (abs(one.constant) + sum(max(map(abs, column)) for column in columns))
        for weight, feature in rest:
            known = intervals.of(feature)
            if known is None:
                if not isinstance(feature, ast.Name):
                    return None
                limits[feature.id] = min(limits.get(feature.id, MOST), MOST / abs(weight))
            size += MOST if known is None else abs(weight) * max(map(abs, known))
        largest = max(largest, size)
    words = {words for own, _ in split for _, one in own for words in one.parts}
    n_added = max(len(chain.terms) for chain in chains) + len(words)
    error = 2 * UNIT * ((n_added + 16) * largest * rounding.factor + MOST_SCORE)
    if error > MOST_ERROR:
        return None
    return [
        repr(0.5 - 2 * error),
        *(f"-{limit!r} < {name} < {limit!r}" for name, limit in sorted(limits.items())),
    ]
