"""Negamax alpha-beta with a stack of its own (no recursion in compiled code).

`alphabeta` promises: the value returned is exact if it lies inside (alpha, beta), an upper bound if it is
<= alpha, a lower bound if it is >= beta (fail-soft). Values are seen from the mover of the position they
belong to. With the inexact switches off (`SearchOptions.exact`) an exact value equals plain minimax of the
same depth. The transposition table holds values, bounds and best moves of interior positions at ply 1 and
below, with the remaining depth; what may influence them is the position, its rule counters and the reversible
history: all part of the key unless `path_free`.

One ply of depth is one move, also where the same player moves again; then the window is not turned.
Long because the parts of one search loop are inlined into each other and read best side by side."""

from typing import Any

from tunesmith.engine.compile.arith import mix
from tunesmith.engine.compile.jit import COMPILED, clock, inlined, plus, prefetch
from tunesmith.engine.compile.slots import (
    HAS_PASS,
    HAS_QUIET,
    HAS_SETTLED,
    MAX_PLIES,
    N_SYMMETRIES,
    REPETITION_LIMIT,
    apply_move,
    history_key,
    legal_moves,
    mover,
    open_margin,
    open_state,
    pass_turn,
    plies,
    settled_margin,
    symmetric_move,
)
from tunesmith.engine.evaluation import EVALUATION_MAX
from tunesmith.engine.limits import FULL_DEPTH
from tunesmith.engine.options import (
    BEST_K,
    BEST_SHARE,
    BOUNDS,
    FUTILITY,
    HISTORY,
    INTERNAL_DEEPENING,
    KILLERS,
    LRU,
    MARGIN,
    MARGIN_KEYS,
    NULL_MOVE,
    OBJECTIVE,
    PATH_FREE,
    PRUNING,
    PVS,
    QUIESCENCE,
    REDUCTIONS,
    REPLACEMENT,
    SORT,
    SYMMETRY,
    TABLE,
    TABLE_REUSE,
)
from tunesmith.engine.search.endings import ending
from tunesmith.engine.search.ordering import KILLER, note_cut, pick, rate_moves
from tunesmith.engine.search.selective import ALL_MOVES, narrowed, rate_by_evaluation
from tunesmith.engine.search.transposition import (
    EXACT,
    LOWER,
    META,
    NO_MOVE,
    UPPER,
    VALUE,
    canonical_key,
    depth_of,
    find,
    first_row,
    from_here,
    from_root,
    history_path,
    store,
    to_front,
    with_path,
)
from tunesmith.engine.search.transposition import MOVE as STORED_MOVE
from tunesmith.engine.search.values import INFINITY, evaluate, final_value, for_parent, window_for_child
from tunesmith.engine.searcher import (
    AGE,
    ALPHA,
    ALPHA_BEFORE,
    AT,
    BEST,
    BEST_AT_ROOT,
    BEST_MOVE,
    BETA,
    CUTS,
    DEADLINE,
    DEPTH,
    FIRST_CUTS,
    FULL,
    GENERATION,
    IMAGE,
    KEY,
    LOOKED,
    MAX_PLY,
    MOVE,
    N_MOVES,
    N_PV,
    NODE_LIMIT,
    NODES,
    NULL,
    PATH,
    REDUCED,
    SCOUTING,
    SHIFT,
    STARTED,
    STOPPED,
    TABLE_HITS,
)
from tunesmith.games.game import ONGOING, State

OPEN = 1 << 50  # a position whose moves have to be searched
ABORTED = 1 << 51  # a limit was reached; every value of this iteration is void
# Nodes between looks at the clock, a power of two less one. A node may sort a hundred moves by evaluation.
_CLOCK_PERIOD = 0x3F if COMPILED else 0
_REDUCIBLE = 3  # remaining depth from which on moves are reduced


@inlined
def is_out_of_budget(searcher: Any) -> bool:
    """Whether the node limit or the deadline has been reached."""
    counters = searcher.counters
    if counters[NODES] > counters[NODE_LIMIT]:
        return True
    deadline = searcher.numbers[DEADLINE]
    return bool(deadline > 0.0 and counters[NODES] & _CLOCK_PERIOD == 0 and clock() > deadline)


