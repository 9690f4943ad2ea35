"""Today's Python written so that Python 3.6 reads it, statement by statement.

Works on syntax trees. Annotations, decorators of the engine and positional-only marks go; f-strings become calls of
`format`; a walrus `(n := value)` keeps its name in a list of one; methods and arguments that are younger than
3.6 become calls of the functions in `HELPERS`. What has no older form is refused, with its line."""

import ast
from collections.abc import Iterable
from typing import cast

from tunesmith.games.errors import InputError
from tunesmith.tuning.export.agent import plain_numpy

OLDEST = (3, 6)
DROPPED = {"inlined", "cache", "lru_cache", "override", "final"}  # decorators that change no answer

# Methods younger than 3.6, by name, and the functions that do the same.
METHODS = {
    "bit_count": plain_numpy.bit_count,
    "isascii": plain_numpy.is_ascii,
    "removeprefix": plain_numpy.without_prefix,
    "removesuffix": plain_numpy.without_suffix,
}
ANNOTATED = ("NamedTuple", "TypedDict")  # classes whose annotations are what they are made of


def helper(function: object) -> ast.Name:
    """Return a name that stands for one of our functions until all names are known."""
    name = ast.Name(id=function.__name__, ctx=ast.Load())  # type: ignore[attr-defined]
    if getattr(function, "__module__", "") != "builtins":
        name.value = function  # type: ignore[attr-defined]
    return name


def call(function: object, *arguments: ast.expr) -> ast.Call:
    """Return a call of one of our functions."""
    return ast.Call(func=helper(function), args=list(arguments), keywords=[])


class Older(ast.NodeTransformer):
    """Rewrites one function or class; `where` names it in refusals."""

    def __init__(self, where: str) -> None:
        self.where = where

    def refuse(self, node: ast.AST, what: str) -> InputError:
        """Return the error for a form that Python 3.6 lacks."""
        return InputError(
            f"{self.where}: expected code that can be written for Python 3.6, found {what} "
            f"in line {getattr(node, 'lineno', '?')}"
        )

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Drop annotations and decorators; put names of the walrus into lists."""
        node.decorator_list = [d for d in node.decorator_list if _last_name(d) not in DROPPED]
        node.returns = None
        self._plain_arguments(node.args)
        boxed = {
            inner.target.id
            for part in node.body
            for inner in _own_nodes(part)
            if isinstance(inner, ast.NamedExpr)
        }
        self.generic_visit(node)
        if boxed:
            parameters = {argument.arg for argument in _arguments(node.args)}
            node.body = [_Boxes(boxed).visit(part) for part in node.body]
            node.body[:0] = [_box(name, name in parameters) for name in sorted(boxed)]
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """Drop the mark of positional-only parameters."""
        self._plain_arguments(node.args)
        return self.generic_visit(node)

    def _plain_arguments(self, arguments: ast.arguments) -> None:
        arguments.args = [*arguments.posonlyargs, *arguments.args]
        arguments.posonlyargs = []
        for argument in _arguments(arguments):
            argument.annotation = None

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Keep the fields of named tuples; refuse data classes."""
        if any(_last_name(decorator) == "dataclass" for decorator in node.decorator_list):
            raise self.refuse(node, "a dataclass")
        if any(_last_name(base) in ANNOTATED for base in node.bases):
            for part in node.body:
                if isinstance(part, ast.AnnAssign):
                    part.annotation = ast.Name(id="object", ctx=ast.Load())
            node.body = [p if isinstance(p, ast.AnnAssign) else self.visit(p) for p in node.body]
            return node
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        """Assign without an annotation; drop a bare one."""
        if node.value is None:
            return None
        return self.visit(ast.Assign(targets=[node.target], value=node.value, lineno=node.lineno))  # type: ignore[no-any-return]

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """Write an f-string as a call of `format`: nesting and quotes are free there."""
        fields: list[ast.expr] = []
        text = "".join(_field(part, fields) for part in node.values)
        shape = ast.Attribute(value=ast.Constant(text), attr="format", ctx=ast.Load())
        return ast.Call(func=shape, args=[self.visit(field) for field in fields], keywords=[])

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Replace what the standard library did not know yet."""
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr in METHODS:
            return call(METHODS[node.func.attr], node.func.value, *node.args)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name == "zip":
            return self._zip(node)
        if name in ("isinstance", "issubclass") and len(node.args) == 2:
            node.args[1] = _alternatives(node.args[1])
        return node

    def _zip(self, node: ast.Call) -> ast.AST:
        strict = [k for k in node.keywords if k.arg == "strict"]
        node.keywords = [k for k in node.keywords if k.arg != "strict"]
        if strict and not (isinstance(strict[0].value, ast.Constant) and not strict[0].value.value):
            node.func = helper(plain_numpy.zipped)
        return node

    def visit_Match(self, node: ast.Match) -> ast.AST:
        """Refuse `match`."""
        raise self.refuse(node, "a match statement")

    def visit_TryStar(self, node: ast.AST) -> ast.AST:
        """Refuse `except*`."""
        raise self.refuse(node, "except*")

    def visit_Global(self, node: ast.Global) -> ast.AST:
        """Refuse functions that keep things between calls."""
        raise self.refuse(node, f"a function that changes the global {node.names[0]}")


def _last_name(node: ast.expr) -> str:
    node = node.func if isinstance(node, ast.Call) else node
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _arguments(arguments: ast.arguments) -> Iterable[ast.arg]:
    extra = [argument for argument in (arguments.vararg, arguments.kwarg) if argument]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *extra]


def _own_nodes(node: ast.AST) -> Iterable[ast.AST]:
    """Yield a node and what is in it, except inner functions, whose names are their own."""
    yield node
    if not isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
        for child in ast.iter_child_nodes(node):
            yield from _own_nodes(child)


class _Boxes(ast.NodeTransformer):
    """Puts `name[0]` in the place of names that a walrus sets."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id not in self.names or hasattr(node, "value"):
            return node
        return ast.Subscript(value=ast.Name(id=node.id, ctx=ast.Load()), slice=ast.Constant(0), ctx=node.ctx)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.AST:
        return call(plain_numpy.put_in, ast.Name(id=node.target.id, ctx=ast.Load()), self.visit(node.value))


def _box(name: str, is_parameter: bool) -> ast.stmt:
    first = ast.Name(id=name, ctx=ast.Load()) if is_parameter else ast.Constant(None)
    value = ast.List(elts=[first], ctx=ast.Load())
    return ast.Assign(targets=[ast.Name(id=name, ctx=ast.Store())], value=value, lineno=0)


def _field(part: ast.expr, fields: list[ast.expr]) -> str:
    """Return a part of an f-string in the words of `format`; its values go to `fields`, in their order."""
    if isinstance(part, ast.Constant):
        return str(part.value).replace("{", "{{").replace("}", "}}")
    part = cast(ast.FormattedValue, part)  # there is no other part
    fields.append(part.value)
    conversion = f"!{chr(part.conversion)}" if part.conversion >= 0 else ""
    spec = ""
    if isinstance(part.format_spec, ast.JoinedStr):
        spec = ":" + "".join(_field(inner, fields) for inner in part.format_spec.values)
    return "{" + conversion + spec + "}"


def _alternatives(node: ast.expr) -> ast.expr:
    """Write `int | float` as the tuple that `isinstance` always took."""
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr)):
        return node
    both = [_alternatives(node.left), _alternatives(node.right)]
    kinds = [kind for side in both for kind in (side.elts if isinstance(side, ast.Tuple) else [side])]
    return ast.Tuple(elts=kinds, ctx=ast.Load())
