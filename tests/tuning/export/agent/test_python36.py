"""Today's Python written for Python 3.6: the same answers, or a refusal with the line."""

import ast
from typing import Any

import pytest

from tunesmith.games.errors import InputError
from tunesmith.tuning.export.agent import plain_numpy
from tunesmith.tuning.export.agent.python36 import OLDEST, Older


def older(text: str) -> str:
    made = ast.unparse(ast.fix_missing_locations(Older("here").visit(ast.parse(text))))
    ast.parse(made, feature_version=OLDEST)
    return made


def run(text: str, *arguments: Any) -> Any:
    names = {**vars(plain_numpy)}
    exec(text, names)
    return names["f"](*arguments)


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("def f(x: int, /, *, y: str = 'a') -> str:\n    z: str = y * x\n    return z", (3,)),
        ("def f(x):\n    return f'{x:>5}|{{}}|{x!r}'", (12,)),
        ("def f(x):\n    if (n := len(x)) > 2:\n        return n\n    return -n", ("abcd",)),
        ("def f(x):\n    return x.removeprefix('a'), x.removesuffix('c'), x.isascii()", ("abc",)),
        ("def f(x):\n    return list(zip(x, x, strict=True))", ([1, 2],)),
        ("def f(x):\n    return isinstance(x, int | str | float)", (2.0,)),
        ("def f(x):\n    return (6).bit_count() + x", (1,)),
    ],
)
def test_answers_stay(text: str, arguments: tuple[Any, ...]) -> None:
    assert run(older(text), *arguments) == run(text, *arguments)


def test_annotations_and_decorators_that_change_no_answer_go() -> None:
    assert older("@inlined\ndef f(x: int) -> int:\n    y: int\n    return x") == "def f(x):\n    return x"


def test_named_tuples_keep_their_fields() -> None:
    assert older("class P(NamedTuple):\n    a: int = 5") == "class P(NamedTuple):\n    a: object = 5"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("def f(x):\n    match x:\n        case 1:\n            pass", "a match statement in line 2"),
        ("def f():\n    global n\n    n = 1", "a function that changes the global n in line 2"),
        ("@dataclass\nclass P:\n    a: int", "a dataclass in line 2"),
    ],
)
def test_what_has_no_older_form_is_refused_with_its_line(text: str, what: str) -> None:
    with pytest.raises(
        InputError, match=f"here: expected code that can be written for Python 3.6, found {what}"
    ):
        older(text)
