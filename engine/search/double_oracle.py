"""Zero-sum matrix games of which few cells are ever looked at: the double oracle (McMahan and others 2003).

The restricted game of the choices found so far is solved exactly, each side's best answer to its equilibrium among all
its choices is added, until neither has a better one. Then the value is that of the whole matrix. Cells that the
equilibrium gives no weight are not asked for, nor those of an answer that could not be better any more whatever they
hold (bounds of 0 and 1, as in the serialized bounds of Bosansky and others 2016).

Player 1 may be taken to make one choice in a share of all cases whatever it is worth, and to be free in the others.
What is solved then is player 0's best answer to that (a restricted Nash response: Johanson and others 2007).

A cell may be the value of another matrix, and so on: a line of them is a level each of `Turns`. Who fills the cells is
`engine.search.turn_tree`: it asks for the next one, looks at it, and asks again."""

from typing import Any, NamedTuple

import numpy as np

from tunesmith.engine.compile.jit import inlined
from tunesmith.engine.options import JOINT_WIDTH
from tunesmith.engine.search.matrix import solve_matrix
from tunesmith.engine.searcher import MAX_PLY

TURN = 2  # half-moves
LEVELS = MAX_PLY // TURN - 1
UNSEEN = -1.0  # a cell that nobody has looked at, or a limit kept from being looked at
_REFUTED = -2.0  # an answer that cannot be better than the best one
_GAIN = 1e-9  # a better answer must be better by this (an expected result)

# Fields of `Turns.marks`.
(
    N_ROWS,  # choices of the restricted game
    N_COLUMNS,
    N_SOLVED_ROWS,  # of these, in the equilibrium that `shares` and `weights` hold; 0 = there is none
    N_SOLVED_COLUMNS,
    PHASE,
    AT,  # where that phase has got to
    ROW,  # the cell that is being looked at
    COLUMN,
    BEST_ROW,  # best answers so far, -1 = none
    BEST_COLUMN,
    GUESS,  # choice of player 1 that is guessed, -1 = none
) = range(11)
INSIDE, ROW_ANSWERS, COLUMN_ANSWERS = range(
    3
)  # phases: the restricted game itself, then either side's answers

# Fields of `Turns.payoffs`.
VALUE, HIGH, LOW = range(3)  # of the restricted game; of the best answers so far
SURE = 3  # in which share of all cases player 1 makes the choice that is guessed


class Turns(NamedTuple):
    """The turns of a line, a level each.

    own, other
        Lists of int64 arrays: the choices of player 0 and of player 1.
    cells
        List of float64 (own, other): what is known of the matrix.
    rows, columns
        int64 (levels, width): indices of the choices of the restricted game.
    shares, weights
        float64 (levels, width): its equilibrium; weights with the guess, if there is one.
    marks, payoffs
        int64 and float64 (levels, fields), see above.
    """

    own: Any
    other: Any
    cells: Any
    rows: Any
    columns: Any
    shares: Any
    weights: Any
    marks: Any
    payoffs: Any


def new_turns(searcher: Any) -> Turns:
    """Return room for a line of turns (template)."""
    width = int(searcher.options[JOINT_WIDTH])
    nothing: Any = np.zeros(1, np.int64)
    unknown: Any = np.full((1, 1), UNSEEN)
    own = [nothing] * LEVELS
    other = [nothing] * LEVELS
    cells = [unknown] * LEVELS
    rows: Any = np.zeros((LEVELS, width), np.int64)
    columns: Any = np.zeros((LEVELS, width), np.int64)
    shares: Any = np.zeros((LEVELS, width))
    weights: Any = np.zeros((LEVELS, width))
    marks: Any = np.zeros((LEVELS, 11), np.int64)
    payoffs: Any = np.zeros((LEVELS, 4))
    return Turns(own, other, cells, rows, columns, shares, weights, marks, payoffs)


