"""What is computed twice: the second time the name of the first.

Works on functions of their arguments alone, statement by statement. A name is settled if one place assigns to it, or
one choice between two; names that a list of statements assigns to again and again become one name each time first.
What a branch or a loop has computed is known inside it only."""

import ast
import copy
from collections import Counter
from collections.abc import Iterable
from typing import Any

from tunesmith.tuning.export.agent.speed.branches import Renamed, assigned, size
from tunesmith.tuning.export.agent.speed.nodes import nodes_in
from tunesmith.tuning.export.agent.speed.purity import SMALLER, Purity, all_names, stored_names

LEAST = 3  # nodes of what is worth a name: an item, or an operation on names or numbers
MADE_ANEW = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda,
             ast.NamedExpr, ast.Attribute, ast.Starred, ast.JoinedStr, ast.Slice)  # fmt: skip
Answers = dict[str, list[str]]  # the names that hold the value of an expression, or its parts
Names = dict[str, ast.expr]  # what stands for a name


def without_repetitions(tree: ast.Module, unchanged: set[str]) -> ast.Module:
    """Return the file without what is computed twice; `unchanged`: the tables that nothing changes."""
    purity = Purity(tree)
    taken = all_names(tree)
    for name, function in purity.functions.items():
        is_plain = not any(isinstance(n, SMALLER) for n in nodes_in(*function.body))
        if is_plain and purity.effects[name].is_function:
            function.body = _versions(function, function.body, taken)
            for is_named in (False, True):
                _Repeated(purity, unchanged, function, taken, is_named).run()
    return ast.fix_missing_locations(tree)


# A name for each time that a name is assigned to


def _versions(function: ast.FunctionDef, body: list[ast.stmt], taken: set[str]) -> list[ast.stmt]:
    """Give names that a list of statements assigns to more than once a name each time."""
    for node in body:
        for field in ("body", "orelse"):
            if isinstance(node, ast.If | ast.For | ast.While):
                setattr(node, field, _versions(function, getattr(node, field), taken))
    body = [part for node in body for part in _one_by_one(node)]
    for name in sorted(_renewed(function, body)):
        body = _each_time(name, body, taken)
    return body


def _renewed(function: ast.FunctionDef, body: list[ast.stmt]) -> set[str]:
    """Return the names that these statements alone use, assign first, and assign again, in none of their branches."""
    inside, everywhere = _counted(body), _counted([function])
    found: dict[str, int] = {}
    out = {argument.arg for argument in function.args.args}
    for statement in body:
        own = _assigned(statement)
        is_whole = isinstance(statement, ast.Assign) and not _has(statement.value, MADE_ANEW)
        out |= stored_names([statement]) - own
        for name in _counted([statement]):
            if name not in own:
                out |= set() if name in found else {name}
            elif not is_whole and not (isinstance(statement, ast.AugAssign | ast.If) and name in found):
                out.add(name)
            elif (
                name not in found
                and isinstance(statement, ast.Assign)
                and name in _counted([statement.value])
            ):
                out.add(name)
            if name in own:
                found[name] = found.get(name, 0) + 1
    return {n for n, times in found.items() if times > 1 and n not in out and inside[n] == everywhere[n]}


def _assigned(statement: ast.stmt) -> set[str]:
    """Return the names that a statement itself assigns to, or the assignments in its branches, once each."""
    if isinstance(statement, ast.Assign):
        return stored_names(statement.targets)
    if isinstance(statement, ast.If):
        parts = [*statement.body, *statement.orelse]
        if not all(isinstance(p, ast.Assign) and not _has(p.value, MADE_ANEW) for p in parts):
            return set()
        times = [
            Counter(n for p in body for n in _assigned(p)) for body in (statement.body, statement.orelse)
        ]
        return {name for name in stored_names(parts) if max(branch[name] for branch in times) == 1}
    return stored_names([statement.target]) if isinstance(statement, ast.AugAssign) else set()


def _counted(nodes: Iterable[ast.AST]) -> Counter[str]:
    return Counter(n.id for n in nodes_in(*nodes) if isinstance(n, ast.Name))


