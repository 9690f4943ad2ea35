"""What the functions of a file do besides answering: which change an argument, and which depend on more than arguments.

Works on the syntax tree of a written-out agent, whose top-level names are final. In doubt a function counts as impure:
one that calls what is not known here, reads an attribute, or stores into something that it did not make."""

import ast
import builtins
from collections.abc import Iterable
from dataclasses import dataclass, field

from tunesmith.tuning.export.agent.speed.nodes import nodes_in

BUILTINS = {
    "abs", "all", "any", "bin", "bool", "chr", "dict", "divmod", "enumerate", "float", "frozenset", "int", "len",
    "list", "max", "min", "ord", "pow", "range", "repr", "reversed", "round", "set", "sorted", "str", "sum", "tuple",
    "zip",
}  # fmt: skip
METHODS = {
    "bit_length",
    "count",
    "index",
    "get",
    "items",
    "keys",
    "values",
    "copy",
    "join",
    "split",
    "startswith",
}
MUTATORS = {
    "append",
    "pop",
    "extend",
    "insert",
    "add",
    "remove",
    "clear",
    "update",
    "sort",
    "reverse",
    "discard",
}
NUMBERS = {"real", "imag"}  # that are parts of one
CLOCKS = {"process_time", "perf_counter", "monotonic", "time"}  # that read what no argument says
FRESH = (ast.Compare, ast.Constant, ast.JoinedStr)
SMALLER = (
    ast.Lambda,
    ast.FunctionDef,
    ast.ClassDef,
    ast.Yield,
    ast.YieldFrom,
    ast.Await,
    ast.Global,
    ast.Nonlocal,
)


@dataclass
class Effects:
    """What one function does: `mutated` are the numbers of its parameters that it may change."""

    impure: bool = False
    reads: bool = False
    mutated: set[int] = field(default_factory=set)

    @property
    def is_function(self) -> bool:
        """Whether the answer follows from the arguments, and nothing else happens."""
        return not (self.impure or self.reads or self.mutated)


def parameters(function: ast.FunctionDef) -> list[str] | None:
    """Return the names of the parameters if all are plain ones, else None."""
    given = function.args
    if given.vararg or given.kwarg or given.kwonlyargs or given.defaults or given.posonlyargs:
        return None
    return [argument.arg for argument in given.args]


