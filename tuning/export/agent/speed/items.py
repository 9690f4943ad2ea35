"""Items taken together: a stretch of a table, the bytes of a word.

`items` lets a loop over numbers that only read a table run over the table itself, and takes the bytes of a word apart
at once where several of them are asked for one by one; what a table says of each byte is a table of its own then."""

import ast
import copy

from tunesmith.tuning.export.agent.speed.branches import Renamed
from tunesmith.tuning.export.agent.speed.nodes import nodes_in
from tunesmith.tuning.export.agent.speed.parts import whole
from tunesmith.tuning.export.agent.speed.purity import SMALLER, stored_names

FEWEST = 4  # bytes of one word that are asked for
BYTE = 8


class _Runs(ast.NodeTransformer):
    """Lets loops run over tables; `tables` are the names of lists that nothing changes."""

    def __init__(self, tables: set[str]) -> None:
        self.tables = tables

    def visit_For(self, node: ast.For) -> ast.AST:
        """Change a loop whose number is only asked for an item of one table."""
        self.generic_visit(node)
        bounds = _bounds(node.iter)
        if bounds is None or not isinstance(node.target, ast.Name) or node.orelse:
            return node
        number = node.target.id
        reads = [
            n
            for part in node.body
            for n in nodes_in(part)
            if isinstance(n, ast.Subscript) and isinstance(n.slice, ast.Name) and n.slice.id == number
        ]
        names = {n.value.id if isinstance(n.value, ast.Name) else "" for n in reads}
        n_uses = sum(isinstance(n, ast.Name) and n.id == number for n in nodes_in(*node.body))
        if n_uses != len(reads) or len(names) != 1 or not names <= self.tables:
            return node
        table = ast.Name(id=names.pop(), ctx=ast.Load())
        node.iter = ast.Subscript(
            value=table, slice=ast.Slice(lower=bounds[0], upper=bounds[1]), ctx=ast.Load()
        )
        for part in node.body:
            _Instead({id(n) for n in reads}, node.target).visit(part)
        return node


class _Instead(ast.NodeTransformer):
    """Puts a name in the place of some expressions."""

    def __init__(self, places: set[int], name: ast.Name) -> None:
        self.places, self.name = places, name

    def visit(self, node: ast.AST) -> ast.AST:
        if id(node) in self.places:
            return ast.Name(id=self.name.id, ctx=ast.Load())
        return self.generic_visit(node)


def _bounds(node: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """Return where a `range` of a few numbers from some expression on begins and ends: `range(8 * n, 8 * n + 7)`."""
    is_range = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"
    if not is_range or len(node.args) != 2 or node.keywords:  # type: ignore[attr-defined]
        return None
    first, last = node.args  # type: ignore[attr-defined]
    is_near = isinstance(last, ast.BinOp) and isinstance(last.op, ast.Add) and whole(last.right) is not None
    if not is_near or ast.dump(last.left) != ast.dump(first):
        return None
    return first, last


# Bytes


def _byte(node: ast.AST) -> tuple[str, int] | None:
    """Return the name and the number of the byte that an expression asks for (`word >> 16 & 255`: 2)."""
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd) and whole(node.right) == 255):
        return None
    inner, shift = node.left, 0
    if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.RShift):
        shift, inner = whole(inner.right) or 0, inner.left
        if shift == 0:
            return None
    if not isinstance(inner, ast.Name) or shift % BYTE or shift > 7 * BYTE:
        return None
    return inner.id, shift // BYTE


