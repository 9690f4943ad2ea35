"""Before the first game: does every weight move some evaluation?

A weight that moves none (a feature that is never anything but 0, a stage that never comes) can be neither fitted
nor searched, and most often tells of a mistake in the game's file."""

from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.engine.compile.arith import below, next_random
from tunesmith.engine.weights import Weights
from tunesmith.games.game import ONGOING, Game, State
from tunesmith.tuning.play.sandbox.deadline import watched

POSITIONS = 3_000
PATIENT = (
    40_000  # positions before a number is accused: what is rare in random games may be common in good ones
)

Moved = npt.NDArray[np.bool_]


def moves(game: Game, positions: int = POSITIONS) -> Moved:
    """Return (stages, features): whether a weight changes the evaluation of some position of random games.

    It does where the share of its stage and its feature are both other than 0.

    Raises
    ------
    GameError
        A function of the game fails, or hangs.
    """
    seen = np.zeros((game.n_stages, game.n_features), np.bool_)
    state: State | None = None
    seed = 1
    with watched(game, "weights are looked at") as ask:
        for _ in range(positions):
            seed = next_random(seed)
            state = ask(_look, game, state, seed, seen)
            if seen.all():
                break
    return seen


def _look(game: Game, state: State | None, seed: int, seen: Moved) -> State | None:
    """Mark in `seen` what a position moves; return one after it, None where its game is over."""
    values, shares = np.zeros(game.n_features), np.ones(game.n_stages)
    legal: Any = np.zeros(game.max_moves, np.int64)
    if state is None:
        state = game.initial()
    n_moves = game.legal_moves(state, legal) if game.outcome(state) == ONGOING else 0
    if n_moves == 0:
        return None
    game.features(state, values)
    if game.stages:
        game.stages(state, shares)
    seen |= np.outer(shares != 0, values != 0)
    return game.apply_move(state, int(legal[below(seed, n_moves)]))


def idle_weights(game: Game, positions: int = POSITIONS) -> list[str]:
    """Return the names `stage.feature` of weights that change no evaluation."""
    seen = moves(game, positions)
    return [f"{game.stage_names[s]}.{game.feature_names[f]}" for s, f in np.argwhere(~seen)]


def faults(game: Game, weights: Weights, seen: Moved) -> list[str]:
    """Return what is wrong with weights, a sentence each.

    A feature that is 0 in a whole stage by what both mean is no fault where the weight is 0 too.
    """
    tried = "in any position tried"
    stages = [f"stage {game.stage_names[s]}: never comes {tried}" for s in np.flatnonzero(~seen.any(axis=1))]
    dead = [
        f"{game.feature_names[f]}: moves no evaluation {tried}" for f in np.flatnonzero(~seen.any(axis=0))
    ]
    comes = np.outer(seen.any(axis=1), seen.any(axis=0))
    numbers = weights.array(game)
    loud = [
        f"{game.stage_names[s]}.{game.feature_names[f]}: {numbers[s, f]:g}, but moves no evaluation {tried}"
        for s, f in np.argwhere(comes & ~seen & (numbers != 0))
    ]
    return stages + (dead if seen.any() else []) + loud


def check(game: Game, weights: Weights) -> list[str]:
    """Return the faults that remain when many more positions have been looked at."""
    found = faults(game, weights, moves(game))
    return faults(game, weights, moves(game, PATIENT)) if found else found


def line(game: Game) -> str:
    """Return what a study says of its weights before its first game."""
    idle = idle_weights(game)
    n_weights = game.n_stages * game.n_features
    if not idle:
        return f"check: each of the {n_weights} weights moves some evaluation"
    return (
        f"check: {len(idle)} of {n_weights} weights move no evaluation in {POSITIONS:,} random positions, and keep "
        f"their values if they move none in play: {', '.join(idle)}"
    )
