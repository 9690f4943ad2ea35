"""Which pairs are held out, and which fold is a pair in?

The answer depends on the pair's own number and a salt alone, so adding games moves nobody across, every run
agrees, and a larger held-out share contains the smaller one. All rows of a pair go together.
Hash: SplitMix64 (G. Steele, D. Lea, C. Flood, Fast splittable pseudorandom number generators, OOPSLA 2014).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from games.errors import InputError

Words = NDArray[np.uint64]

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_FOLD_SALT = 0x666F6C64  # folds must not follow the split, or a fold could lie within one side of it


def split(group: NDArray[np.int64], held_out: float = 0.2, salt: int = 0) -> NDArray[np.bool_]:
    """Mark the rows whose pair is held out, about `held_out` (0 to 1) of all pairs."""
    if not 0 <= held_out < 1:
        raise InputError(f"held_out: expected a share from 0 to below 1, found {held_out}")
    share = (hashed(group, salt) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return np.asarray(share < held_out, dtype=np.bool_)


def fold_numbers(group: NDArray[np.int64], folds: int, salt: int = 0) -> NDArray[np.int64]:
    """Give each row the fold of its pair, 0 to folds - 1."""
    if folds < 2:
        raise InputError(f"folds: expected at least 2, found {folds}")
    return (hashed(group, salt ^ _FOLD_SALT) % np.uint64(folds)).astype(np.int64)


def hashed(group: NDArray[np.int64], salt: int) -> Words:
    """Hash numbers to 64 well-mixed bits."""
    salted = splitmix64(np.array([salt % 2**64], dtype=np.uint64))
    return splitmix64(np.asarray(group, dtype=np.int64).view(np.uint64) ^ salted)


def splitmix64(state: Words) -> Words:
    """Give the first output of a SplitMix64 generator in each state."""
    z = state + _GAMMA
    z ^= z >> np.uint64(30)  # in place: there may be many
    z *= np.uint64(0xBF58476D1CE4E5B9)
    z ^= z >> np.uint64(27)
    z *= np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return z
