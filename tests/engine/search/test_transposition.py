"""The table of positions: keys of images, what is found again, which entry gives way, wins seen from elsewhere."""

import random

import numpy as np
import pytest

from tests.support.toys import START, piles
from tunesmith.engine.compile.bind import uncompiled
from tunesmith.engine.evaluation import WIN
from tunesmith.engine.options import ALWAYS, BY_DEPTH, LRU
from tunesmith.engine.search import transposition
from tunesmith.engine.search.transposition import EXACT, find, from_here, from_root, store


def table(rows: int = 2) -> np.ndarray:
    return np.zeros((rows, 4), np.int64)


def put(
    entries: np.ndarray, key: int, depth: int, policy: int = BY_DEPTH, age: int = 0, generation: int = 1
) -> None:
    store(entries, generation, age, policy, key, depth, EXACT, 10 * key, key + 1)


def held(entries: np.ndarray, *keys: int) -> list[int]:
    return [key for key in keys if find(entries, 1, key) >= 0]


def test_images_of_a_position_have_one_key() -> None:
    key = uncompiled(transposition.canonical_key, piles())
    image = (5, 4, 0, 0)
    assert key(START, True, False)[0] == key(image, True, False)[0]
    assert {key(START, True, False)[1], key(image, True, False)[1]} == {0, 1}
    assert key(START, False, False)[0] != key(image, False, False)[0]
    assert key(START, False, False)[1] == 0


def test_counters_are_part_of_a_key_unless_the_path_is_free() -> None:
    key = uncompiled(transposition.position_key, piles())
    later = (*START[:3], 8)
    assert key(START, True, True) == key(later, True, True)
    assert key(START, True, False) != key(later, True, False)


def test_a_path_is_what_was_played_in_any_order() -> None:
    """Positions that do not count leave it as it is."""
    path = transposition.history_path
    assert path([3, 9, 7], 3) == path([7, 3, 9], 3) == path([7, 0, 3, 0, 9], 5)
    assert path([3, 9, 7], 3) != path([3, 9, 7], 2)
    assert transposition.with_path(5, path([3], 1)) != transposition.with_path(5, path([9], 1))


def test_what_is_stored_is_found_with_its_parts() -> None:
    entries, rng = table(64), random.Random(1)
    keys = rng.sample(range(10**6), 20)
    for key in keys:
        put(entries, key, key % 60, ALWAYS)
        row = find(entries, 1, key)
        assert entries[row, :3].tolist() == [key, 10 * key, key + 1]
        assert transposition.depth_of(int(entries[row, 3])) == key % 60 and entries[row, 3] & 3 == EXACT
        assert row // 2 == transposition.first_row(entries, key) // 2 == key % 32
    assert find(entries, 2, keys[-1]) == -1  # another game's


@pytest.mark.parametrize(
    ("policy", "kept"), [(BY_DEPTH, [1, 3]), (ALWAYS, [3]), (LRU, [2, 3])], ids=["depth", "always", "lru"]
)
def test_which_entry_gives_way(policy: int, kept: list[int]) -> None:
    """Deepest first, then two lower ones, in one bucket."""
    entries = table()
    for key, depth in ((1, 9), (2, 3), (3, 1)):
        put(entries, key, depth, policy)
    assert held(entries, 1, 2, 3) == kept


def test_depth_protects_entries_of_the_same_move_only() -> None:
    entries = table()
    put(entries, 1, 9, age=0)
    put(entries, 2, 3, age=1)
    assert held(entries, 1, 2) == [2]


def test_an_entry_that_is_used_comes_to_the_front() -> None:
    entries = table()
    put(entries, 1, 9, LRU)
    put(entries, 2, 9, LRU)
    assert transposition.to_front(entries, find(entries, 1, 1)) == 0
    put(entries, 3, 9, LRU)
    assert held(entries, 1, 2, 3) == [1, 3]


@pytest.mark.parametrize(
    ("here", "stored"), [(WIN - 7, WIN - 4), (-(WIN - 7), -(WIN - 4)), (5000, 5000), (0, 0)]
)
def test_wins_are_stored_as_seen_from_their_position(here: int, stored: int) -> None:
    assert from_here(here, 3) == stored
    assert from_root(stored, 3) == here
