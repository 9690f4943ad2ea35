"""Positions of played games, at compiled speed: replay the moves, look at the states.

Everything is seen from the mover of the position. Position t of a game is the one before move t."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from engine.bind import bind
from engine.evaluation import to_score, weighted_sum
from engine.slots import (
    SIMULTANEOUS,
    apply_move,
    features,
    initial,
    is_quiet,
    mover,
    stages,
)
from engine.weights import Weights
from games.game import Game, State
from tuning.openings import shared_key

QUIET, SECOND, PENDING = 1, 2, 4  # bits of a position's mark: is quiet; player 1 moves; a choice is hidden


def mark_positions(
    game: Game, moves: npt.NDArray[np.int64], starts: npt.NDArray[np.int64]
) -> npt.NDArray[np.int8]:
    """Return the marks of all positions, aligned with `moves`; game i owns `starts[i]` to `starts[i + 1]`."""
    marks = np.zeros(len(moves), np.int8)
    bind(write_marks, game)(moves, starts, marks)
    return marks


def write_marks(moves: Any, starts: Any, marks: Any) -> None:
    """Fill `marks` with bits of `QUIET`, `SECOND` and `PENDING` (template)."""
    for game in range(len(starts) - 1):
        state = initial()
        for at in range(starts[game], starts[game + 1]):
            mark = QUIET if is_quiet(state) else 0
            if mover(state) == 1:
                mark |= SECOND
                if SIMULTANEOUS:
                    mark |= PENDING
            marks[at] = mark
            state = apply_move(state, int(moves[at]))


class Views:
    """What was seen in chosen positions: features (n, F), stages (n, S), keys (n,), in their order.

    Keys are equal for symmetric images, and for the position with sides exchanged.
    """

    def __init__(self, game: Game, n: int) -> None:
        self.features = np.zeros((n, game.n_features))
        self.stages = np.ones((n, game.n_stages))
        self.keys = np.zeros(n, np.int64)


def view_positions(
    game: Game,
    moves: npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    chosen: npt.NDArray[np.bool_],
) -> Views:
    """Return features, stages and keys of the chosen positions; `chosen` is aligned with `moves`."""
    views = Views(game, int(chosen.sum()))
    bind(write_views, game)(moves, starts, chosen, views.features, views.stages, views.keys)
    return views


def write_views(moves: Any, starts: Any, chosen: Any, values: Any, shares: Any, keys: Any) -> None:
    """Fill the rows of `values`, `shares` and `keys` with the chosen positions (template)."""
    row = 0
    for game in range(len(starts) - 1):
        state = initial()
        for at in range(starts[game], starts[game + 1]):
            if chosen[at]:
                features(state, values[row])
                stages(state, shares[row])
                keys[row] = shared_key(state)
                row += 1
            state = apply_move(state, int(moves[at]))


def judge_positions(
    game: Game,
    weights: Weights,
    moves: npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    chosen: npt.NDArray[np.bool_],
) -> npt.NDArray[np.float64]:
    """Return the static evaluation of the chosen positions in Elo, exactly as the search computes it."""
    table = weights.array(game)
    used = np.flatnonzero(table.any(axis=0)).astype(np.int64)
    scores = np.zeros(int(chosen.sum()))
    buffers = np.zeros(game.n_features), np.zeros(game.n_stages)
    bind(write_scores, game)(moves, starts, chosen, table, used, weights.scale, *buffers, scores)
    return scores


def write_scores(
    moves: Any,
    starts: Any,
    chosen: Any,
    weights: Any,
    used: Any,
    scale: float,
    values: Any,
    shares: Any,
    scores: Any,
) -> None:
    """Fill `scores` with the evaluations of the chosen positions (template)."""
    row = 0
    for game in range(len(starts) - 1):
        state = initial()
        for at in range(starts[game], starts[game + 1]):
            if chosen[at]:
                raw = weighted_sum(state, weights, used, len(used), values, shares)
                scores[row] = to_score(raw, scale) / 100.0
                row += 1
            state = apply_move(state, int(moves[at]))


def state_at(game: Game, moves: npt.NDArray[np.int64]) -> State:
    """Return the state after some moves from the start, in plain Python."""
    state = game.initial()
    for move in moves.tolist():
        state = game.apply_move(state, move)
    return state


__all__ = ["QUIET", "SECOND", "PENDING", "judge_positions", "mark_positions", "state_at", "view_positions"]
