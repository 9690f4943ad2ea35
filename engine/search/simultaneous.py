"""Simultaneous choices at the root: from a position to a choice drawn from an equilibrium of the turn's matrix.

Depth counts half-moves, a turn has two: `engine.search.turn_tree` values the turn at depth 2 (all choices of both
sides, their joint outcomes evaluated), then at depth 4 (each joint choice is worth the next turn's own matrix), and so
on. With `joint_best` = k, from depth 4 on only the k choices of each side that did best against the other's mix at the
depth before are looked at, its mix among them.

With `joint_guess` the opponent is taken to make one choice for sure in that share of all cases: many programs look at
their own choices alone. Which one is guessed once depth 2 is known, from its cells: the best answer to `GUESSED_FROM`
own choices alike, spread over all of them. From then on the mixes are those of the answer to this guess.

A search cut short keeps what it knows: the equilibrium of the deeper restricted game, as soon as that holds all that
the mixes of the depth before did; before that these choices are mixed again with the deeper payoffs that are known in
place of the others. At depth 2 the choices that enter are best answers to some mix, so no strictly dominated one is
ever played, not even if a limit cuts this short, once it has let through one look at each own choice. After
`joint_width` choices a side the mix is that of the choices found.

Who thinks is player 0 here and sees a position without a hidden choice. Deterministic under depth and node limits: the
draw follows from the game's seed and the count of plies."""

from typing import Any

import numpy as np

from tunesmith.engine.compile.arith import mix as hashed
from tunesmith.engine.compile.jit import clock
from tunesmith.engine.compile.slots import apply_move
from tunesmith.engine.options import DEEPENING, JOINT_BEST, JOINT_GUESS
from tunesmith.engine.search.deepening import greatest_depth
from tunesmith.engine.search.double_oracle import (
    AT,
    BEST_ROW,
    GUESS,
    INSIDE,
    N_COLUMNS,
    N_ROWS,
    N_SOLVED_COLUMNS,
    N_SOLVED_ROWS,
    PHASE,
    SURE,
    TURN,
    UNSEEN,
    Turns,
    add_column,
    add_row,
    begin_turn,
    new_turns,
    part,
    solve_restricted,
)
from tunesmith.engine.search.elo import to_elo
from tunesmith.engine.search.time_control import (
    STRETCH,
    allow_first,
    begin,
    is_short,
    is_too_late,
    stop_clock,
)
from tunesmith.engine.search.turn_tree import (
    best_of,
    choices,
    joint_value,
    likeliest,
    those,
    value_of_turn,
)
from tunesmith.engine.searcher import (
    BEGAN,
    BEST_AT_ROOT,
    GAME_SECONDS,
    MAX_PLY,
    N_PV,
    NODES,
    REACHED,
    SCORE,
    SEED,
    SHARE,
    STOPPED,
)
from tunesmith.games.game import State

NEEDED_TURNS = 2  # time is kept so that later moves can be searched as deep
GUESSED_FROM = 8  # own choices, that a guess of the opponent's looks at


