"""The nodes of a syntax tree, which every pass goes through again and again."""

import ast

# The fields of a class that may hold nodes: whether a name is read or assigned to is asked of the name itself.
_PARTS: dict[type[ast.AST], tuple[str, ...]] = {ast.Name: (), ast.Constant: ()}


def nodes_in(*trees: ast.AST) -> list[ast.AST]:
    """Return the nodes of each tree, in the order of `ast.walk`, without those that say how a name is used."""
    found: list[ast.AST] = []
    for tree in trees:
        ours = [tree]
        for node in ours:  # which grows meanwhile
            kind = node.__class__
            if kind not in _PARTS:
                _PARTS[kind] = tuple(name for name in kind._fields if name != "ctx")
            for name in _PARTS[kind]:
                part = getattr(node, name, None)
                if part.__class__ is list:
                    ours += [one for one in part if isinstance(one, ast.AST)]
                elif isinstance(part, ast.AST):
                    ours.append(part)
        found += ours
    return found
