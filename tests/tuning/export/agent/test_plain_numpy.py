"""Helpers of plain Python equal what they stand for: numpy, younger Pythons, loops of the engine."""

import math
from collections import defaultdict
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tunesmith.engine.compile import arith, jit
from tunesmith.engine.evaluation import to_score
from tunesmith.engine.search import endings
from tunesmith.engine.searcher import GAME_SECONDS, GENERATION, N_COUNTERS, N_NUMBERS, SECONDS_LEFT
from tunesmith.games.expendibots import board as expendibots
from tunesmith.games.pentago import board as pentago
from tunesmith.games.ropasci360 import board as ropasci
from tunesmith.tuning.export.agent import plain_numpy

words_of_63_bits = st.integers(1, (1 << 63) - 1)


@given(words_of_63_bits, words_of_63_bits)
def test_fast_words_equal_the_loops_they_replace(a, b):
    for home in (expendibots, ropasci, pentago):
        assert plain_numpy.popcount(a) == home.popcount(a)
        assert plain_numpy.lowest(a) == home.lowest(a)
    assert plain_numpy.popcount(a | 1 << 63) == expendibots.popcount(a | 1 << 63)
    assert plain_numpy.low_times(a, b) == jit.times(a, b)
    assert plain_numpy.low_plus(a, b) == jit.plus(a, b)


@given(st.lists(st.integers(0, 3), max_size=9), st.lists(st.integers(0, 3), max_size=9), st.integers(0, 3))
def test_occurrences_are_counted_alike(played, searched, key):
    keys = plain_numpy.Keys(played, 12)
    keys[len(played) : len(played) + len(searched)] = searched
    n = len(played) + len(searched)
    assert plain_numpy.occurrences(keys, n, key) == endings.occurrences(played + searched, n, key)


@given(
    st.lists(st.integers(0, (1 << 63) - 1), min_size=6, max_size=6),
    st.lists(st.integers(0, (1 << 63) - 1), min_size=6, max_size=6),
)
def test_keys_that_are_only_compared_hold_every_word(one, other):
    keys = []
    for words in (one, other):
        key = 1
        for word in words:
            key = plain_numpy.shifted(key ^ word)
        keys.append(key)
    assert (keys[0] == keys[1]) == (one == other)


@given(st.floats(-1e12, 1e12) | st.sampled_from([0.005, 0.015, -0.005, 1e20, -1e20, 9999000.0, -9999000.001]))
def test_scores_are_rounded_alike(value):
    for scale in (1.0, 0.01, 17.0):
        assert plain_numpy.to_score(value, scale) == to_score(value, scale)


@given(st.floats(-1e18, 1e18) | st.sampled_from([0.5, 1.5, 2.5, -0.5, -1.5, math.inf, -math.inf]))
@example(1e15 + 0.5)
@example(-4503599627370495.5)
def test_rounding_is_numpys(value):
    assert plain_numpy.rint(value) == np.rint(value)


@given(st.integers(0, 1 << 80))
def test_whole_roots(value):
    assert plain_numpy.whole_root(value) == math.isqrt(value)


@pytest.mark.parametrize("shape", [3, (3,), (2, 3), [1, 4]])
def test_made_arrays_are_numpys_as_lists(shape: object) -> None:
    assert plain_numpy.zeros(shape) == np.zeros(shape).tolist()  # type: ignore[call-overload]
    assert plain_numpy.ones(shape, int) == np.ones(shape, int).tolist()  # type: ignore[call-overload]
    made = plain_numpy.full(shape, 7)
    assert made == np.full(shape, 7).tolist()  # type: ignore[call-overload]
    assert plain_numpy.shape_of(made) == np.shape(made)


@pytest.mark.parametrize(("start", "stop"), [(None, None), (1, 3), (-2, None)])
def test_slices_are_filled_in_place_as_numpy_does(start: int | None, stop: int | None) -> None:
    for value in (9, [5, 6, 7, 8][start:stop]):
        values, array = [1, 2, 3, 4], np.array([1, 2, 3, 4])
        plain_numpy.fill(values, start, stop, value)
        array[start:stop] = value
        assert values == array.tolist()
    rows = [[1, 2], [3, 4]]
    plain_numpy.fill(rows, None, None, 0)
    assert rows == [[0, 0], [0, 0]]


@given(st.lists(st.integers(-(1 << 63), (1 << 63) - 1), min_size=1, max_size=8))
def test_states_have_the_engines_hash(words):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_numpy, "N_WORDS", len(words))
        assert plain_numpy.hash_state(tuple(words)) == arith.hash_state(tuple(words))


def test_listed_moves_are_whole_numbers_of_python() -> None:
    for found in (plain_numpy.listed([3, 1, 0, 0], 2), plain_numpy.array_listed(np.array([3, 1, 0, 0]), 2)):
        assert found == (3, 1) and {type(move) for move in found} == {int}


def test_a_new_game_begins_without_history_and_with_the_whole_clock() -> None:
    searcher = SimpleNamespace(
        killers=[[3, 4]],
        history=[defaultdict(int, {5: 17}), defaultdict(int)],
        numbers=[0.0] * N_NUMBERS,
        counters=[0] * N_COUNTERS,
    )
    searcher.numbers[GAME_SECONDS], searcher.numbers[SECONDS_LEFT] = 60.0, 2.0
    plain_numpy.fade(searcher)
    assert searcher.history[0] == {5: 2} and searcher.killers == [[-1, -1]]
    plain_numpy.forget(searcher)
    assert searcher.history == [{}, {}] and searcher.history[0][5] == 0
    assert searcher.numbers[SECONDS_LEFT] == 60.0 and searcher.counters[GENERATION] == 1