def functions_of(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    """Return the functions of the file itself, by their names."""
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def stored_names(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names that are assigned to anywhere in some nodes."""
    return {n.id for n in nodes_in(*nodes) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}


def all_names(tree: ast.Module) -> set[str]:
    """Return every name that a file uses for anything."""
    nodes = nodes_in(tree)
    found = {node.id for node in nodes if isinstance(node, ast.Name)}
    found |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    found |= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    return found | {node.asname or node.name for node in nodes if isinstance(node, ast.alias)}


class Purity:
    """The effects of every function of a file."""

    def __init__(self, tree: ast.Module) -> None:
        self.functions = functions_of(tree)
        self.imported = {
            (alias.asname or alias.name)
            for node in tree.body
            if isinstance(node, ast.ImportFrom) and node.module == "math"
            for alias in node.names
        }
        self.aliases = _aliases(tree)
        assigned = [node for node in tree.body if isinstance(node, ast.Assign)]
        self.tables = stored_names(assigned)
        self.changed: set[str] = set()  # tables that some function may store into
        self.effects = {name: Effects() for name in self.functions}
        methods = [n for c in tree.body if isinstance(c, ast.ClassDef) for n in c.body]
        others = [node for node in methods if isinstance(node, ast.FunctionDef)]
        looks = [_Look(self, function, self.effects[name]) for name, function in self.functions.items()]
        looks += [_Look(self, function, Effects()) for function in others]
        while True:
            before = self._measure()
            for look in looks:
                look.run()
            if self._measure() == before:
                return

    def _measure(self) -> tuple[int, ...]:
        known = self.effects.values()
        return sum(e.impure + e.reads + len(e.mutated) for e in known), len(self.changed)

    def is_harmless(self, node: ast.AST) -> bool:
        """Whether an expression only computes: leaving it out, or moving it past another such, changes nothing."""
        for inner in nodes_in(node):
            if isinstance(inner, SMALLER):
                return False
            if isinstance(inner, ast.Call) and not self._is_harmless_call(inner):
                return False
        return True

    def _is_harmless_call(self, call: ast.Call) -> bool:
        if isinstance(call.func, ast.Attribute):
            return call.func.attr in METHODS
        if not isinstance(call.func, ast.Name):
            return False
        if call.func.id in self.effects:
            found = self.effects[call.func.id]
            return not (found.impure or found.mutated)
        is_known = call.func.id in BUILTINS or call.func.id in self.imported or call.func.id in self.aliases
        return is_known or _is_map(call)


def _assigned(node: ast.AST) -> list[tuple[ast.expr, ast.expr]]:
    """Return what a statement or a loop assigns to, and what a value of it is part of."""
    if isinstance(node, ast.Assign):
        return [(target, node.value) for target in node.targets]
    return [(node.target, node.iter)] if isinstance(node, ast.For | ast.comprehension) else []


def _aliases(tree: ast.Module) -> set[str]:
    """Return the names that stand for methods of numbers (`bit_count = int.bit_count`)."""
    found = set()
    for node in nodes_in(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute):
            if isinstance(node.value.value, ast.Name) and node.value.value.id == "int":
                found |= stored_names([node])
    return found


class _Look:
    """Notes the effects of one function: again, when more is known of those that it calls."""

    def __init__(self, purity: Purity, function: ast.FunctionDef, effects: Effects) -> None:
        self.purity, self.effects = purity, effects
        names = [a.arg for a in function.args.args]
        nodes = nodes_in(*function.body)
        self.numbers = {name: at for at, name in enumerate(names)}
        self.locals = set(names) | stored_names(function.body)
        self.effects.impure = any(isinstance(node, SMALLER) for node in nodes)
        read = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        self.outside = read - self.locals
        self.noted = [node for node in nodes if isinstance(node, ast.Subscript | ast.Attribute | ast.Call)]
        self.roots: dict[str, set[str]] = {name: {name} for name in names}
        assigned = [(stored_names([target]), value) for node in nodes for target, value in _assigned(node)]
        for _ in range(3):  # aliases of aliases
            for aliases, value in assigned:
                for name in aliases:
                    self.roots.setdefault(name, set()).update(self._roots(value))

    def run(self) -> None:
        """Look at all that the function does."""
        for name in self.outside:
            self._look_outside(name)
        for node in self.noted:
            self._note(node)

    def _roots(self, node: ast.expr) -> set[str]:
        """Return the parameters and tables that a value may be part of."""
        if isinstance(node, FRESH):
            return set()
        if isinstance(node, ast.Name):
            if node.id in self.locals:
                return self.roots.get(node.id, set())
            return {node.id} if node.id in self.purity.tables else set()
        if isinstance(node, ast.Subscript | ast.Attribute):
            return self._roots(node.value)
        if isinstance(node, ast.Call):
            inside = node.func.value if isinstance(node.func, ast.Attribute) else None
            parts = [*node.args, *([inside] if inside else [])]
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            parts = [part for part in (node.left, node.right) if isinstance(part, ast.List)]
        else:
            parts = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
        return {root for part in parts for root in self._roots(part)}

    def _note(self, node: ast.Subscript | ast.Attribute | ast.Call) -> None:
        if isinstance(node, ast.Call):
            self._call(node)
        elif not isinstance(node.ctx, ast.Load):
            self._change(node.value)
        elif isinstance(node, ast.Attribute) and not isinstance(node.value, ast.Constant):
            self.effects.reads |= node.attr not in METHODS | MUTATORS | NUMBERS

    def _look_outside(self, name: str) -> None:
        known = name in self.purity.effects or name in BUILTINS or name in self.purity.imported
        if known or name in self.purity.aliases or hasattr(builtins, name):
            return
        self.effects.reads |= name not in self.purity.tables or name in self.purity.changed

    def _change(self, node: ast.expr) -> None:
        for root in self._roots(node):
            if root in self.numbers:
                self.effects.mutated.add(self.numbers[root])
            else:
                self.purity.changed.add(root)
                self.effects.impure = True
        if not isinstance(node, ast.Name | ast.Subscript | ast.Attribute):
            self.effects.impure = True

    def _call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Attribute):
            if node.func.attr in MUTATORS:
                self._change(node.func.value)
            elif node.func.attr not in METHODS:
                self.effects.impure = True
            return
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in self.locals or not name:
            self.effects.impure = True
        elif name in self.purity.effects:
            self._own_call(node, self.purity.effects[name])
        elif name in CLOCKS:
            self.effects.reads = True
        elif name not in BUILTINS | self.purity.imported | self.purity.aliases and not _is_error(name):
            self.effects.impure |= not _is_map(node)

    def _own_call(self, node: ast.Call, called: Effects) -> None:
        self.effects.impure |= called.impure or bool(called.mutated and node.keywords)
        self.effects.reads |= called.reads
        if any(isinstance(argument, ast.Starred) for argument in node.args) and called.mutated:
            self.effects.impure = True
            return
        for at in called.mutated:
            if at < len(node.args):
                self._change(node.args[at])


def _is_map(call: ast.Call) -> bool:
    """Whether a call is `map` of a built-in function."""
    given = [node.id for node in (call.func, *call.args[:1]) if isinstance(node, ast.Name)]
    return len(given) == 2 and given[0] == "map" and given[1] in BUILTINS


def _is_error(name: str) -> bool:
    kind = getattr(builtins, name, None)
    return isinstance(kind, type) and issubclass(kind, BaseException)