@inlined
def begin_turn(turns: Turns, level: int, own: Any, other: Any) -> None:
    """Lay out the matrix of all pairs of some choices, with nothing known and an empty restricted game."""
    turns.own[level] = own
    turns.other[level] = other
    turns.cells[level] = np.full((len(own), len(other)), UNSEEN)
    marks = turns.marks[level]
    marks[N_ROWS] = 0
    marks[N_COLUMNS] = 0
    marks[N_SOLVED_ROWS] = 0
    marks[N_SOLVED_COLUMNS] = 0
    marks[PHASE] = INSIDE
    marks[AT] = 0
    marks[BEST_ROW] = -1
    marks[BEST_COLUMN] = -1
    marks[GUESS] = -1


@inlined
def add_row(turns: Turns, level: int, row: int) -> None:
    """Add a choice of player 0 to the restricted game."""
    marks = turns.marks[level]
    turns.rows[level, marks[N_ROWS]] = row
    marks[N_ROWS] += 1


@inlined
def add_column(turns: Turns, level: int, column: int) -> None:
    """Add a choice of player 1 to the restricted game."""
    marks = turns.marks[level]
    turns.columns[level, marks[N_COLUMNS]] = column
    marks[N_COLUMNS] += 1


def next_cell(turns: Turns, level: int) -> bool:
    """Find the next cell that counts, in ROW and COLUMN; False: the turn's value is known (template)."""
    marks = turns.marks[level]
    while True:
        if marks[PHASE] == INSIDE:
            if needs_cell_inside(turns, level):
                return True
            solve_restricted(turns, level)
            marks[PHASE] = ROW_ANSWERS
            marks[AT] = 0
        if marks[PHASE] == ROW_ANSWERS:
            if needs_cell_of_row(turns, level):
                return True
            marks[PHASE] = COLUMN_ANSWERS
            marks[AT] = 0
        if marks[N_ROWS] > 0 and needs_cell_of_column(turns, level):
            return True
        width = turns.rows.shape[1]
        has_row = marks[BEST_ROW] >= 0 and marks[N_ROWS] < width
        has_column = marks[BEST_COLUMN] >= 0 and marks[N_COLUMNS] < width
        if has_row:
            add_row(turns, level, int(marks[BEST_ROW]))
        if has_column:
            add_column(turns, level, int(marks[BEST_COLUMN]))
        if not (has_row or has_column):
            return False
        marks[PHASE] = INSIDE
        marks[AT] = 0


