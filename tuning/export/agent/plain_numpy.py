"""What plain Python does in the place of numpy, of younger Pythons, and of loops that it has a faster word for.

Every function gives the same answer as what it stands for; where that is a function of the engine or of a game, a
test compares the two. Arrays are lists, of lists if they have two dimensions."""

from typing import Any

import numpy as np

from tunesmith.engine.compile.arith import _MIX, MASK63, mix
from tunesmith.engine.evaluation import CENTI, EVALUATION_MAX
from tunesmith.engine.searcher import GAME_SECONDS, GENERATION, SECONDS_LEFT
from tunesmith.games.game import State
from tunesmith.tuning.export.agent.slots import N_WORDS

# --- numpy


def zeros(shape: Any, kind: Any = float) -> Any:
    """Return an array of zeros."""
    return full(shape, kind(0))


def ones(shape: Any, kind: Any = float) -> Any:
    """Return an array of ones."""
    return full(shape, kind(1))


def full(shape: Any, value: Any, kind: Any = None) -> Any:
    """Return an array of one value."""
    value = value if kind is None else kind(value)
    if isinstance(shape, (tuple, list)):
        if len(shape) > 1:
            return [full(tuple(shape[1:]), value) for _ in range(shape[0])]
        shape = shape[0]
    return [value] * shape


def arange(*bounds: int) -> Any:
    """Return an array of the numbers of a range."""
    return list(range(*bounds))


def array(values: Any, kind: Any = None) -> Any:
    """Return an array of some values."""
    return [
        array(value, kind) if isinstance(value, (list, tuple)) else (value if kind is None else kind(value))
        for value in values
    ]


def as_list(values: Any) -> Any:
    """Return a copy of an array."""
    return [as_list(value) if isinstance(value, list) else value for value in values]


def shape_of(values: Any) -> Any:
    """Return the shape of an array."""
    if len(values) and isinstance(values[0], list):
        return (len(values), len(values[0]))
    return (len(values),)


def fill(values: Any, start: Any, stop: Any, value: Any) -> None:
    """Assign to a slice: one number to all of it, or other values one by one."""
    if not isinstance(value, (int, float)):
        values[start:stop] = value
        return
    for index in range(*slice(start, stop).indices(len(values))):
        if isinstance(values[index], list):
            fill(values[index], None, None, value)
        else:
            values[index] = value


def rint(value: float) -> float:
    """Return the nearest whole number, of two the even one."""
    return float(round(value)) if -1e16 < value < 1e16 else value


def buffer(size: int) -> Any:
    """Return room for moves, in a list."""
    return [0] * size


def array_buffer(size: int) -> Any:
    """Return room for moves, in an array."""
    return np.zeros(size, np.int64)


def listed(room: Any, n_moves: int) -> tuple[int, ...]:
    """Return the moves that stand in a list."""
    return tuple(room[:n_moves])


def array_listed(room: Any, n_moves: int) -> tuple[int, ...]:
    """Return the moves that stand in an array."""
    return tuple(room[:n_moves].tolist())


def array_of(values: Any) -> Any:
    """Return numbers in an array."""
    return np.array(values, np.float64)


# --- younger Pythons


def bit_count(value: int) -> int:
    """Return the number of ones of a number's absolute value."""
    return bin(value).count("1")


def is_ascii(text: str) -> bool:
    """Tell whether a text has no letters beyond ASCII."""
    return all(ord(letter) < 128 for letter in text)


def without_prefix(text: str, prefix: str) -> str:
    """Return a text without its beginning, if it begins so."""
    return text[len(prefix) :] if text.startswith(prefix) else text


def without_suffix(text: str, suffix: str) -> str:
    """Return a text without its end, if it ends so."""
    return text[: len(text) - len(suffix)] if suffix and text.endswith(suffix) else text


def pairwise(values: Any) -> Any:
    """Return each two neighbours."""
    found = list(values)
    return [(found[at], found[at + 1]) for at in range(len(found) - 1)]


def zipped(*columns: Any) -> Any:
    """Return the rows of columns of one length."""
    lists = [list(column) for column in columns]
    if len({len(column) for column in lists}) > 1:
        raise ValueError("zip() arguments have different lengths")
    return list(zip(*lists, strict=False))  # just compared


def product_of(values: Any, start: Any = 1) -> Any:
    """Return the product of some numbers (`math.prod`)."""
    for value in values:
        start = start * value
    return start


def whole_root(value: int) -> int:
    """Return the whole part of a square root (`math.isqrt`)."""
    root = int(value**0.5)
    while root * root > value:
        root -= 1
    while (root + 1) * (root + 1) <= value:
        root += 1
    return root


def put_in(box: Any, value: Any) -> Any:
    """Put a value in a list of one, and return it."""
    box[0] = value
    return value


# --- the engine and the games


def low_times(a: int, b: int) -> int:
    """Return the low 63 bits of a product."""
    return (a * b) & 0x7FFFFFFFFFFFFFFF


def low_plus(a: int, b: int) -> int:
    """Return the low 63 bits of a sum."""
    return (a + b) & 0x7FFFFFFFFFFFFFFF


def hash_state(state: State) -> int:
    """Return the engine's hash of a state: no more than the low bits of a word come into those of a product."""
    value = 0x2545_F491_4F6C_DD1D
    for at in range(N_WORDS):
        value = ((value ^ state[at]) * _MIX) & MASK63
        value ^= value >> 32
    return mix(value)


def shifted(key: int) -> int:
    """Make room for one more word of 64 bits: keys that are only compared hold all words of a position (`mixed`)."""
    return key << 64


class Keys(list):  # type: ignore[type-arg]  # Python 3.6 has no other
    """The keys of a game so far, how often each is there, and room for those of a search."""

    def __init__(self, keys: Any, room: int) -> None:
        """Count the keys."""
        super().__init__(keys)
        self.n_played = len(self)
        self.played: dict[int, int] = {}
        for key in self:
            self.played[key] = self.played.get(key, 0) + 1
        self.extend([0] * room)


def occurrences(keys: Any, n_keys: int, key: int) -> int:
    """Return how often `key` stands in the first `n_keys` entries of `keys`, where that are all played ones or more."""
    return int(keys.played.get(key, 0)) + int(keys[keys.n_played : n_keys].count(key))


def to_score(value: float, scale: float) -> int:
    """Return an evaluation as the engine rounds it."""
    score = scale * value * CENTI
    if -EVALUATION_MAX <= score <= EVALUATION_MAX:
        return round(score)
    return EVALUATION_MAX if score > 0.0 else -EVALUATION_MAX


def fade(searcher: Any) -> None:
    """Let history count less, and forget killers: a new move of the same game begins."""
    for pair in searcher.killers:
        pair[0] = pair[1] = -1
    for history in searcher.history:
        for index, count in history.items():
            history[index] = count >> 3


def forget(searcher: Any) -> None:
    """Clear killers and history, make the table's entries invisible, set the clock: a new game begins."""
    fade(searcher)
    for history in searcher.history:
        history.clear()
    searcher.numbers[SECONDS_LEFT] = searcher.numbers[GAME_SECONDS]
    searcher.counters[GENERATION] += 1


def popcount(board: int) -> int:
    """Return the number of ones of a number that is not negative."""
    return bin(board).count("1")


def lowest(board: int) -> int:
    """Return the place of the lowest one."""
    return (board & -board).bit_length() - 1
