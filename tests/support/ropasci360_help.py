"""What the tests of RoPaSci 360 share: legal moves, texts, random positions."""

import json
import random
from typing import Any

import numpy as np

from tests.naive import ropasci360 as naive
from tunesmith.games import ONGOING
from tunesmith.games.ropasci360 import GAME

STATE = ("board", "throws", "nturns")


def text_of(fields: Any) -> str:
    return json.dumps({name: fields[name] for name in STATE}, separators=(",", ":"))


def legal_of(state: Any) -> list[int]:
    out = np.full(GAME.max_moves + 1, -7, np.int64)
    n = GAME.legal_moves(state, out)
    assert (out[n:] == -7).all()
    return [int(move) for move in out[:n]]


def actions(state: Any, moves: list[int]) -> list[str]:
    return sorted(GAME.move_to_text(state, move) for move in moves)


def choose(state: Any, action: str) -> Any:
    return GAME.apply_move(state, GAME.text_to_move(state, action))


def numbers(state: Any) -> dict[str, float]:
    out = np.full(GAME.n_features, np.nan)
    GAME.features(state, out)
    return dict(zip(GAME.feature_names, map(float, out), strict=True))


def state_of(position: Any) -> Any:
    return GAME.text_to_state(text_of(naive.to_fields(position)))


def reachable(n: int, seed: int) -> list[Any]:
    """Return n unfinished positions between turns, of games that are random but take what they can."""
    rng, found, out = random.Random(seed), [], np.zeros(GAME.max_moves, np.int64)
    while len(found) < n:
        state = GAME.initial()
        while GAME.outcome(state) == ONGOING and GAME.plies(state) < GAME.max_plies:
            if GAME.mover(state) == 0:
                found.append(state)
            n_noisy = GAME.noisy_moves(state, out)
            takes = n_noisy > 0 and rng.random() < 0.3
            state = GAME.apply_move(state, rng.choice(out[:n_noisy].tolist() if takes else legal_of(state)))
    return found[:n]
