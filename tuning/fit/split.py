"""Which pairs are held out, and which fold is a pair in?

The answer depends on the pair's own number and a salt alone, so adding games moves nobody across, every run
agrees, and a larger held-out share contains the smaller one. All rows of a pair go together.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tunesmith.games.errors import InputError
from tunesmith.tuning.hashing import hashed

_BLOCK = 1 << 16  # rows
_FOLD_SALT = 0x666F6C64  # folds must not follow the split, or a fold could lie within one side of it


def split(group: NDArray[np.int64], held_out: float = 0.2, salt: int = 0) -> NDArray[np.bool_]:
    """Mark the rows whose pair is held out, about `held_out` (0 to 1) of all pairs."""
    if not 0 <= held_out < 1:
        raise InputError(f"held_out: expected a share from 0 to below 1, found {held_out}")
    found = np.empty(len(group), dtype=np.bool_)
    for at in _blocks(len(group)):
        share = (hashed(group[at], salt) >> np.uint64(11)).astype(np.float64) * 2.0**-53
        found[at] = share < held_out
    return found


def fold_numbers(group: NDArray[np.int64], folds: int, salt: int = 0) -> NDArray[np.int64]:
    """Give each row the fold of its pair, 0 to folds - 1."""
    if folds < 2:
        raise InputError(f"folds: expected at least 2, found {folds}")
    return (hashed(group, salt ^ _FOLD_SALT) % np.uint64(folds)).astype(np.int64)


def _blocks(n: int) -> Iterator[slice]:
    """Cut rows into slices: a hash needs room for some copies."""
    return (slice(start, min(start + _BLOCK, n)) for start in range(0, n, _BLOCK))
