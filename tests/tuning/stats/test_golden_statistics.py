"""Every call in tests/golden/statistics.md gives the published figures, and none of the list is forgotten."""

import ast
import math
from pathlib import Path
from typing import Any

import pytest

from tests.naive import formulas
from tunesmith.tuning.search.samplers import spsa_gains
from tunesmith.tuning.stats import elo, likelihood, sprt, stopped_test

GOLDEN = Path(__file__).parents[2] / "golden" / "statistics.md"
MODULES = (elo, likelihood, sprt, stopped_test, spsa_gains, formulas)


def cells() -> list[list[str]]:
    """Read the cells of every line of every table."""
    lines = [line.split("|")[1:-1] for line in GOLDEN.read_text().splitlines()]
    return [[cell.strip() for cell in line] for line in lines]


def rows() -> list[tuple[str, str, str]]:
    """Read (id, call, expected) of every row with a call."""
    return [
        (row[0], row[1].strip("`"), row[2].strip("`")) for row in cells() if len(row) == 4 and "(" in row[1]
    ]


def elsewhere() -> list[tuple[str, str, str]]:
    """Read (id, file, test) of every figure that another test looks up."""
    named = [(row[0], row[2].strip("`").split("::")) for row in cells() if len(row) == 3 and "::" in row[2]]
    return [(name, file, test) for name, (file, test) in named]


def function(name: str) -> Any:
    """Find a public function of the statistics by its name."""
    return next(getattr(module, name) for module in MODULES if hasattr(module, name))


def evaluate(node: ast.expr) -> Any:
    """Evaluate a call with keyword arguments that are literals or such calls, and what hangs on one by a dot."""
    if isinstance(node, ast.Attribute):
        return getattr(evaluate(node.value), node.attr)
    if isinstance(node, ast.List):
        return [evaluate(item) for item in node.elts]
    if not isinstance(node, ast.Call):
        return ast.literal_eval(node)
    assert not node.args
    called = function(node.func.id) if isinstance(node.func, ast.Name) else evaluate(node.func)
    return called(**{str(key.arg): evaluate(key.value) for key in node.keywords})


def figure(result: Any, name: str) -> float:
    """Pick the figure that a row names: the value, a place in a tuple, or a field."""
    if name == "value":
        return float(result)
    return float(result[int(name)] if name.isdigit() else getattr(result, name))


def tolerance(text: str) -> float:
    """Return half of the last printed digit."""
    decimals = len(text.partition(".")[2])
    return 0.5 * 10.0**-decimals


@pytest.mark.parametrize(("call", "expected"), [pytest.param(c, e, id=f"{i} {c}") for i, c, e in rows()])
def test_published_figures(call: str, expected: str) -> None:
    result = evaluate(ast.parse(call, mode="eval").body)
    for item in expected.split():
        name, _, text = item.partition("=")
        text, _, given = text.partition("~")
        allowed = float(given) if given else tolerance(text)
        assert math.isclose(figure(result, name), float(text), rel_tol=0, abs_tol=allowed * (1 + 1e-9)), item


# The list has gaps: figures that said nothing that another did not say.
LIST = (1, 2, 4, 5, 7, 9, 10, 11, 13, 14, 15, 17, 18, 20, 22, 24, 26, 27, 28, 30, 32, 34, *range(35, 41))
LIST += (42, 43, 44, *range(46, 52), 53, 55, 56, *range(58, 62))


def test_no_row_is_lost() -> None:
    assert len(rows()) == 97
    named = [name for name, *_ in rows() + elsewhere() if name != "-"]
    assert {int(name.removeprefix("O")) for name in named} == set(LIST)


@pytest.mark.parametrize(("file", "test"), [pytest.param(f, t, id=i) for i, f, t in elsewhere()])
def test_what_is_looked_up_elsewhere_is_there(file: str, test: str) -> None:
    tree = ast.parse((GOLDEN.parents[1] / file).read_text(encoding="utf-8"))
    assert test in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
