"""What can the data say about each weight before any fit?

A column is one weight: stage s, feature f. It may be silent (zero in every row), rare (not zero in few rows),
dependent (a sum of others, so that its weight can be traded for theirs) or scarce (not zero in few pairs). A
feature can also nearly be the label, which makes a fit look good and learn nothing.
Dependence is judged on columns scaled to mean square 1: `unexplained` is the mean square that the best sum of
earlier columns leaves over, 0 to 1. Columns come in order, so of two equal ones the later is named.

*Few* of the rows say much of all: their curvature leads near the minimum (`solve`), and their products of columns
mostly prove which columns depend on others. With more rows only more of a column can be left over by the best sum of
others: what few rows leave over, in parts of the squares of all, is a lower bound. A sum of others that few rows find
is tried on all. Where that leaves doubt, the products of all rows decide.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.linalg.blas import dtrsv
from scipy.linalg.lapack import dpotrf
from scipy.sparse.csgraph import connected_components

from tunesmith.tuning.fit.loss import add_gram, design, group_sums, scores
from tunesmith.tuning.fit.rows import Bools, Floats, Ints, Rows, blocks
from tunesmith.tuning.fit.sparse import Sparse
from tunesmith.tuning.fit.split import split

DEPENDENT = 1e-6  # unexplained below this: the weight's error would be 1000 times that of a lone column
NEARLY_DEPENDENT = 1e-3  # unexplained below this: 30 times
INVOLVED = 1e-3  # coefficients below this part of the largest are rounding
_ROUNDING = 1e-9  # part of the squares about a nearby number that the variance must exceed to be one
INFLATED = 20.0  # variance inflation from which a column is named: its error is 4.5 times that of a lone one
_SINGULAR = 1e9  # of inflation; beyond, rounding decides
_CANCELS = 1000.0  # of inflation, far above any that matters
LINKED = 0.5  # partial correlation of two such columns from which they are one group
NEAR_LABEL = 0.9  # correlation with the result; a student's feature with 0.956 decided a whole fit
_PER_COLUMN = 50  # rows, about; full ones at least
_SOME_ROWS, _SOME_NUMBERS = 300_000, 1 << 25  # of full rows: at most, and numbers
_LEAST, _MOST = 2_000, 40_000  # of sparse rows
_BENT, _MOST_BENT = 4, 100_000  # of so many sparse rows one more tells the curvature; and how many at most
_SALT = 0x68656164  # the few must not follow the split or the folds
MOST_TRIED = 4  # columns by a pass over all rows each; more take as long as the products of all
_NOTHING = 1e-20  # of a column's squares: what a sum leaves over that is the column but for rounding


class Survey(NamedTuple):
    """Facts on the P columns of the design."""

    squares: Floats  # (P,) weighted mean of each column's squares
    n_rows: Ints  # (P,) rows where the column is not zero
    n_groups: Ints  # (P,) pairs with such a row
    share: Floats  # (P,) weight of such rows, as part of all weight


class Dependency(NamedTuple):
    """Column `column` is nearly sum of coefficients * others, in the features' own units."""

    column: int
    others: tuple[int, ...]
    coefficients: tuple[float, ...]
    unexplained: float
    is_frozen: bool  # True: below DEPENDENT, the weight keeps its prior


class Redundancy(NamedTuple):
    """Columns that say nearly the same together, and the variance inflation of each: 1 / unexplained by all others."""

    columns: tuple[int, ...]
    inflation: tuple[float, ...]


class NearLabel(NamedTuple):
    """A feature whose value, or sign, correlates with the result by `correlation`."""

    feature: int
    correlation: float


def survey(rows: Rows) -> Survey:
    """Count the columns and their squares; every row should have weight."""
    if isinstance(rows.features, Sparse):
        return _sparse_survey(rows, rows.features)
    size = rows.shape[0] * rows.shape[1]
    n_rows, n_groups = np.zeros((2, size), dtype=np.int64)
    share, squares = np.zeros((2, size))

    def is_there(at: slice | Ints) -> Bools:
        columns, weight = design(rows, at), rows.weight[at]
        there: Bools = columns != 0
        n_rows[:] += np.count_nonzero(there, axis=0)
        share[:] += weight @ there.astype(np.float64)
        squares[:] += np.einsum("n,np,np->p", weight, columns, columns)
        return there

    for some in group_sums(rows, is_there, np.logical_or):
        n_groups += np.count_nonzero(some, axis=0)
    total = rows.weight.sum()
    return Survey(squares / total, n_rows, n_groups, share / total)


