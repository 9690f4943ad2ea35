"""What do few of the rows say of all?

Their curvature leads near the minimum of all rows (`solve`), and their products of columns mostly prove which columns
depend on others. With more rows only more of a column can be left over by the best sum of others: what few rows leave
over, in parts of the squares of all, is a lower bound. A sum of others that few rows find is tried on all. Where that
leaves doubt, the products of all rows decide.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tunesmith.tuning.fit.checks import Dependency, find_dependencies, gram_of
from tunesmith.tuning.fit.loss import scores
from tunesmith.tuning.fit.rows import Bools, Floats, Ints, Rows
from tunesmith.tuning.fit.sparse import Sparse
from tunesmith.tuning.fit.split import split

_PER_COLUMN = 50  # rows, about; full ones at least
_SOME_ROWS, _SOME_NUMBERS = 300_000, 1 << 25  # of full rows: at most, and numbers
_LEAST, _MOST = 2_000, 40_000  # of sparse rows
_BENT, _MOST_BENT = 4, 100_000  # of so many sparse rows one more tells the curvature; and how many at most
_SALT = 0x68656164  # the few must not follow the split or the folds
MOST_TRIED = 4  # columns by a pass over all rows each; more take as long as the products of all
_NOTHING = 1e-20  # of a column's squares: what a sum leaves over that is the column but for rounding


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
