"""Which rows are one position, and what becomes of their labels, weights and groups?

Positions that are the same up to symmetry and exchange of sides (equal `keys`) and look the same become one row, with
their number as weight, their mean result and the mean of what searches expected. All rows of one position have one
group, the smallest number of a pair it occurred in. Where pairs are held out, a position is on the side of that pair,
and what other pairs made of it on the other side is left out first: no row carries results of games on both sides."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from tunesmith.tuning.fit.split import split
from tunesmith.tuning.hashing import splitmix64

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(eq=False)
class Positions:
    """Columns of positions; `expected` as in `Rows`, `place` and `lines` as in `tuning.data.dataset.Dataset`.

    seat: 0 or 1, which player of its game moved in the position.

    They are many: what is left out or put into another order is so in place, and no two copies are held.
    """

    keys: Ints
    features: Floats
    stages: Floats
    labels: Floats
    expected: Floats
    weight: Floats
    group: Ints
    place: Ints
    lines: Ints
    seat: npt.NDArray[np.int8]

    @classmethod
    def joined(cls, parts: Iterable[Self], most: int) -> Self:
        """Return the positions of several parts, at most so many, one after the other.

        A part is needed no longer than until it is copied, and memory that is not written to is none.
        """
        columns: dict[str, npt.NDArray[Any]] = {}
        n = 0
        for part in parts:
            end = n + len(part.keys)
            for name in cls.__dataclass_fields__:
                own = getattr(part, name)
                columns.setdefault(name, np.empty((most, *own.shape[1:]), own.dtype))[n:end] = own
            n = end
        return cls(**{name: column[:n] for name, column in columns.items()})

    def keep(self, rows: Ints) -> None:
        """Keep some of the positions, by their numbers and in that order."""
        for name in self.__dataclass_fields__:
            setattr(self, name, getattr(self, name)[rows])


def on_one_side(positions: Positions, held_out: float) -> Ints:
    """Leave out what lies on the other side of the split than the first pair that its position occurred in.

    Return that pair, the smallest group of the position, for all that stays.
    """
    group = _smallest(positions.keys, positions.group)
    stays = split(positions.group, held_out) == split(group, held_out)
    if not stays.all():
        positions.keep(np.flatnonzero(stays))
    kept: Ints = group[stays]
    return kept


def merge(positions: Positions, group: Ints, by_label: bool = False) -> None:
    """Make one row of each position (and view of it), in the order of groups; `by_label`: and of each label.

    group: what `on_one_side` returned.
    """
    same = _hashed(positions, by_label)
    _, first, inverse = np.unique(same, return_index=True, return_inverse=True)
    weight = np.bincount(inverse, positions.weight).astype(np.float64)
    labels, expected = (
        np.bincount(inverse, positions.weight * each) / weight
        for each in (positions.labels, positions.expected)
    )
    order = np.lexsort((first, group[first]))
    positions.keep(first[order])
    if not by_label:  # a mean of equal numbers may differ in the last bit
        positions.labels = labels[order]
    positions.expected = expected[order]
    positions.weight = weight[order]
    positions.group = group[first][order]


def _smallest(keys: Ints, group: Ints) -> Ints:
    """Return for each position the smallest group of all positions with its key."""
    _, inverse = np.unique(keys, return_inverse=True)
    smallest = np.full(int(inverse.max()) + 1, np.iinfo(np.int64).max)
    np.minimum.at(smallest, inverse, group)
    return np.asarray(smallest[inverse], np.int64)


def _hashed(positions: Positions, by_label: bool) -> npt.NDArray[np.uint64]:
    """Return 64 bits of key, features and stages (and label): equal numbers, equal rows."""
    hashed = splitmix64(positions.keys.view(np.uint64))
    for column in (*positions.features.T, *positions.stages.T, *([positions.labels] if by_label else [])):
        bits = np.ascontiguousarray(column + 0.0).view(np.uint64)  # -0.0 is 0.0
        hashed = splitmix64(hashed ^ bits)
    return hashed
