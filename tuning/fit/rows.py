"""What does a fit learn from: positions as plain numbers, all seen by the side to move.

A row is one position: features, shares of the stages (sum 1), label = its result (win 1, draw 1/2, loss 0), weight,
and the number of its pair; perhaps what a search expected of it, with which labels may be blended. Sums run over
blocks of rows in their order, so memory stays bounded and equal rows give equal sums."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tunesmith.games.errors import InputError
from tunesmith.tuning.fit.out_of_core import Packed
from tunesmith.tuning.fit.sparse import Sparse
from tunesmith.tuning.fit.split import split

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
SHARE_TOLERANCE = 1e-6  # shares may come from float32 tables
_BLOCK = 4096  # rows at a time: with 40 features a block stays in the second-level cache
LARGEST = 1e100  # of a feature or a weight of a row, by size
_USABLE = f"a finite number of at most {LARGEST:g}"


@dataclass(frozen=True, eq=False)
class Rows:
    """Positions to fit on. Arrays are converted to float64 (int64 for `group`) and checked once, here.

    features: (n, F). stages: (n, S) shares that sum to 1 in each row, or None for a single stage.
    labels: (n,) in [0, 1]. weight: (n,) not negative. group: (n,) number of the pair a row comes from.
    expected: (n,) results that a search expected (0 to 1), or None. results: (n,) of rows whose labels are blended.
    Features and shares may be `Packed`, out of memory: then they were checked before and are read in blocks, and
    labels may be float32.
    Features of a single stage may be `Sparse`.
    """

    features: Floats | Packed | Sparse
    stages: Floats | Packed | None
    labels: Floats
    weight: Floats
    group: Ints
    expected: Floats | None = None
    results: Floats | None = None

    def __post_init__(self) -> None:
        for name in ("features", "stages", "labels", "weight", "expected", "results"):
            given = getattr(self, name)
            if given is None or isinstance(given, Packed | Sparse) or is_repeated(given):
                continue
            if not isinstance(self.features, Packed) or given.dtype != np.float32:
                object.__setattr__(self, name, np.ascontiguousarray(given, dtype=np.float64))
        object.__setattr__(self, "group", _whole_numbers(self.group))
        _check_shapes(self)
        _check_values(self)

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.labels)

    @property
    def shape(self) -> tuple[int, int]:
        """(S, F): the shape of a set of weights."""
        return (1 if self.stages is None else self.stages.shape[1]), self.features.shape[1]

    def used(self) -> Rows:
        """Leave out rows of weight 0."""
        has_weight = self.weight > 0
        return self if has_weight.all() else self.take(has_weight)

    def take(self, chosen: Bools | Ints) -> Rows:
        """Choose rows by a mask or by their numbers: copies, but for what is packed."""
        stages = None if self.stages is None else taken(self.stages, chosen)
        labels, weight, group = self.labels[chosen], taken(self.weight, chosen), self.group[chosen]
        features, others = taken(self.features, chosen), (self.expected, self.results)
        return Rows(features, stages, labels, weight, group, *(taken(other, chosen) for other in others))

    def loaded(self) -> Rows:
        """Bring packed rows into memory."""
        if not isinstance(self.features, Packed):
            return self
        stages = self.stages.loaded() if isinstance(self.stages, Packed) else self.stages
        return replace(self, features=self.features.loaded(), stages=stages)  # and labels are float64 again

    def blended(self, blend: float) -> Rows:
        """Make labels blend * result + (1 - blend) * what a search expected; results stay beside them."""
        if self.expected is None or blend == 1:
            return self if self.expected is None else replace(self, expected=None)
        labels = self.expected + blend * (self.labels - self.expected)
        return replace(self, labels=labels, expected=None, results=self.labels)

    @property
    def judged_by(self) -> Floats:
        """The results (n,), whatever labels are blended with."""
        return self.labels if self.results is None else self.results

    @cached_property
    def n_groups(self) -> int:
        """Number of pairs."""
        return count_different(self.group)

    @cached_property
    def moments(self) -> Floats:
        """Of sparse rows: sums over each column by weights, and by weights times centred results (`Sparse.moments`)."""
        results, total = self.judged_by, float(self.weight.sum())
        centred = results - float(self.weight @ results) / total
        return self.features.moments(self.weight, self.weight * centred)  # type: ignore[union-attr]

    @cached_property
    def order(self) -> Ints | None:
        """An order in which the rows of each pair stand together; None if they do."""
        runs = 1 + int(np.count_nonzero(self.group[1:] != self.group[:-1]))
        return None if runs == self.n_groups else np.argsort(self.group, kind="stable")


def features_of(rows: Rows) -> Floats:
    """Give the features in memory, with their zeros."""
    return rows.features.loaded() if isinstance(rows.features, Packed | Sparse) else rows.features


def with_ones(rows: Rows) -> Floats | Packed | Sparse:
    """Give the features and a column of ones."""
    if isinstance(rows.features, Packed | Sparse):
        return rows.features.with_ones()
    return np.column_stack([rows.features, np.ones(rows.n)])


def stage_share(rows: Rows, stage: int | None) -> Floats:
    """Give the share of one stage in each row; all of it for None."""
    if rows.stages is None or stage is None:
        return np.ones(rows.n)
    return np.concatenate([rows.stages[at][:, stage] for at in blocks(rows.n)])


def constant_features(rows: Rows) -> Bools:
    """Mark the features that are the same number, and not 0, in every row."""
    first = rows.features[0]
    same = np.asarray(first != 0, dtype=np.bool_)
    for at in blocks(rows.n):
        if not same.any():
            break
        same &= (rows.features[at] == first).all(axis=0)
    return same


def count_different(values: NDArray[Any]) -> int:
    """Count the different values; sorting beats numpy's hash table, and mostly they are in order."""
    ordered = values if (values[1:] >= values[:-1]).all() else np.sort(values)
    return min(len(values), 1) + int(np.count_nonzero(ordered[1:] != ordered[:-1]))


