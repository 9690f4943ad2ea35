"""Loops over the bits of a word, and what plain Python has a faster word for.

A compiler knows `while word: word &= word - 1; n += 1` as one instruction; plain Python counts the digits of
`bin(word)`, and from 3.10 on asks `int.bit_count`. The loop is known by its shape, whatever game it comes from."""

import ast

from tunesmith.tuning.export.agent.speed.nodes import nodes_in
from tunesmith.tuning.export.agent.speed.purity import all_names

NAME = "n_ones"
PREAMBLE = """
try:
    {name} = int.bit_count
except AttributeError:
    def {name}(word):
        return bin(word).count('1')
"""
# The shapes of a function that counts: of `word`, which is not negative, in `n`.
SHAPES = {
    ast.dump(ast.parse(f"n = 0\nwhile {test}:\n    {first}\n    {second}\nreturn n"))
    for test in ("word != 0", "word", "word > 0", "0 != word", "0 < word")
    for step in (
        "word &= word - 1",
        "word = word & word - 1",
        "word ^= word & -word",
        "word -= word & -word",
        "word = word ^ word & -word",
        "word = word & (word - 1)",
    )
    for first, second in ((step, "n += 1"), ("n += 1", step))
}


def is_count(function: ast.FunctionDef) -> bool:
    """Whether a function counts the bits of its one argument."""
    body = [part for part in function.body if not _is_text(part)]
    names = [argument.arg for argument in function.args.args]
    if len(names) != 1 or len(body) != 3 or not isinstance(body[0], ast.Assign):
        return False
    target = body[0].targets[0]
    if not isinstance(target, ast.Name) or target.id == names[0]:
        return False
    copy = ast.parse(ast.unparse(ast.Module(body=body, type_ignores=[])))
    for node in nodes_in(copy):
        if isinstance(node, ast.Name):
            node.id = {names[0]: "word", target.id: "n"}.get(node.id, node.id)
    return ast.dump(copy) in SHAPES


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


class Counted(ast.NodeTransformer):
    """Calls `n_ones` where bits are counted; `name` is what the file calls it."""

    def __init__(self, counting: set[str], name: str) -> None:
        self.counting, self.name, self.used = counting, name, False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Give functions that count the short body."""
        if is_count(node):
            self.used = True
            word = ast.Name(id=node.args.args[0].arg, ctx=ast.Load())
            node.body = [ast.Return(value=self._call(word))]
            return node
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Replace calls of such functions, and the digits of `bin`."""
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in self.counting and len(node.args) == 1:
            return self._call(node.args[0])
        if ast.unparse(node.func).endswith(".count") and [ast.unparse(a) for a in node.args] == ["'1'"]:
            inner = node.func.value if isinstance(node.func, ast.Attribute) else None
            if isinstance(inner, ast.Call) and ast.unparse(inner.func) == "bin" and len(inner.args) == 1:
                return self._call(inner.args[0])
        return node

    def _call(self, word: ast.expr) -> ast.Call:
        self.used = True
        return ast.Call(func=ast.Name(id=self.name, ctx=ast.Load()), args=[word], keywords=[])


def counted(tree: ast.Module) -> ast.Module:
    """Return the file with its counting of bits done by the fastest word that its Python has."""
    taken = all_names(tree)
    name = NAME
    while name in taken:
        name += "_"
    counting = {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and is_count(node)}
    counting |= {
        node.name for node in tree.body if isinstance(node, ast.FunctionDef) and _returns_digits(node)
    }
    counted_ = Counted(counting, name)
    tree = counted_.visit(tree)
    if counted_.used:
        place = next((at for at, node in enumerate(tree.body) if not _is_head(node)), len(tree.body))
        tree.body[place:place] = ast.parse(PREAMBLE.format(name=name)).body
    return ast.fix_missing_locations(tree)


def _returns_digits(function: ast.FunctionDef) -> bool:
    body = [part for part in function.body if not _is_text(part)]
    if len(body) != 1 or len(function.args.args) != 1 or not isinstance(body[0], ast.Return):
        return False
    return ast.unparse(body[0]) == f"return bin({function.args.args[0].arg}).count('1')"


def _is_head(node: ast.stmt) -> bool:
    return _is_text(node) or isinstance(node, ast.Import | ast.ImportFrom)
