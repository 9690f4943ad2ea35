"""How are numbers used that do not fit in memory?

A `Packed` is a matrix (n, columns) in an unnamed scratch file: equal segments of rows, each in the smallest
type that holds its numbers exactly, so that whole numbers up to 127 take one byte. It is read a block at a
time, as float64; choosing rows or adding a column of ones costs no copy. The file has no name and goes when it
is closed, even if the process is killed.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from tunesmith.games.errors import InputError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

SEGMENT = 1 << 16  # rows, of tables with few columns
NUMBERS = 1 << 22  # of those that are in memory at a time while rows come and go
_TYPES: tuple[tuple[type[Any], float], ...] = ((np.int8, 127), (np.int16, 32_767), (np.float32, np.inf))
_BUCKET, _BUCKET_NUMBERS = 1 << 19, 1 << 25  # rows, and numbers, that are put in order at a time
_BUCKET_SEGMENT = 1 << 12


class Store:
    """Segments in a file; all but the last hold `segment` rows, or fewer where there are many columns."""

    def __init__(self, columns: int, folder: Path | None = None, segment: int = SEGMENT) -> None:
        self.columns, self.segment, self.n, self.folder = (
            columns,
            at_most(segment, NUMBERS, columns),
            0,
            folder,
        )
        self._places: list[tuple[int, Any]] = []  # offset in bytes and type of each segment
        self._waiting: list[Floats] = []
        self._held = 0
        try:
            self._file: IO[bytes] = tempfile.TemporaryFile(dir=folder, prefix=".tunesmith-")  # noqa: SIM115  lives as long as we
        except OSError as error:
            raise self._unwritable(error) from None

    def add(self, values: Floats) -> None:
        """Append rows (m, columns)."""
        self._waiting.append(values)
        self._held += len(values)
        if self._held >= self.segment:
            self._flush(self._held - self._held % self.segment)

    def packed(self) -> Packed:
        """End writing; the rows are ready to be read."""
        if self._held:
            self._flush(self._held)
        self._file.flush()
        return Packed(self, None, False)

    @property
    def bytes(self) -> int:
        """Size of the file so far."""
        return self._file.seek(0, os.SEEK_END)

    def _flush(self, count: int) -> None:
        rows = self._waiting[0] if len(self._waiting) == 1 else np.concatenate(self._waiting)
        for first in range(0, count, self.segment):
            self._write(rows[first : min(first + self.segment, count)])
        self._waiting, self._held = [rows[count:].copy()], len(rows) - count

    def _write(self, rows: Floats) -> None:
        small = _smallest(rows)
        try:
            self._places.append((self._file.seek(0, os.SEEK_END), small.dtype))
            self._file.write(small.tobytes())
        except OSError as error:
            raise self._unwritable(error) from None
        self.n += len(rows)

    def _unwritable(self, error: OSError) -> InputError:
        place = self.folder or tempfile.gettempdir()
        return InputError(
            f"{place}: scratch file cannot be written: {error.strerror}; --scratch names another folder"
        )

    def read(self, number: int, first: int, last: int) -> NDArray[Any]:
        """Return rows first to last - 1 of a segment, in the type they are stored in."""
        offset, kind = self._places[number]
        width = self.columns * kind.itemsize
        self._file.seek(offset + first * width)
        data = self._file.read((last - first) * width)
        return np.frombuffer(data, dtype=kind).reshape(-1, self.columns)


def at_most(rows: int, numbers: int, columns: int) -> int:
    """Return so many rows, or fewer that hold no more numbers."""
    return max(1, min(rows, numbers // max(columns, 1)))


def _smallest(rows: Floats) -> NDArray[Any]:
    """Return the same numbers in the smallest type that holds them exactly."""
    top = float(np.abs(rows).max(initial=0.0))
    for kind, most in _TYPES:
        with np.errstate(over="ignore"):
            small = rows.astype(kind) if top <= most else rows
        if small is not rows and (small == rows).all():
            return small
    return rows


class Packed:
    """Rows of a store, all or chosen ones, perhaps with a last column of ones."""

    ndim = 2

    def __init__(self, store: Store, chosen: Ints | None, has_ones: bool) -> None:
        self._store, self._chosen, self._has_ones = store, chosen, has_ones

    @property
    def shape(self) -> tuple[int, int]:
        """(n, columns)."""
        n = self._store.n if self._chosen is None else len(self._chosen)
        return n, self._store.columns + self._has_ones

    def __len__(self) -> int:
        """Number of rows."""
        return self.shape[0]

    def __getitem__(self, at: int | slice | Ints) -> Floats:
        """Read a row, or rows by a slice or by their numbers."""
        if isinstance(at, int):
            return self[np.array([at])].ravel()
        if isinstance(at, slice):
            first, last, step = at.indices(len(self))
            at = np.arange(first, last, step)
        return self._read(at if self._chosen is None else self._chosen[at])

    def take(self, chosen: Bools | Ints) -> Packed:
        """Choose rows by a mask or by their numbers, without reading them."""
        numbers = np.flatnonzero(chosen) if chosen.dtype == np.bool_ else np.asarray(chosen, dtype=np.int64)
        if self._chosen is not None:
            numbers = self._chosen[numbers]
        small = np.uint32 if self._store.n < 1 << 32 else np.int64  # half the memory
        return Packed(self._store, numbers.astype(small), self._has_ones)

    def with_ones(self) -> Packed:
        """Add a column of ones."""
        return Packed(self._store, self._chosen, True)

    def loaded(self) -> Floats:
        """Read everything."""
        return self[np.arange(len(self))]

    def _read(self, numbers: Ints) -> Floats:
        found = np.empty((len(numbers), self.shape[1]))
        found[:, self._store.columns :] = 1.0
        ascending = len(numbers) < 2 or bool((numbers[1:] >= numbers[:-1]).all())
        order = None if ascending else np.argsort(numbers, kind="stable")
        wanted = numbers if order is None else numbers[order]
        size = self._store.segment
        for number, first, last in _runs(wanted, size):
            row = wanted[first:last].astype(np.int64) - number * size
            start, stop = int(row[0]), int(row[-1]) + 1
            part = self._store.read(number, start, stop)
            if stop - start != last - first or (row[1:] == row[:-1]).any():
                part = part[row - start]
            where: Any = slice(first, last) if order is None else order[first:last]
            found[where, : self._store.columns] = part
        return found


def _runs(numbers: Ints, size: int) -> Iterator[tuple[int, int, int]]:
    """Cut ascending row numbers at the ends of segments: (segment, first, last + 1)."""
    first = 0
    while first < len(numbers):
        segment = int(numbers[first]) // size
        last = int(np.searchsorted(numbers, (segment + 1) * size))
        yield segment, first, last
        first = last


def in_order(packed: Packed, order: Ints) -> Packed:
    """Write the rows anew, as `order` numbers them: first into buckets, then each bucket in its order."""
    store = packed._store
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    size = at_most(_BUCKET, _BUCKET_NUMBERS, store.columns)
    n_buckets = -(-len(order) // size)
    buckets = [
        Store(store.columns, store.folder, min(_BUCKET_SEGMENT, store.segment)) for _ in range(n_buckets)
    ]
    for first in range(0, len(order), store.segment):
        at = slice(first, min(first + store.segment, len(order)))
        rows, bucket = packed[at], rank[at] // size
        for number in np.unique(bucket).tolist():
            buckets[number].add(rows[bucket == number])
    ordered = Store(store.columns, store.folder, store.segment)
    for number, bucket_store in enumerate(buckets):
        own = rank[rank // size == number] - number * size
        ordered.add(bucket_store.packed().loaded()[np.argsort(own)])
    return ordered.packed()
