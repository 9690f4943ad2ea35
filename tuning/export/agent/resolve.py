"""What the global names of a function stand for, and the source of functions.

A name is global where no scope round it binds it. Names that begin with two underscores, `__file__` for one, stay:
they are those of the file that they end up in."""

import ast
import inspect
import textwrap
import types
from typing import Any, Protocol

from tunesmith.games.errors import InputError
from tunesmith.tuning.export.agent.literal import YOUNGER, check_standard, is_numpy, is_standard
from tunesmith.tuning.export.agent.python36 import DROPPED

ENGINE, LISTS, ARRAYS = "engine", "lists", "arrays"  # manners, see `flatten`


class Owner(Protocol):
    """Who knows what is written for a value."""

    def resolve(self, name: str, value: object, manner: str) -> ast.expr:
        """Return what to write for a global name."""
        ...

    def named(self, value: object, manner: str, name: str) -> ast.expr:
        """Return a name for a value that is written elsewhere."""
        ...


class Resolver(ast.NodeTransformer):
    """Gives every global name of a function what it stands for; knows the names that are local."""

    def __init__(self, owner: Owner, value: Any, manner: str, where: str) -> None:
        self.owner, self.manner, self.where = owner, manner, where
        self.scopes: list[set[str]] = []
        home = value.__module__  # a named tuple also has functions that were made elsewhere
        functions = (
            v
            for v in (value, *vars(value).values())
            if isinstance(v, types.FunctionType) and v.__module__ == home
        )
        function = next(functions, None)
        self.names: dict[str, object] = dict(function.__globals__) if function else _module_names(value)
        if isinstance(value, types.FunctionType) and value.__closure__:
            for name, cell in zip(value.__code__.co_freevars, value.__closure__, strict=True):
                self.names[name] = cell.cell_contents
        self.own_name = value.__name__ if isinstance(value, type) else ""
        self.value = value

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Resolve a name that is neither local nor built in."""
        if hasattr(node, "value") or any(node.id in scope for scope in self.scopes):
            return node
        is_special = node.id.startswith("__")  # `__file__` and the like are those of the new file
        if node.id not in self.names or is_special or not isinstance(node.ctx, ast.Load):
            return node
        if node.id == self.own_name:
            return self.owner.named(self.value, self.manner, node.id)
        return self.owner.resolve(node.id, self.names[node.id], self.manner)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Look into modules."""
        self.generic_visit(node)
        module = getattr(node.value, "value", None) if isinstance(node.value, ast.Name) else None
        if not isinstance(module, types.ModuleType) or not hasattr(module, node.attr):
            return node
        value = getattr(module, node.attr)
        if is_standard(module):
            if id(value) in YOUNGER:
                return self.owner.named(value, self.manner, node.attr)
            if callable(value):
                check_standard(value, self.where)
            return node
        if is_numpy(module) and self.manner == ARRAYS:
            return node
        if is_numpy(module) and not isinstance(value, int | float):
            return self.owner.named(value, self.manner, node.attr)
        return self.owner.resolve(node.attr, value, self.manner)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Keep an inner scope."""
        node.args = self.visit(node.args)
        return self._inside(node, _bound(node))

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """Keep an inner scope."""
        return self._inside(
            node, {argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg)}
        )

    def _inside(self, node: Any, names: set[str]) -> ast.AST:
        self.scopes.append(names)
        self.generic_visit(node)
        self.scopes.pop()
        return node  # type: ignore[no-any-return]

    def _comprehension(self, node: Any) -> ast.AST:
        targets = [generator.target for generator in node.generators]
        names = {n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)}
        node.generators[0].iter = self.visit(node.generators[0].iter)
        return self._inside(node, names)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension


def _bound(node: ast.FunctionDef) -> set[str]:
    """Return the local names of a function: parameters, and what is assigned outside inner scopes."""
    names = {a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)}
    pending: list[ast.AST] = list(node.body)
    while pending:
        inner = pending.pop()
        if isinstance(inner, ast.FunctionDef | ast.ClassDef):
            names.add(inner.name)
            continue
        if isinstance(inner, ast.Import | ast.ImportFrom):
            names |= {(alias.asname or alias.name).split(".")[0] for alias in inner.names}
        if isinstance(inner, ast.ExceptHandler) and inner.name:
            names.add(inner.name)
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store | ast.Del):
            names.add(inner.id)
        if isinstance(inner, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            continue
        pending.extend(ast.iter_child_nodes(inner))
    return names


def _module_names(kind: Any) -> dict[str, object]:
    module = inspect.getmodule(kind)
    return dict(vars(module)) if module else {}


def source_of(value: Any, where: str) -> ast.stmt:
    """Return the syntax tree of a function or class, without its decorators' effects undone."""
    try:
        text = textwrap.dedent(inspect.getsource(value))
    except (OSError, TypeError) as error:
        raise InputError(f"{where}: expected a function with a source file, found none") from error
    if getattr(value, "__name__", "") == "<lambda>":
        return _lambda(text, where)
    tree = ast.parse(text).body[0]
    if not isinstance(tree, ast.FunctionDef | ast.ClassDef):
        raise InputError(
            f"{where}: expected a plain function or class, found line {text.splitlines()[0]!r:.80}"
        )
    unknown = [ast.unparse(d) for d in tree.decorator_list if not _is_known(d, tree)]
    if unknown:
        raise InputError(f"{where}: expected no decorators, found @{unknown[0]}")
    return tree


def _is_known(decorator: ast.expr, tree: ast.AST) -> bool:
    name = ast.unparse(decorator).split("(")[0].split(".")[-1]
    return name in DROPPED or isinstance(tree, ast.ClassDef)


def _lambda(text: str, where: str) -> ast.stmt:
    """Return the only lambda of some lines as a function."""
    try:
        found = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Lambda)]
    except SyntaxError:
        found = []
    if len(found) != 1:
        raise InputError(
            f"{where}: expected a lambda that stands alone in its lines, found {text.strip()!r:.80}"
        )
    body: list[ast.stmt] = [ast.Return(value=found[0].body)]
    return ast.FunctionDef(name="chosen", args=found[0].args, body=body, decorator_list=[], lineno=0)
