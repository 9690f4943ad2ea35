"""Nobody has to remember the order of a dozen arguments: what is said together is one object."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("play", "proof", "search", "pipeline")
MOST = 8


def public(path: Path) -> Iterator[tuple[str, int]]:
    """Yield the name and the number of parameters (`self` left out) of what a module offers, templates left out."""
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.FunctionDef) or (node.name.startswith("_") and node.name != "__init__"):
            continue
        if "(template)" in (ast.get_docstring(node) or ""):
            continue
        given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        yield node.name, len([one for one in given if one.arg not in ("self", "cls")])


@pytest.mark.parametrize("room", ROOMS)
def test_no_public_function_of_a_room_takes_more_than_eight_parameters(room: str) -> None:
    found = {
        f"{path.relative_to(ROOT)}: {name}": count
        for path in sorted((ROOT / "tuning" / room).rglob("*.py"))
        for name, count in public(path)
    }
    assert len(found) > 10
    assert {name: count for name, count in found.items() if count > MOST} == {}
