"""Alpha-beta as plain Python searches fastest: by recursion, with local names for what the engine keeps in frames.

It enters the same positions in the same order as `engine.search.alphabeta`, and gives the same values, for all options
that `is_for` names; with others an agent has the engine's own loop. Written out like the engine's code: options are
constants, the table is flat.
Long because one function is the whole of a position's search, and a call costs plain Python dear."""

from operator import add
from typing import Any

from tunesmith.engine.compile.arith import mix
from tunesmith.engine.compile.jit import clock, plus
from tunesmith.engine.compile.slots import (
    HAS_HINT,
    HAS_PASS,
    HAS_QUIET,
    HAS_SETTLED,
    MAX_PLIES,
    N_SYMMETRIES,
    REPETITION_LIMIT,
    apply_move,
    history_key,
    legal_moves,
    move_hint,
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
    BY_DEPTH,
    FUTILITY,
    HINTS,
    HISTORY,
    KILLERS,
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
    SearchOptions,
)
from tunesmith.engine.search.alphabeta import ABORTED, effort, reduction
from tunesmith.engine.search.endings import ending
from tunesmith.engine.search.ordering import (
    _HINT,
    _HISTORY_MAX,
    KILLER,
    N_PICKED,
    TABLE_MOVE,
    history_index,
)
from tunesmith.engine.search.selective import ALL_MOVES, narrowed, rate_by_evaluation
from tunesmith.engine.search.transposition import (
    AGE_SHIFT,
    EXACT,
    GENERATION_SHIFT,
    LOWER,
    META,
    NO_MOVE,
    UPPER,
    VALUE,
    canonical_key,
    depth_of,
    from_here,
    from_root,
    history_path,
    with_path,
)
from tunesmith.engine.search.transposition import MOVE as STORED_MOVE
from tunesmith.engine.search.values import INFINITY, evaluate, final_value
from tunesmith.engine.searcher import (
    AGE,
    BEST_AT_ROOT,
    DEADLINE,
    GENERATION,
    MAX_PLY,
    N_HISTORY,
    N_PV,
    NODE_LIMIT,
    NODES,
    NULL,
    STOPPED,
    TABLE_HITS,
)
from tunesmith.games.game import ONGOING, State
from tunesmith.tuning.export.agent.slots import MAX_MOVES, buffer, listed

WORDS = 4  # of an entry of the table
# Ratings are unlike from the start: below each, in so many bits, how far the move stands from the last place. Sorted
# they are what the engine picks one by one.
PLACE = 20
LAST = (1 << PLACE) - 1
CLOCK_PERIOD = 3  # nodes between looks at the clock: to ask for CPU time is not free


class BudgetSpentError(Exception):
    """A limit was reached; every value of this iteration is void."""


def is_for(options: SearchOptions) -> bool:
    """Tell whether this search knows all that some options ask for."""
    return options.kind == "alphabeta" and not options.internal_deepening and options.replacement != "lru"


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
    """Do what the engine's `alphabeta` does."""
    try:
        return value_of(searcher, transposition, states[0], keys, n_keys, n_plies, 0, depth, alpha, beta, 0)
    except BudgetSpentError:
        searcher.counters[STOPPED] = 1
        return ABORTED


