"""Answers that are asked for again and again: which functions of an agent are worth a memory of their answers.

A search comes back to the same positions, and far more often to the same parts of them. What a function of its
arguments alone has answered is kept in a table of bounded size (`functools.lru_cache`). Which functions gain by that is
counted in a few short searches: how often each is called, with how many different arguments, and how much it computes.
A table leaves less to ask of what is called inside, so that the searches are counted again with the tables chosen.
Counts, not times, decide: the same agent is written everywhere."""

import ast
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from tunesmith.tuning.export.agent.speed.guards import questions
from tunesmith.tuning.export.agent.speed.nodes import nodes_in
from tunesmith.tuning.export.agent.speed.purity import Purity, parameters

# Costs in steps, a step being one operation of Python's interpreter on small numbers (10 to 15 ns).
CALL = 3.0
LOOK_UP, ONE_MORE = 3.5, 0.9  # to find a stored answer: with one argument, for each further one
MISS = 30.0  # to store one
HELD = 40.0  # more if it holds tuples, whose memory would be used again at once
SAVED = 5.0  # steps of a function that are saved where it becomes part of its caller
LOOPS = 4.0  # how often the body of a loop is taken to run
TAKEN = 0.5  # of the branches of finished code; before, many are those of loops that are not yet unrolled
WORTH = 0.004  # of all the work: what gains less is left alone
SIZES = 1 << 10, 1 << 14  # of a table, in answers
LARGER = 8  # than what the short searches asked for
MANY = 8  # numbers of an answer: tables of larger ones have less room
ROUNDS = 4  # of counting and choosing at most
FREE = (ast.Load, ast.Store, ast.Name, ast.Constant, ast.arguments, ast.arg, ast.operator, ast.cmpop, ast.unaryop,
        ast.boolop, ast.Expr, ast.Return)  # fmt: skip
ASKED, ANSWERED = {int, bool}, {int, bool, float}  # kinds of numbers that a table may hold

Searches = Callable[[ast.Module, Callable[[dict[str, Any]], None]], None]


@dataclass
class Count:
    """What was seen of one function: calls, different arguments, and whom it called how often."""

    calls: int = 0
    runs: int = 0  # calls that a table did not answer
    seen: set[Any] = field(default_factory=set)
    called: dict[str, int] = field(default_factory=dict)
    n_numbers: int = 0  # of the longest answer
    is_plain: bool = True  # arguments and answers were numbers and tuples of such
    has_tuples: bool = False  # some arguments were tuples

    @property
    def hits(self) -> float:
        """The share of calls whose arguments had been there before."""
        return 1 - len(self.seen) / self.calls if self.calls else 0.0


def memoised(tree: ast.Module, searches: Searches) -> ast.Module:
    """Return the file with tables of answers where they pay; of a file that has tables, with those that still pay.

    Parameters
    ----------
    searches
        Runs the file's searches: called with the file and with a function that is given the running file's names
        before the first search, so that it can put counting functions in their place.
    """
    purity = Purity(tree)
    others = _called_otherwise(tree)
    names = {
        name
        for name, function in purity.functions.items()
        if purity.effects[name].is_function and parameters(function) and name not in others
    }
    has_tables = {name for name in names if purity.functions[name].decorator_list}
    names = has_tables or names
    for name in has_tables:
        purity.functions[name].decorator_list = []
    chosen: dict[str, int] = {}
    for _ in range(ROUNDS):
        before = chosen
        chosen = _counted(tree, searches, purity, names, before, TAKEN if has_tables else 1.0)
        if chosen.keys() == before.keys():
            break
    for name, size in chosen.items():
        decorator = f"lru_cache(maxsize={size})"
        purity.functions[name].decorator_list = [ast.parse(decorator, mode="eval").body]
    needed = "from functools import lru_cache"
    if chosen and not any(ast.unparse(node) == needed for node in tree.body):
        tree.body.insert(1, ast.parse(needed).body[0])
    return ast.fix_missing_locations(tree)


def _counted(
    tree: ast.Module, searches: Searches, purity: Purity, names: set[str], kept: dict[str, int], taken: float
) -> dict[str, int]:
    """Return the functions to keep answers of, by searches in which those of `kept` have tables."""
    counts = {name: Count() for name in purity.functions}
    asked = {}
    for name, (question, _) in questions(purity).items():
        given = ", ".join(parameters(purity.functions[name]) or [])
        asked[name] = compile(f"lambda {given}: {ast.unparse(question)}", "question", "eval")
    searches(tree, lambda module: _count(module, counts, names, kept, asked))
    return _chosen(purity, counts, names, taken)


