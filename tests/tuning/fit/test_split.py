"""Held-out pairs and folds follow from the pair's number alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.games.errors import InputError
from tunesmith.tuning.fit.split import _BLOCK, fold_numbers, split

PAIRS = np.arange(20_000)


@given(st.lists(st.integers(0, 2**62), min_size=1), st.lists(st.integers(0, 2**62)), st.integers(0, 99))
def test_adding_games_moves_nobody_across(old: list[int], new: list[int], salt: int) -> None:
    group, more = np.array(old, dtype=np.int64), np.array(new + old, dtype=np.int64)
    assert (split(more, 0.3, salt)[len(new) :] == split(group, 0.3, salt)).all()
    assert (fold_numbers(more, 4, salt)[len(new) :] == fold_numbers(group, 4, salt)).all()


def test_many_rows_are_hashed_in_turn_as_few_are_at_once() -> None:
    many, few = np.arange(3 * _BLOCK + 5), np.arange(2 * _BLOCK - 3, 2 * _BLOCK + 3)
    assert split(many, 0.5)[few].tolist() == split(few, 0.5).tolist()


def plain_splitmix64(state: int) -> int:
    """The published algorithm on Python's own integers."""
    z = (state + 0x9E3779B97F4A7C15) % 2**64
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
    return z ^ (z >> 31)


@pytest.mark.parametrize("salt", [0, 7, -1])
def test_split_is_that_of_plain_integers(salt: int) -> None:
    """A changed hash would mix old training pairs into new test pairs."""
    mixed = plain_splitmix64(salt % 2**64)
    held = [pair for pair in range(200) if plain_splitmix64(pair ^ mixed) / 2**64 < 0.2]
    assert np.flatnonzero(split(PAIRS[:200], 0.2, salt)).tolist() == held


def test_split_is_the_same_in_every_version() -> None:
    assert np.flatnonzero(split(PAIRS[:40], 0.2)).tolist() == [1, 4, 18, 25, 27, 31, 35, 38]
    assert (split(PAIRS) == split(PAIRS, 0.2)).all()  # a fifth, unless another share is wished


@pytest.mark.parametrize("folds", [2, 5])
def test_folds_are_those_of_plain_integers(folds: int) -> None:
    """Salted by the word fold."""
    mixed = plain_splitmix64(int.from_bytes(b"fold", "big"))
    assert fold_numbers(PAIRS[:200], folds).tolist() == [
        plain_splitmix64(pair ^ mixed) % folds for pair in range(200)
    ]


def test_all_positions_of_a_pair_go_together() -> None:
    group = np.repeat(PAIRS, 3)
    together = split(group, 0.2).reshape(-1, 3)
    assert (together.all(axis=1) == together.any(axis=1)).all()


@pytest.mark.parametrize("held_out", [0.0, 0.1, 0.5])
def test_share_held_out_is_the_wanted_one(held_out: float) -> None:
    """Within four standard errors of 20,000 pairs."""
    assert split(PAIRS, held_out).mean() == pytest.approx(held_out, abs=4 * np.sqrt(held_out / len(PAIRS)))


def test_larger_share_contains_the_smaller() -> None:
    small, large = split(PAIRS, 0.1), split(PAIRS, 0.3)
    assert (large | ~small).all()


def test_salts_and_folds_are_independent_of_the_split() -> None:
    held, other, folds = split(PAIRS, 0.5), split(PAIRS, 0.5, salt=1), fold_numbers(PAIRS, 5)
    assert (held & other).mean() == pytest.approx(0.25, abs=0.02)
    assert np.bincount(folds[held], minlength=5) / held.sum() == pytest.approx([0.2] * 5, abs=0.02)
    assert np.bincount(folds, minlength=5) / len(PAIRS) == pytest.approx([0.2] * 5, abs=0.02)


def test_impossible_shares_are_refused() -> None:
    with pytest.raises(InputError, match=r"held_out: expected a share from 0 to below 1, found 1\.2"):
        split(PAIRS, 1.2)
    with pytest.raises(InputError, match=r"held_out: expected a share from 0 to below 1, found 1\.0"):
        split(PAIRS, 1.0)
    with pytest.raises(InputError, match="folds: expected at least 2, found 1"):
        fold_numbers(PAIRS, 1)
