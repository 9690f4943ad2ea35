"""What a digest depends on, kind by kind, and what it refuses to depend on."""

import functools
import importlib
import random
import subprocess
import sys
import types
from collections.abc import Callable
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tunesmith.games import registry
from tunesmith.games.digest import MOST_KEPT, digest, follow
from tunesmith.games.errors import GameError

ROOT = Path(__file__).parents[2]
HEAD = "import enum\nimport numpy as np\nfrom typing import NamedTuple\n"


def made(text: str, name: str = "f", file: str = "made.py", module: str = "made") -> Any:
    """Return a function of a module with that text."""
    space: dict[str, Any] = {"__name__": module}
    exec(compile(HEAD + text, file, "exec"), space)
    return space[name]


def of(value: object) -> str:
    """Return the digest of a function that refers to a value."""
    function = made("def f(): return X")
    function.__globals__["X"] = value
    return digest(function)


class Thing:
    """Something that no digest can see through."""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (5, 9),
        (5, 5.0),
        (5, True),
        (0.0, -0.0),
        ("5", 5),
        (np.int64(5), np.int64(9)),
        (np.int64(5), np.uint64(5)),
        (np.float32(0.1), np.float64(np.float32(0.1))),
        (np.arange(3), np.array([0, 1, 3])),
        (np.zeros((2, 3)), np.zeros((3, 2))),
        (np.zeros(2, np.int64), np.zeros(2, np.uint64)),
        ((1, (2, 3)), (1, (2, 4))),
        ((np.arange(3000),), (np.arange(3000) + (np.arange(3000) == 1500),)),
        ((1, 2), (12,)),
        ([1, 2], [1, 3]),
        ({1: 2}, {1: 3}),
        (frozenset({1, 2}), frozenset({1, 3})),
        (range(5), range(9)),
        (functools.partial(int, base=5), functools.partial(int, base=9)),
        (types.SimpleNamespace(a=5), types.SimpleNamespace(a=9)),
        (len, max),
        (np.rint, np.floor),
        (np.sum, np.prod),
        (sqrt, abs),
        (np.int64, np.uint64),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_are_told_apart(one: object, other: object) -> None:
    assert of(one) != of(other)
    assert of(one) == of(one)


@pytest.mark.parametrize(
    "text",
    [
        "K = 5\ndef g(): return K\ndef f(): return g()",
        "def f(x=5): return x",
        "def f(*, x=5): return x",
        "def f(x): return x + 5",
        "def f(): return [x * 5 for x in (1, 2)]",
        "def make(k):\n def f(): return k\n return f\nf = make(5)",
        "def make(k):\n def g(): return k\n def f(): return g()\n return f\nf = make(5)",
        "class K(enum.IntEnum):\n A = 5\ndef f(): return K.A",
        "class K(enum.IntEnum):\n A = 5\ndef f(): return K.A.value",
        "class K(enum.IntEnum):\n A = 5\ndef f(): return K(1)",
        "class K:\n A = 5\ndef f(): return K.A",
        "class K:\n @staticmethod\n def g(): return 5\ndef f(): return K.g()",
        "class P(NamedTuple):\n a: int = 5\ndef f(): return P()",
        "import types\nm = types.ModuleType('m')\nm.A = 5\ndef f(): return m.A",
        "import types\nm = types.ModuleType('m')\nm.n = types.ModuleType('n')\nm.n.A = 5\ndef f(): return m.n.A",
        "import functools\n@functools.wraps(int)\ndef g(): return 5\ndef f(): return g()",
    ],
)
def test_what_code_reaches_is_taken_by_value(text: str) -> None:
    assert digest(made(text)) != digest(made(text.replace("5", "9")))
    assert digest(made(text)) == digest(made(text))


def test_what_a_compiler_has_wrapped_is_taken_by_the_function_inside() -> None:
    numba = pytest.importorskip("numba")
    text = "K = 5\n@njit\ndef g(x): return K * x\ndef f(x): return g(x)"
    plain = digest(made(f"njit = lambda function: function\n{text}"))

    def wrapped(changed: str) -> str:
        space = {"__name__": "made", "njit": numba.njit}
        exec(changed, space)
        return digest(space["f"])

    assert wrapped(text) == plain
    assert wrapped(text.replace("5", "9")) != plain


def test_functions_that_call_each_other_come_to_an_end() -> None:
    text = "def f(n): return n and g(n - 1)\ndef g(n): return n and f(n - 5)"
    assert digest(made(text)) == digest(made(text)) != digest(made(text.replace("5", "9")))


def test_which_of_two_functions_is_called_twice_counts() -> None:
    text = "def a(): return 1\ndef b(): return 2\np, q, r = a, b, {}\ndef f(): return p() + q() + r()"
    assert digest(made(text.format("a"))) != digest(made(text.format("b")))


