"""What does a position come to if only noisy moves are played? The search's quiescence by itself, with its line.

`quiesce` gives the value that `alphabeta` gives at depth 0 with a window that holds every value, and the moves that
lead to it: from each position the first of the best noisy moves, none where standing still is as good. Values are
1/100 Elo of the mover. Nothing is stored or ordered, so value and line depend on position, history and weights
alone."""

from typing import Any

from tunesmith.engine.compile.slots import REPETITION_LIMIT, apply_move, history_key
from tunesmith.engine.options import QUIESCENCE
from tunesmith.engine.search.alphabeta import ABORTED, OPEN, keep_line
from tunesmith.engine.search.endings import ending
from tunesmith.engine.search.selective import narrowed
from tunesmith.engine.search.transposition import NO_MOVE
from tunesmith.engine.search.values import INFINITY, evaluate, final_value, for_parent, window_for_child
from tunesmith.engine.searcher import ALPHA, AT, BEST, BETA, MOVE, N_MOVES, NODE_LIMIT, NODES
from tunesmith.games.game import ONGOING


def quiesce(searcher: Any, states: Any, keys: Any, n_keys: int, n_plies: int) -> int:
    """Return the value of `states[0]`, its line in `searcher.line[0]`; ABORTED beyond the node limit (template).

    `states` has room for the option `quiescence` and one more; the first is not finished. `keys[:n_keys]` is the
    game's history, the root's own key last; `n_plies` the plies played at the root.
    """
    frames = searcher.frames
    searcher.counters[NODES] = 0
    ply = 0
    alpha = -INFINITY
    beta = INFINITY
    while True:
        value = settle(searcher, states, keys, n_keys, n_plies, ply, alpha, beta)
        if value == ABORTED:
            return ABORTED
        while value != OPEN or frames[ply, AT] >= frames[ply, N_MOVES]:
            if value == OPEN:
                value = int(frames[ply, BEST])
            if ply == 0:
                return value
            ply -= 1
            value = for_parent(value, states[ply + 1], states[ply])
            if value > frames[ply, BEST]:
                frames[ply, BEST] = value
                frames[ply, ALPHA] = max(int(frames[ply, ALPHA]), value)
                keep_line(searcher.line, ply, int(frames[ply, MOVE]))
                if value >= frames[ply, BETA]:
                    frames[ply, AT] = frames[ply, N_MOVES]
            value = OPEN
        move = int(searcher.moves[ply, frames[ply, AT]])
        frames[ply, AT] += 1
        frames[ply, MOVE] = move
        states[ply + 1] = apply_move(states[ply], move)
        low = int(frames[ply, ALPHA])
        high = int(frames[ply, BETA])
        alpha, beta = window_for_child(low, high, states[ply + 1], states[ply])
        ply += 1


def settle(
    searcher: Any, states: Any, keys: Any, n_keys: int, n_plies: int, ply: int, alpha: int, beta: int
) -> int:
    """Return the value of the position at `ply`, or lay out its noisy moves and return OPEN (template)."""
    counters = searcher.counters
    counters[NODES] += 1
    if counters[NODES] > counters[NODE_LIMIT]:
        return ABORTED
    state = states[ply]
    searcher.line[ply, ply] = NO_MOVE
    if ply > 0:
        if REPETITION_LIMIT > 0:
            keys[n_keys - 1 + ply] = history_key(state)
        result = ending(state, keys, n_keys + ply, n_plies + ply)
        if result != ONGOING:
            return final_value(searcher, state, result, ply)
    best = evaluate(searcher, state)
    if ply >= searcher.options[QUIESCENCE]:
        return best
    n_moves, best = narrowed(searcher, state, ply, 0, alpha, beta, best)
    if n_moves == 0 or best >= beta:
        return best
    frame = searcher.frames[ply]
    frame[ALPHA] = max(alpha, best)
    frame[BETA] = beta
    frame[BEST] = best
    frame[N_MOVES] = n_moves
    frame[AT] = 0
    return OPEN
