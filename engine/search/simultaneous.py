"""Simultaneous choices as a matrix game at the root: from a position to a choice drawn from an equilibrium.

A cell of the matrix is a joint choice: both choices made and resolved, then valued, as an expected result
(0 to 1), by the end of the game, by the evaluation, or by alpha-beta of the depth that is left: the mean of
two searches, in one of which the opponent sees this side's choices, in the other this side the opponent's.
Payoffs are expected results and not scores, because a mix is worth the mean of its results.

Few cells are ever looked at (double oracle, McMahan and others 2003): starting with one choice of the
opponent, the equilibrium of the choices found so far is solved exactly, each side's best answer to it among
all its choices is added, until neither has a better one. Then the mix is an equilibrium of the whole matrix.
Choices that enter are best answers to some mix, so no strictly dominated one is ever played, not even if a
limit cuts this short, once it has let through one look at each own choice. After `joint_width` choices a side
the mix is that of the choices found.

Who thinks is player 0 here and sees a position without a hidden choice. Depth counts half-moves, a turn has
two. Deterministic under depth and node limits: the draw follows from the game's seed and the count of plies."""

from typing import Any

import numpy as np

from tunesmith.engine.compile.arith import mix as hashed
from tunesmith.engine.compile.jit import clock, inlined
from tunesmith.engine.compile.slots import (
    HAS_HINT,
    REPETITION_LIMIT,
    apply_move,
    history_key,
    legal_moves,
    move_hint,
    swap_sides,
)
from tunesmith.engine.options import DEEPENING, JOINT_WIDTH
from tunesmith.engine.search.alphabeta import ABORTED, alphabeta
from tunesmith.engine.search.deepening import greatest_depth
from tunesmith.engine.search.elo import expected, to_elo
from tunesmith.engine.search.endings import ending
from tunesmith.engine.search.matrix import solve_matrix
from tunesmith.engine.search.time_control import allow_first, begin, is_too_late, stop_clock
from tunesmith.engine.search.transposition import N_AGES
from tunesmith.engine.search.values import INFINITY, evaluate
from tunesmith.engine.searcher import (
    AGE,
    BEST_AT_ROOT,
    DEADLINE,
    MAX_PLY,
    N_PV,
    NODE_LIMIT,
    NODES,
    REACHED,
    SCORE,
    SEED,
    STOPPED,
)
from tunesmith.games.game import ONGOING, State

UNSEEN = -1.0  # a cell that nobody has looked at, or a limit kept from being looked at
_GAIN = 1e-9  # a better answer must be better by this (an expected result)
TURN = 2  # half-moves


