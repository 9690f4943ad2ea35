"""Iterative deepening under a limit of depth, nodes or time: from a position to a move.

Deterministic under depth and node limits: the same searcher state, position and history give the same move.
A search that is cut short uses the unfinished iteration if its first move, the best one of the iteration
before, has been searched: what replaced it since was better at the greater depth."""

from typing import Any

from engine.alphabeta import ABORTED, INFINITY, alphabeta, keep_pv
from engine.evaluation import EVALUATION_MAX
from engine.jit import clock, inlined
from engine.options import ASPIRATION, DEEPENING, MARGIN, OBJECTIVE
from engine.ordering import fade
from engine.searcher import (
    BEST_AT_ROOT,
    CUTS,
    DEADLINE,
    DEPTH_LIMIT,
    FIRST_CUTS,
    MAX_PLY,
    NODES,
    REACHED,
    SCORE,
    SECONDS,
    STOPPED,
    TABLE_HITS,
)
from engine.slots import legal_moves
from engine.table import NO_MOVE
from games.game import State


def think(searcher: Any, table: Any, root: State, keys: Any, n_keys: int, n_plies: int) -> int:
    """Return the move to play from `root`, which is not over; fill `counters` and `pv` (template).

    Parameters
    ----------
    searcher, table
        The memory record and the table of a `Searcher`.
    keys
        int64, room for the game's history and MAX_PLY more; `keys[:n_keys]` are the history's repetition
        keys, the root's own last. Not used in games without repetition.
    n_plies
        Actions played before `root`.
    """
    counters = searcher.counters
    begin(searcher)
    states = [root] * MAX_PLY
    depth_limit = int(counters[DEPTH_LIMIT])
    depth = 1 if searcher.options[DEEPENING] else depth_limit
    move = NO_MOVE
    score = 0
    while depth <= depth_limit and counters[STOPPED] == 0:
        counters[BEST_AT_ROOT] = NO_MOVE
        value = search_depth(searcher, table, states, keys, n_keys, n_plies, depth, score)
        if counters[BEST_AT_ROOT] != NO_MOVE:
            move = int(counters[BEST_AT_ROOT])
            keep_pv(searcher)
        if value == ABORTED:
            break
        score = value
        counters[SCORE] = value
        counters[REACHED] = depth
        if is_decided(searcher, value):
            break
        depth += 1
    if move == NO_MOVE:
        legal_moves(root, searcher.moves[0])
        move = int(searcher.moves[0, 0])
    counters[BEST_AT_ROOT] = move
    return move


@inlined
def begin(searcher: Any) -> None:
    """Reset what belongs to one move's search."""
    counters = searcher.counters
    for field in (NODES, SCORE, REACHED, CUTS, FIRST_CUTS, TABLE_HITS, STOPPED):
        counters[field] = 0
    seconds = searcher.numbers[SECONDS]
    searcher.numbers[DEADLINE] = clock() + seconds if seconds > 0.0 else 0.0
    fade(searcher)


@inlined
def is_decided(searcher: Any, value: int) -> bool:
    """Whether a deeper search cannot find a better result: a forced win or loss is known."""
    return searcher.options[OBJECTIVE] != MARGIN and abs(value) > EVALUATION_MAX


@inlined
def search_depth(
    searcher: Any,
    table: Any,
    states: Any,
    keys: Any,
    n_keys: int,
    n_plies: int,
    depth: int,
    guess: int,
) -> int:
    """Return the exact value at `depth`; the first window lies round `guess` if aspiration is on."""
    half = int(searcher.options[ASPIRATION]) * 100
    is_narrow = half > 0 and depth > 2
    low = guess - half if is_narrow else -INFINITY
    high = guess + half if is_narrow else INFINITY
    while True:
        value = alphabeta(searcher, table, states, keys, n_keys, n_plies, depth, low, high)
        if value == ABORTED or low < value < high:
            return value
        half *= 4
        if value <= low:
            low = value - half if half < INFINITY // 8 else -INFINITY
        else:
            high = value + half if half < INFINITY // 8 else INFINITY


def think_once(memory: Any, table: Any, root: State, keys: Any, n_keys: int, n_plies: int) -> int:
    """Do `think` for callers outside compiled code (template)."""
    return think(memory[0], table, root, keys, n_keys, n_plies)