class _Bytes(ast.NodeTransformer):
    """Puts names in the place of what asks for the bytes of a word."""

    def __init__(self, word: str, names: list[str]) -> None:
        self.word, self.names = word, names

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Replace."""
        found = _byte(node)
        if found is not None and found[0] == self.word:
            return ast.Name(id=self.names[found[1]], ctx=ast.Load())
        return self.generic_visit(node)


def _apart(function: ast.FunctionDef, taken: set[str]) -> set[str]:
    """Take the bytes of words apart that are assigned once, in the function's own block or as parameters.

    Returns the names of all bytes.
    """
    all_bytes: set[str] = set()
    stores: dict[str, int] = {}
    for node in nodes_in(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            stores[node.id] = stores.get(node.id, 0) + 1
    asked: dict[str, set[int]] = {}
    n_asked: dict[str, int] = {}
    for node in nodes_in(function):
        if (found := _byte(node)) is not None:
            asked.setdefault(found[0], set()).add(found[1])
            n_asked[found[0]] = n_asked.get(found[0], 0) + 1
    own = {argument.arg for argument in function.args.args} - stores.keys()
    for statement in function.body:
        if isinstance(statement, ast.Assign):
            own |= {word for word in stored_names([statement]) if stores[word] == 1}
    for word in sorted(asked.keys() & own):
        n = max(asked[word]) + 1
        if len(asked[word]) < FEWEST or n_asked[word] < n:
            continue
        names = [_new(f"{word}_byte_{at}", taken) for at in range(n)]
        mask = (1 << BYTE * n) - 1
        taking = ast.parse(f"{', '.join(names)} = ({word} & {mask}).to_bytes({n}, 'little')").body
        bytes_ = _Bytes(word, names)
        function.body = [bytes_.visit(part) for part in function.body]
        function.body = _placed(function.body, set(names), taking)
        all_bytes |= set(names)
    return all_bytes


def _without_copies(function: ast.FunctionDef, bytes_: set[str]) -> None:
    """Let names that only stand for a byte, in the function's own block, be that byte's."""
    stores: dict[str, int] = {}
    for node in nodes_in(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            stores[node.id] = stores.get(node.id, 0) + 1
    instead: dict[str, ast.expr] = {}
    body = []
    for part in function.body:
        target = part.targets[0] if isinstance(part, ast.Assign) and len(part.targets) == 1 else None
        value = part.value if isinstance(part, ast.Assign) else None
        is_copy = isinstance(value, ast.Name) and value.id in bytes_
        if is_copy and isinstance(target, ast.Name) and stores[target.id] == 1:
            instead[target.id] = value  # type: ignore[assignment]
        else:
            body.append(part)
    function.body = [Renamed(instead).visit(part) for part in body]


class _Whole(ast.NodeTransformer):
    """Leaves out what does nothing to a byte or to an item of a list of whole numbers: 0 added, at least 0."""

    def __init__(self, tables: set[str], bytes_: set[str]) -> None:
        self.tables, self.bytes = tables, bytes_

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Leave out `0 +`."""
        self.generic_visit(node)
        is_sum = isinstance(node.op, ast.Add) and whole(node.left) == 0
        return node.right if is_sum and self._is_whole(node.right) else node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """Leave out `byte if byte > 0 else 0`."""
        self.generic_visit(node)
        is_byte = isinstance(node.body, ast.Name) and node.body.id in self.bytes and whole(node.orelse) == 0
        return node.body if is_byte and ast.unparse(node.test) == f"{ast.unparse(node.body)} > 0" else node

    def _is_whole(self, node: ast.expr) -> bool:
        table = node.value if isinstance(node, ast.Subscript) else None
        if isinstance(table, ast.Name):
            return table.id in self.tables
        return isinstance(node, ast.Name) and node.id in self.bytes


class _Rows(ast.NodeTransformer):
    """Reads what a table says of a byte, `TABLE[512 + byte]`, from a table of its own; `rows` names and makes these."""

    def __init__(self, tables: set[str], bytes_: set[str], rows: dict[tuple[str, int], str], taken: set[str]):
        self.tables, self.bytes, self.rows, self.taken = tables, bytes_, rows, taken

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Read."""
        self.generic_visit(node)
        at, table = node.slice, node.value
        if not (isinstance(at, ast.BinOp) and isinstance(at.op, ast.Add) and isinstance(table, ast.Name)):
            return node
        first = whole(at.left) or 0
        if first <= 0 or not (isinstance(at.right, ast.Name) and at.right.id in self.bytes):
            return node
        if table.id not in self.tables:
            return node
        key = table.id, first
        if key not in self.rows:
            self.rows[key] = _new(f"{table.id}_{first}", self.taken)
        return ast.Subscript(value=ast.Name(self.rows[key], ast.Load()), slice=at.right, ctx=ast.Load())


def _new(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _placed(body: list[ast.stmt], names: set[str], taking: list[ast.stmt]) -> list[ast.stmt]:
    """Return statements with others before the first that reads some names, in its branches if no other does."""
    asking = [at for at, part in enumerate(body) if _reads(part, names)]
    only = body[asking[0]]
    if len(asking) > 1 or not isinstance(only, ast.If) or _reads(only.test, names):
        return [*body[: asking[0]], *taking, *body[asking[0] :]]
    for field in ("body", "orelse"):
        branch = getattr(only, field)
        if any(_reads(part, names) for part in branch):
            setattr(only, field, _placed(branch, names, copy.deepcopy(taking)))
    return body


def _reads(node: ast.AST, names: set[str]) -> bool:
    return any(isinstance(n, ast.Name) and n.id in names for n in nodes_in(node))


def _assigned(node: ast.stmt) -> set[str]:
    return stored_names([node]) if isinstance(node, ast.Assign) else set()


def items(tree: ast.Module, tables: set[str], taken: set[str]) -> ast.Module:
    """Return the file with items of tables and bytes of words taken together.

    Parameters
    ----------
    tables
        The names of the file's lists that nothing changes.
    taken
        Every name of the file; grows by new ones.
    """
    rows: dict[tuple[str, int], str] = {}
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef):
            continue
        if any(isinstance(n, SMALLER) for n in nodes_in(*node.body)):
            continue
        _Runs(tables).visit(node)
        bytes_ = _apart(node, taken)
        if bytes_:
            _without_copies(node, bytes_)
            _Whole(tables, bytes_).visit(node)
            _without_copies(node, bytes_)  # a sum may have become one
            _Rows(tables, bytes_, rows, taken).visit(node)
    for (table, first), name in rows.items():
        made = next(at for at, node in enumerate(tree.body) if table in _assigned(node))
        tree.body[made + 1 : made + 1] = ast.parse(f"{name} = {table}[{first}:{first + 256}]").body
    return ast.fix_missing_locations(tree)
