"""Quiescence with its line, recursive and without a window: the twin of `engine.search.quiesce` and `tuning.data.quiet`.

Values belong to the mover of the last of `states`, the whole game so far, in 1/100 Elo."""

from typing import NamedTuple

import numpy as np

from tests.naive.minimax import WIN, ending, evaluation, for_mover, legal
from tunesmith.engine.weights import Weights
from tunesmith.games.game import ONGOING, Game, State


class Found(NamedTuple):
    """What a position comes to: its value, the moves, and whether the game ends there."""

    value: int
    line: tuple[int, ...]
    is_over: bool


def noisy(game: Game, state: State) -> list[int]:
    buffer = np.zeros(game.max_moves, np.int64)
    assert game.noisy_moves is not None
    return buffer[: game.noisy_moves(state, buffer)].tolist()


def quiet_line(game: Game, weights: Weights, states: list[State], most: int, ply: int = 0) -> Found:
    """Stand still, or play the best noisy move: the first of equal ones, and none if that is not better."""
    state = states[-1]
    if ply > 0 and (result := ending(game, states)) != ONGOING:
        return Found(for_mover(game, state, result * (WIN - ply)), (), True)
    still = Found(evaluation(game, weights.array(game), weights.scale, state), (), False)
    moves = noisy(game, state)
    if ply == most or not moves:
        return still
    best = None if len(moves) == len(legal(game, state)) else still
    for move in moves:
        after = game.apply_move(state, move)
        found = quiet_line(game, weights, [*states, after], most, ply + 1)
        value = found.value if game.mover(after) == game.mover(state) else -found.value
        if best is None or value > best.value:
            best = Found(value, (move, *found.line), found.is_over)
    assert best is not None
    return best