def _sparse_survey(rows: Rows, x: Sparse) -> Survey:
    total = float(rows.weight.sum())
    n_rows, share, _, squares, *_ = rows.moments
    n_rows = n_rows.astype(np.int64)
    n_groups = n_rows if rows.n_groups == rows.n else x.n_groups(rows.group)
    return Survey(squares / total, n_rows, n_groups, share / total)


def gram_of(rows: Rows) -> Floats:
    """Return the weighted mean (P, P) of column_i * column_j."""
    total = float(rows.weight.sum())
    if isinstance(rows.features, Sparse):
        return rows.features.gram(rows.weight) / total
    size, gram = rows.shape[0] * rows.shape[1], np.zeros(rows.shape * 2)
    for at in blocks(rows.n):
        add_gram(gram, rows.features[at], None if rows.stages is None else rows.stages[at], rows.weight[at])
    return gram.reshape(size, size) / total


@dataclass(frozen=True)
class _Seen:
    """Earlier independent columns and the Cholesky factor of their Gram matrix, then ones: BLAS takes it uncopied."""

    columns: list[int]
    factor: Floats

    def solve(self, known: Floats, is_turned: bool = False) -> Floats:
        """Solve factor @ found = known (columns so far,), or with the factor turned over."""
        m, padded = len(self.columns), np.zeros(len(self.factor))
        padded[:m] = known
        found = dtrsv(self.factor, padded, lower=1, trans=int(is_turned), overwrite_x=1)[:m]
        return np.asarray(found, dtype=np.float64)


def find_dependencies(gram: Floats, squares: Floats | None = None) -> list[Dependency]:
    """Find the columns that earlier ones nearly explain; gram (Q, Q) with diagonal above 0.

    squares: (Q,) what is unexplained is counted in parts of; None: the diagonal of gram.
    """
    own = np.diag(gram) if squares is None else squares
    root = np.sqrt(own)
    unit = gram / np.outer(root, root)
    whole = np.ones(len(unit)) if squares is None else np.diag(unit)
    begun, n_clear = _begun(unit)
    seen = _Seen(list(range(n_clear)), begun)
    found = []
    for column in range(n_clear, len(unit)):
        m, row = len(seen.columns), seen.solve(unit[seen.columns, column])
        unexplained = max(0.0, float(whole[column] - row @ row))
        if unexplained < NEARLY_DEPENDENT:
            found.append(_dependency(root, seen, column, row, unexplained))
        if unexplained >= DEPENDENT:
            seen.factor[m, :m], seen.factor[m, m] = row, np.sqrt(unexplained)
            seen.columns.append(column)
    return found


def _begun(unit: Floats) -> tuple[Floats, int]:
    """Factor the first columns as far as none is nearly explained, then ones: LAPACK is many times as fast."""
    whole, failed = dpotrf(unit, lower=1, clean=1)
    n_whole = failed - 1 if failed > 0 else len(unit)
    is_near = np.diag(whole)[:n_whole] ** 2 < NEARLY_DEPENDENT
    n_clear = int(is_near.argmax()) if is_near.any() else n_whole
    factor = np.asfortranarray(np.eye(len(unit)))
    factor[:n_clear, :n_clear] = whole[:n_clear, :n_clear]
    return factor, n_clear


def _dependency(root: Floats, seen: _Seen, column: int, row: Floats, unexplained: float) -> Dependency:
    """Say which of the columns seen explain one whose row of the factor is given."""
    scaled = seen.solve(row, is_turned=True)
    involved = np.flatnonzero(np.abs(scaled) > INVOLVED * np.abs(scaled).max(initial=0.0))
    others = tuple(seen.columns[i] for i in involved)
    coefficients = tuple(float(scaled[i] * root[column] / root[seen.columns[i]]) for i in involved)
    return Dependency(column, others, coefficients, unexplained, unexplained < DEPENDENT)


