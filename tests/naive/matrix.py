"""Matrix games by a general linear-programming library, and the whole matrix of a simultaneous position."""

import math

import numpy as np
from scipy.optimize import linprog

from tests.naive import minimax
from tunesmith.games.game import ONGOING, Game, State


def value_of(payoffs: np.ndarray) -> float:
    """Return the value of a zero-sum game for the row player."""
    return value_with_guess(payoffs, 0, 0.0)


def value_with_guess(payoffs: np.ndarray, guess: int, sure: float) -> float:
    """Return the most that the row player gets who meets the column `guess` in a share of cases, and otherwise the worst."""
    n, m = payoffs.shape
    found = linprog(
        np.r_[-sure * payoffs[:, guess], sure - 1.0],
        A_ub=np.c_[-payoffs.T, np.ones(m)],
        b_ub=np.zeros(m),
        A_eq=np.r_[np.ones(n), 0.0][None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * n + [(None, None)],
        method="highs",
    )
    assert found.status == 0, found.message
    return -float(found.fun)


def undominated(payoffs: np.ndarray) -> tuple[list[int], list[int]]:
    """Return the rows and columns that survive iterated strict dominance by single ones."""
    rows, columns = list(range(payoffs.shape[0])), list(range(payoffs.shape[1]))
    while True:
        left = payoffs[np.ix_(rows, columns)]
        beaten_rows = [r for r in range(len(rows)) if any((other > left[r]).all() for other in left)]
        beaten_columns = [c for c in range(len(columns)) if any((o < left[:, c]).all() for o in left.T)]
        if not beaten_rows and not beaten_columns:
            return rows, columns
        rows = [row for at, row in enumerate(rows) if at not in beaten_rows]
        columns = [column for at, column in enumerate(columns) if at not in beaten_columns]


def payoffs_of(game: Game, table: np.ndarray, states: list[State], depth: int) -> np.ndarray:
    """Return player 0's expected result for every joint choice; `depth` counts half-moves, this turn's too.

    Later turns are worth the value of their own whole matrix.
    """
    root = states[-1]
    own = minimax.legal(game, root)
    other = minimax.legal(game, game.apply_move(root, own[0]))
    return np.array([[_payoff(game, table, states, depth, i, j) for j in other] for i in own])


def _payoff(game: Game, table: np.ndarray, states: list[State], depth: int, own: int, other: int) -> float:
    pending = game.apply_move(states[-1], own)
    history = [*states, pending, game.apply_move(pending, other)]
    result = minimax.ending(game, history)
    if result != ONGOING:
        return (result + 1) / 2
    if depth < 4:
        return expected(minimax.value(game, table, 1.0, history, 0))
    return value_of(payoffs_of(game, table, history, depth - 2))


def expected(score: int) -> float:
    return 1 / (1 + math.exp(max(-700, min(700, -score * math.log(10) / 40_000))))
