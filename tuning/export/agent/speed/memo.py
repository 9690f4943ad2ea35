"""Answers that are asked for again and again: which functions of an agent are worth a memory of their answers.

A search comes back to the same positions, and far more often to the same parts of them. What a function of its
arguments alone has answered is kept in a table of bounded size (`functools.lru_cache`). Which functions gain by that is
counted in a few short searches: how often each is called, with how many different arguments, and how much it computes.
Counts, not times, decide: the same agent is written everywhere."""

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tunesmith.tuning.export.agent.speed.purity import Purity, parameters

# Costs in steps, a step being one operation of Python's interpreter on small numbers (10 to 15 ns).
CALL = 3.0
LOOK_UP, ONE_MORE = 3.5, 0.7  # to find a stored answer: with one argument, for each further one
MISS = 16.0  # to store one
LOOPS = 4.0  # how often the body of a loop is taken to run
WORTH = 0.004  # of all the work: what gains less is left alone
SIZES = 1 << 10, 1 << 14  # of a table, in answers
LARGER = 8  # than what the short searches asked for
FREE = (ast.Load, ast.Store, ast.Name, ast.Constant, ast.arguments, ast.arg, ast.operator, ast.cmpop, ast.unaryop,
        ast.boolop, ast.Expr, ast.Return)  # fmt: skip


@dataclass
class Count:
    """What was seen of one function: calls, different arguments, and whom it called how often."""

    calls: int = 0
    seen: set[Any] = field(default_factory=set)
    called: dict[str, int] = field(default_factory=dict)
    is_plain: bool = True  # arguments and answers were numbers and tuples of such

    @property
    def hits(self) -> float:
        """The share of calls whose arguments had been there before."""
        return 1 - len(self.seen) / self.calls if self.calls else 0.0


def memoised(
    tree: ast.Module, searches: Callable[[ast.Module, Callable[[dict[str, Any]], None]], None]
) -> ast.Module:
    """Return the file with tables of answers where they pay.

    Parameters
    ----------
    searches
        Runs the file's searches: called with the file and with a function that is given the running file's names
        before the first search, so that it can put counting functions in their place.
    """
    purity = Purity(tree)
    names = {
        name
        for name, function in purity.functions.items()
        if purity.effects[name].is_function and parameters(function) and _is_called_plainly(tree, name)
    }
    counts: dict[str, Count] = {name: Count() for name in purity.functions}
    searches(tree, lambda module: _count(module, counts, names))
    chosen = _chosen(purity, counts, names)
    for name, size in chosen.items():
        decorator = f"lru_cache(maxsize={size})"
        purity.functions[name].decorator_list = [ast.parse(decorator, mode="eval").body]
    if chosen:
        tree.body.insert(1, ast.parse("from functools import lru_cache").body[0])
    return ast.fix_missing_locations(tree)


def _is_called_plainly(tree: ast.Module, name: str) -> bool:
    return not any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == name
        and (node.keywords or any(isinstance(a, ast.Starred) for a in node.args))
        for node in ast.walk(tree)
    )


def _count(module: dict[str, Any], counts: dict[str, Count], names: set[str]) -> None:
    """Put counting functions in the place of a running file's functions."""
    stack: list[Count] = [Count()]

    def counting(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        own = counts[name]

        def call(*arguments: Any, **named: Any) -> Any:
            own.calls += 1
            above = stack[-1].called
            above[name] = above.get(name, 0) + 1
            if name in names and own.is_plain:
                own.is_plain = all(_is_plain(value) for value in arguments) and not named
                if own.is_plain:
                    own.seen.add(arguments)
            stack.append(own)
            try:
                answer = function(*arguments, **named)
            finally:
                stack.pop()
            own.is_plain = own.is_plain and _is_plain(answer, float)
            return answer

        return call

    for name in counts:
        module[name] = counting(name, module[name])


def _is_plain(value: Any, *kinds: type) -> bool:
    if type(value) is tuple:
        return all(_is_plain(part, *kinds) for part in value)
    return type(value) in (int, bool, *kinds)


def _chosen(purity: Purity, counts: dict[str, Count], names: set[str]) -> dict[str, int]:
    """Return the functions that gain by a table, and its size."""
    own = {name: _steps(function.body) for name, function in purity.functions.items()}
    total = sum(own[name] * count.calls for name, count in counts.items())
    chosen: dict[str, int] = {}
    for _ in range(2):  # what is kept inside makes what is outside cheaper
        costs = _costs(own, counts, chosen)
        chosen = {}
        for name in sorted(names):
            count = counts[name]
            if not count.calls or not count.is_plain:
                continue
            n_given = len(purity.functions[name].args.args)
            gain = count.hits * costs[name] - LOOK_UP - ONE_MORE * (n_given - 1) - (1 - count.hits) * MISS
            if gain * count.calls > WORTH * total:
                wanted = LARGER * len(count.seen)
                chosen[name] = min(max(1 << wanted.bit_length(), SIZES[0]), SIZES[1])
    return chosen


def _costs(own: dict[str, float], counts: dict[str, Count], chosen: dict[str, int]) -> dict[str, float]:
    """Return the steps that one call of each function takes, with all that it calls."""
    costs = dict(own)
    for _ in range(12):  # deeper than calls are nested
        before, costs = costs, dict(own)
        for name, count in counts.items():
            for called, n in count.called.items():
                paid = before[called] + CALL
                if called in chosen:
                    paid = LOOK_UP + (1 - counts[called].hits) * (MISS + paid)
                costs[name] += paid * n / max(count.calls, 1)
    return costs


def _steps(body: list[ast.stmt]) -> float:
    """Return about how many operations a function takes, without its calls."""
    total = 0.0
    for node in body:
        total += _weight(node)
    return total


def _weight(node: ast.AST) -> float:
    times = LOOPS if isinstance(node, ast.For | ast.While | ast.comprehension) else 1.0
    own = 0.0 if isinstance(node, FREE) else 1.0
    return own + times * sum(_weight(child) for child in ast.iter_child_nodes(node))
