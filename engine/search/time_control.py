"""How long may a move take? The clocks of `time` (seconds a move) and `game-time` (seconds for all moves of a game).

Of a game's time each move gets an equal share of what is left, so that no number of moves uses it up; a deeper
iteration that would not end in the share is not begun. Templates, made part of each search."""

from typing import Any

from tunesmith.engine.compile.jit import clock, inlined
from tunesmith.engine.search.ordering import fade
from tunesmith.engine.searcher import (
    BEGAN,
    CUTS,
    DEADLINE,
    FIRST_CUTS,
    GAME_SECONDS,
    NODES,
    REACHED,
    SCORE,
    SECONDS,
    SECONDS_LEFT,
    STOPPED,
    TABLE_HITS,
)

# A game's time: each move gets a share of what is left, a part is kept for what is not search.
_SHARES = 20.0
_RESERVE = 0.02
_LEAST = 0.001


@inlined
def begin(searcher: Any) -> None:
    """Reset what belongs to one move's search."""
    counters = searcher.counters
    for field in (NODES, SCORE, REACHED, CUTS, FIRST_CUTS, TABLE_HITS, STOPPED):
        counters[field] = 0
    numbers = searcher.numbers
    seconds = numbers[SECONDS]
    if numbers[GAME_SECONDS] > 0.0:
        # A share of what is left never uses it up, however many moves there are. The least is a lost cause.
        seconds = max((numbers[SECONDS_LEFT] - _RESERVE * numbers[GAME_SECONDS]) / _SHARES, _LEAST)
    numbers[BEGAN] = clock()
    numbers[DEADLINE] = numbers[BEGAN] + seconds if seconds > 0.0 else 0.0
    fade(searcher)


@inlined
def is_too_late(searcher: Any) -> bool:
    """Whether so much of a move's share of the game's time is gone that a deeper iteration will not end."""
    numbers = searcher.numbers
    if numbers[GAME_SECONDS] <= 0.0:
        return False
    return bool(clock() - numbers[BEGAN] > (numbers[DEADLINE] - numbers[BEGAN]) / 2)


@inlined
def stop_clock(searcher: Any) -> None:
    """Take what a move used from the time for the game, if that is limited: the last thing that a search does."""
    if searcher.numbers[GAME_SECONDS] > 0.0:
        searcher.numbers[SECONDS_LEFT] -= clock() - searcher.numbers[BEGAN]
