"""Items taken together: a stretch of a table, the bytes of a word.

`items` lets a loop over numbers that only read a table run over the table itself, and takes the bytes of a word apart
at once where several of them are asked for one by one."""

import ast

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
            for n in ast.walk(part)
            if isinstance(n, ast.Subscript) and isinstance(n.slice, ast.Name) and n.slice.id == number
        ]
        names = {n.value.id if isinstance(n.value, ast.Name) else "" for n in reads}
        n_uses = sum(isinstance(n, ast.Name) and n.id == number for part in node.body for n in ast.walk(part))
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
    """Puts the names of bytes in the place of what asks for them."""

    def __init__(self, names: dict[str, list[str]]) -> None:
        self.names = names

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Replace."""
        found = _byte(node)
        if found is not None and found[0] in self.names:
            return ast.Name(id=self.names[found[0]][found[1]], ctx=ast.Load())
        return self.generic_visit(node)


def _apart(function: ast.FunctionDef, taken: set[str]) -> None:
    """Take the bytes of words apart that are assigned once, in the function's own block or as parameters."""
    stores: dict[str, int] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            stores[node.id] = stores.get(node.id, 0) + 1
    asked: dict[str, set[int]] = {}
    n_asked: dict[str, int] = {}
    for node in ast.walk(function):
        if (found := _byte(node)) is not None:
            asked.setdefault(found[0], set()).add(found[1])
            n_asked[found[0]] = n_asked.get(found[0], 0) + 1
    given = {argument.arg for argument in function.args.args}
    names: dict[str, list[str]] = {}
    body: list[ast.stmt] = []

    def take(word: str) -> None:
        n = max(asked[word]) + 1
        names[word] = []
        for at in range(n):
            name = f"{word}_byte_{at}"
            while name in taken:
                name += "_"
            taken.add(name)
            names[word].append(name)
        mask = (1 << BYTE * n) - 1
        body.extend(ast.parse(f"{', '.join(names[word])} = ({word} & {mask}).to_bytes({n}, 'little')").body)

    wanted = {w for w, found in asked.items() if len(found) >= FEWEST and n_asked[w] > max(found)}
    for word in sorted(wanted & given - stores.keys()):
        take(word)
    for statement in function.body:
        body.append(statement)
        if isinstance(statement, ast.Assign):
            for word in sorted(stored_names([statement]) & wanted):
                if stores[word] == 1 and word not in given:
                    take(word)
    if names:
        made = [part if _takes(part) else _Bytes(names).visit(part) for part in body]
        function.body = made


def _takes(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and "to_bytes" in ast.unparse(node.value)


def items(tree: ast.Module, tables: set[str], taken: set[str]) -> ast.Module:
    """Return the file with items of tables and bytes of words taken together.

    Parameters
    ----------
    tables
        The names of the file's lists that nothing changes.
    taken
        Every name of the file; grows by new ones.
    """
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef):
            continue
        if any(isinstance(n, SMALLER) for part in node.body for n in ast.walk(part)):
            continue
        _Runs(tables).visit(node)
        _apart(node, taken)
    return ast.fix_missing_locations(tree)