def find_redundant(
    gram: Floats, dependencies: Sequence[Dependency] = (), columns: Ints | None = None
) -> tuple[Redundancy, ...]:
    """Group the columns whose variance inflation is above `INFLATED`; gram (Q, Q) with diagonal above 0.

    columns: (Q,) their numbers, in the dependencies and in the answer; None: 0 to Q - 1.
    Columns that a dependency freezes are left out, as the fit does; groups that one has named are not named again.
    Marquardt, Technometrics 12 (1970): the inflation is the diagonal of the inverse of the scaled Gram matrix.
    """
    numbers = np.arange(len(gram)) if columns is None else columns
    left = np.flatnonzero(~np.isin(numbers, [found.column for found in dependencies if found.is_frozen]))
    root = np.sqrt(np.diag(gram)[left])
    inverse = np.linalg.pinv(gram[np.ix_(left, left)] / np.outer(root, root), hermitian=True)
    inflation = np.maximum(np.diag(inverse), 1.0)
    partial = np.abs(inverse) / np.sqrt(np.outer(inflation, inflation))
    is_high = inflation > INFLATED
    linked = (partial > LINKED) & np.outer(is_high, is_high)
    np.fill_diagonal(linked, is_high)
    n_groups, group = connected_components(linked, directed=False)
    told = {found.column for found in dependencies if not found.is_frozen}
    made = []
    for number in range(n_groups):
        own = np.flatnonzero((group == number) & is_high)
        alike = tuple(int(number) for number in numbers[left[own]])
        if alike and not told & set(alike):
            made.append(Redundancy(alike, tuple(float(value) for value in inflation[own])))
    return tuple(made)


def most_inflation(lower: Floats) -> Floats:
    """Return what the variance inflation (Q,) of columns is at most.

    lower: (Q, Q) their gram matrix with diagonal 1, or less of it: what some of the rows give, say. The smaller a
    matrix, the greater its inverse.
    """
    nothing = np.full(len(lower), np.inf)
    try:
        factor = cho_factor(lower, lower=True)
    except np.linalg.LinAlgError:
        return nothing
    found = np.diag(cho_solve(factor, np.eye(len(lower))))
    return found if found.max(initial=0.0) < _SINGULAR else nothing


def most_inflation_of(column: int, lower: Floats, near: Floats, product: Callable[[Floats], Floats]) -> float:
    """Return what the inflation of one column is at most, closely where `near` (Q, Q) is nearly the gram matrix.

    lower: as above, and it has an inverse. product: multiplies (Q,) by the gram matrix G. With e the column's unit
    vector and any u the inflation e G^-1 e is 2 u e - u G u + r G^-1 r, where r = e - G u; only the last term needs
    the bound. A guess u so far off that the terms would cancel says nothing.
    """
    unit = np.eye(len(lower))[column]
    try:
        guess = np.linalg.solve(near, unit)
    except np.linalg.LinAlgError:
        return np.inf
    made = product(guess)
    if not guess @ made < _CANCELS:
        return np.inf
    rest = unit - made
    return float(2 * guess[column] - guess @ made + rest @ np.linalg.solve(lower, rest))


def redundancy_words(names: Sequence[str], found: Redundancy) -> str:
    """Say which columns can hardly be told apart; names in the order of the columns."""
    told = [f"{names[at]} ({value:.0f})" for at, value in zip(found.columns, found.inflation, strict=True)]
    if len(told) == 1:
        return f"{told[0]} is nearly explained by the others (variance inflation): its weight is hardly known alone"
    return (
        f"{', '.join(told[:-1])} and {told[-1]} say nearly the same (variance inflation): none of their weights is "
        "well known alone; tie them, or leave one out"
    )


def near_labels(rows: Rows) -> tuple[NearLabel, ...]:
    """Name the features that nearly are the result, by value or by sign: a blended label follows what a search saw."""
    total = float(rows.weight.sum())
    results = rows.judged_by
    sums, squares, products, spread = _moments(rows, results - float(rows.weight @ results) / total)
    square = squares - sums**2 / total  # of centred columns; labels are centred already
    scale = np.sqrt(np.maximum(square, 0.0) * spread)
    found = np.divide(
        products, scale, out=np.zeros_like(products), where=(scale > 0) & (square > _ROUNDING * squares)
    )
    best = np.where(np.abs(found[1]) > np.abs(found[0]), found[1], found[0])
    return tuple(NearLabel(int(f), float(best[f])) for f in np.flatnonzero(np.abs(best) >= NEAR_LABEL))


