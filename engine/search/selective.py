"""Which moves are worth a search? Quiescence, futility, null moves, and pruning by evaluation.

All of it guesses: with these options on a value may differ from minimax's. Each is off while its option is 0, and
then costs nothing but the question."""

from typing import Any

from tunesmith.engine.compile.jit import inlined
from tunesmith.engine.compile.slots import HAS_PASS, HAS_QUIET, apply_move, legal_moves, noisy_moves, outcome
from tunesmith.engine.evaluation import EVALUATION_MAX
from tunesmith.engine.options import BEST_K, BEST_SHARE, FUTILITY, MARGIN, NULL_MOVE, OBJECTIVE, SORT
from tunesmith.engine.search.ordering import TABLE_MOVE, keep_best
from tunesmith.engine.search.values import INFINITY, evaluate, final_value, for_parent
from tunesmith.engine.searcher import NULL
from tunesmith.games.game import ONGOING, State

ALL_MOVES = -1
FRONTIER = 2  # remaining depth up to which futility pruning is done


def narrowed(
    searcher: Any, state: State, ply: int, depth: int, alpha: int, beta: int, static: int
) -> tuple[int, int]:
    """Lay out only the moves that have to be searched; return their number and a first bound (template).

    `ALL_MOVES` = nothing can be left out. The bound is what the position is worth without any of the moves. With no
    move, or a bound of at least `beta`, it is the position's value. Marks the frame if the turn is to be passed.
    """
    options = searcher.options
    moves = searcher.moves[ply]
    if depth <= 0:
        # The mover need not play a noisy move, unless there are no others: then the evaluation is no bound.
        # The next ply's buffer is free.
        n_moves = noisy_moves(state, moves)
        is_forced = n_moves > 0 and n_moves == legal_moves(state, searcher.moves[ply + 1])
        return n_moves, -INFINITY if is_forced else static
    if HAS_QUIET and options[FUTILITY] > 0 and depth <= FRONTIER and abs(alpha) < EVALUATION_MAX:
        unit = 1 if options[OBJECTIVE] == MARGIN else 100
        most = static + depth * unit * int(options[FUTILITY])
        if most <= alpha:
            return noisy_moves(state, moves), most
    if HAS_PASS and static >= beta and may_pass(searcher, ply, depth, beta):
        searcher.frames[ply, NULL] = 1
    return ALL_MOVES, -INFINITY


@inlined
def may_pass(searcher: Any, ply: int, depth: int, beta: int) -> bool:
    """Whether passing the turn may be tried: not twice in a row, not without depth, not among wins."""
    reduction = searcher.options[NULL_MOVE]
    return bool(0 < reduction < depth and searcher.frames[ply - 1, NULL] != 2 and abs(beta) < EVALUATION_MAX)


def rate_by_evaluation(searcher: Any, state: State, ply: int, depth: int, n_moves: int, first: int) -> int:
    """Sort moves by the evaluations of what they lead to; return how many are kept, 0 = not sorted (template)."""
    options = searcher.options
    n_kept = n_moves
    if options[BEST_K] > 0:
        n_kept = min(n_kept, int(options[BEST_K]))
    if options[BEST_SHARE] > 0:
        n_kept = min(n_kept, (n_moves + int(options[BEST_SHARE]) - 1) // int(options[BEST_SHARE]))
    if n_kept == n_moves and (options[SORT] == 0 or depth < options[SORT]):
        return 0
    for index in range(n_moves):
        move = int(searcher.moves[ply, index])
        child = apply_move(state, move)
        result = outcome(child)
        value = evaluate(searcher, child) if result == ONGOING else final_value(searcher, child, result, ply)
        searcher.order[ply, index] = TABLE_MOVE if move == first else for_parent(value, child, state)
    return keep_best(searcher.moves[ply], searcher.order[ply], n_moves, n_kept)
