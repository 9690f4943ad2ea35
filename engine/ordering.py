"""Which move to try first: the table's, then the game's hints, killers, and the history heuristic.

Moves are picked one at a time, the best of the rest; after the first few, in the game's own order: a cut-off
that has not come by then rarely comes, and picking is quadratic."""

from typing import Any

from engine.arith import mix
from engine.jit import inlined
from engine.options import HINTS, HISTORY, KILLERS
from engine.searcher import GENERATION, N_HISTORY
from engine.slots import HAS_HINT, move_hint
from games.game import State

N_PICKED = 8
_TABLE_MOVE = 1 << 60
_HINT = 1 << 40
_KILLER = 1 << 39
_HISTORY_MAX = 1 << 36


def history_index(move: int) -> int:
    """Return where a move counts in the history table."""
    return move if 0 <= move < N_HISTORY else mix(move & 0x7FFF_FFFF_FFFF_FFFF) & (N_HISTORY - 1)


@inlined
def rate_moves(searcher: Any, state: State, ply: int, n_moves: int, first: int, player: int) -> None:
    """Fill `order[ply]` with a rating of each move in `moves[ply]` (template)."""
    moves = searcher.moves[ply]
    order = searcher.order[ply]
    options = searcher.options
    for index in range(n_moves):
        move = int(moves[index])
        rating = 0
        if move == first:
            rating = _TABLE_MOVE
        else:
            if HAS_HINT and options[HINTS]:
                rating += move_hint(state, move) * _HINT
            if options[KILLERS]:
                if move == searcher.killers[ply, 0]:
                    rating += _KILLER + 1
                elif move == searcher.killers[ply, 1]:
                    rating += _KILLER
            if options[HISTORY]:
                rating += searcher.history[player, history_index(move)]
        order[index] = rating


@inlined
def pick(moves: Any, order: Any, at: int, n_moves: int) -> int:
    """Return the best-rated of the moves from `at` on, moved to `at`; the rest keep their order."""
    if at >= N_PICKED:
        return int(moves[at])
    best = at
    for index in range(at + 1, n_moves):
        if order[index] > order[best]:
            best = index
    move = moves[best]
    rating = order[best]
    for index in range(best, at, -1):
        moves[index] = moves[index - 1]
        order[index] = order[index - 1]
    moves[at] = move
    order[at] = rating
    return int(move)


@inlined
def note_cut(searcher: Any, ply: int, move: int, player: int, depth: int) -> None:
    """Remember that `move` refuted the position at `ply`."""
    killers = searcher.killers
    if killers[ply, 0] != move:
        killers[ply, 1] = killers[ply, 0]
        killers[ply, 0] = move
    index = history_index(move)
    weight = min(depth, 64)
    grown = searcher.history[player, index] + weight * weight
    searcher.history[player, index] = min(grown, _HISTORY_MAX)


def forget(searcher: Any) -> None:
    """Clear killers and history, and make the table's entries invisible: a new game begins."""
    fade(searcher)
    searcher.history[:] = 0
    searcher.counters[GENERATION] += 1


def fade(searcher: Any) -> None:
    """Let history count less, and forget killers: a new move of the same game begins."""
    searcher.killers[:] = -1
    history = searcher.history
    for player in range(2):
        for index in range(N_HISTORY):
            history[player, index] >>= 3
