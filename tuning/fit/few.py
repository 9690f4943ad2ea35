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
from tunesmith.tuning.fit.rows import Floats, Ints, Rows
from tunesmith.tuning.fit.sparse import Sparse
from tunesmith.tuning.fit.split import split

_SOME_ROWS, _SOME_NUMBERS = 300_000, 1 << 25  # of full rows: at most, and numbers
# Of sparse rows: least, for each column (of full ones too), and most.
_FEW_ROWS, _PER_COLUMN, _MOST_FEW = 2_000, 50, 40_000
_SALT = 0x68656164  # the few must not follow the split or the folds
_MOST_TRIED = 4  # sums of columns; more take as long as the products of all rows
_NOTHING = 1e-20  # of a column's squares: what a sum leaves over that is the column but for rounding


@dataclass(frozen=True, eq=False)
class Few:
    """Some of the rows, whole pairs, in memory; part: their weight as a part of all."""

    rows: Rows
    part: float

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
        if len(found) > _MOST_TRIED or not all(one.is_frozen for one in found):
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
    width = rows.shape[0] * rows.shape[1]
    if isinstance(rows.features, Sparse):  # a pass costs little: the curvature of few rows will do
        wanted = max(_FEW_ROWS, min(_PER_COLUMN * width, _MOST_FEW))
    else:
        wanted = min(_SOME_ROWS, _SOME_NUMBERS // rows.shape[1], rows.n // 4)
        if wanted < _PER_COLUMN * width:
            return None
    some = ~split(rows.group, 1 - min(wanted / rows.n, 1.0), _SALT)
    weight = float(rows.weight[some].sum())
    return Few(rows.take(some).loaded(), weight / float(rows.weight.sum())) if weight else None