def value_of(
    searcher: Any,
    transposition: Any,
    state: State,
    keys: Any,
    n_keys: int,
    n_plies: int,
    ply: int,
    depth: int,
    alpha: int,
    beta: int,
    path: int,
) -> int:
    """Return the value of a position for its mover; `path` is that of the position before."""
    counters = searcher.counters
    options = searcher.options
    n_nodes = count(searcher, counters)
    line = searcher.line
    line[ply] = None
    if ply > 0:
        result = ended(state, keys, n_keys, n_plies, ply)
        if result != ONGOING:
            return final_value(searcher, state, result, ply)
        if HAS_SETTLED and options[OBJECTIVE] == MARGIN and options[BOUNDS]:
            settled = outside(state, alpha, beta)
            if settled != INFINITY:
                return settled
    if options[TABLE] and not options[PATH_FREE] and REPETITION_LIMIT > 0:
        if ply == 0:
            path = history_path(keys, n_keys)
        else:
            own = keys[n_keys - 1 + ply]
            path = plus(path, mix(own) if own != 0 else 0)
    is_leaf = depth <= 0 or ply >= MAX_PLY - 1
    best = -INFINITY
    n_moves = ALL_MOVES
    key = image = shift = row = 0
    first = NO_MOVE
    if is_leaf:
        if depth >= FULL_DEPTH:
            raise BudgetSpentError  # a search to the end must not take an evaluation for the end
        best = evaluate(searcher, state)
        if not HAS_QUIET or not options[QUIESCENCE]:
            return best
        if options[QUIESCENCE] + depth <= 0 or ply >= MAX_PLY - 1:
            return best
        n_moves, best = narrowed(searcher, state, ply, depth, alpha, beta, best)
        if n_moves == 0 or best >= beta:
            return best
    else:
        is_found = is_opened = False
        if options[TABLE]:
            if HAS_SETTLED and options[MARGIN_KEYS] and options[OBJECTIVE] == MARGIN:
                shift = settled_margin(state)
                seen = open_state(state)
                key, image = canonical_key(seen, options[SYMMETRY] != 0, options[PATH_FREE] != 0)
            elif options[FUTILITY] + options[NULL_MOVE] > 0:
                key, image = canonical_key(state, options[SYMMETRY] != 0, options[PATH_FREE] != 0)
            else:
                # With the moves, which are nearly always asked for next: what is kept of a position holds all of it.
                moves, hints, indices, key, image = keyed(searcher, state)
                is_opened = True
            if not options[PATH_FREE]:
                if REPETITION_LIMIT > 0:
                    key = with_path(key, path)
                if MAX_PLIES > 0 and plies(state) < 0:
                    key = with_path(key, n_plies + ply)
            row = 2 * WORDS * (key & (len(transposition) // (2 * WORDS) - 1))
            entry = row
            if transposition[row] == key:
                is_found = True
            else:
                entry = row + WORDS
                is_found = transposition[entry] == key
            if is_found:
                meta = transposition[entry + META]
                is_found = meta >> GENERATION_SHIFT == counters[GENERATION]
            if is_found:
                stored = min(depth_of(meta), FULL_DEPTH)
                if ply > 0 and (stored == depth or (stored > depth and options[TABLE_REUSE])):
                    value = from_root(transposition[entry + VALUE], ply) + shift
                    bound = meta & 3
                    if (
                        bound == EXACT
                        or (bound == LOWER and value >= beta)
                        or (bound == UPPER and value <= alpha)
                    ):
                        counters[TABLE_HITS] += 1
                        return value
                first = transposition[entry + STORED_MOVE]
        if HAS_PASS and options[NULL_MOVE]:
            searcher.frames[ply][NULL] = 0
        if options[FUTILITY] + options[NULL_MOVE] > 0 and ply > 0 and depth < FULL_DEPTH:
            best = evaluate(searcher, state)
            n_moves, best = narrowed(searcher, state, ply, depth, alpha, beta, best)
            if n_moves == 0 or best >= beta:
                return best
    player = mover(state)
    if n_moves == ALL_MOVES:
        if is_leaf or not is_opened:
            moves, hints, indices = opened(searcher, state)
        if not is_leaf and is_found and N_SYMMETRIES > 1 and options[SYMMETRY]:
            first = from_image(state, image, moves, first)
    else:
        moves = tuple([int(move) for move in searcher.moves[ply][:n_moves]])
        hints, indices = hinted(searcher, state, moves)
    ratings = rated(searcher, ply, moves, hints, indices, first, player)
    if options[SORT] + options[BEST_K] + options[BEST_SHARE] > 0 and not is_leaf:
        for at, move in enumerate(moves):
            searcher.moves[ply][at] = move
        n_kept = rate_by_evaluation(searcher, state, ply, depth, len(moves), first)
        if n_kept != 0:
            moves = tuple([int(move) for move in searcher.moves[ply][:n_kept]])
            ratings = [(searcher.order[ply][at] << PLACE) + (LAST - at) for at in range(n_kept)]
    low = max(alpha, best)
    best_move = NO_MOVE
    if HAS_PASS and options[NULL_MOVE] and searcher.frames[ply][NULL] == 1:
        value = value_of_pass(
            searcher,
            transposition,
            state,
            keys,
            n_keys,
            n_plies,
            ply,
            depth - 1 - options[NULL_MOVE],
            beta,
            path,
        )
        if beta <= value < EVALUATION_MAX:
            best = value
            ratings = []
    left = depth - 1 if depth < FULL_DEPTH else depth
    is_frontier = left <= 0 and (not HAS_QUIET or not options[QUIESCENCE])
    if is_frontier:
        line[ply + 1] = None  # no line goes on from a leaf
    if len(ratings) > N_PICKED:
        queue = [max(ratings)]
    else:
        ratings.sort(reverse=True)
        queue = ratings
    for at, rating in enumerate(queue):
        move = moves[LAST - (rating & LAST)]
        child = apply_move(state, move)
        is_same = mover(child) == player
        is_scout = False
        if options[PVS] and options[PRUNING]:
            is_scout = at > 0 and beta - low > 1
        reduced = 0
        if options[REDUCTIONS] > 0 and rating < KILLER << PLACE:
            reduced = reduction(at, options[REDUCTIONS], depth)
        if not (HAS_SETTLED and options[OBJECTIVE] == MARGIN and options[BOUNDS]) and is_frontier:
            value = leaf_value(searcher, child, keys, n_keys, n_plies, ply + 1, low, beta)
            if not is_same:
                value = -value
            # The engine looks again where a first look was not enough; a leaf is worth the same in any window.
            if options[REDUCTIONS] > 0 and reduced and value > low:
                count(searcher, counters)
            if is_scout and low < value < beta:
                count(searcher, counters)
            is_open = False
        else:
            is_open = True
        while is_open:
            least = low
            most = low + 1 if is_scout else beta
            if options[PRUNING] == 0:
                least = -INFINITY
                most = INFINITY
            if HAS_SETTLED and options[OBJECTIVE] == MARGIN and options[BOUNDS] and is_frontier:
                value = leaf_value(
                    searcher,
                    child,
                    keys,
                    n_keys,
                    n_plies,
                    ply + 1,
                    least if is_same else -most,
                    most if is_same else -least,
                )
                if not is_same:
                    value = -value
            elif is_same:
                value = value_of(
                    searcher,
                    transposition,
                    child,
                    keys,
                    n_keys,
                    n_plies,
                    ply + 1,
                    left - reduced if options[REDUCTIONS] > 0 else left,
                    least,
                    most,
                    path,
                )
            else:
                value = -value_of(
                    searcher,
                    transposition,
                    child,
                    keys,
                    n_keys,
                    n_plies,
                    ply + 1,
                    left - reduced if options[REDUCTIONS] > 0 else left,
                    -most,
                    -least,
                    path,
                )
            if options[REDUCTIONS] > 0 and reduced and value > low:
                reduced = 0  # the same move again, as deep as the others
            elif is_scout and low < value < beta:
                is_scout = False  # again, with the whole window
            else:
                is_open = False
        if value > best:
            best = value
            best_move = move
            if value > low:
                low = value
                if ply == 0:
                    counters[BEST_AT_ROOT] = move
                line[ply] = (move, line[ply + 1])
                if value >= beta:
                    if depth > 0 and (options[KILLERS] or options[HISTORY]):
                        note_cut(searcher, ply, move, player, depth)
                    break
        if at == 0 and len(ratings) > N_PICKED:
            queue += others(ratings)
    if options[TABLE] and depth > 0:
        bound = LOWER if best >= beta else UPPER if best <= alpha else EXACT
        if N_SYMMETRIES > 1 and options[SYMMETRY] and best_move != NO_MOVE:
            best_move = symmetric_move(state, best_move, image)
        kept = depth
        if depth >= FULL_DEPTH:
            kept += effort(counters[NODES] - n_nodes)
        age = (counters[GENERATION] << (GENERATION_SHIFT - AGE_SHIFT)) | counters[AGE]
        if options[REPLACEMENT] == BY_DEPTH and transposition[row] != key:
            meta = transposition[row + META]
            if meta >> AGE_SHIFT == age and depth_of(meta) > kept:
                row += WORDS
        transposition[row] = key
        transposition[row + VALUE] = from_here(best - shift, ply)
        transposition[row + STORED_MOVE] = best_move
        transposition[row + META] = (age << AGE_SHIFT) | (kept << 2) | bound
    return best


def leaf_value(
    searcher: Any, state: State, keys: Any, n_keys: int, n_plies: int, ply: int, alpha: int, beta: int
) -> int:
    """Do what `value_of` does at depth 0 without quiescence, but for the line, which the position before has ended."""
    count(searcher, searcher.counters)
    result = ended(state, keys, n_keys, n_plies, ply)
    if result != ONGOING:
        return final_value(searcher, state, result, ply)
    if HAS_SETTLED and searcher.options[OBJECTIVE] == MARGIN and searcher.options[BOUNDS]:
        settled = outside(state, alpha, beta)
        if settled != INFINITY:
            return settled
    return evaluate(searcher, state)


def outside(state: State, alpha: int, beta: int) -> int:
    """Return the bound of the margin that no play can bring back within the window, INFINITY if there is none."""
    settled = settled_margin(state)
    reach = open_margin(state)
    if settled - reach >= beta:
        return settled - reach
    if settled + reach <= alpha:
        return settled + reach
    return INFINITY


def value_of_pass(
    searcher: Any,
    transposition: Any,
    state: State,
    keys: Any,
    n_keys: int,
    n_plies: int,
    ply: int,
    depth: int,
    beta: int,
    path: int,
) -> int:
    """Return what a position is worth to its mover if the turn is passed, as far as `beta` asks."""
    child = pass_turn(state)
    frame = searcher.frames[ply]
    frame[NULL] = 2
    low, high = beta - 1, beta
    if searcher.options[PRUNING] == 0:
        low, high = -INFINITY, INFINITY
    if mover(child) == mover(state):
        value = value_of(
            searcher, transposition, child, keys, n_keys, n_plies, ply + 1, depth, low, high, path
        )
    else:
        value = -value_of(
            searcher, transposition, child, keys, n_keys, n_plies, ply + 1, depth, -high, -low, path
        )
    frame[NULL] = 0
    return value


def count(searcher: Any, counters: list[int]) -> int:
    """Count a position, within the limits; return how many there are."""
    n_nodes = counters[NODES] + 1
    counters[NODES] = n_nodes
    if n_nodes > counters[NODE_LIMIT]:
        raise BudgetSpentError
    if n_nodes & CLOCK_PERIOD == 0:
        deadline = searcher.numbers[DEADLINE]
        if deadline > 0.0 and clock() > deadline:
            raise BudgetSpentError
    return n_nodes


def ended(state: State, keys: Any, n_keys: int, n_plies: int, ply: int) -> int:
    """Return the result of a position behind the root for the first player, or ONGOING."""
    if REPETITION_LIMIT > 0:
        keys[n_keys - 1 + ply] = history_key(state)
    return ending(state, keys, n_keys + ply, n_plies + ply)


def opened(searcher: Any, state: State) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Return the legal moves, and for each what `hinted` says of it."""
    room = buffer(MAX_MOVES)
    n_moves = legal_moves(state, room)
    moves = listed(room, n_moves)
    hints, indices = hinted(searcher, state, moves)
    return moves, hints, indices


def keyed(searcher: Any, state: State) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], int, int]:
    """Return what `opened` does, and `canonical_key`."""
    options = searcher.options
    moves, hints, indices = opened(searcher, state)
    key, image = canonical_key(state, options[SYMMETRY] != 0, options[PATH_FREE] != 0)
    return moves, hints, indices, key, image


def hinted(searcher: Any, state: State, moves: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return for each move the rating by its hint and place, and where it counts in the history table."""
    options = searcher.options
    hints = []
    place = LAST
    is_short = True
    for move in moves:
        hints.append(
            (move_hint(state, move) * (_HINT << PLACE) if HAS_HINT and options[HINTS] else 0) + place
        )
        place -= 1
        if not 0 <= move < N_HISTORY:
            is_short = False
    if is_short:
        return tuple(hints), moves  # they count where `history_index` says: in their own places
    return tuple(hints), tuple([history_index(move) for move in moves])


def rated(
    searcher: Any,
    ply: int,
    moves: tuple[int, ...],
    hints: tuple[int, ...],
    indices: tuple[int, ...],
    first: int,
    player: int,
) -> list[int]:
    """Return the ratings that the engine's `rate_moves` gives, with their places; the table's move is `first`."""
    options = searcher.options
    if options[HISTORY]:
        ratings = list(map(add, hints, map(searcher.history[player].__getitem__, indices)))
    else:
        ratings = list(hints)
    if options[KILLERS]:
        first_killer, second_killer = searcher.killers[ply]
        if first_killer in moves:
            ratings[moves.index(first_killer)] += KILLER + 1 << PLACE
        if second_killer in moves:
            ratings[moves.index(second_killer)] += KILLER << PLACE
    if first in moves:
        at = moves.index(first)
        ratings[at] = (TABLE_MOVE << PLACE) + (LAST - at)
    return ratings


def others(ratings: list[int]) -> list[int]:
    """Return all ratings but the highest, in the order in which the engine's `pick` takes them."""
    ratings.sort(reverse=True)
    return ratings[1:N_PICKED] + sorted(ratings[N_PICKED:], key=LAST.__and__, reverse=True)


def note_cut(searcher: Any, ply: int, move: int, player: int, depth: int) -> None:
    """Do what the engine's `note_cut` does; history counts above the places of ratings."""
    killers = searcher.killers[ply]
    if killers[0] != move:
        killers[1] = killers[0]
        killers[0] = move
    history = searcher.history[player]
    index = history_index(move)
    weight = min(depth, 64)
    history[index] = min(history[index] + (weight * weight << PLACE), _HISTORY_MAX << PLACE)


def fade(searcher: Any) -> None:
    """Do what the engine's `fade` does."""
    for pair in searcher.killers:
        pair[0] = pair[1] = -1
    for history in searcher.history:
        for index, count in history.items():
            history[index] = count >> 3 + PLACE << PLACE


def from_image(state: State, image: int, moves: tuple[int, ...], first: int) -> int:
    """Return the move whose symmetric image is the table's move `first`, or NO_MOVE."""
    for move in moves:
        if symmetric_move(state, move, image) == first:
            return move
    return NO_MOVE


def keep_pv(searcher: Any) -> None:
    """Do what the engine's `keep_pv` does."""
    rest = searcher.line[0]
    length = 0
    while rest is not None and length < MAX_PLY - 1:
        searcher.pv[length], rest = rest
        length += 1
    if length > 0:
        searcher.counters[N_PV] = length