def _moments(rows: Rows, label: Floats) -> tuple[Floats, Floats, Floats, float]:
    """Sum columns, their squares and products with the centred label, by value and by sign (2, F); and its squares."""
    if isinstance(rows.features, Sparse):
        _, there, cells, squares, signs, products, of_signs = rows.moments
        of_label = float(rows.weight @ label**2)
        return np.stack([cells, signs]), np.stack([squares, there]), np.stack([products, of_signs]), of_label
    shift = rows.features[next(blocks(rows.n))].mean(axis=0)  # keeps the sums of squares small
    sums, squares, products = np.zeros((3, 2, len(shift)))
    spread = 0.0
    for at in blocks(rows.n):
        x, weight, own_label = rows.features[at], rows.weight[at], label[at]
        spread += float(weight @ (own_label * own_label))
        both = np.stack([weight, weight * own_label])
        for number, values in enumerate((x - shift, np.sign(x))):
            own, product = both @ values
            sums[number] += own
            products[number] += product
            squares[number] += np.einsum("n,nf,nf->f", weight, values, values)
    return sums, squares, products, spread


@dataclass(frozen=True, eq=False)
class Few:
    """Some of the rows, whole pairs, in memory.

    part: their weight as a part of all. bent: numbers of the rows whose curvature leads the walk over all, more than
    these, for a quarter of sparse rows saves more passes than its Hessian costs; None: these alone.
    """

    rows: Rows
    part: float
    bent: Ints | None = None

    @cached_property
    def gram(self) -> Floats:
        """(P, P) weighted mean of column_i * column_j."""
        return gram_of(self.rows)

    def dependencies(self, rows: Rows, squares: Floats, columns: Ints) -> list[Dependency] | None:
        """Return what `find_dependencies` says of the products of all rows; None where few leave doubt.

        squares: (P,) weighted mean of each column's squares. columns: numbers of those that are asked of; they are
        counted from 0 in the answer.
        """
        lower = self.part * self.gram[np.ix_(columns, columns)]
        found = find_dependencies(lower, squares[columns])
        if len(found) > MOST_TRIED or not all(one.is_frozen for one in found):
            return None
        proven = [self._proven(one, rows, squares, columns) for one in found]
        return None if None in proven else [one for one in proven if one is not None]

    def _proven(self, one: Dependency, rows: Rows, squares: Floats, columns: Ints) -> Dependency | None:
        """Try a sum of columns on all rows; None where it is not the column in all of them."""
        apart = np.zeros(len(squares))
        apart[columns[one.column]] = 1.0
        apart[columns[list(one.others)]] = np.negative(one.coefficients)
        left = float(rows.weight @ scores(rows, apart.reshape(rows.shape)) ** 2) / float(rows.weight.sum())
        unexplained = left / float(squares[columns[one.column]])
        return one._replace(unexplained=unexplained) if unexplained <= _NOTHING else None


def few_of(rows: Rows) -> Few | None:
    """Choose the few; None where they would be too few to say much of each weight."""
    width, bent = rows.shape[0] * rows.shape[1], None
    if isinstance(rows.features, Sparse):  # a pass costs little: the curvature of few rows will do
        wide = max(_LEAST, min(_PER_COLUMN * width, _MOST))
        bent = np.flatnonzero(_chosen(rows.group, max(wide, min(rows.n // _BENT, _MOST_BENT)) / rows.n))
        some = bent[_chosen(rows.group[bent], max(_LEAST, wide // 2) / rows.n)]
    else:
        wanted = min(_SOME_ROWS, _SOME_NUMBERS // rows.shape[1], rows.n // 4)
        if wanted < _PER_COLUMN * width:
            return None
        some = np.flatnonzero(_chosen(rows.group, wanted / rows.n))
    if not rows.weight[some].any():
        return None
    part = float(rows.weight[some].sum()) / float(rows.weight.sum())
    return Few(rows.take(some).loaded(), part, bent)


def _chosen(group: Ints, share: float) -> Bools:
    """Mark the rows of about so large a share of all pairs; a larger one contains a smaller one."""
    return ~split(group, max(1 - share, 0.0), _SALT)
