"""Compiled arithmetic gives the bits of plain Python, also where a product or sum overflows."""

from collections.abc import Callable

import numpy as np
import pytest

from tunesmith.engine.compile import arith, jit
from tunesmith.engine.compile.arith import MASK63, below, hash_state, mix, next_random
from tunesmith.engine.compile.bind import bind
from tunesmith.engine.search.transposition import with_path
from tunesmith.games import registry

KALAH = registry.load("kalah")


def drawn(seed: int) -> int:
    """Draw a number below six: in one compiled function, overflows could be optimised on."""
    return below(next_random(next_random(seed)), 6)


def hashed(word: int) -> int:
    """Hash a state whose words need all 63 bits."""
    return hash_state((word, word ^ 1, 0))


def pathed(word: int) -> int:
    """Add two numbers of 63 bits."""
    return with_path(word, word)


@pytest.mark.parametrize("function", [mix, next_random, drawn, hashed, pathed])
def test_compiled_equals_python(function: Callable[[int], int]) -> None:
    compiled = bind(function, KALAH)
    numbers = np.random.default_rng(1).integers(0, MASK63, 1000, endpoint=True).tolist()
    for number in [*range(1000), *numbers, MASK63]:
        expected = function(number)
        assert 0 <= expected <= MASK63
        assert compiled(number) == expected


def test_numbers_are_spread_evenly() -> None:
    counts = np.zeros(6)
    seed = 1
    for _ in range(6000):
        seed = next_random(seed)
        counts[below(seed, 6)] += 1
    assert abs(counts - 1000).max() < 150


def test_python_versions_wrap_too() -> None:
    assert jit.times(MASK63, MASK63) == (MASK63 * MASK63) & MASK63
    assert jit.plus(MASK63, 1) == 0
    assert arith.mix(0) == 0
