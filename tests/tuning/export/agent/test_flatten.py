"""What an agent's code is made by: older syntax, lists for arrays, conditions decided, helpers equal to what they replace."""

import ast
import copy
import functools
import itertools
import math
import operator

import numpy as np
import pytest

from tunesmith.games.errors import InputError
from tunesmith.tuning.export.agent.arrays_to_lists import NotPlainError
from tunesmith.tuning.export.agent.flatten import Flattener
from tunesmith.tuning.export.agent.python36 import OLDEST
from tunesmith.tuning.export.agent.resolve import ARRAYS, LISTS

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