def think_matrix(searcher: Any, transposition: Any, root: State, keys: Any, n_keys: int, n_plies: int) -> int:
    """Return a choice drawn from the equilibrium mix at `root`; fill `counters` and `pv` (template).

    The parameters are those of `engine.search.deepening.think`; the transposition table is not used.
    """
    counters = searcher.counters
    begin(searcher, root, n_plies)
    allow_first(searcher, root)
    states = [root] * MAX_PLY
    turns = new_turns(searcher)
    own = choices(searcher, root)
    pending = apply_move(root, int(own[0]))
    other = choices(searcher, pending)
    begin_turn(turns, 0, own, other)
    add_column(turns, 0, likeliest(pending, other))
    mix: Any = np.zeros(len(own))
    other_mix: Any = np.zeros(len(other))
    before: Any = turns.cells[0]
    last = max(TURN, greatest_depth(searcher) // TURN * TURN)
    depth = TURN if searcher.options[DEEPENING] else last
    first = depth
    likely = -1
    guess = -1
    n_before = 0
    while True:
        value = value_of_turn(searcher, turns, states, keys, n_keys, n_plies, depth)
        if depth == TURN and counters[STOPPED] == 0 and may_guess(searcher):
            guess = guessed(searcher, turns, states, keys, n_keys, n_plies)
            if guess >= 0:
                begin_guess(searcher, turns, guess)
                value = value_of_turn(searcher, turns, states, keys, n_keys, n_plies, depth)
        if counters[STOPPED] != 0:
            keep_unfinished(turns, before, mix, other_mix)
            if depth == first:
                counters[SCORE] = to_elo(max(value, 0.0)) if turns.marks[0, N_SOLVED_ROWS] > 0 else 0
            break
        keep_mixes(turns, mix, other_mix)
        counters[SCORE] = to_elo(value)
        counters[REACHED] = depth
        now = int(turns.own[0][most(mix)])
        if depth == last or is_too_late(searcher, depth <= NEEDED_TURNS * TURN, now == likely, STRETCH):
            break
        if is_out_of_reach(searcher, n_plies, n_before):
            break
        n_before = int(counters[NODES])
        likely = now
        if searcher.options[JOINT_BEST] > 0 and depth == first:
            # What is left out here stays so: deeper payoffs are known of few choices only.
            own_order, other_order = leading(searcher, turns, states, keys, n_keys, n_plies, mix, other_mix)
            if counters[STOPPED] != 0:
                break
            before = narrow(turns, own_order, other_order)
            mix = taken(mix, own_order)
            other_mix = taken(other_mix, other_order)
            guess = place_of(guess, other_order)
        else:
            before = turns.cells[0]
            begin_turn(turns, 0, turns.own[0], turns.other[0])
        add_parts(turns, mix, other_mix)
        if guess >= 0:
            begin_guess(searcher, turns, guess)
        depth += TURN
    move = int(turns.own[0][drawn(mix, hashed(hashed(int(counters[SEED])) ^ n_plies))])
    searcher.pv[0] = move
    counters[N_PV] = 1
    counters[BEST_AT_ROOT] = move
    stop_clock(searcher)
    return move


def is_out_of_reach(searcher: Any, n_plies: int, n_before: int) -> bool:
    """Whether the next depth is left for later moves to be searched as deep as they need (template).

    That is where the game's time is short of it, and the next depth would take more than this move's share if it took
    as many times more than this one as this one took more than the one before, of `n_before` nodes (0: there was none).
    """
    if n_before == 0 or not is_short(searcher, n_plies):
        return False
    numbers = searcher.numbers
    growth = searcher.counters[NODES] / n_before
    return bool((clock() - numbers[BEGAN]) * growth > numbers[SHARE])


def may_guess(searcher: Any) -> bool:
    """Whether the opponent's choice is to be guessed: not if that takes a move beyond its share of time (template).

    It takes about as long as what came before. A game that is too long for its clock needs that time for later moves.
    """
    numbers = searcher.numbers
    is_late = numbers[GAME_SECONDS] > 0.0 and 2.0 * (clock() - numbers[BEGAN]) > numbers[SHARE]
    return bool(searcher.options[JOINT_GUESS] > 0 and not is_late)


def guessed(searcher: Any, turns: Turns, states: Any, keys: Any, n_keys: int, n_plies: int) -> int:
    """Return the index of the opponent's choice that does best against some of ours alike (template).

    -1 if a limit was reached, with STOPPED set. Cells that are missing are evaluated.
    """
    own = turns.own[0]
    other = turns.other[0]
    cells = turns.cells[0]
    step = max(1, len(own) // GUESSED_FROM)
    best = -1
    least = 0.0
    for j in range(len(other)):
        total = 0.0
        for i in range(0, len(own), step):
            if cells[i, j] == UNSEEN:
                cells[i, j] = joint_value(
                    searcher, states, keys, n_keys, n_plies, 0, int(own[i]), int(other[j]), True
                )
                if searcher.counters[STOPPED] != 0:
                    return -1
            total += cells[i, j]
        if best < 0 or total < least:
            best = j
            least = total
    return best


def begin_guess(searcher: Any, turns: Turns, guess: int) -> None:
    """Take the opponent to make one choice for sure in the share of all cases that the option says (template).

    It enters the restricted game, if that has room.
    """
    marks = turns.marks[0]
    at = 0
    while at < marks[N_COLUMNS] and turns.columns[0, at] != guess:
        at += 1
    if at == turns.columns.shape[1]:
        return
    if at == marks[N_COLUMNS]:
        add_column(turns, 0, guess)
    marks[GUESS] = guess
    marks[PHASE] = INSIDE
    marks[AT] = 0
    turns.payoffs[0, SURE] = 0.01 * searcher.options[JOINT_GUESS]


def place_of(index: int, order: Any) -> int:
    """Return where an index stands in an order, -1 if nowhere (template)."""
    for place in range(len(order)):
        if order[place] == index:
            return place
    return -1


def keep_mixes(turns: Turns, mix: Any, other_mix: Any) -> None:
    """Make the mixes those of the restricted game's equilibrium (template)."""
    mix[:] = 0.0
    other_mix[:] = 0.0
    for index in range(turns.marks[0, N_SOLVED_ROWS]):
        mix[turns.rows[0, index]] = turns.shares[0, index]
    for index in range(turns.marks[0, N_SOLVED_COLUMNS]):
        other_mix[turns.columns[0, index]] = turns.weights[0, index]


def keep_unfinished(turns: Turns, before: Any, mix: Any, other_mix: Any) -> None:
    """Make the mixes what a search that was cut short knows, see the module's text (template)."""
    marks = turns.marks[0]
    if marks[N_ROWS] == 0:
        mix[max(0, marks[BEST_ROW])] = 1.0  # of the choices looked at; there was no depth before
        return
    if marks[N_SOLVED_ROWS] == 0:
        cells = turns.cells[0]
        for i in range(marks[N_ROWS]):
            for j in range(marks[N_COLUMNS]):
                row = turns.rows[0, i]
                column = turns.columns[0, j]
                if cells[row, column] == UNSEEN:
                    cells[row, column] = before[row, column]
        solve_restricted(turns, 0)
    keep_mixes(turns, mix, other_mix)


def leading(
    searcher: Any,
    turns: Turns,
    states: Any,
    keys: Any,
    n_keys: int,
    n_plies: int,
    mix: Any,
    other_mix: Any,
) -> tuple[Any, Any]:
    """Return the indices of the choices of both sides that do best against the other's mix (template).

    `joint_best` of each, but no less than the mixes hold, and these first. Cells that are missing are evaluated; if a
    limit is reached meanwhile, STOPPED is set.
    """
    own = turns.own[0]
    other = turns.other[0]
    cells = turns.cells[0]
    own_payoffs: Any = np.zeros(len(own))
    other_payoffs: Any = np.zeros(len(other))
    n_own = 0
    n_other = 0
    for i in range(len(own)):
        if mix[i] > 0.0:
            own_payoffs[i] = 1.0  # above all others
            n_own += 1
    for j in range(len(other)):
        if other_mix[j] > 0.0:
            other_payoffs[j] = 2.0
            n_other += 1
    for i in range(len(own)):
        for j in range(len(other)):
            if mix[i] > 0.0 or other_mix[j] > 0.0:
                if cells[i, j] == UNSEEN:
                    cells[i, j] = joint_value(
                        searcher, states, keys, n_keys, n_plies, 0, int(own[i]), int(other[j]), True
                    )
                    if searcher.counters[STOPPED] != 0:
                        return best_of(own_payoffs, 1), best_of(other_payoffs, 1)
                own_payoffs[i] += other_mix[j] * cells[i, j]
                other_payoffs[j] -= mix[i] * cells[i, j]
    kept = int(searcher.options[JOINT_BEST])
    return best_of(own_payoffs, max(kept, n_own)), best_of(other_payoffs, max(kept, n_other))


def narrow(turns: Turns, own_order: Any, other_order: Any) -> Any:
    """Lay out the root's matrix of some choices only; return what was known of it at the depth before (template)."""
    known = part(turns.cells[0], own_order, other_order)
    begin_turn(turns, 0, those(turns.own[0], own_order), those(turns.other[0], other_order))
    return known


def taken(values: Any, order: Any) -> Any:
    """Return the numbers at some indices (template)."""
    found: Any = np.zeros(len(order))
    for index in range(len(order)):
        found[index] = values[order[index]]
    return found


def add_parts(turns: Turns, mix: Any, other_mix: Any) -> None:
    """Begin the restricted game with what the mixes hold (template)."""
    for index in range(len(mix)):
        if mix[index] > 0.0:
            add_row(turns, 0, index)
    for index in range(len(other_mix)):
        if other_mix[index] > 0.0:
            add_column(turns, 0, index)


def most(mix: Any) -> int:
    """Return the index of the greatest part of a mix, the first of equals (template)."""
    best = 0
    for index in range(1, len(mix)):
        if mix[index] > mix[best]:
            best = index
    return best


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