@inlined
def enter(
    searcher: Any,
    transposition: Any,
    states: Any,
    keys: Any,
    n_keys: int,
    n_plies: int,
    ply: int,
    depth: int,
    alpha: int,
    beta: int,
) -> int:
    """Settle the position at `ply`, or lay out its moves and return OPEN.

    `keys[:n_keys]` is the game's history, the root's own key last; `n_plies` the plies played at the root.
    """
    counters = searcher.counters
    options = searcher.options
    counters[NODES] += 1
    if is_out_of_budget(searcher):
        return ABORTED
    state = states[ply]
    path = 0
    if REPETITION_LIMIT > 0:
        if ply == 0:
            path = history_path(keys, n_keys)
        else:
            own = history_key(state)
            keys[n_keys - 1 + ply] = own
            path = plus(int(searcher.frames[ply - 1, PATH]), mix(own) if own != 0 else 0)
    is_leaf = depth <= 0 or ply >= MAX_PLY - 1
    key = 0
    image = 0
    shift = 0
    if options[TABLE] and not is_leaf:
        seen = state
        if HAS_SETTLED and options[MARGIN_KEYS] and options[OBJECTIVE] == MARGIN:
            shift = settled_margin(state)
            seen = open_state(state)
        key, image = canonical_key(seen, options[SYMMETRY] != 0, options[PATH_FREE] != 0)
        if not options[PATH_FREE]:
            if REPETITION_LIMIT > 0:
                key = with_path(key, path)
            if MAX_PLIES > 0 and plies(state) < 0:
                key = with_path(key, n_plies + ply)
        prefetch(transposition, first_row(transposition, key))  # its row is looked at when the rest is known
    if ply > 0:
        result = ending(state, keys, n_keys + ply, n_plies + ply)
        if result != ONGOING:
            return final_value(searcher, state, result, ply)
        if HAS_SETTLED and options[OBJECTIVE] == MARGIN and options[BOUNDS]:
            settled = settled_margin(state)
            reach = open_margin(state)
            if settled - reach >= beta:
                return settled - reach
            if settled + reach <= alpha:
                return settled + reach
    if is_leaf and depth >= FULL_DEPTH:
        return ABORTED  # a search to the end must not take an evaluation for the end

    n_moves = ALL_MOVES
    is_open = not is_leaf and (options[FUTILITY] + options[NULL_MOVE] == 0 or ply == 0 or depth >= FULL_DEPTH)
    if is_open:
        n_moves = legal_moves(state, searcher.moves[ply])
    first = NO_MOVE
    row = -1
    if options[TABLE] and not is_leaf:
        row = find(transposition, counters[GENERATION], key)
        if row >= 0:
            if options[REPLACEMENT] == LRU:
                row = to_front(transposition, row)
            meta = transposition[row, META]
            stored = min(depth_of(meta), FULL_DEPTH)
            if ply > 0 and (stored == depth or (stored > depth and options[TABLE_REUSE])):
                value = from_root(int(transposition[row, VALUE]), ply) + shift
                bound = meta & 3
                if (
                    bound == EXACT
                    or (bound == LOWER and value >= beta)
                    or (bound == UPPER and value <= alpha)
                ):
                    counters[TABLE_HITS] += 1
                    return value
            first = int(transposition[row, STORED_MOVE])

    frame = searcher.frames[ply]
    frame[NULL] = 0
    best = -INFINITY
    if not is_open:
        best = evaluate(searcher, state)
        if is_leaf and (not HAS_QUIET or options[QUIESCENCE] + depth <= 0 or ply >= MAX_PLY - 1):
            return best
        n_moves, best = narrowed(searcher, state, ply, depth, alpha, beta, best)
        if n_moves == 0 or best >= beta:
            return best
    if n_moves == ALL_MOVES:
        n_moves = legal_moves(state, searcher.moves[ply])
    if row >= 0 and N_SYMMETRIES > 1 and options[SYMMETRY]:
        first = from_image(searcher, state, image, ply, n_moves, first)
    full = depth
    if options[INTERNAL_DEEPENING]:
        if frame[LOOKED]:
            first = int(frame[BEST_MOVE]) if first == NO_MOVE else first
        elif first == NO_MOVE and ply > 0 and options[INTERNAL_DEEPENING] <= depth < FULL_DEPTH:
            depth = max(1, depth - 2)
    n_kept = 0
    if options[SORT] + options[BEST_K] + options[BEST_SHARE] > 0 and not is_leaf:
        n_kept = rate_by_evaluation(searcher, state, ply, depth, n_moves, first)
    if n_kept == 0:
        rate_moves(searcher, state, ply, n_moves, first, mover(state))
    else:
        n_moves = n_kept
    frame[ALPHA] = max(alpha, best)
    frame[ALPHA_BEFORE] = alpha
    frame[BETA] = beta
    frame[BEST] = best
    frame[BEST_MOVE] = NO_MOVE
    frame[N_MOVES] = n_moves
    frame[AT] = 0
    frame[DEPTH] = depth
    frame[FULL] = full
    frame[KEY] = key
    frame[IMAGE] = image
    frame[SHIFT] = shift
    frame[PATH] = path
    frame[STARTED] = counters[NODES]
    searcher.line[ply, ply] = NO_MOVE
    return OPEN


