"""What an agent's code is made by: older syntax, lists for arrays, conditions decided, helpers equal to what they replace."""

import ast
import copy
import functools
import itertools
import math
import operator

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tunesmith.engine.compile import jit
from tunesmith.engine.search import endings
from tunesmith.games.errors import InputError
from tunesmith.games.expendibots import board as expendibots
from tunesmith.games.pentago import board as pentago
from tunesmith.games.ropasci360 import board as ropasci
from tunesmith.tuning.export.agent import plain_numpy
from tunesmith.tuning.export.agent.arrays_to_lists import Folded, NotPlainError
from tunesmith.tuning.export.agent.flatten import ARRAYS, LISTS, Flattener
from tunesmith.tuning.export.agent.python36 import OLDEST

TABLE = np.array([[1, 2, 3], [4, 5, 6]], np.int64)
LIMITS = {"low": -2, "high": (1.5, float("inf"))}
FOLDED = 0


def flat(function, manner=LISTS):
    """Write a function out; return what the new file makes of it, and the file."""
    flattener = Flattener(lambda name, value, manner: (value, manner), [])
    flattener.add(function, manner, "result")
    text = flattener.text("A test.")
    ast.parse(text, feature_version=OLDEST)
    names: dict[str, object] = {}
    exec(compile(text, "flat.py", "exec"), names)
    return names["result"], text


def walrus(values, /):
    total = 0
    while (n := len(values)) > 2 and (first := values.pop()):
        total += n * first
    inner = [m for v in values if (m := v + n) > 1]
    late = lambda: n  # noqa: E731
    return total, n, inner, late()


def words(x: int | str, *, width: int = 7) -> str:
    note: str = f"{x!r:>{width}}|{{}}|{'a' + f'{width:03d}'}|{x}"
    return f"{note.removeprefix(' ')}{x = }" if isinstance(x, int | float) else note.removesuffix("b")


def younger(values):
    pairs = list(itertools.pairwise(values))
    both = list(zip(values, values[::-1], strict=True))
    return pairs, both, math.prod(values), math.isqrt(values[0] ** 2 + 1), (13).bit_count(), "ä".isascii()


def shadows(table):
    TABLE = table[0]  # a local of a global's name
    return [TABLE for TABLE in (TABLE, 5)], sum(n for n in range(TABLE)), LIMITS["low"], LIMITS["high"]


def refers(n):
    return shadows([n])[1] + functools.reduce(operator.add, [helped(n)]) + (1 if FOLDED else 2)


def helped(n):
    return helped(n - 1) + 1 if n else 0


def arrays(out, n):
    out[:] = 0
    out[1:3] = 7
    grid = np.zeros((2, 3))
    grid[1, :2] = 0.5
    grid[0, n] += TABLE[1, n]
    return [float(v) for row in grid.tolist() for v in row], TABLE.shape, list(out), int(TABLE[0, n])


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (walrus, ([1, 2, 3, 4],)),
        (words, (12,)),
        (words, ("ab",)),
        (younger, ([9, 2, 5],)),
        (shadows, ([3],)),
        (refers, (4,)),
    ],
)
def test_a_function_written_out_answers_as_before(function, arguments):

    expected = function(*copy.deepcopy(arguments))
    for manner in (LISTS, ARRAYS):
        assert flat(function, manner)[0](*copy.deepcopy(arguments)) == expected


@pytest.mark.parametrize("n", range(3))
def test_arrays_become_lists(n):
    plain, text = flat(arrays)
    assert "numpy" not in text
    assert plain([9] * 5, n) == arrays(np.full(5, 9), n)
    kept, text = flat(arrays, ARRAYS)
    assert "numpy" in text
    assert kept(np.full(5, 9), n) == arrays(np.full(5, 9), n)


def test_what_lists_cannot_do_is_refused():
    with pytest.raises(NotPlainError):
        flat(lambda values: np.linalg.norm(values))
    with pytest.raises(InputError, match="own source|standard library|source"):
        flat(eval("lambda: 1"))


@given(st.integers(-3, 3), st.booleans())
def test_folding_keeps_values(x, flag):
    def call(*_: object) -> bool:
        return flag

    for text in (
        "1 and x",
        "0 or x",
        "x or 0",
        "x and 0 or 3",
        "not 0 and x",
        "2 < 1 or x > 0",
        "call() and 0",
    ):
        tree = ast.parse(text, mode="eval")
        folded = ast.fix_missing_locations(Folded().visit(ast.parse(text, mode="eval")))
        names = {"x": x, "call": call}
        assert eval(compile(folded, "", "eval"), names) == eval(compile(tree, "", "eval"), names)
        branch = ast.parse(f"if {text}:\n    y = 1\nelse:\n    y = 2")
        chosen = ast.fix_missing_locations(Folded().visit(ast.parse(ast.unparse(branch))))
        first, second = dict(names), dict(names)
        exec(compile(branch, "", "exec"), first)
        exec(compile(chosen, "", "exec"), second)
        assert first["y"] == second["y"]


words_of_63_bits = st.integers(1, (1 << 63) - 1)


@given(words_of_63_bits, words_of_63_bits)
def test_fast_words_equal_the_loops_they_replace(a, b):
    for home in (expendibots, ropasci, pentago):
        assert plain_numpy.popcount(a) == home.popcount(a)
        assert plain_numpy.lowest(a) == home.lowest(a)
    assert plain_numpy.popcount(a | 1 << 63) == expendibots.popcount(a | 1 << 63)
    assert plain_numpy.low_times(a, b) == jit.times(a, b)
    assert plain_numpy.low_plus(a, b) == jit.plus(a, b)


@given(st.lists(st.integers(0, 3), max_size=9), st.integers(0, 9), st.integers(0, 3))
def test_occurrences_are_counted_alike(keys, n, key):
    n = min(n, len(keys))
    assert plain_numpy.occurrences(keys, n, key) == endings.occurrences(keys, n, key)


@given(st.floats(-1e18, 1e18) | st.sampled_from([0.5, 1.5, 2.5, -0.5, -1.5, math.inf, -math.inf]))
@example(1e15 + 0.5)
@example(-4503599627370495.5)
def test_rounding_is_numpys(value):
    assert plain_numpy.rint(value) == np.rint(value)


@given(st.integers(0, 1 << 80))
def test_whole_roots(value):
    assert plain_numpy.whole_root(value) == math.isqrt(value)