def _has(node: ast.AST, kinds: tuple[type, ...]) -> bool:
    return any(isinstance(inner, kinds) for inner in nodes_in(node))


def _each_time(name: str, body: list[ast.stmt], taken: set[str]) -> list[ast.stmt]:
    made: list[ast.stmt] = []
    now = ""
    for statement in body:
        instead: Names = {name: ast.Name(now or name, ast.Load())}
        if name not in _assigned(statement):
            made.append(Renamed(instead).visit(statement))
            continue
        new = _new(name, taken) if now else name
        later: Names = {name: ast.Name(new, ast.Load())}
        if isinstance(statement, ast.If):
            statement.test = Renamed(instead).visit(statement.test)
            statement.body = _in_branch(name, now, new, statement.body)
            statement.orelse = _in_branch(name, now, new, statement.orelse)
        if isinstance(statement, ast.AugAssign):
            value = ast.BinOp(ast.Name(name, ast.Load()), statement.op, statement.value)
            statement = ast.Assign(targets=[statement.target], value=value, lineno=0)
        if isinstance(statement, ast.Assign):
            statement.value = Renamed(instead).visit(statement.value)
            statement.targets = [Renamed(later).visit(target) for target in statement.targets]
        made += _one_by_one(statement)
        now = new
    return made


def _in_branch(name: str, old: str, new: str, body: list[ast.stmt]) -> list[ast.stmt]:
    """Return a branch after which the value of `name` is that of `new`."""
    instead: Names = {name: ast.Name(old, ast.Load())}
    later: Names = {name: ast.Name(new, ast.Load())}
    made: list[ast.stmt] = []
    is_assigned = False
    for part in body:
        if not isinstance(part, ast.Assign):
            raise TypeError(ast.dump(part))  # `_assigned` knows no other branches
        part.value = Renamed(later if is_assigned else instead).visit(part.value)
        part.targets = [Renamed(later).visit(target) for target in part.targets]
        is_assigned = is_assigned or new in stored_names(part.targets)
        made += _one_by_one(part)
    if not is_assigned:
        made.append(
            ast.Assign(targets=[ast.Name(new, ast.Store())], value=ast.Name(old, ast.Load()), lineno=0)
        )
    return made


