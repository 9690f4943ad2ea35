"""How are rows used that are mostly zeros?

A `Sparse` holds the numbers that are not zero (CSR). Scores, slopes and products of columns are made from them, so time
and memory follow their number and not that of all cells; whoever asks for rows gets them full, a block at a time. The
fit walks downhill with passes over these numbers (`solve`), and needs the curvature of all rows only at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

MOST_FILLED = 0.25  # of the cells; above, full rows take less memory and time
_THIN = 0.15  # of the cells; below, products of sparse columns are faster than those of full blocks, without numba
_BLOCK = 1 << 22  # numbers of a full block


class Sparse:
    """A matrix (n, columns) of finite numbers of which most are zero; no cell is given twice."""

    ndim = 2

    def __init__(self, matrix: Any) -> None:
        self.matrix = sparse.csr_matrix(matrix, dtype=np.float64)
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
        return Sparse(sparse.hstack([self.matrix, sparse.csr_matrix(np.ones((len(self), 1)))]))

    def loaded(self) -> Floats:
        """Give all rows with their zeros."""
        return self[slice(0, len(self))]

    def columns(self, chosen: list[int]) -> Sparse:
        """Choose columns."""
        return Sparse(self.matrix[:, chosen])

    def dot(self, weights: Floats, at: slice = slice(None)) -> Floats:
        """Multiply rows by weights (columns,)."""
        part = self.matrix if at == slice(None) else self.matrix[at]
        return np.asarray(part @ weights, dtype=np.float64)

    def sums(self, factor: Floats, power: int = 1) -> Floats:
        """Sum factor (n,) * cell ** power over the rows; power 0 counts what is not zero."""
        cells = self.matrix if power == 1 else self._with(self.matrix.data**power)
        return np.asarray(factor @ cells, dtype=np.float64)

    def signs(self) -> Sparse:
        """Give the signs of the cells."""
        return Sparse(self._with(np.sign(self.matrix.data)))

    def gram(self, factor: Floats) -> Floats:
        """Sum factor * column_i * column_j (columns, columns); factors (n,) are not negative."""
        products = _compiled_products()
        if products is not None:
            lower = np.zeros((self.shape[1], self.shape[1]))
            products(self.matrix.data, self.matrix.indices, self.matrix.indptr, factor, lower)
            return lower + lower.T
        rooted = self._with(self.matrix.data * np.repeat(np.sqrt(factor), np.diff(self.matrix.indptr)))
        if self.filled < _THIN:
            return np.asarray((rooted.T @ rooted).toarray(), dtype=np.float64)
        width = self.shape[1]
        found, size = np.zeros((width, width)), max(1, _BLOCK // width)
        for first in range(0, len(self), size):
            full = rooted[first : first + size].toarray()
            found += full.T @ full
        return found

    def by_group(self, group: Ints, factor: Floats) -> Sparse:
        """Sum factor * row over the rows of each group: (groups, columns), in any order."""
        different, number = np.unique(group, return_inverse=True)
        if len(different) == len(self):
            return Sparse(self._with(self.matrix.data * np.repeat(factor, np.diff(self.matrix.indptr))))
        gather = sparse.csr_matrix((factor, (number, np.arange(len(self)))), (number.max() + 1, len(self)))
        return Sparse(gather @ self.matrix)

    def presence(self) -> Sparse:
        """Give 1 where a cell is not zero."""
        return Sparse(self._with(np.ones_like(self.matrix.data)))

    def _with(self, data: Floats) -> Any:
        return sparse.csr_matrix((data, self.matrix.indices, self.matrix.indptr), self.matrix.shape)


def _add_products(data: Floats, columns: Ints, starts: Ints, factor: Floats, found: Floats) -> None:
    """Add factor * cell_i * cell_j of each row to found (columns, columns): each pair once, squares by half."""
    for row in range(len(starts) - 1):
        cells, own = data[starts[row] : starts[row + 1]], columns[starts[row] : starts[row + 1]]
        for a in range(len(own)):
            scaled, sums = factor[row] * cells[a], found[own[a]]
            for b in range(a):
                sums[own[b]] += scaled * cells[b]
            sums[own[a]] += 0.5 * scaled * cells[a]


@cache
def _compiled_products() -> Callable[..., None] | None:
    """Give `_add_products` compiled, or None without numba: as plain Python it would take minutes."""
    from tunesmith.engine.compile import jit  # here, because it loads numba, which full rows do not need

    return jit.compile_function(_add_products, cache=True) if jit.COMPILED else None
