"""Answers refuted by bounds, and cells that do not count; whole values are tested in test_simultaneous."""

import numpy as np

from tunesmith.engine.search import double_oracle
from tunesmith.engine.search.double_oracle import BEST_ROW, COLUMN, ROW, UNSEEN


def turn_of(cells: list[list[float]], weights: list[float], high: float) -> double_oracle.Turns:
    """Return a turn with the equilibrium's columns given, and the least payoff that would be better."""
    matrix = np.array(cells)
    n_rows, n_columns = matrix.shape
    marks, payoffs = np.zeros((1, 11), np.int64), np.zeros((1, 4))
    marks[0, double_oracle.N_SOLVED_COLUMNS] = n_columns
    marks[0, BEST_ROW] = -1
    payoffs[0, double_oracle.HIGH] = high
    every = np.arange(max(n_rows, n_columns))[None, :]
    shares = np.zeros((1, n_rows))
    return double_oracle.Turns(
        [np.arange(n_rows)],
        [np.arange(n_columns)],
        [matrix],
        every,
        every,
        shares,
        np.array([weights]),
        marks,
        payoffs,
    )


def test_an_answer_that_cannot_be_better_any_more_is_not_looked_at() -> None:
    """0.6 of a loss leaves at most 0.4: nothing against 0.5, something against 0.3."""
    cells = [[0.0, UNSEEN], [0.9, 0.2]]
    refuted = turn_of(cells, [0.6, 0.4], 0.5)
    assert not double_oracle.needs_cell_of_row(refuted, 0)
    assert refuted.marks[0, BEST_ROW] == 1
    open_ = turn_of(cells, [0.6, 0.4], 0.3)
    assert double_oracle.needs_cell_of_row(open_, 0)
    assert (open_.marks[0, ROW], open_.marks[0, COLUMN]) == (0, 1)


def test_columns_without_weight_are_not_asked_for() -> None:
    cells = [[0.7, UNSEEN], [0.6, UNSEEN]]
    turn = turn_of(cells, [1.0, 0.0], 0.5)
    assert not double_oracle.needs_cell_of_row(turn, 0)
    assert turn.marks[0, BEST_ROW] == 0
