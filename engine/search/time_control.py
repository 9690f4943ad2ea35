"""How long may a move take? The clocks of `time` (seconds a move) and `game-time` (seconds for all moves of a game).

Of a game's time each move gets a share of what is left: one part in as many as there are moves to go. How many these
are is known from games (`Weights.moves_to_go`), by the number of plies and by the stage of the position. Games that go
on when nearly all of it is spent are longer than those: of the last `LAST` of the time a move gets no more than one
part in as many as the player has made itself. Before time is shared out, so much is kept that each move to come, up to
`MOST_MOVES` or the game's limit of plies, can be searched to depth 1 (simultaneous choices: to two turns), as long as
that has taken so far, but not more than `MOST_KEPT` of the game's time; a move may always use what was kept for it. A
deeper iteration is not begun late in the share, or, if the best move has just changed, beyond it; one that was begun
may take `STRETCH` shares, and nothing of what is kept for others. Depth 1 may take half of all that is left: no move
goes without a search.

One rule for compiled search and for agents in plain Python. Templates, made part of each search."""

from typing import Any

from tunesmith.engine.compile.jit import clock, inlined
from tunesmith.engine.compile.slots import MAX_PLIES, N_STAGES, legal_moves, stages
from tunesmith.engine.search.ordering import fade
from tunesmith.engine.searcher import (
    BEGAN,
    CUTS,
    DEADLINE,
    FIRST_CUTS,
    GAME_SECONDS,
    N_TO_GO,
    NEEDED,
    NODES,
    PLIES_A_CELL,
    REACHED,
    SCORE,
    SECONDS,
    SECONDS_LEFT,
    SHARE,
    SPARE,
    STOPPED,
    TABLE_HITS,
)
from tunesmith.games.game import State

RESERVE = 0.02  # of a game's time, kept for what is not search
MOST_MOVES = 400  # of one player in one game, that time is kept for
MOST_KEPT = 0.12  # of a game's time, for these
LAST = 0.15  # of a game's time, that is for games which last longer than others
_SAFETY = 1.25  # times what was needed before
_LATE, _LATE_IF_CHANGED = 0.55, 1.0  # shares, after which no deeper iteration is begun
STRETCH = 2.5  # shares, after which an iteration is cut short
_LEAST = 0.0005  # seconds: of less nothing can be made


@inlined
def reset(searcher: Any) -> None:
    """Reset what belongs to one move's search; it has no clock."""
    counters = searcher.counters
    for field in (NODES, SCORE, REACHED, CUTS, FIRST_CUTS, TABLE_HITS, STOPPED):
        counters[field] = 0
    searcher.numbers[DEADLINE] = 0.0
    fade(searcher)


@inlined
def begin(searcher: Any, root: State, n_plies: int) -> None:
    """Reset what belongs to one move's search, and set its clock."""
    reset(searcher)
    numbers = searcher.numbers
    seconds = numbers[SECONDS]
    if numbers[GAME_SECONDS] > 0.0:
        left = numbers[SECONDS_LEFT] - RESERVE * numbers[GAME_SECONDS]
        n_moves = max(1, most_moves(n_plies))
        kept = min(_SAFETY * numbers[NEEDED] * n_moves, MOST_KEPT * numbers[GAME_SECONDS], max(0.0, left))
        own = kept / n_moves
        numbers[SPARE] = max(left - kept + own, _LEAST)
        seconds = max(numbers[SPARE] / moves_to_go(searcher, root, n_plies), own, _LEAST)
    numbers[SHARE] = seconds
    numbers[BEGAN] = clock()
    if seconds > 0.0:
        numbers[DEADLINE] = numbers[BEGAN] + seconds


@inlined
def most_moves(n_plies: int) -> int:
    """Return how many moves one player may still have to make."""
    if 0 < MAX_PLIES < 2 * MOST_MOVES:
        return (MAX_PLIES - n_plies + 1) // 2
    return MOST_MOVES - n_plies // 2


@inlined
def is_short(searcher: Any, n_plies: int) -> bool:
    """Whether a game's time does not allow to keep for every later move what it needs."""
    numbers = searcher.numbers
    wanted = _SAFETY * numbers[NEEDED] * most_moves(n_plies)
    return bool(wanted > MOST_KEPT * numbers[GAME_SECONDS] > 0.0)


@inlined
def moves_to_go(searcher: Any, root: State, n_plies: int) -> float:
    """Return in how many parts the time that is left is shared out, 1 or more.

    That is the mean over the stages, but of the last `LAST` of the time not less than the moves made.
    """
    cell = min(n_plies // PLIES_A_CELL, N_TO_GO - 1)
    if N_STAGES > 1:
        stages(root, searcher.shares)
    else:
        searcher.shares[0] = 1.0
    total = 0.0
    for stage in range(N_STAGES):
        total += searcher.shares[stage] * searcher.to_go[stage, cell]
    numbers = searcher.numbers
    if numbers[SECONDS_LEFT] < LAST * numbers[GAME_SECONDS]:
        total = max(total, 0.5 * n_plies)
    return max(1.0, total)


@inlined
def allow_first(searcher: Any, root: State) -> None:
    """Let the first iteration take half of what is left of the game's time; a forced move gets no other."""
    numbers = searcher.numbers
    if numbers[GAME_SECONDS] > 0.0:
        numbers[DEADLINE] = numbers[BEGAN] + max(0.5 * numbers[SECONDS_LEFT], _LEAST)
        if legal_moves(root, searcher.moves[0]) == 1:
            numbers[SHARE] = 0.0


@inlined
def is_too_late(searcher: Any, is_needed: bool, is_settled: bool, stretch: float) -> bool:
    """Whether no deeper iteration is to be begun, after one that was completed; set what it may take.

    `is_needed`: later moves are to get as far, too; `is_settled`: it found the best move of the one before again.
    """
    numbers = searcher.numbers
    if numbers[GAME_SECONDS] <= 0.0:
        return False
    used = clock() - numbers[BEGAN]
    if is_needed:
        numbers[NEEDED] = max(used, 0.9 * numbers[NEEDED])
    numbers[DEADLINE] = numbers[BEGAN] + min(stretch * numbers[SHARE], numbers[SPARE])
    return bool(used > numbers[SHARE] * (_LATE if is_settled else _LATE_IF_CHANGED))


@inlined
def stop_clock(searcher: Any) -> None:
    """Take what a move used from the time for the game, if that is limited: the last thing that a search does."""
    if searcher.numbers[GAME_SECONDS] > 0.0:
        searcher.numbers[SECONDS_LEFT] -= clock() - searcher.numbers[BEGAN]
