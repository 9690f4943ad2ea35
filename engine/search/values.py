"""What positions are worth to the search: the evaluation of a leaf, the value of a finished game.

Values are integers of 1/100 Elo with objective `result`, points of margin with objective `margin`, seen from the
mover of the position they belong to. All functions that turn points of view are here."""

from typing import Any, TypeVar

from tunesmith.engine.compile.jit import inlined
from tunesmith.engine.compile.slots import (
    HAS_MARGIN,
    HAS_TWO_MASKS,
    MAX_PLIES,
    REPETITION_LIMIT,
    final_margin,
    mover,
    open_margin,
    other_sum,
    outcome,
    settled_margin,
)
from tunesmith.engine.evaluation import WIN, to_score, weighted_sum
from tunesmith.engine.options import MARGIN, MARGIN_KEYS, OBJECTIVE
from tunesmith.engine.searcher import N_USED, OTHER_MASK, SCALE
from tunesmith.games.game import ONGOING, State

Share = TypeVar("Share", int, float)

INFINITY = 1 << 40  # beyond every value


def turned(value: int, player: int, other: int) -> int:
    """Turn a value of one player (0 or 1) into one of another."""
    return value if player == other else -value


def turned_share(share: Share, whole: Share, player: int) -> Share:
    """Turn the part of `whole` that player 0 gets into what `player` gets, or back."""
    return share if player == 0 else whole - share


def for_mover(value: int, state: State) -> int:
    """Turn a value of the first player into one of the mover (template)."""
    return value if mover(state) == 0 else -value


def for_parent(value: int, child: State, parent: State) -> int:
    """Turn a value of the child's mover into one of the parent's (template)."""
    return value if mover(child) == mover(parent) else -value


def window_for_child(low: int, high: int, child: State, parent: State) -> tuple[int, int]:
    """Turn a window (alpha, beta) of the parent's mover into one of the child's (template)."""
    if mover(child) == mover(parent):
        return low, high
    return -high, -low


@inlined
def weighed(searcher: Any, state: State) -> float:
    """Return the evaluation in the weights' own unit (template)."""
    if HAS_TWO_MASKS and searcher.counters[OTHER_MASK]:
        return other_sum(
            state,
            searcher.weights,
            searcher.used,
            int(searcher.counters[N_USED]),
            searcher.values,
            searcher.shares,
        )
    return weighted_sum(
        state,
        searcher.weights,
        searcher.used,
        int(searcher.counters[N_USED]),
        searcher.values,
        searcher.shares,
    )


@inlined
def evaluate(searcher: Any, state: State) -> int:
    """Return the static value of an unfinished position for its mover (template)."""
    options = searcher.options
    settled = settled_margin(state)
    if options[OBJECTIVE] == MARGIN and options[MARGIN_KEYS]:
        return settled
    raw = weighed(searcher, state)
    if options[OBJECTIVE] != MARGIN:
        return to_score(raw, searcher.numbers[SCALE])
    reach = open_margin(state)
    return min(max(to_score(raw, 0.01), settled - reach), settled + reach)


@inlined
def final_value(searcher: Any, state: State, result: int, ply: int) -> int:
    """Return the value of a finished game for the mover of its last position."""
    if searcher.options[OBJECTIVE] == MARGIN and HAS_MARGIN:
        if (REPETITION_LIMIT > 0 or MAX_PLIES > 0) and outcome(state) == ONGOING:
            return 0  # drawn by rule, not finished: there is no margin
        return for_mover(final_margin(state), state)
    return for_mover(result * (WIN - ply), state)