def from_image(searcher: Any, state: State, image: int, ply: int, n_moves: int, move: int) -> int:
    """Return the legal move whose symmetric image is the table's move `move`, or NO_MOVE."""
    for index in range(n_moves):
        own = int(searcher.moves[ply, index])
        if symmetric_move(state, own, image) == move:
            return own
    return NO_MOVE


def effort(n_nodes: int) -> int:
    """Return the number of binary digits of a count of nodes."""
    digits = 0
    while n_nodes > 0:
        n_nodes >>= 1
        digits += 1
    return digits


@inlined
def leave(searcher: Any, transposition: Any, states: Any, ply: int) -> int:
    """Return the value of a position whose moves are all searched or refuted, and store it."""
    frame = searcher.frames[ply]
    best = frame[BEST]
    options = searcher.options
    if options[TABLE] and frame[DEPTH] > 0:
        bound = EXACT
        if best >= frame[BETA]:
            bound = LOWER
        elif best <= frame[ALPHA_BEFORE]:
            bound = UPPER
        move = frame[BEST_MOVE]
        if N_SYMMETRIES > 1 and options[SYMMETRY] and move != NO_MOVE:
            move = symmetric_move(states[ply], int(move), int(frame[IMAGE]))
        value = from_here(int(best - frame[SHIFT]), ply)
        depth = int(frame[DEPTH])
        if depth >= FULL_DEPTH:
            depth += effort(int(searcher.counters[NODES] - frame[STARTED]))
        counters = searcher.counters
        policy = options[REPLACEMENT]
        store(
            transposition,
            counters[GENERATION],
            counters[AGE],
            policy,
            frame[KEY],
            depth,
            bound,
            value,
            int(move),
        )
    return int(best)


@inlined
def take(searcher: Any, states: Any, ply: int, value: int) -> bool:
    """Give a child's `value` (parent's view) to the position at `ply`; True = search the child again."""
    frame = searcher.frames[ply]
    if HAS_PASS and frame[NULL] == 2:
        frame[NULL] = 0
        if frame[BETA] <= value < EVALUATION_MAX:
            frame[BEST] = value
            frame[AT] = frame[N_MOVES]
        return False
    move = frame[MOVE]
    if frame[REDUCED] and value > frame[ALPHA]:
        frame[REDUCED] = 0
        return True
    if frame[SCOUTING] and frame[ALPHA] < value < frame[BETA]:
        frame[SCOUTING] = 0
        return True
    if value > frame[BEST]:
        frame[BEST] = value
        frame[BEST_MOVE] = move
        if value > frame[ALPHA]:
            frame[ALPHA] = value
            if ply == 0:
                searcher.counters[BEST_AT_ROOT] = move
            keep_line(searcher.line, ply, move)
            if value >= frame[BETA]:
                cut(searcher, states, ply, int(move))
    return False


def keep_line(line: Any, ply: int, move: int) -> None:
    """Make the principal variation at `ply` that of `ply + 1` after `move`."""
    line[ply, ply] = move
    at = ply + 1
    while at < MAX_PLY - 1 and line[ply + 1, at] != NO_MOVE:
        line[ply, at] = line[ply + 1, at]
        at += 1
    line[ply, at] = NO_MOVE


@inlined
def cut(searcher: Any, states: Any, ply: int, move: int) -> None:
    """Skip the remaining moves at `ply`: `move` refutes the position."""
    frame = searcher.frames[ply]
    counters = searcher.counters
    counters[CUTS] += 1
    if frame[AT] == 1:
        counters[FIRST_CUTS] += 1
    frame[AT] = frame[N_MOVES]
    if frame[DEPTH] > 0 and (searcher.options[KILLERS] or searcher.options[HISTORY]):
        note_cut(searcher, ply, move, mover(states[ply]), int(frame[DEPTH]))


