"""Zero-sum matrix games: the mixed choices that neither side can improve on, and their value.

`payoffs` (rows, columns) are what the row player gets; he wants much, the column player little. Choices that
another one beats against everything (strict dominance) are taken out first, again and again: they are never
mixed in. The rest is a linear program, solved by the simplex method with Bland's rule, which cannot cycle;
in float64 the mixes are those of an equilibrium to about 1e-12 of the payoffs' range. The same operations in
the same order compiled and as plain Python."""

from typing import Any

import numpy as np

_EPSILON = 1e-12  # reduced costs, pivots and probabilities below this are zero


def solve_matrix(payoffs: Any, rows: Any, columns: Any) -> float:
    """Fill the mixes of both players (float64, sum 1); return the value (template).

    `payoffs` is float64 and not empty.
    """
    n_rows, n_columns = payoffs.shape
    kept_rows: Any = np.arange(n_rows)
    kept_columns: Any = np.arange(n_columns)
    n_kept_rows, n_kept_columns = eliminate(payoffs, kept_rows, kept_columns)
    rows[:] = 0.0
    columns[:] = 0.0
    shift = 1.0 - lowest(payoffs)
    width = n_kept_columns + n_kept_rows + 1
    tableau: Any = np.zeros((n_kept_rows + 1, width))
    for row in range(n_kept_rows):
        for column in range(n_kept_columns):
            tableau[row, column] = payoffs[kept_rows[row], kept_columns[column]] + shift
        tableau[row, n_kept_columns + row] = 1.0
        tableau[row, width - 1] = 1.0
    tableau[n_kept_rows, :n_kept_columns] = 1.0
    basis: Any = np.arange(n_kept_columns, width - 1)
    maximise(tableau, basis)
    for row in range(n_kept_rows):
        rows[kept_rows[row]] = -tableau[n_kept_rows, n_kept_columns + row]
        if basis[row] < n_kept_columns:
            columns[kept_columns[basis[row]]] = tableau[row, width - 1]
    total = normalise(columns)
    normalise(rows)
    return 1.0 / total - shift


def lowest(payoffs: Any) -> float:
    """Return the smallest payoff."""
    least = payoffs[0, 0]
    for row in range(payoffs.shape[0]):
        for column in range(payoffs.shape[1]):
            least = min(least, payoffs[row, column])
    return float(least)


def maximise(tableau: Any, basis: Any) -> None:
    """Bring a tableau of the simplex method to its optimum (template).

    The last row holds reduced costs, the last column the values of the variables in `basis`.
    """
    n_rows = len(basis)
    last = tableau.shape[1] - 1
    while True:
        entering = -1
        for column in range(last):
            if tableau[n_rows, column] > _EPSILON:
                entering = column
                break
        if entering < 0:
            return
        leaving = leaving_row(tableau, basis, entering)
        if leaving < 0:
            return  # no bound on the value: only rounding can make it look so
        pivot(tableau, leaving, entering)
        basis[leaving] = entering


def leaving_row(tableau: Any, basis: Any, entering: int) -> int:
    """Return the row of the smallest ratio, of equal ones that of the smallest variable, or -1 (template)."""
    last = tableau.shape[1] - 1
    best = -1
    best_ratio = 0.0
    for row in range(len(basis)):
        if tableau[row, entering] > _EPSILON:
            ratio = tableau[row, last] / tableau[row, entering]
            is_equal = best >= 0 and abs(ratio - best_ratio) <= _EPSILON
            if best < 0 or (is_equal and basis[row] < basis[best]) or (not is_equal and ratio < best_ratio):
                best = row
                best_ratio = ratio
    return best


def pivot(tableau: Any, leaving: int, entering: int) -> None:
    """Make `entering` the basic variable of the row `leaving` (template)."""
    n_words = tableau.shape[1]
    factor = tableau[leaving, entering]
    for column in range(n_words):
        tableau[leaving, column] /= factor
    for row in range(tableau.shape[0]):
        factor = tableau[row, entering]
        if row != leaving and factor != 0.0:
            for column in range(n_words):
                tableau[row, column] -= factor * tableau[leaving, column]


def normalise(mix: Any) -> float:
    """Make parts that are not negative sum to 1; return their sum before (template)."""
    total = 0.0
    for index in range(len(mix)):
        if mix[index] <= _EPSILON:
            mix[index] = 0.0
        total += mix[index]
    for index in range(len(mix)):
        mix[index] /= total
    return total


def eliminate(payoffs: Any, rows: Any, columns: Any) -> tuple[int, int]:
    """Move the choices that survive iterated strict dominance to the front; return how many do (template)."""
    n_rows = len(rows)
    n_columns = len(columns)
    before = 0
    while n_rows + n_columns != before:
        before = n_rows + n_columns
        at = 0
        while at < n_rows:
            if is_beaten_row(payoffs, rows, n_rows, columns, n_columns, at):
                drop(rows, at, n_rows)
                n_rows -= 1
            else:
                at += 1
        at = 0
        while at < n_columns:
            if is_beaten_column(payoffs, rows, n_rows, columns, n_columns, at):
                drop(columns, at, n_columns)
                n_columns -= 1
            else:
                at += 1
    return n_rows, n_columns


def drop(indices: Any, at: int, n: int) -> None:
    """Take out one of the first `n` indices; the others keep their order."""
    for index in range(at, n - 1):
        indices[index] = indices[index + 1]


def is_beaten_row(payoffs: Any, rows: Any, n_rows: int, columns: Any, n_columns: int, at: int) -> bool:
    """Whether another row gives more against every column."""
    for other in range(n_rows):
        beats = other != at
        for column in range(n_columns):
            if payoffs[rows[other], columns[column]] <= payoffs[rows[at], columns[column]]:
                beats = False
                break
        if beats:
            return True
    return False


def is_beaten_column(payoffs: Any, rows: Any, n_rows: int, columns: Any, n_columns: int, at: int) -> bool:
    """Whether another column gives less against every row."""
    for other in range(n_columns):
        beats = other != at
        for row in range(n_rows):
            if payoffs[rows[row], columns[other]] >= payoffs[rows[row], columns[at]]:
                beats = False
                break
        if beats:
            return True
    return False