def some_games(rows: Rows, most: int, salt: int) -> Rows:
    """Return the rows, or of more than `most` those of some games, about so many; which, the salt decides."""
    return rows if rows.n <= most else rows.take(~split(rows.group, 1 - most / rows.n, salt))


def is_repeated(array: Any) -> bool:
    """Tell whether a vector is one number, said once: weights of 1 need no memory."""
    return isinstance(array, np.ndarray) and array.dtype == np.float64 and array.strides == (0,)


def taken(array: Any, chosen: Bools | Ints) -> Any:
    """Choose rows of whatever holds them by a mask or by their numbers; None stays None."""
    if array is None:
        return None
    if isinstance(array, Packed | Sparse):
        return array.take(chosen)
    if is_repeated(array):
        n = int(np.count_nonzero(chosen)) if chosen.dtype == np.bool_ else len(chosen)
        return np.broadcast_to(array[0], (n,))
    return array[chosen]


def _whole_numbers(group: NDArray[np.generic]) -> Ints:
    """Refuse groups that are not integers: rounding would merge pairs silently."""
    group = np.asarray(group)
    if group.dtype.kind not in "iu":
        raise InputError(f"group: expected whole numbers of pairs, found {group.dtype}")
    return np.ascontiguousarray(group, dtype=np.int64)


def _check_shapes(rows: Rows) -> None:
    if rows.labels.ndim != 1 or not rows.labels.size:
        raise InputError(f"labels: expected one number for each row, found shape {rows.labels.shape}")
    columns = ("weight", "group", "expected", "results")
    for name, ndim in (("features", 2), ("stages", 2), *((name, 1) for name in columns)):
        array = getattr(rows, name)
        if array is None:
            continue
        if array.ndim != ndim or len(array) != rows.n or 0 in array.shape:
            what = "a row of numbers" if ndim == 2 else "one number"
            raise InputError(
                f"{name}: expected {what} for each of {rows.n} labels, found shape {array.shape}"
            )


def is_usable(values: Any) -> Any:
    """Say of each number whether products of two, summed over rows, stay finite."""
    return np.abs(values) <= np.float64(LARGEST)  # which float32 does not hold


def _check_values(rows: Rows) -> None:
    if isinstance(rows.features, Sparse):
        if rows.stages is not None or not is_usable(rows.features.matrix.data).all():
            raise InputError(
                f"features: expected finite numbers of at most {LARGEST:g} and a single stage of sparse rows"
            )
    elif not isinstance(rows.features, Packed):
        bad = np.concatenate([~is_usable(rows.features[at]) for at in blocks(rows.n)])
        _refuse("features", rows.features, bad, _USABLE)
    for name in ("labels", "expected", "results"):
        if (given := getattr(rows, name)) is not None:
            _refuse(name, given, ~((given >= 0) & (given <= 1)), "a result from 0 to 1")
    bad = ~((rows.weight >= 0) & is_usable(rows.weight))
    _refuse("weight", rows.weight, bad, f"{_USABLE} that is not negative")
    if not rows.weight.any():
        raise InputError("weight: every row has weight 0, so there is nothing to fit on")
    if rows.stages is not None and not isinstance(rows.stages, Packed):
        _refuse(
            "stages", rows.stages, ~((rows.stages >= 0) & np.isfinite(rows.stages)), "a share from 0 to 1"
        )
        total = rows.stages.sum(axis=1)
        _refuse("stages", total, np.abs(total - 1) > SHARE_TOLERANCE, "shares that sum to 1")


def _refuse(name: str, values: Floats, bad: Bools, expected: str) -> None:
    """Raise for the first bad value, naming its row (and column)."""
    if bad.any():
        place = np.argwhere(bad)[0]
        column = f", column {place[1]}" if len(place) == 2 else ""
        raise InputError(f"{name}: row {place[0]}{column}: expected {expected}, found {values[tuple(place)]}")


def blocks(n: int) -> Iterator[slice]:
    """Cut n rows into slices, always the same way."""
    return (slice(start, min(start + _BLOCK, n)) for start in range(0, n, _BLOCK))
