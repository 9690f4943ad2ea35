"""The weighted sum written out: weights are numbers of the code, features without weight are left out.

The engine adds up weight x feature in the order of the features, a sum a stage, then share x sum over the stages. Here
the same products are added in the same order; those with a weight of 0 and stages with a share of 0 would add nothing.
Where arrays are lists the features go to a list of the function's own, so that it depends on the position alone."""

import ast
from collections.abc import Sequence
from typing import NamedTuple

from tunesmith.engine.searcher import SCALE
from tunesmith.tuning.export.agent.speed.nodes import nodes_in


class Weighing(NamedTuple):
    """What the evaluation is made of.

    `name` is what the file calls its weighted sum, None if it has none; `weights` are (stages, features); `has_lists`
    says whether the game's functions write to lists.
    """

    name: str | None
    weights: Sequence[Sequence[float]]
    scale: float
    has_lists: bool


def weighed(function: ast.FunctionDef, weights: Sequence[Sequence[float]], has_lists: bool) -> None:
    """Give the engine's `weighted_sum`, as it is written out, a body without loops.

    Parameters
    ----------
    weights
        (stages, features).
    has_lists
        Whether the game's functions write to lists.
    """
    _, _, _, _, values, shares = (argument.arg for argument in function.args.args)
    calls = [
        part for part in function.body if isinstance(part, ast.Expr) and isinstance(part.value, ast.Call)
    ]
    if has_lists:  # of its own
        own = {values: f"{values}_", shares: f"{shares}_"}
        for node in (node for node in nodes_in(*calls) if isinstance(node, ast.Name)):
            node.id = own.get(node.id, node.id)
        values, shares = own[values], own[shares]
    sums = [_sum(values, row) for row in weights]
    lines = []
    if has_lists:
        lines += [f"{values} = [0.0] * {max(1, len(weights[0]))}", f"{shares} = [0.0] * {len(weights)}"]
    n_calls = len(lines)
    if len(weights) == 1:
        lines.append(f"return {sums[0]}")
        calls = calls[:1]
        lines = [line for line in lines if not line.startswith(shares)]
        n_calls = len(lines) - 1
    else:
        lines.append("whole = 0.0")
        for stage, total in enumerate(sums):
            lines += [f"share = {shares}[{stage}]", f"if share:\n    whole += share * ({total})"]
        lines.append("return whole")
    made = ast.parse("\n".join(lines)).body
    function.body = [*made[:n_calls], *calls, *made[n_calls:]]


def _sum(values: str, row: Sequence[float]) -> str:
    terms = [f"{float(weight)!r} * {values}[{at}]" for at, weight in enumerate(row) if weight]
    return " + ".join(terms) or "0.0"


class Scaled(ast.NodeTransformer):
    """Writes the scale of the weights as a number where the search asks its memory for it."""

    def __init__(self, scale: float) -> None:
        self.scale = scale

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Know `numbers[SCALE]`."""
        self.generic_visit(node)
        is_scale = isinstance(node.slice, ast.Constant) and node.slice.value == SCALE
        if is_scale and ast.unparse(node.value) == "searcher.numbers" and isinstance(node.ctx, ast.Load):
            return ast.Constant(float(self.scale))
        return node


def written_out(tree: ast.Module, weighing: Weighing) -> ast.Module:
    """Return the file with its weights and their scale as numbers."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            if node.name == weighing.name:
                weighed(node, weighing.weights, weighing.has_lists)
            Scaled(weighing.scale).visit(node)
    return ast.fix_missing_locations(tree)