@pytest.mark.parametrize(
    "text",
    [
        '"""A file."""\n\n\n# a comment\nK = 5\n\n\ndef f(x):\n    """Say something."""\n    return K * x  # said',
        "UNUSED = 7\nK = 2 + 3\ndef f(x): return K * x",
        "g = 1\nK = 5\ndef f(x): return (K * \n x)",
    ],
)
def test_lines_comments_docstrings_and_what_is_not_used_count_for_nothing(text: str) -> None:
    plain = digest(made("K = 5\ndef f(x): return K * x"))
    assert digest(made(text, file="elsewhere.py", module="an.other.module")) == plain


def test_equal_values_are_equal_whether_or_not_they_are_one_object() -> None:
    pair = tuple([1, 2])
    function = made("def f(): return A, B")
    function.__globals__.update(A=pair, B=pair)
    one = digest(function)
    function.__globals__.update(B=tuple([1, 2]))
    assert digest(function) == one


def method() -> Callable[[], float]:
    return random.Random(1).random


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (Thing(), "X is a value of type Thing"),
        (Thing, "X is a class"),
        ((1, Thing()), "X[1] is a value of type Thing"),
        ({"a": Thing()}, "X['a'] is a value of type Thing"),
        (np.array([1, None]), "X is an array of objects"),
        (np.ma.masked_array([1, 2], [0, 1]), "X is a value of type MaskedArray"),
        (method(), "X is a value of type builtin_function_or_method"),
        (lambda: Thing, "Thing is a class"),
        (functools.partial(max, Thing()), "X[1][0] is a value of type Thing"),
        (importlib.import_module("tests.support.referring"), "X is a module, used as a whole"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_known_by_value_is_refused_by_name(value: object, said: str) -> None:
    with pytest.raises(GameError) as error:
        of(value)
    text = str(error.value)
    assert said in text and ("use numbers, texts" in text or "name what is used" in text)
    assert text.startswith(("f (made.py:4)", "<lambda> (test_digest.py"))
    assert "\n" not in text


def test_a_list_that_holds_itself_is_refused() -> None:
    ring: list[object] = []
    ring.append(ring)
    with pytest.raises(GameError, match=r"X\[0\] is a value of type list"):
        of(ring)


def test_imports_inside_a_function_are_refused_but_for_libraries() -> None:
    assert digest(made("def f(x):\n import math\n return math.sqrt(x)"))
    with pytest.raises(GameError, match=r"f \(made.py:4\): imports tables inside the function"):
        digest(made("def f(x):\n import tables\n return tables.VALUE * x"))


def test_large_arrays_are_named() -> None:
    function = made("T = (np.zeros(200_000), np.zeros(10))\ndef f(): return T")
    large = follow(function)[1]
    assert [(array.name, array.size) for array in large] == [("T[0]", 1_600_000)]
    assert large[0].size > MOST_KEPT
    assert large[0].words.startswith("f (made.py:5): T[0] is an array of 1.6 MB")


MOVED = """
import importlib, pathlib, shutil, sys
root, new = map(pathlib.Path, sys.argv[1:])
names = "kalah", "pentago", "expendibots", "fanorona", "ropasci360"
(new / "smith").mkdir()
(new / "smith" / "__init__.py").touch()
shutil.copytree(root / "games", new / "smith" / "play", ignore=shutil.ignore_patterns("__pycache__", "weights"))
for path in (new / "smith").rglob("*.py"):
    text = path.read_text(encoding="utf-8").replace("from games", "from smith.play").replace("from tunesmith import games", "import smith.play")
    path.write_text("# moved\\n\\n" + text, encoding="utf-8")
sys.path[:0] = [str(new)]
from smith.play.digest import digest
for name in names:
    game = importlib.import_module(f"smith.play.{name}").make()
    print(name, *(digest(function) for function in game.functions().values()))
"""


def test_the_shipped_games_have_the_same_digests_in_another_package(tmp_path: Path) -> None:
    call = [sys.executable, "-c", MOVED, str(ROOT), str(tmp_path)]
    done = subprocess.run(call, check=False, capture_output=True, text=True, timeout=200, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    moved = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines()}
    for name in registry.names():
        assert moved[name] == [digest(function) for function in registry.load(name).functions().values()], (
            name
        )


def test_what_a_library_holds_for_its_process_counts_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    function = made("import os\ndef f(): return os.environ['PLACE']")
    before = digest(function)
    monkeypatch.setenv("PLACE", "elsewhere")
    assert digest(function) == before
    assert digest(made("import os\ndef f(): return os.sep['PLACE']")) != before
