"""Parameters that a function does not use, and functions that nobody calls: left out."""

import ast

from tunesmith.tuning.export.agent.speed.nodes import nodes_in
from tunesmith.tuning.export.agent.speed.purity import Purity, parameters


def without_unused_parameters(tree: ast.Module, kept: set[str]) -> ast.Module:
    """Return the file without parameters that count for nothing; functions named in `kept` keep theirs."""
    while True:
        purity = Purity(tree)
        called: dict[str, list[ast.Call]] = {}
        loads: dict[str, int] = {}
        for node in nodes_in(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                called.setdefault(node.func.id, []).append(node)
            if isinstance(node, ast.Name):
                loads[node.id] = loads.get(node.id, 0) + 1
        dropped = [
            _drop(function, called.get(name, []), purity)
            for name, function in purity.functions.items()
            if name not in kept and loads.get(name, 0) == len(called.get(name, []))
        ]
        if not any(dropped):
            return tree


def _drop(function: ast.FunctionDef, calls: list[ast.Call], purity: Purity) -> bool:
    names = parameters(function)
    handed_on = {id(node) for node in _handed_on(function, names or [])}
    used = {
        node.id
        for part in function.body
        for node in nodes_in(part)
        if isinstance(node, ast.Name) and id(node) not in handed_on
    }
    unused = [at for at, name in enumerate(names or []) if name not in used]
    if not unused or names is None:
        return False
    for call in calls:
        if call.keywords or len(call.args) != len(names):
            return False
        if not all(purity.is_harmless(call.args[at]) for at in unused):
            return False
    for at in reversed(unused):
        del function.args.args[at]
        for call in calls:
            del call.args[at]
    return True


def _handed_on(function: ast.FunctionDef, names: list[str]) -> list[ast.Name]:
    """Return where parameters are only given to the function itself, as what they are."""
    return [
        argument
        for node in nodes_in(function)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function.name
        for name, argument in zip(names, node.args, strict=False)
        if isinstance(argument, ast.Name) and argument.id == name
    ]


def reached(tree: ast.Module, kept: set[str]) -> ast.Module:
    """Return the file without functions that nothing in it names, but for those in `kept`."""
    while True:
        named = {
            inner.id
            for node in tree.body
            for inner in nodes_in(node)
            if isinstance(inner, ast.Name) and inner.id != getattr(node, "name", "")
        }
        left = [
            node for node in tree.body if not isinstance(node, ast.FunctionDef) or node.name in named | kept
        ]
        if len(left) == len(tree.body):
            return tree
        tree.body = left
