"""When a game is over: the state's own word, repetition, the limit of plies, in the game's order.

`keys[:n_keys]` are the repetition keys of the game so far, the position's own last (0 = does not count);
`n_plies` counts the moves before the position, where the state itself does not.

A search counts occurrences as the game does. To take the first return within a line (or to any position of the game)
for a draw won nothing in Expendibots, the one game whose limit is above 2 and that alpha-beta plays: three such rules
in 120 to 220 pairs each at 1,000 and 4,000 nodes, 0 to 2 Elo with intervals of 10 to 13."""

from typing import Any

from tunesmith.engine.compile.slots import MAX_PLIES, REPETITION_FIRST, REPETITION_LIMIT, outcome, plies
from tunesmith.games.game import ONGOING, State


def occurrences(keys: Any, n_keys: int, key: int) -> int:
    """Return how often `key` stands in the first `n_keys` entries of `keys`."""
    count = 0
    for index in range(n_keys):
        if keys[index] == key:
            count += 1
    return count


def is_drawn(state: State, keys: Any, n_keys: int, n_plies: int) -> bool:
    """Whether repetition or the limit of plies ends the game; `keys[n_keys - 1]` is the state's own."""
    if REPETITION_LIMIT > 0:
        key = keys[n_keys - 1]
        if key != 0 and occurrences(keys, n_keys, key) >= REPETITION_LIMIT:
            return True
    if MAX_PLIES > 0:
        known = plies(state)
        if (known if known >= 0 else n_plies) >= MAX_PLIES:
            return True
    return False


def ending(state: State, keys: Any, n_keys: int, n_plies: int) -> int:
    """Return ONGOING, or the result for the first player, in the game's order of precedence."""
    if REPETITION_FIRST and is_drawn(state, keys, n_keys, n_plies):
        return 0
    result = outcome(state)
    if result == ONGOING and not REPETITION_FIRST and is_drawn(state, keys, n_keys, n_plies):
        return 0
    return result
