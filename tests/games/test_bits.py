"""Arithmetic on the words of the games: bit counts and hashes whose products stay within int64."""

import random

import pytest

from tunesmith.games.bits import mixed
from tunesmith.games.expendibots import board as expendibots
from tunesmith.games.fanorona import board as fanorona
from tunesmith.games.kalah import board as kalah
from tunesmith.games.pentago import board as pentago
from tunesmith.games.ropasci360 import board, rules

WORDS = [0, 1, 2**62, 2**63 - 1, *(random.Random(5).getrandbits(63) for _ in range(500))]


class Watched(int):
    """An int whose sums, differences and products must stay within int64, and so do those of its offspring."""

    def __add__(self, other: int) -> "Watched":
        return within(int(self) + int(other))

    def __sub__(self, other: int) -> "Watched":
        return within(int(self) - int(other))

    def __rsub__(self, other: int) -> "Watched":
        return within(int(other) - int(self))

    def __mul__(self, other: int) -> "Watched":
        return within(int(self) * int(other))

    def __and__(self, other: int) -> "Watched":
        return Watched(int(self) & int(other))

    def __xor__(self, other: int) -> "Watched":
        return Watched(int(self) ^ int(other))

    def __rshift__(self, other: int) -> "Watched":
        return Watched(int(self) >> int(other))

    __radd__, __rmul__, __rand__, __rxor__ = __add__, __mul__, __and__, __xor__


def within(value: int) -> Watched:
    """Return the value, if compiled code can hold it."""
    assert -(2**63) <= value < 2**63, f"{value} does not fit into int64"
    return Watched(value)


@pytest.mark.parametrize(
    "popcount", [expendibots.popcount, fanorona.popcount, pentago.popcount, board.popcount]
)
def test_bits_are_counted(popcount) -> None:
    for word in WORDS:
        assert popcount(Watched(word)) == word.bit_count()


def test_hashes_stay_within_63_bits() -> None:
    keys = [mixed(Watched(word)) for word in WORDS]
    assert all(0 <= key < 2**63 for key in keys)
    assert len(set(keys)) == len(set(WORDS))


def test_history_keys_of_ropasci360_tell_words_apart() -> None:
    """Keys differ with every word that makes a position the same or not, and with no other."""
    state = (1 << 60, 1, 1 << 30, 5, 0, 0, 17, 0, 9)
    keys = {
        rules.history_key(tuple(Watched(w) for w in state[:i] + (state[i] + 1,) + state[i + 1 :]))
        for i in range(7)
    }
    assert len(keys | {rules.history_key(state)}) == 8
    assert rules.history_key(state) == rules.history_key((*state[:8], 10))
    assert rules.history_key((*state[:7], 70, 9)) == 0


def test_seeds_are_added_up() -> None:
    chance = random.Random(3)
    for _ in range(500):
        cuts = sorted(chance.randint(0, 255) for _ in range(6))
        ponds = [b - a for a, b in zip([0, *cuts], cuts, strict=False)]
        word = sum(seeds << 8 * i for i, seeds in enumerate(ponds)) | chance.randint(0, 255) << 48
        assert kalah.pond_seeds(Watched(word)) == sum(ponds)