def _called_otherwise(tree: ast.Module) -> set[str]:
    """Return the functions that are called with more than plain arguments."""
    return {
        node.func.id
        for node in nodes_in(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and (node.keywords or any(isinstance(a, ast.Starred) for a in node.args))
    }


def _count(
    module: dict[str, Any],
    counts: dict[str, Count],
    names: set[str],
    kept: Collection[str],
    asked: dict[str, CodeType],
) -> None:
    """Put counting functions in the place of a running file's functions, with tables for those in `kept`.

    Calls that a question of `asked` answers are none: they will not be made (see `guards`).
    """
    stack: list[Count] = [Count()]

    def counting(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        own = counts[name]
        answers: dict[Any, Any] = {}
        is_answered = eval(asked[name], module) if name in asked else None

        def call(*arguments: Any, **named: Any) -> Any:
            if is_answered is not None and not named and is_answered(*arguments):
                return function(*arguments)
            own.calls += 1
            above = stack[-1].called
            above[name] = above.get(name, 0) + 1
            if name in names and own.is_plain:
                own.is_plain = _is_plain(arguments, ASKED) and not named
                if own.is_plain:
                    own.has_tuples = own.has_tuples or tuple in map(type, arguments)
                    own.seen.add(arguments)
                    if arguments in answers:
                        return answers[arguments]
            own.runs += 1
            stack.append(own)
            try:
                answer = function(*arguments, **named)
            finally:
                stack.pop()
            own.is_plain = own.is_plain and _is_plain(answer, ANSWERED)
            own.n_numbers = max(own.n_numbers, _n_numbers(answer))
            if name in kept:
                answers[arguments] = answer
            return answer

        return call

    for name in counts:
        module[name] = counting(name, module[name])


def _n_numbers(value: Any) -> int:
    if type(value) is not tuple:
        return 1
    return sum(map(_n_numbers, value)) if tuple in map(type, value) else len(value)


def _is_plain(value: Any, kinds: set[type]) -> bool:
    """Whether a value is of one of these kinds, or a tuple of such."""
    if type(value) is not tuple:
        return type(value) in kinds
    return kinds.issuperset(map(type, value)) or all([_is_plain(part, kinds) for part in value])


def _chosen(purity: Purity, counts: dict[str, Count], names: set[str], taken: float) -> dict[str, int]:
    """Return the functions that gain by a table, and its size."""
    own = {name: steps(function.body, taken) for name, function in purity.functions.items()}
    total = sum(own[name] * count.runs for name, count in counts.items())
    chosen: dict[str, int] = {}
    for _ in range(2):  # what is kept inside makes what is outside cheaper
        costs = _costs(own, counts, chosen)
        chosen = {}
        for name in sorted(names):
            count = counts[name]
            if not count.calls or not count.is_plain:
                continue
            n_given = len(purity.functions[name].args.args)
            gain = (
                count.hits * (costs[name] - SAVED)
                - LOOK_UP
                - ONE_MORE * (n_given - 1)
                - (1 - count.hits) * (MISS + HELD * count.has_tuples)
            )
            if gain * count.calls > WORTH * total:
                wanted = LARGER * len(count.seen)
                most = SIZES[1] >> (count.n_numbers // MANY).bit_length()
                chosen[name] = min(max(1 << wanted.bit_length(), SIZES[0]), most)
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
                    miss = MISS + HELD * counts[called].has_tuples
                    paid = LOOK_UP + (1 - counts[called].hits) * (miss + paid)
                costs[name] += paid * n / max(count.runs, 1)
    return costs


def steps(body: list[ast.stmt], taken: float = 1.0) -> float:
    """Return about how many operations a function takes, without its calls; `taken`: the share of the branches."""
    return sum(_weight(node, taken) for node in body)


def _weight(node: ast.AST, taken: float) -> float:
    times = LOOPS if isinstance(node, ast.For | ast.While | ast.comprehension) else 1.0
    own = 0.0 if isinstance(node, FREE) else 1.0
    if isinstance(node, ast.If):
        return own + _weight(node.test, taken) + taken * (steps(node.body, taken) + steps(node.orelse, taken))
    return own + times * sum(_weight(child, taken) for child in ast.iter_child_nodes(node))