def alphabeta(
    searcher: Any,
    transposition: Any,
    states: Any,
    keys: Any,
    n_keys: int,
    n_plies: int,
    depth: int,
    alpha: int,
    beta: int,
) -> int:
    """Return the value of `states[0]`, see the module's text; ABORTED when a limit was reached (template).

    `states` is a list of MAX_PLY positions, of which the first is the root; it must not be finished.
    """
    frames = searcher.frames
    ply = 0
    frames[0, LOOKED] = 0
    while True:
        # Down: settle the position at `ply`, or lay out its moves.
        searcher.line[ply, ply] = NO_MOVE
        value = enter(searcher, transposition, states, keys, n_keys, n_plies, ply, depth, alpha, beta)
        if value == ABORTED:
            searcher.counters[STOPPED] = 1
            return ABORTED
        # Up: while values are known, give them to the parents.
        again = False
        looked = False
        while value != OPEN or frames[ply, AT] >= frames[ply, N_MOVES]:
            if value == OPEN:
                value = leave(searcher, transposition, states, ply)
                if frames[ply, FULL] > frames[ply, DEPTH]:
                    looked = True
                    break
            if ply == 0:
                return value
            ply -= 1
            value = for_parent(value, states[ply + 1], states[ply])
            again = take(searcher, states, ply, value)
            value = OPEN
            if again:
                break
        if looked:  # once more, as deep as it should be
            frames[ply, LOOKED] = 1
            depth = int(frames[ply, FULL])
            alpha = int(frames[ply, ALPHA_BEFORE])
            beta = int(frames[ply, BETA])
            continue
        # Sideways: the next move, or the same one again with a wider window or deeper.
        if not again:
            advance(searcher, states, ply)
        low = int(frames[ply, ALPHA])
        high = low + 1 if frames[ply, SCOUTING] != 0 else int(frames[ply, BETA])
        depth = int(frames[ply, DEPTH])
        if depth < FULL_DEPTH:
            depth -= 1 + int(frames[ply, REDUCED])
        if HAS_PASS and frames[ply, NULL] == 2:
            low = high - 1
            depth -= int(searcher.options[NULL_MOVE])
        if searcher.options[PRUNING] == 0:
            low = -INFINITY
            high = INFINITY
        alpha, beta = window_for_child(low, high, states[ply + 1], states[ply])
        ply += 1
        frames[ply, LOOKED] = 0


@inlined
def reduction(at: int, n_full: int, depth: int) -> int:
    """Return by how many plies a late move is searched less deep: the `at`-th (from 0) where `n_full` are not."""
    if at < n_full or depth < _REDUCIBLE or depth >= FULL_DEPTH:
        return 0
    return 2 if at >= 4 * n_full and depth > _REDUCIBLE else 1


@inlined
def advance(searcher: Any, states: Any, ply: int) -> None:
    """Play the next move of the position at `ply`, or pass its turn, and say how it is to be searched."""
    frame = searcher.frames[ply]
    options = searcher.options
    frame[SCOUTING] = 0
    frame[REDUCED] = 0
    if HAS_PASS and frame[NULL] == 1:
        frame[NULL] = 2
        states[ply + 1] = pass_turn(states[ply])
        return
    at = int(frame[AT])
    frame[AT] = at + 1
    move = pick(searcher.moves[ply], searcher.order[ply], at, int(frame[N_MOVES]))
    frame[MOVE] = move
    if at > 0 and options[PVS] != 0 and options[PRUNING] != 0 and frame[BETA] - frame[ALPHA] > 1:
        frame[SCOUTING] = 1
    if options[REDUCTIONS] > 0 and searcher.order[ply, at] < KILLER:
        frame[REDUCED] = reduction(at, int(options[REDUCTIONS]), int(frame[DEPTH]))
    states[ply + 1] = apply_move(states[ply], move)


def keep_pv(searcher: Any) -> None:
    """Copy the root's line to `pv`, if there is one: no move has come up to the window otherwise."""
    if searcher.line[0, 0] == NO_MOVE:
        return
    length = 0
    while length < MAX_PLY - 1 and searcher.line[0, length] != NO_MOVE:
        searcher.pv[length] = searcher.line[0, length]
        length += 1
    searcher.counters[N_PV] = length
