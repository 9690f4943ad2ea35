"""race: add 1 or 2; who reaches 21 wins. Each feature refers to its 5 in another way."""

import enum
from pathlib import Path
from typing import NamedTuple

import numpy as np
import race_tables
from numba import njit
from race_tables import VALUE as TAKEN

from tunesmith.games.errors import InputError
from tunesmith.games.game import ONGOING, Game

PLAIN = 5
FLOAT = 5.0
SCALAR = np.int64(5)


class Kind(enum.IntEnum):
    A = 5


class Pair(NamedTuple):
    left: int
    right: int


def make(value):
    def inner(x):
        return value * x

    return inner


closed = make(5)


@njit
def compiled(x):
    return 5 * x


@njit
def compiled_global(x):
    return PLAIN_OF_COMPILED * x


PLAIN_OF_COMPILED = 5
TABLE = np.full(3000, 5, np.int64)
SPREAD = np.full(3000, 5, np.int64)[::3]  # not contiguous
NESTED = (np.arange(3000), (np.full(3000, 5), 1))
PAIR = Pair(5, 1)
WORDS = (1, (2, 5))


def default(x, by=5):
    return by * x


def helper(x):
    return 5 * x


def initial():
    return 0, 0


def legal_moves(state, out):
    out[0] = 1
    if state[0] == 20:
        return 1
    out[1] = 2
    return 2


def apply_move(state, move):
    return state[0] + move, 1 - state[1]


def mover(state):
    return state[1]


def outcome(state):
    if state[0] >= 21:
        return 2 * state[1] - 1
    return ONGOING


def features(state, out):
    x = 21 - state[0]
    out[0] = float(PLAIN * x)
    out[1] = FLOAT * x
    out[2] = float(SCALAR * x)
    out[3] = float(race_tables.VALUE * x)
    out[4] = float(TAKEN * x)
    out[5] = float(Kind.A.value * x)
    out[6] = float(closed(x))
    out[7] = float(compiled(x))
    out[8] = float(compiled_global(x))
    out[9] = float(TABLE[1500] * x)
    out[10] = float(SPREAD[500] * x)
    out[11] = float(NESTED[1][0][1500] * x)
    out[12] = float(PAIR.left * x)
    out[13] = float(WORDS[1][1] * x)
    out[14] = float(default(x))
    out[15] = float(helper(x))
    out[16] = float(race_tables.by_function(x))
    out[17] = float(race_tables.by_compiled_function(x))
    out[18] = float(race_tables.COLUMN[7] * x)


NAMES = (
    *(
        "plain",
        "float",
        "scalar",
        "module",
        "taken",
        "enum",
        "closure",
        "compiled",
        "compiled_global",
        "table",
    ),
    *("spread", "nested", "pair", "words", "default", "helper", "module_function"),
    *("module_compiled", "module_array"),
)


def state_to_text(state):
    return f"{state[0]},{state[1]}"


def text_to_state(text):
    if text.count(",") != 1 or not text.replace(",", "").isdigit():
        raise InputError(f"position: expected points,mover, found {text!r}")
    points, player = text.split(",")
    return int(points), int(player)


def text_to_move(state, text):
    if text not in ("1", "2") or state[0] + int(text) > 21:
        raise InputError(f"move: expected 1 or 2, found {text!r}")
    return int(text)


GAME = Game(
    name="race",
    variant={},
    initial=initial,
    legal_moves=legal_moves,
    apply_move=apply_move,
    mover=mover,
    outcome=outcome,
    features=features,
    feature_names=NAMES,
    feature_meanings=NAMES,
    max_moves=2,
    state_to_text=state_to_text,
    text_to_state=text_to_state,
    move_to_text=lambda state, move: str(move),
    text_to_move=text_to_move,
    draw_text=state_to_text,
    draw_svg=lambda state: '<svg viewBox="0 0 1 1"/>',
    folder=Path(__file__).parent,
)
