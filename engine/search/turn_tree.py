"""Turns in which both sides choose at once, as a tree of matrix games: what is a position between turns worth?

A cell of a turn's matrix is a joint choice: both choices made and resolved, then worth the end of the game, the
evaluation, or, while depth is left, the next turn's own matrix. Payoffs are expected results (0 to 1) of player 0 and
not scores, because a mix is worth the mean of its results. Which cells count is asked of `engine.search.double_oracle`.

With `joint_best` = k a turn after the first is narrowed to the k choices of each side that do best, by the evaluation,
against what the other side would most likely do: the opponent's by hint, then this side's best answer to it. That is
inexact. The turn at the root is narrowed by the equilibrium of the depth before (`engine.search.simultaneous`).

No recursion in compiled code: each turn of the line that is searched is a level of `Turns`."""

from typing import Any

import numpy as np

from tunesmith.engine.compile.slots import (
    HAS_HINT,
    REPETITION_LIMIT,
    apply_move,
    history_key,
    legal_moves,
    move_hint,
)
from tunesmith.engine.options import JOINT_BEST
from tunesmith.engine.search.alphabeta import is_out_of_budget
from tunesmith.engine.search.double_oracle import (
    COLUMN,
    ROW,
    TURN,
    UNSEEN,
    VALUE,
    Turns,
    add_column,
    add_row,
    begin_turn,
    next_cell,
)
from tunesmith.engine.search.elo import expected
from tunesmith.engine.search.endings import ending
from tunesmith.engine.search.values import evaluate
from tunesmith.engine.searcher import NODES, STOPPED
from tunesmith.games.game import ONGOING, State


def value_of_turn(
    searcher: Any, turns: Turns, states: Any, keys: Any, n_keys: int, n_plies: int, depth: int
) -> float:
    """Return player 0's expected result in `states[0]`, whose turn is laid out at level 0 (template).

    If a limit cuts it short STOPPED is set; level 0 holds what was found. `keys` and the rest as in `think_matrix`.
    """
    level = 0
    while True:
        if not next_cell(turns, level):
            value = float(turns.payoffs[level, VALUE])
            if level == 0:
                return value
            level -= 1
            turns.cells[level][turns.marks[level, ROW], turns.marks[level, COLUMN]] = value
            continue
        own = int(turns.own[level][turns.marks[level, ROW]])
        other = int(turns.other[level][turns.marks[level, COLUMN]])
        is_last = depth - TURN * (level + 1) < TURN
        value = joint_value(searcher, states, keys, n_keys, n_plies, level, own, other, is_last)
        if searcher.counters[STOPPED] != 0:
            return float(turns.payoffs[0, VALUE])
        if value != UNSEEN:
            turns.cells[level][turns.marks[level, ROW], turns.marks[level, COLUMN]] = value
            continue
        level += 1
        lay_out(searcher, turns, states, keys, n_keys, n_plies, level, depth - TURN * level <= TURN)
        if searcher.counters[STOPPED] != 0:
            return float(turns.payoffs[0, VALUE])


def joint_value(
    searcher: Any,
    states: Any,
    keys: Any,
    n_keys: int,
    n_plies: int,
    level: int,
    own: int,
    other: int,
    is_last: bool,
) -> float:
    """Make a joint choice; return what it is worth: the end of the game, or, if `is_last`, the evaluation (template).

    UNSEEN if it is to be searched, or, with STOPPED set, if a limit was reached.
    """
    counters = searcher.counters
    counters[NODES] += 1
    if is_out_of_budget(searcher):
        counters[STOPPED] = 1
        return UNSEEN
    pending = apply_move(states[level], own)
    state = apply_move(pending, other)
    states[level + 1] = state
    ply = TURN * (level + 1)
    if REPETITION_LIMIT > 0:
        keys[n_keys + ply - 2] = history_key(pending)
        keys[n_keys + ply - 1] = history_key(state)
    result = ending(state, keys, n_keys + ply, n_plies + ply)
    if result != ONGOING:
        return 0.5 * (result + 1)
    if is_last:
        return expected(evaluate(searcher, state))
    return UNSEEN


def choices(searcher: Any, state: State) -> Any:
    """Return the legal moves of a position as an array of their own (template)."""
    n_moves = legal_moves(state, searcher.moves[0])
    found: Any = np.zeros(n_moves, np.int64)
    for index in range(n_moves):
        found[index] = searcher.moves[0, index]
    return found


def likeliest(state: State, moves: Any) -> int:
    """Return the index of the move with the best hint, the first of equals (template)."""
    best = 0
    if HAS_HINT:
        for index in range(1, len(moves)):
            if move_hint(state, int(moves[index])) > move_hint(state, int(moves[best])):
                best = index
    return best


def lay_out(
    searcher: Any,
    turns: Turns,
    states: Any,
    keys: Any,
    n_keys: int,
    n_plies: int,
    level: int,
    is_last: bool,
) -> None:
    """Lay out the turn of `states[level]`, narrowed if the options say so (template).

    `is_last`: no other turn follows, so that what evaluations say of choices is what cells hold. STOPPED is set if
    a limit was reached.
    """
    own = choices(searcher, states[level])
    pending = apply_move(states[level], int(own[0]))
    other = choices(searcher, pending)
    column = likeliest(pending, other)
    kept = int(searcher.options[JOINT_BEST])
    if kept == 0 or (len(own) <= kept and len(other) <= kept):
        begin_turn(turns, level, own, other)
        add_column(turns, level, column)
        return
    own_payoffs: Any = np.full(len(own), UNSEEN)
    row = 0
    for index in range(len(own)):
        own_payoffs[index] = joint_value(
            searcher, states, keys, n_keys, n_plies, level, int(own[index]), int(other[column]), True
        )
        if searcher.counters[STOPPED] != 0:
            return
        if own_payoffs[index] > own_payoffs[row]:
            row = index
    other_payoffs: Any = np.full(len(other), UNSEEN)
    for index in range(len(other)):
        other_payoffs[index] = -joint_value(
            searcher, states, keys, n_keys, n_plies, level, int(own[row]), int(other[index]), True
        )
        if searcher.counters[STOPPED] != 0:
            return
    own_order = best_of(own_payoffs, kept)
    other_order = best_of(other_payoffs, kept)
    begin_turn(turns, level, those(own, own_order), those(other, other_order))
    add_row(turns, level, 0)
    add_column(turns, level, 0)
    if is_last:
        cells = turns.cells[level]
        for index in range(len(other_order)):
            cells[0, index] = -other_payoffs[other_order[index]]
            if other_order[index] == column:
                for at in range(len(own_order)):
                    cells[at, index] = own_payoffs[own_order[at]]


def best_of(payoffs: Any, kept: int) -> Any:
    """Return the indices of the highest payoffs, highest first, the first of equals; all if `kept` is 0 (template)."""
    n = len(payoffs) if kept == 0 else min(kept, len(payoffs))
    left: Any = payoffs.copy()
    order: Any = np.zeros(n, np.int64)
    for place in range(n):
        best = 0
        for index in range(1, len(left)):
            if left[index] > left[best]:
                best = index
        order[place] = best
        left[best] = -3.0
    return order


def those(moves: Any, order: Any) -> Any:
    """Return the moves at some indices (template)."""
    found: Any = np.zeros(len(order), np.int64)
    for index in range(len(order)):
        found[index] = moves[order[index]]
    return found
