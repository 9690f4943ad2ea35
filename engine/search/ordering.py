"""Which move to try first: the table's, then the game's hints, killers, and the history heuristic, or the
evaluations of what the moves lead to.

Moves are picked one at a time, the best of the rest; after the first few, in the game's own order: a cut-off
that has not come by then rarely comes, and picking is quadratic."""

from typing import Any

from tunesmith.engine.compile.arith import mix
from tunesmith.engine.compile.jit import inlined
from tunesmith.engine.compile.slots import HAS_HINT, move_hint
from tunesmith.engine.options import HINTS, HISTORY, KILLERS
from tunesmith.engine.searcher import GAME_SECONDS, GENERATION, N_HISTORY, SECONDS_LEFT
from tunesmith.games.game import State

N_PICKED = 8
TABLE_MOVE = 1 << 60
_HINT = 1 << 40
KILLER = 1 << 39  # ratings below it: nothing but history, or an evaluation, speaks for the move
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
            rating = TABLE_MOVE
        else:
            if HAS_HINT and options[HINTS]:
                rating += move_hint(state, move) * _HINT
            if options[KILLERS]:
                if move == searcher.killers[ply, 0]:
                    rating += KILLER + 1
                elif move == searcher.killers[ply, 1]:
                    rating += KILLER
            if options[HISTORY]:
                rating += searcher.history[player, history_index(move)]
        order[index] = rating


@inlined
def pick(moves: Any, order: Any, at: int, n_moves: int) -> int:
    """Return the best-rated of the moves from `at` on, moved to `at`; the rest keep their order."""
    return int(moves[at]) if at >= N_PICKED else select(moves, order, at, n_moves)


def select(moves: Any, order: Any, at: int, n_moves: int) -> int:
    """Do what `pick` says for any `at`."""
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


def keep_best(moves: Any, order: Any, n_moves: int, n_kept: int) -> int:
    """Move the `n_kept` best-rated moves to the front, in the order of their ratings; return their number."""
    n_kept = min(n_kept, n_moves)
    for at in range(n_kept):
        select(moves, order, at, n_moves)
    return n_kept


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
    """Clear killers and history, make the table's entries invisible, set the clock: a new game begins."""
    fade(searcher)
    searcher.numbers[SECONDS_LEFT] = searcher.numbers[GAME_SECONDS]
    searcher.history[:] = 0
    searcher.counters[GENERATION] += 1


def fade(searcher: Any) -> None:
    """Let history count less, and forget killers: a new move of the same game begins."""
    searcher.killers[:] = -1
    history = searcher.history
    for player in range(2):
        for index in range(N_HISTORY):
            history[player, index] >>= 3