def _one_by_one(node: ast.stmt) -> list[ast.stmt]:
    """Return the assignments of names that one statement makes, where that comes to the same."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        return assigned(node.targets[0], node.value)
    return [node]


def _new(name: str, taken: set[str]) -> str:
    number = 1
    while f"{name}v{number}" in taken:
        number += 1
    taken.add(f"{name}v{number}")
    return f"{name}v{number}"


# Values that have a name already


class _Repeated:
    """Goes through the statements of one function."""

    def __init__(
        self, purity: Purity, unchanged: set[str], function: ast.FunctionDef, taken: set[str], is_named: bool
    ) -> None:
        self.purity, self.function, self.taken, self.is_named = purity, function, taken, is_named
        arguments = {argument.arg for argument in function.args.args}
        stores = Counter(
            n.id for n in nodes_in(function) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)
        )
        once = {name for name, n in stores.items() if n == 1}
        for node in nodes_in(function):
            if isinstance(node, ast.AugAssign | ast.comprehension):
                once -= stored_names([node.target])
            if isinstance(node, ast.If):
                once |= {name for name in _choice(node) if stores[name] == 2}
        once -= arguments
        self.tables = (arguments - set(stores)) | unchanged
        self.settled = once | (arguments - set(stores)) | unchanged | set(purity.functions)
        self.local = arguments | set(stores)
        self.times = Counter(
            ast.dump(n) for n in nodes_in(function) if isinstance(n, ast.expr) and self._is_kept(n)
        )

    def run(self) -> None:
        """Do it."""
        self.function.body = self.block(self.function.body, {}, {})

    def block(self, body: list[ast.stmt], known: Answers, names: Names) -> list[ast.stmt]:
        """Return a block of statements; adds to what is known."""
        return [made for node in body for made in self.statement(node, known, names)]

    def statement(self, node: ast.stmt, known: Answers, names: Names) -> list[ast.stmt]:
        """Return what a statement becomes."""
        before: list[ast.stmt] = []
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr) and field != "target":
                is_named = self.is_named and not isinstance(node, ast.While)
                setattr(node, field, self.read(value, known, names, before if is_named else None))
        if isinstance(node, ast.If):
            chosen = self._chosen(node, known, names)
            if chosen is not None:
                return [*before, *chosen]
        if isinstance(node, ast.If | ast.For | ast.While):
            for field in ("body", "orelse"):
                setattr(node, field, self.block(getattr(node, field), dict(known), dict(names)))
        if isinstance(node, ast.If):
            self._note_choice(node, known)
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            return [*before, *self._assign(node, node.targets[0], known, names)]
        return [*before, node]

    def read(self, node: ast.expr, known: Answers, names: Names, before: list[ast.stmt] | None) -> ast.expr:
        """Return an expression with the names of what is known; new names are assigned to in `before`."""
        found: ast.expr = _Read(self, known, names).visit(node)
        return found if before is None else _Named(self, known, before).visit(found)

    def _is_kept(self, node: ast.expr) -> bool:
        """Whether an expression is worth a name and stays what it is."""
        if isinstance(node, ast.Tuple | ast.Name | ast.Constant) or _has(node, MADE_ANEW):
            return False
        if size(node) < LEAST and not isinstance(node, ast.Call):
            return False
        if not self.purity.is_harmless(node):
            return False
        for inner in nodes_in(node):
            if isinstance(inner, ast.Name):
                if not isinstance(inner.ctx, ast.Load):
                    return False
                if inner.id in self.local and inner.id not in self.settled:
                    return False
            if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name):
                effects = self.purity.effects.get(inner.func.id)
                if effects is not None and not effects.is_function:
                    return False
            if isinstance(inner, ast.Subscript):
                if not (isinstance(inner.value, ast.Name) and inner.value.id in self.tables):
                    return False
        return True

    def _assign(self, node: ast.Assign, target: ast.expr, known: Answers, names: Names) -> list[ast.stmt]:
        if isinstance(target, ast.Name) and target.id in self.settled:
            if isinstance(node.value, ast.Constant) or _is_settled(node.value, self.settled):
                names[target.id] = node.value
            elif self._is_kept(node.value):
                known.setdefault(ast.dump(node.value), [target.id])
        elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Call) and self._is_kept(node.value):
            parts = [part.id for part in target.elts if isinstance(part, ast.Name)]
            if len(parts) < len(target.elts) or not set(parts) <= self.settled:
                return [node]
            key = f"{len(parts)} of {ast.dump(node.value)}"
            if key in known:
                return [self._renamed(new, old, names) for new, old in zip(parts, known[key], strict=True)]
            known[key] = parts
        return [node]

    def _renamed(self, new: str, old: str, names: Names) -> ast.stmt:
        names[new] = ast.Name(old, ast.Load())
        return ast.Assign(targets=[ast.Name(new, ast.Store())], value=ast.Name(old, ast.Load()), lineno=0)

    def _keys(self, node: ast.If) -> dict[str, str]:
        """Return, for the names that a choice assigns to, the value as it is written."""
        found = {}
        for name, (yes, no) in _choice(node).items():
            if name in self.settled:
                found[name] = f"{ast.dump(node.test)}: {ast.dump(yes)} else {ast.dump(no)}"
        return found

    def _chosen(self, node: ast.If, known: Answers, names: Names) -> list[ast.stmt] | None:
        """Return what becomes of a choice whose values are known; None if they are not."""
        values = _choice(node)
        if not values or not self.purity.is_harmless(node.test):
            return None
        for branch in (node.body, node.orelse):
            for part in branch:
                if isinstance(part, ast.Assign):
                    part.value = self.read(part.value, known, names, None)
        made: list[ast.stmt] = []
        keys = self._keys(node)
        for name, (yes, no) in _choice(node).items():
            if name in self.settled and ast.dump(yes) == ast.dump(no) and _is_settled(yes, self.settled):
                made.append(ast.Assign(targets=[ast.Name(name, ast.Store())], value=yes, lineno=0))
                names[name] = yes
            elif keys.get(name) in known:
                made.append(self._renamed(name, known[keys[name]][0], names))
        done = set().union(*map(_assigned, made)) if made else set()
        if not done:
            return None
        node.body = [part for part in node.body if not _assigned(part) & done]
        node.orelse = [part for part in node.orelse if not _assigned(part) & done]
        if not node.body:
            return made
        self._note_choice(node, known)
        return [*made, node]

    def _note_choice(self, node: ast.If, known: Answers) -> None:
        if not self._is_settled_test(node.test):
            return
        for name, (yes, no) in _choice(node).items():
            parts = (yes, no)
            if name in self.settled and all(
                self._is_kept(p) or isinstance(p, ast.Constant) or _is_settled(p, self.settled) for p in parts
            ):
                known.setdefault(self._keys(node)[name], [name])

    def _is_settled_test(self, node: ast.expr) -> bool:
        return self._is_kept(node) or _is_settled(node, self.settled)


def _is_settled(node: ast.expr, settled: set[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in settled


def _choice(node: ast.If) -> dict[str, tuple[ast.expr, ast.expr]]:
    """Return the names that a statement chooses values for, and both values; none if it does anything else."""
    branches: list[dict[str, ast.expr]] = []
    for body in (node.body, node.orelse):
        values: dict[str, ast.expr] = {}
        for part in body:
            target = part.targets[0] if isinstance(part, ast.Assign) and len(part.targets) == 1 else None
            if not isinstance(part, ast.Assign) or not isinstance(target, ast.Name) or target.id in values:
                return {}
            values[target.id] = part.value
        branches.append(values)
    yes, no = branches
    read = _counted([*yes.values(), *no.values()])
    if yes.keys() != no.keys() or any(name in read for name in yes):
        return {}
    return {name: (value, no[name]) for name, value in yes.items()}


class _Read(ast.NodeTransformer):
    """Puts names in the place of values that are known."""

    def __init__(self, of: _Repeated, known: Answers, names: Names) -> None:
        self.of, self.known, self.names = of, known, names

    def visit(self, node: ast.AST) -> Any:
        """Replace the parts of an expression first."""
        if isinstance(node, ast.Name):
            found = self.names.get(node.id)
            return copy.deepcopy(found) if found is not None and isinstance(node.ctx, ast.Load) else node
        self.generic_visit(node)
        if isinstance(node, ast.expr) and self.of._is_kept(node):
            answer = self.known.get(ast.dump(node))
            if answer is not None:
                return ast.Name(answer[0], ast.Load())
        return node


class _Named(ast.NodeTransformer):
    """Names parts of an expression that are computed in any case, and again elsewhere."""

    def __init__(self, of: _Repeated, known: Answers, before: list[ast.stmt]) -> None:
        self.of, self.known, self.before = of, known, before

    def visit(self, node: ast.AST) -> Any:
        """Name the largest parts."""
        if isinstance(node, ast.IfExp):
            node.test = self.visit(node.test)
            return node
        if isinstance(node, ast.BoolOp):
            node.values[0] = self.visit(node.values[0])
            return node
        if isinstance(node, ast.Compare) and len(node.ops) > 1:
            return node
        if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp | ast.Lambda):
            return node
        if not isinstance(node, ast.expr) or not self.of._is_kept(node) or self.of.times[ast.dump(node)] < 2:
            return self.generic_visit(node)
        key = ast.dump(node)
        if key not in self.known:
            name = _new("again", self.of.taken)
            self.of.settled.add(name)
            self.of.local.add(name)
            self.before.append(ast.Assign(targets=[ast.Name(name, ast.Store())], value=node, lineno=0))
            self.known[key] = [name]
        return ast.Name(self.known[key][0], ast.Load())
