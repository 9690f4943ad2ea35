"""How are rows used that are mostly zeros?

A `Sparse` holds the numbers that are not zero (CSR). Scores, slopes and products of columns are made from them, so time
and memory follow their number and not that of all cells; whoever asks for rows gets them full, a block at a time. The
fit walks downhill with passes over these numbers (`solve`), and needs the curvature of all rows only at the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tunesmith.tuning.threads import side_by_side

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

MOST_FILLED = 0.25  # of the cells; above, full rows take less memory and time
_FULL = 0.33  # of the cells; above, products of columns are faster by full blocks: of sums over groups, say
_THIN = 0.15  # the same without numba
_BLOCK = 1 << 22  # numbers of a full block
_PART = 1 << 18  # numbers of a part that is read more than once: they stay in the cache
_LARGE_PART = 1 << 20  # numbers of a part whose products of columns are summed alone


class Sparse:
    """A matrix (n, columns) of finite numbers of which most are zero; no cell is given twice.

    They are float64, or float32 where they are given so (`narrowed`); sums and products are float64 in any case.
    """

    ndim = 2

    def __init__(self, matrix: Any) -> None:
        is_narrow = getattr(matrix, "dtype", None) == np.float32
        self.matrix = sparse.csr_matrix(matrix, dtype=np.float32 if is_narrow else np.float64)
        self.matrix.eliminate_zeros()

    @property
    def shape(self) -> tuple[int, int]:
        """(n, columns)."""
        return int(self.matrix.shape[0]), int(self.matrix.shape[1])

    def __len__(self) -> int:
        """Number of rows."""
        return self.shape[0]

    @property
    def filled(self) -> float:
        """Part of the cells that is not zero."""
        return float(self.matrix.nnz / max(1, self.shape[0] * self.shape[1]))

    def __getitem__(self, at: int | slice | Ints) -> Floats:
        """Give a row, or rows by a slice or by their numbers, with their zeros."""
        if isinstance(at, int):
            return self[slice(at, at + 1)].ravel()
        return np.asarray(self.matrix[at].toarray(), dtype=np.float64)

    def take(self, chosen: Bools | Ints) -> Sparse:
        """Choose rows by a mask or by their numbers."""
        return Sparse(self.matrix[chosen])

    def with_ones(self) -> Sparse:
        """Add a column of ones."""
        ones = np.ones((len(self), 1), dtype=self.matrix.dtype)
        return Sparse(sparse.hstack([self.matrix, sparse.csr_matrix(ones)]))

    def loaded(self) -> Floats:
        """Give all rows with their zeros."""
        return self[slice(0, len(self))]

    def columns(self, chosen: list[int]) -> Sparse:
        """Choose columns."""
        return Sparse(self.matrix[:, chosen])

    @property
    def parts(self) -> list[slice]:
        """The rows cut into parts, always the same way, which stay in the cache if they are read twice."""
        return self._cut(_PART)

    def _cut(self, numbers: int) -> list[slice]:
        """Cut the rows into slices of about so many numbers."""
        size = max(1, int(numbers // max(1.0, self.filled * self.shape[1])))
        return [slice(first, min(first + size, len(self))) for first in range(0, len(self), size)]

    def dot(self, weights: Floats, at: slice = slice(None)) -> Floats:
        """Multiply rows by weights (columns,)."""
        multiply = compiled(_multiply)
        if multiply is None:
            return np.asarray(self.matrix[at] @ weights, dtype=np.float64)
        first, last, _ = at.indices(len(self))
        found = np.empty(last - first)
        multiply(*self._held, first, np.ascontiguousarray(weights, dtype=np.float64), found)
        return found

    def scores(self, weights: Floats) -> Floats:
        """Multiply all rows by weights (columns,), parts of them side by side."""
        return np.concatenate(list(side_by_side(lambda at: self.dot(weights, at), self.parts)))

    def sums(self, factor: Floats, at: slice = slice(None)) -> Floats:
        """Sum factor (rows,) * cell over rows."""
        add = compiled(_add_sums)
        if add is None:
            return np.asarray(factor @ self.matrix[at].astype(np.float64), dtype=np.float64)
        found = np.zeros(self.shape[1])
        add(*self._held, at.indices(len(self))[0], np.ascontiguousarray(factor), found)
        return found

    def moments(self, weight: Floats, product: Floats) -> Floats:
        """Sum over the cells of each column, by factors (n,) of their rows: (7, columns).

        1, weight, weight * cell, weight * its square, weight * its sign, product * cell, product * its sign.
        """
        add, width = compiled(_add_moments), self.shape[1]
        if add is None:
            cells = self.matrix.data.astype(np.float64)
            there, plain, square, sign = map(
                self._with, (np.ones_like(cells), cells, cells**2, np.sign(cells))
            )
            by_weight = [weight @ one for one in (there, plain, square, sign)]
            return np.stack([there.sum(axis=0).A1, *by_weight, product @ plain, product @ sign])
        data, columns, starts = self._held

        def summed(at: slice) -> Floats:
            found = np.zeros((width, 7))
            factors = (np.ascontiguousarray(factor[at], dtype=np.float64) for factor in (weight, product))
            add(data, columns, starts[at.start : at.stop + 1], *factors, found)
            return found

        return np.ascontiguousarray(sum(side_by_side(summed, self._cut(_LARGE_PART)), np.zeros((width, 7))).T)

    def gram(self, factor: Floats) -> Floats:
        """Sum factor * column_i * column_j (columns, columns); factors (n,) are not negative."""
        width = self.shape[1]
        if self.filled < _FULL and (add := compiled(_add_products)) is not None:
            data, columns, starts = self._held

            def products(at: slice) -> Floats:
                lower = np.zeros(width * width)
                add(data, columns, starts[at.start : at.stop + 1], np.ascontiguousarray(factor[at]), lower)
                return lower

            whole = np.zeros(width * width)
            for part in side_by_side(products, self._cut(max(_LARGE_PART, 4 * width**2))):
                whole += part
            lower = whole.reshape(width, width)
            return lower + lower.T
        rooted = self._with(self.matrix.data * np.repeat(np.sqrt(factor), np.diff(self.matrix.indptr)))
        if self.filled < _THIN:  # and without numba
            return np.asarray((rooted.T @ rooted).toarray(), dtype=np.float64)
        found, size = np.zeros((width, width)), max(1, _BLOCK // width)
        for first in range(0, len(self), size):
            full = rooted[first : first + size].toarray()
            found += full.T @ full
        return found

    def n_groups(self, group: Ints) -> Ints:
        """Count the groups (n,) in whose rows a column is not zero somewhere (columns,)."""
        there = Sparse(self._with(np.ones_like(self.matrix.data)))
        summed = there._by_group(*np.unique(group, return_inverse=True), np.ones(len(self)))
        return np.bincount(summed.matrix.indices, minlength=self.shape[1])

    def gram_of_groups(self, group: Ints, factor: Floats) -> tuple[Floats, int]:
        """Sum the products of columns of factor * row summed over each group: (columns, columns); and count groups."""
        different, number = np.unique(group, return_inverse=True)
        if len(different) == len(self):
            return self.gram(factor**2), len(self)
        summed = self._by_group(different, number, factor)
        return summed.gram(np.ones(len(summed))), len(summed)

    def _by_group(self, different: Ints, number: Ints, factor: Floats) -> Sparse:
        """Sum factor * row over the rows of each group: (groups, columns)."""
        gather = sparse.csr_matrix((factor, (number, np.arange(len(self)))), (len(different), len(self)))
        return Sparse(gather @ self.matrix)

    @property
    def _held(self) -> tuple[Any, Any, Any]:
        return self.matrix.data, self.matrix.indices, self.matrix.indptr

    def _with(self, data: Floats) -> Any:
        return sparse.csr_matrix((data, self.matrix.indices, self.matrix.indptr), self.matrix.shape)


def narrowed(cells: Floats) -> Any:
    """Give cells as float32 if that is exact for all of them, as it is for counts: a third less memory and time."""
    with np.errstate(over="ignore"):
        narrow = cells.astype(np.float32)
    return narrow if (narrow == cells).all() else cells


def _add_products(data: Floats, columns: Ints, starts: Ints, factor: Floats, found: Floats) -> None:
    """Add factor * cell_i * cell_j of each row to found (columns * columns,): each pair once, squares by half.

    Four cells at once share what is read of those before them. Numbers without a sign save a look at each: numpy
    counts negative ones from the end.
    """
    four, width = np.uint64(4), np.uint64(math.sqrt(len(found)))
    for row in range(len(starts) - 1):
        first, last, scale = np.uint64(starts[row]), np.uint64(starts[row + 1]), factor[row]
        at = first
        while at < last:
            begin, end = first, last
            if at + four <= last:
                begin, end = at, at + four
                b, c, d = at + np.uint64(1), at + np.uint64(2), at + np.uint64(3)
                by_a, by_b, by_c, by_d = scale * data[at], scale * data[b], scale * data[c], scale * data[d]
                to_a, to_b = width * np.uint64(columns[at]), width * np.uint64(columns[b])
                to_c, to_d = width * np.uint64(columns[c]), width * np.uint64(columns[d])
                for before in range(first, at):
                    cell, column = data[before], np.uint64(columns[before])
                    found[to_a + column] += by_a * cell
                    found[to_b + column] += by_b * cell
                    found[to_c + column] += by_c * cell
                    found[to_d + column] += by_d * cell
            for own in range(at, end):
                by, to = scale * data[own], width * np.uint64(columns[own])
                for before in range(begin, own):
                    found[to + np.uint64(columns[before])] += by * data[before]
                found[to + np.uint64(columns[own])] += 0.5 * by * data[own]
            at = end


def _multiply(data: Floats, columns: Ints, starts: Ints, first: int, weights: Floats, found: Floats) -> None:
    """Write the products of rows from `first` on with weights (columns,) to found (rows,), by four sums at once."""
    four = np.uint64(4)
    for row in range(len(found)):
        at, last = np.uint64(starts[first + row]), np.uint64(starts[first + row + 1])
        a, b, c, d = 0.0, 0.0, 0.0, 0.0
        while at + four <= last:
            a += data[at] * weights[np.uint64(columns[at])]
            b += data[at + np.uint64(1)] * weights[np.uint64(columns[at + np.uint64(1)])]
            c += data[at + np.uint64(2)] * weights[np.uint64(columns[at + np.uint64(2)])]
            d += data[at + np.uint64(3)] * weights[np.uint64(columns[at + np.uint64(3)])]
            at += four
        for own in range(at, last):
            a += data[own] * weights[np.uint64(columns[own])]
        found[row] = (a + b) + (c + d)


def _add_sums(data: Floats, columns: Ints, starts: Ints, first: int, factor: Floats, found: Floats) -> None:
    """Add factor (rows,) of rows from `first` on, times each cell, to found (columns,)."""
    for row in range(len(factor)):
        scale = factor[row]
        for at in range(np.uint64(starts[first + row]), np.uint64(starts[first + row + 1])):
            found[np.uint64(columns[at])] += scale * data[at]


def _add_moments(
    data: Floats, columns: Ints, starts: Ints, weight: Floats, product: Floats, found: Floats
) -> None:
    """Add what `moments` says to found (columns, 7): those of a column lie side by side."""
    for row in range(len(weight)):
        by, other = weight[row], product[row]
        for at in range(np.uint64(starts[row]), np.uint64(starts[row + 1])):
            cell, own = 1.0 * data[at], found[np.uint64(columns[at])]  # float64
            sign = 1.0 if cell > 0 else -1.0
            own[0] += 1.0
            own[1] += by
            own[2] += by * cell
            own[3] += by * cell * cell
            own[4] += by * sign
            own[5] += other * cell
            own[6] += other * sign


@cache
def compiled(kernel: Callable[..., None]) -> Callable[..., None] | None:
    """Give a function on numbers of rows compiled, or None without numba: as plain Python it takes minutes."""
    from tunesmith.engine.compile import jit  # here, because it loads numba, which full rows do not need

    return jit.compile_function(kernel, cache=True) if jit.COMPILED else None
