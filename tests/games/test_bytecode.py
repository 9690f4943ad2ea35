"""What byte code says: which names it asks for, what it imports, and when two codes are the same."""

import types
from typing import Any

import pytest

from tunesmith.games.bytecode import Reading, Use, read


def of(text: str) -> Reading:
    space: dict[str, Any] = {}
    exec(text, space)
    return read(space["f"].__code__)


def test_names_are_told_with_the_attributes_read_of_them() -> None:
    found = of("def f(x): return A + m.n.K + x.size + m.g(x)")
    assert found.uses == (Use(True, "A", ()), Use(True, "m", ("g",)), Use(True, "m", ("n", "K")))


def test_names_of_a_closure_are_told_apart_from_globals() -> None:
    found = of("def make(k):\n def f(): return k.a + k2\n return f\nf = make(1)")
    assert found.uses == (Use(False, "k", ("a",)), Use(True, "k2", ()))


def test_what_inner_functions_use_and_import_counts() -> None:
    found = of("def f(x):\n import math\n def g(y):\n  import os.path\n  return B\n return g")
    assert Use(True, "B", ()) in found.uses
    assert found.imports == ("math", "os.path")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(x): return x + 1", "def f(x): return x + 2"),
        ("def f(x): return x + 1", "def f(x): return x + 1.0"),
        ("def f(x): return x + 1", "def f(x): return x - 1"),
        ("def f(x): return A", "def f(x): return B"),
        ("def f(x): return x", "def f(*, x): return x"),
        ("def f(x): return x", "def f(x, /): return x"),
        ("def f(x): return x", "def f(*x): return x"),
        ("def f(x): return [y + 1 for y in x]", "def f(x): return [y + 2 for y in x]"),
        ("def f(x): return x in {1, 2}", "def f(x): return x in {1, 3}"),
        ("def f(x): return x", "def f(x): yield x"),
    ],
)
def test_different_codes_have_different_digests(one: str, other: str) -> None:
    assert of(one).digest != of(other).digest == of(other).digest


@pytest.mark.parametrize(
    "same",
    [
        "\n\n\ndef f(x):\n    # said\n    return x + 1",
        "def g(x): return x + 1\nf = g",
        "def f(\n  x\n): return (x\n + 1)",
    ],
)
def test_lines_and_names_of_functions_count_for_nothing(same: str) -> None:
    assert of(same).digest == of("def f(x): return x + 1").digest


def test_a_code_is_read_once() -> None:
    code = compile("1", "f", "eval")
    assert isinstance(code, types.CodeType) and read(code) is read(code)
