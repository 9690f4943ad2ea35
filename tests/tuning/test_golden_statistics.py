"""Every call in tests/golden/statistics.md gives the published figures."""

import ast
import math
from pathlib import Path
from typing import Any

import pytest

from tuning import after_test, likelihood, sprt, stats

GOLDEN = Path(__file__).parents[1] / "golden" / "statistics.md"
MODULES = (stats, likelihood, sprt, after_test)


def rows() -> list[tuple[str, str, str]]:
    """Read (id, call, expected) of every row of every table."""
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in GOLDEN.read_text().splitlines()]
    return [
        (row[0], row[1].strip("`"), row[2].strip("`")) for row in cells if len(row) == 4 and "(" in row[1]
    ]


def function(name: str) -> Any:
    """Find a public function of the statistics by its name."""
    return next(getattr(module, name) for module in MODULES if hasattr(module, name))


def evaluate(node: ast.expr) -> Any:
    """Evaluate a call with keyword arguments that are literals or such calls."""
    if not isinstance(node, ast.Call):
        return ast.literal_eval(node)
    assert isinstance(node.func, ast.Name) and not node.args
    return function(node.func.id)(**{key.arg: evaluate(key.value) for key in node.keywords})


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


def test_no_row_is_lost() -> None:
    assert len(rows()) == 87
    wanted = {
        1,
        2,
        4,
        5,
        7,
        9,
        10,
        11,
        13,
        14,
        15,
        17,
        18,
        20,
        22,
        24,
        26,
        27,
        28,
        30,
        32,
        34,
        35,
        36,
        37,
        38,
    }
    wanted |= {39, 40, 42, 43, 48, 53}
    assert {int(name[1:]) for name, _, _ in rows() if name.startswith("O")} == wanted