def think_matrix(searcher: Any, transposition: Any, root: State, keys: Any, n_keys: int, n_plies: int) -> int:
    """Return a choice drawn from the equilibrium mix at `root`; fill `counters` and `pv` (template).

    The parameters are those of `engine.search.deepening.think`. A search cut short draws from the mix of the depth
    completed before, or, at the first depth, from what it has.
    """
    counters = searcher.counters
    begin(searcher, root, n_plies)
    allow_first(searcher, root)
    counters[AGE] = (counters[AGE] + 1) % N_AGES
    states = [root] * MAX_PLY
    own = choices(searcher, root)
    other = choices(searcher, apply_move(root, int(own[0])))
    mix: Any = np.zeros(len(own))
    other_mix: Any = np.zeros(len(other))
    other_mix[likeliest(apply_move(root, int(own[0])), other)] = 1.0
    last = max(TURN, greatest_depth(searcher) // TURN * TURN)
    depth = TURN if searcher.options[DEEPENING] else last
    first = depth
    while depth <= last:
        value = equilibrium(
            searcher, transposition, states, keys, n_keys, n_plies, root, own, other, depth, mix, other_mix
        )
        if counters[STOPPED] == 0 or counters[REACHED] == 0:
            counters[SCORE] = to_elo(value)
        if counters[STOPPED] != 0:
            break
        counters[REACHED] = depth
        if is_too_late(searcher, depth == first, True, 1.0):
            break
        depth += TURN
    move = int(own[drawn(mix, hashed(hashed(int(counters[SEED])) ^ n_plies))])
    searcher.pv[0] = move
    counters[N_PV] = 1
    counters[BEST_AT_ROOT] = move
    stop_clock(searcher)
    return move


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


@inlined
def equilibrium(
    searcher: Any,
    transposition: Any,
    states: Any,
    keys: Any,
    n_keys: int,
    n_plies: int,
    root: State,
    own: Any,
    other: Any,
    depth: int,
    mix: Any,
    other_mix: Any,
) -> float:
    """Bring both mixes to the equilibrium at `depth`; return its value for this side (template).

    Starts from the choices that the mixes hold. If a limit cuts it short STOPPED is set, and the mixes stay
    those of the depth before; at the first depth they are the last ones found.
    """
    counters = searcher.counters
    is_first = counters[REACHED] == 0
    width = int(searcher.options[JOINT_WIDTH])
    cells: Any = np.full((len(own), len(other)), UNSEEN)
    rows: Any = np.zeros(width, np.int64)
    columns: Any = np.zeros(width, np.int64)
    n_rows = support(mix, rows)
    n_columns = support(other_mix, columns)
    seen_rows = 0
    seen_columns = 0
    value = 0.5
    while True:
        while (seen_columns < n_columns or seen_rows < n_rows) and counters[STOPPED] == 0:
            is_row = seen_columns == n_columns
            line = int(rows[seen_rows]) if is_row else int(columns[seen_columns])
            fill(
                searcher,
                transposition,
                states,
                keys,
                n_keys,
                n_plies,
                root,
                own,
                other,
                depth,
                cells,
                is_row,
                line,
            )
            if is_row:
                seen_rows += 1
            else:
                seen_columns += 1
        weights: Any = np.ones(n_columns)  # of the one column that there is before the first row
        if n_rows == 0:
            row, _ = best_row(cells, columns[:n_columns], weights)
            rows[0] = row
            mix[row] = 1.0
            n_rows = 1
            if counters[STOPPED] != 0:
                return value
            continue
        if counters[STOPPED] != 0:
            return value
        shares: Any = np.zeros(n_rows)
        value = solve_matrix(part(cells, rows[:n_rows], columns[:n_columns]), shares, weights)
        row, high = best_row(cells, columns[:n_columns], weights)
        column, low = best_column(cells, rows[:n_rows], shares)
        has_row = high > value + _GAIN and n_rows < width
        has_column = low < value - _GAIN and n_columns < width
        if is_first or not (has_row or has_column):
            spread(mix, rows[:n_rows], shares)
            spread(other_mix, columns[:n_columns], weights)
        if has_row:
            rows[n_rows] = row
            n_rows += 1
        if has_column:
            columns[n_columns] = column
            n_columns += 1
        if not (has_row or has_column):
            return value


def support(mix: Any, out: Any) -> int:
    """Write the indices of a mix's parts to `out`, as many as have room there; return their number (template)."""
    n = 0
    for index in range(len(mix)):
        if mix[index] > 0.0 and n < len(out):
            out[n] = index
            n += 1
    return n


@inlined
def spread(mix: Any, chosen: Any, shares: Any) -> None:
    """Make `mix` that of the choices `chosen`, with their shares."""
    mix[:] = 0.0
    for index in range(len(chosen)):
        mix[chosen[index]] = shares[index]


def part(cells: Any, rows: Any, columns: Any) -> Any:
    """Return the matrix of some rows and columns (template)."""
    found: Any = np.zeros((len(rows), len(columns)))
    for row in range(len(rows)):
        for column in range(len(columns)):
            found[row, column] = cells[rows[row], columns[column]]
    return found


def best_row(cells: Any, columns: Any, weights: Any) -> tuple[int, float]:
    """Return the best answer to a mix of columns, and its payoff; rows not looked at do not count (template)."""
    best = 0
    highest = -1.0
    for row in range(cells.shape[0]):
        payoff = 0.0
        for index in range(len(columns)):
            payoff += weights[index] * cells[row, columns[index]]
        if payoff > highest:
            highest = payoff
            best = row
    return best, highest


def best_column(cells: Any, rows: Any, shares: Any) -> tuple[int, float]:
    """Return the opponent's best answer to a mix of rows, and what it leaves this side (template)."""
    best = 0
    lowest = 2.0
    for column in range(cells.shape[1]):
        payoff = 0.0
        for index in range(len(rows)):
            payoff += shares[index] * cells[rows[index], column]
        if payoff < lowest:
            lowest = payoff
            best = column
    return best, lowest


@inlined
def fill(
    searcher: Any,
    transposition: Any,
    states: Any,
    keys: Any,
    n_keys: int,
    n_plies: int,
    root: State,
    own: Any,
    other: Any,
    depth: int,
    cells: Any,
    is_row: bool,
    line: int,
) -> None:
    """Look at the cells of a row, or of a column, until a limit is reached (template)."""
    for index in range(len(other) if is_row else len(own)):
        i = line if is_row else index
        j = index if is_row else line
        if cells[i, j] == UNSEEN:
            if is_over_budget(searcher):
                return
            pending = apply_move(root, int(own[i]))
            states[0] = apply_move(pending, int(other[j]))
            if REPETITION_LIMIT > 0:
                keys[n_keys] = history_key(pending)
                keys[n_keys + 1] = history_key(states[0])
            cells[i, j] = joint_value(
                searcher, transposition, states, keys, n_keys + 2, n_plies + 2, depth - TURN
            )
            if searcher.counters[STOPPED] != 0:
                cells[i, j] = UNSEEN
                return


@inlined
def is_over_budget(searcher: Any) -> bool:
    """Count a joint choice as a node; set STOPPED and return True if a limit was reached before it."""
    counters = searcher.counters
    counters[NODES] += 1
    deadline = searcher.numbers[DEADLINE]
    if counters[NODES] > counters[NODE_LIMIT] or (deadline > 0.0 and clock() > deadline):
        counters[STOPPED] = 1
        return True
    return False


@inlined
def joint_value(
    searcher: Any, transposition: Any, states: Any, keys: Any, n_keys: int, n_plies: int, depth: int
) -> float:
    """Return this side's expected result in `states[0]`, where a turn has just ended (template).

    UNSEEN, with STOPPED set, if a limit was reached.
    """
    state = states[0]
    result = ending(state, keys, n_keys, n_plies)
    if result != ONGOING:
        return 0.5 * (result + 1)  # this side is player 0
    if depth < TURN:
        return expected(evaluate(searcher, state))
    value = alphabeta(searcher, transposition, states, keys, n_keys, n_plies, depth, -INFINITY, INFINITY)
    turned = ABORTED
    if value != ABORTED:
        # With sides exchanged the game's history does not count: its keys are those of other positions.
        states[0] = swap_sides(state)
        own_keys: Any = np.zeros(MAX_PLY + 1, np.int64)
        own_keys[0] = history_key(states[0])
        n_own = 1 + 0 * n_keys  # not the literal 1: the search would be compiled for it once more
        turned = alphabeta(
            searcher, transposition, states, own_keys, n_own, n_plies, depth, -INFINITY, INFINITY
        )
    if turned == ABORTED:
        searcher.counters[STOPPED] = 1
        return UNSEEN
    return 0.5 * (expected(value) + 1.0 - expected(turned))


def drawn(mix: Any, stream: int) -> int:
    """Return an index drawn by the mix's probabilities, from 63 random bits (template)."""
    place = (stream >> 10) / 9007199254740992.0  # 2^53
    last = 0
    for index in range(len(mix)):
        if mix[index] > 0.0:
            last = index
            place -= mix[index]
            if place < 0.0:
                break
    return last


def think_matrix_once(
    memory: Any, transposition: Any, root: State, keys: Any, n_keys: int, n_plies: int
) -> int:
    """Do `think_matrix` for callers outside compiled code (template)."""
    return think_matrix(memory[0], transposition, root, keys, n_keys, n_plies)
