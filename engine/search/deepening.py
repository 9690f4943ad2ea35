"""Iterative deepening under a limit of depth, nodes or time: from a position to a move.

Deterministic under depth and node limits: the same searcher state, position and history give the same move.
A search that is cut short uses the unfinished iteration if its first move, the best one of the iteration
before, has been searched: what replaced it since was better at the greater depth."""

from typing import Any

from tunesmith.engine.compile.jit import inlined
from tunesmith.engine.compile.slots import legal_moves
from tunesmith.engine.evaluation import EVALUATION_MAX
from tunesmith.engine.options import (
    ASPIRATION,
    DEEPENING,
    GREATEST_DEPTH,
    LEAVES,
    MARGIN,
    MTDF,
    OBJECTIVE,
    PRUNING,
)
from tunesmith.engine.search.alphabeta import ABORTED, alphabeta, keep_pv
from tunesmith.engine.search.time_control import STRETCH, allow_first, begin, is_too_late, stop_clock
from tunesmith.engine.search.transposition import N_AGES, NO_MOVE
from tunesmith.engine.search.values import INFINITY
from tunesmith.engine.searcher import AGE, BEST_AT_ROOT, DEPTH_LIMIT, MAX_PLY, REACHED, SCORE, STOPPED
from tunesmith.games.game import State


def think(searcher: Any, transposition: Any, root: State, keys: Any, n_keys: int, n_plies: int) -> int:
    """Return the move to play from `root`, which is not over; fill `counters` and `pv` (template).

    Parameters
    ----------
    searcher, transposition
        The memory record and the transposition table of a `Searcher`.
    keys
        int64, room for the game's history and MAX_PLY more; `keys[:n_keys]` are the history's repetition
        keys, the root's own last. Not used in games without repetition.
    n_plies
        Moves played before `root`.
    """
    counters = searcher.counters
    begin(searcher, root, n_plies)
    allow_first(searcher, root)
    counters[AGE] = (counters[AGE] + 1) % N_AGES
    states = [root] * MAX_PLY
    depth_limit = depth_to_reach(searcher, root)
    depth = 1 if searcher.options[DEEPENING] else depth_limit
    first = depth
    move = NO_MOVE
    before = NO_MOVE
    score = 0
    while depth <= depth_limit and counters[STOPPED] == 0:
        counters[BEST_AT_ROOT] = NO_MOVE
        value = search_depth(searcher, transposition, states, keys, n_keys, n_plies, depth, score)
        if counters[BEST_AT_ROOT] != NO_MOVE:
            move = int(counters[BEST_AT_ROOT])
            keep_pv(searcher)
        if value == ABORTED:
            break
        score = value
        counters[SCORE] = value
        counters[REACHED] = depth
        if is_decided(searcher, value) or is_too_late(searcher, depth == first, move == before, STRETCH):
            break
        before = move
        depth += 1
    if move == NO_MOVE:
        legal_moves(root, searcher.moves[0])
        move = int(searcher.moves[0, 0])
    counters[BEST_AT_ROOT] = move
    stop_clock(searcher)
    return move


@inlined
def depth_to_reach(searcher: Any, root: State) -> int:
    """Return the greatest depth that is allowed, or the one that the number of moves at the root allows."""
    depth_limit = greatest_depth(searcher)
    if searcher.options[LEAVES] == 0:
        return depth_limit
    n_moves = max(2, legal_moves(root, searcher.moves[0]))
    depth = 1
    n_leaves = n_moves
    while depth < depth_limit and n_leaves <= searcher.options[LEAVES] // n_moves:
        n_leaves *= n_moves
        depth += 1
    return depth


@inlined
def greatest_depth(searcher: Any) -> int:
    """Return the greatest depth that the limit and the player's option allow."""
    depth = int(searcher.counters[DEPTH_LIMIT])
    own = int(searcher.options[GREATEST_DEPTH])
    return own if 0 < own < depth else depth


@inlined
def is_decided(searcher: Any, value: int) -> bool:
    """Whether a deeper search cannot find a better result: a forced win or loss is known."""
    return searcher.options[OBJECTIVE] != MARGIN and abs(value) > EVALUATION_MAX


@inlined
def search_depth(
    searcher: Any,
    transposition: Any,
    states: Any,
    keys: Any,
    n_keys: int,
    n_plies: int,
    depth: int,
    guess: int,
) -> int:
    """Return the exact value at `depth`, from windows round `guess` if the options say so.

    One loop serves all: `low` and `high` bound the window, `least` and `most` the value. MTD(f) moves a zero
    window until the two meet; aspiration widens its window on the side where the value lies.
    """
    options = searcher.options
    is_mtdf = options[MTDF] != 0 and options[PRUNING] != 0
    half = int(options[ASPIRATION]) * 100 if options[PRUNING] else 0
    is_narrow = is_mtdf or (half > 0 and depth > 2)
    low = guess - 1 if is_mtdf else guess - half
    high = guess if is_mtdf else guess + half
    if not is_narrow:
        low = -INFINITY
        high = INFINITY
    least = -INFINITY
    most = INFINITY
    while True:
        value = alphabeta(searcher, transposition, states, keys, n_keys, n_plies, depth, low, high)
        if value == ABORTED or low < value < high:
            return value
        if value <= low:
            most = value
        else:
            least = value
            keep_pv(searcher)
        if is_mtdf:
            if least >= most:
                return value
            high = max(value, least + 1)
            low = high - 1
        else:
            half *= 4
            reach = half if half < INFINITY // 8 else 2 * INFINITY
            low = max(value - reach, -INFINITY) if value <= low else low
            high = min(value + reach, INFINITY) if value >= high else high


def think_once(memory: Any, transposition: Any, root: State, keys: Any, n_keys: int, n_plies: int) -> int:
    """Do `think` for callers outside compiled code (template)."""
    return think(memory[0], transposition, root, keys, n_keys, n_plies)