def needs_cell_inside(turns: Turns, level: int) -> bool:
    """Find a cell of the restricted game that is not known (template)."""
    marks = turns.marks[level]
    cells = turns.cells[level]
    n_columns = int(marks[N_COLUMNS])
    while marks[AT] < marks[N_ROWS] * n_columns:
        row = turns.rows[level, marks[AT] // n_columns]
        column = turns.columns[level, marks[AT] % n_columns]
        if cells[row, column] == UNSEEN:
            marks[ROW] = row
            marks[COLUMN] = column
            return True
        marks[AT] += 1
    return False


def solve_restricted(turns: Turns, level: int) -> None:
    """Fill in the equilibrium of the restricted game, and its value (template).

    Without a row yet it is the one column's: any row is an answer to that.
    """
    marks = turns.marks[level]
    payoffs = turns.payoffs[level]
    n_rows = int(marks[N_ROWS])
    n_columns = int(marks[N_COLUMNS])
    shares: Any = np.zeros(n_rows)
    weights: Any = np.ones(n_columns)
    payoffs[VALUE] = UNSEEN
    free = UNSEEN
    if n_rows > 0:
        matrix = part(turns.cells[level], turns.rows[level, :n_rows], turns.columns[level, :n_columns])
        if marks[GUESS] < 0:
            payoffs[VALUE] = solve_matrix(matrix, shares, weights)
            free = float(payoffs[VALUE])
        else:
            free = answer_guess(turns, level, matrix, shares, weights)
    for index in range(n_rows):
        turns.shares[level, index] = shares[index]
    for index in range(n_columns):
        turns.weights[level, index] = weights[index]
    marks[N_SOLVED_ROWS] = n_rows
    marks[N_SOLVED_COLUMNS] = n_columns
    payoffs[HIGH] = payoffs[VALUE] + _GAIN
    payoffs[LOW] = free - _GAIN
    marks[BEST_ROW] = -1
    marks[BEST_COLUMN] = -1


def answer_guess(turns: Turns, level: int, matrix: Any, shares: Any, weights: Any) -> float:
    """Solve the restricted game, one of whose columns is the guess; fill in VALUE and the mixes (template).

    Return what player 0's mix gets where player 1 is free.
    """
    payoffs = turns.payoffs[level]
    sure = float(payoffs[SURE])
    guess = 0
    while turns.columns[level, guess] != turns.marks[level, GUESS]:
        guess += 1
    n_rows, n_columns = matrix.shape
    mixed: Any = np.zeros((n_rows, n_columns))
    for row in range(n_rows):
        for column in range(n_columns):
            mixed[row, column] = (1.0 - sure) * matrix[row, column] + sure * matrix[row, guess]
    payoffs[VALUE] = solve_matrix(mixed, shares, weights)
    guessed = 0.0
    for row in range(n_rows):
        guessed += shares[row] * matrix[row, guess]
    for column in range(n_columns):
        weights[column] *= 1.0 - sure
    weights[guess] += sure
    return float((payoffs[VALUE] - sure * guessed) / (1.0 - sure))


def part(cells: Any, rows: Any, columns: Any) -> Any:
    """Return the matrix of some rows and columns (template)."""
    found: Any = np.zeros((len(rows), len(columns)))
    for row in range(len(rows)):
        for column in range(len(columns)):
            found[row, column] = cells[rows[row], columns[column]]
    return found


def needs_cell_of_row(turns: Turns, level: int) -> bool:
    """Look for player 0's best answer to the equilibrium's columns; True if a cell has to be known first (template)."""
    marks = turns.marks[level]
    payoffs = turns.payoffs[level]
    while marks[AT] < len(turns.own[level]):
        payoff = payoff_of_row(turns, level, int(marks[AT]), float(payoffs[HIGH]))
        if payoff == UNSEEN:
            return True
        if payoff > payoffs[HIGH]:
            payoffs[HIGH] = payoff
            marks[BEST_ROW] = marks[AT]
        marks[AT] += 1
    return False


def payoff_of_row(turns: Turns, level: int, row: int, high: float) -> float:
    """Return what a row gets against the equilibrium's columns (template).

    UNSEEN if a cell (ROW, COLUMN) has to be known first, _REFUTED if it cannot be more than `high` any more.
    """
    marks = turns.marks[level]
    cells = turns.cells[level]
    payoff = 0.0
    rest = 1.0
    for index in range(marks[N_SOLVED_COLUMNS]):
        weight = turns.weights[level, index]
        if weight > 0.0:
            column = turns.columns[level, index]
            cell = cells[row, column]
            if cell == UNSEEN:
                marks[ROW] = row
                marks[COLUMN] = column
                return UNSEEN
            payoff += weight * cell
            rest -= weight
            if payoff + rest <= high and rest > _GAIN:
                return _REFUTED
    return payoff


def needs_cell_of_column(turns: Turns, level: int) -> bool:
    """Look for player 1's best answer to the equilibrium's rows; True if a cell has to be known first (template)."""
    marks = turns.marks[level]
    payoffs = turns.payoffs[level]
    while marks[AT] < len(turns.other[level]):
        payoff = payoff_of_column(turns, level, int(marks[AT]), float(payoffs[LOW]))
        if payoff == UNSEEN:
            return True
        if payoff != _REFUTED and payoff < payoffs[LOW]:
            payoffs[LOW] = payoff
            marks[BEST_COLUMN] = marks[AT]
        marks[AT] += 1
    return False


def payoff_of_column(turns: Turns, level: int, column: int, low: float) -> float:
    """Return what a column leaves the equilibrium's rows (template).

    UNSEEN if a cell (ROW, COLUMN) has to be known first, _REFUTED if it cannot be less than `low` any more.
    """
    marks = turns.marks[level]
    cells = turns.cells[level]
    payoff = 0.0
    for index in range(marks[N_SOLVED_ROWS]):
        share = turns.shares[level, index]
        if share > 0.0:
            row = turns.rows[level, index]
            cell = cells[row, column]
            if cell == UNSEEN:
                marks[ROW] = row
                marks[COLUMN] = column
                return UNSEEN
            payoff += share * cell
            if payoff >= low:
                return _REFUTED
    return payoff
