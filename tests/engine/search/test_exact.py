"""The table of the solver's search: what its entries keep, and how it grows. The search itself: `test_solve`."""

import random

import numpy as np
import pytest

from tunesmith.engine.search import exact
from tunesmith.engine.search.transposition import NO_MOVE
from tunesmith.engine.search.values import INFINITY


def bounds(table, key: int) -> tuple[int, int]:
    word = int(table[exact.row_of(table, key), 1])
    return exact.lower_of(word), exact.upper_of(word)


@pytest.mark.parametrize("value", [0, 1, -1, exact.MOST, -exact.MOST])
def test_a_word_gives_back_what_it_was_made_of(value: int) -> None:
    for lower, upper in ((value, value), (-INFINITY, value), (value, INFINITY)):
        word = exact.packed(lower, upper, 77, 5)
        assert 0 <= word < 2**63
        assert (exact.lower_of(word), exact.upper_of(word), exact.move_of(word)) == (lower, upper, 77)


def test_bounds_out_of_reach_are_weakened_and_never_wrong() -> None:
    far = 10 * exact.MOST
    assert exact.lower_of(exact.packed(far, INFINITY, 0, 1)) == exact.MOST
    assert exact.lower_of(exact.packed(-far, INFINITY, 0, 1)) == -INFINITY
    assert exact.upper_of(exact.packed(-INFINITY, far, 0, 1)) == INFINITY
    assert exact.upper_of(exact.packed(-INFINITY, -far, 0, 1)) == -exact.MOST


def test_a_move_without_room_is_forgotten() -> None:
    for move in (NO_MOVE, exact.MOVE_MASK, 1 << 40):
        assert exact.move_of(exact.packed(0, 1, move, 1)) == NO_MOVE


def test_an_entry_collects_both_bounds_and_keeps_its_move() -> None:
    table, counters = exact.new_table(exact.room_for(8), 8), np.zeros(4, np.int64)
    exact.keep(counters, table, 12, 3, True, 7, 100)
    exact.keep(counters, table, 12, 9, False, NO_MOVE, 5)
    exact.keep(counters, table, 12, 2, True, NO_MOVE, 5)  # weaker than what is known
    assert bounds(table, 12) == (3, 9)
    assert exact.move_of(int(table[exact.row_of(table, 12), 1])) == 7
    assert counters[exact.ENTRIES] == 1
    assert exact.row_of(table, 16) == exact.row_of(table, 0) == -1


def test_a_full_bucket_gives_up_what_took_the_fewest_positions() -> None:
    table, counters = exact.new_table(exact.room_for(4), 4), np.zeros(4, np.int64)
    for key, n_nodes in ((1, 500), (2, 9000), (3, 20), (4, 700), (5, 60)):
        exact.keep(counters, table, key, 0, True, 1, n_nodes)
    assert [exact.row_of(table, key) >= 0 for key in range(1, 6)] == [True, True, False, True, True]
    assert counters[exact.ENTRIES] == 4


def test_a_grown_table_holds_the_same_entries_in_cache_lines() -> None:
    rng, counters, known = random.Random(4), np.zeros(4, np.int64), {}
    room = exact.room_for(512)
    room[:] = -1  # as a machine may give it
    table = exact.new_table(room, 64)
    for _ in range(60):
        key, value = rng.getrandbits(63), rng.randrange(-99, 99)
        exact.keep(counters, table, key, value, True, 1, 1)
        known[key] = value
    known = {key: value for key, value in known.items() if exact.row_of(table, key) >= 0}
    for _ in range(3):
        table = exact.grown(room, len(table))
        assert table.ctypes.data % 64 == 0
        assert {key: bounds(table, key)[0] for key in known} == known
        assert np.count_nonzero(table[:, 1]) == len(known)
