"""The transposition table: buckets of two entries of four int64 words.

An entry holds key, value, move and a packed word of generation, age, depth and bound. The first entry of a
bucket keeps the deepest search since the last move of the game (of one age), the second the latest; two other
policies are for comparison (`SearchOptions.replacement`). Entries of another generation do not exist: a new
game raises the generation instead of clearing, so what was played before cannot change a search. Win scores
are stored as seen from the entry's own position, not from the root."""

from typing import Any

from tunesmith.engine.compile.arith import hash_state, mix
from tunesmith.engine.compile.jit import inlined, plus
from tunesmith.engine.compile.slots import HAS_STRIP, N_SYMMETRIES, strip_counters, symmetries
from tunesmith.engine.evaluation import EVALUATION_MAX
from tunesmith.engine.options import BY_DEPTH, LRU
from tunesmith.games.game import State

KEY, VALUE, MOVE, META = range(4)
LOWER, UPPER, EXACT = 1, 2, 3
NO_MOVE = -1
GENERATION_SHIFT = 20
AGE_SHIFT = 16
N_AGES = 16


def canonical_key(state: State, symmetric: bool, path_free: bool) -> tuple[int, int]:
    """Return the table key of a state, and which symmetric image of it the key was made from (template).

    That is the image of the smallest hash if `symmetric`, else the state itself.
    """
    if HAS_STRIP and path_free:
        state = strip_counters(state)
    key = hash_state(state)
    image = 0
    if N_SYMMETRIES > 1 and symmetric:
        for k in range(1, N_SYMMETRIES):
            other = hash_state(symmetries(state, k))
            if other < key:
                key = other
                image = k
    return key, image


def position_key(state: State, symmetric: bool, path_free: bool) -> int:
    """Return the key of `canonical_key` alone (template)."""
    return canonical_key(state, symmetric, path_free)[0]


def history_path(keys: Any, n_keys: int) -> int:
    """Return what `with_path` takes for a game so far: the sum of its repetition keys' hashes."""
    path = 0
    for at in range(n_keys):
        if keys[at] != 0:
            path = plus(path, mix(int(keys[at])))
    return path


def with_path(key: int, path: int) -> int:
    """Return `key` made to depend on something else too: `history_path`, or a number of plies."""
    return plus(key, mix(path))


def first_row(transposition: Any, key: int) -> int:
    """Return the first row of the bucket of `key`; the table's size is a power of two."""
    return int(2 * (key & (transposition.shape[0] // 2 - 1)))


def find(transposition: Any, generation: int, key: int) -> int:
    """Return the row of the entry of `key`, or -1."""
    row = first_row(transposition, key)
    for way in range(2):
        if (
            transposition[row + way, KEY] == key
            and transposition[row + way, META] >> GENERATION_SHIFT == generation
        ):
            return row + way
    return -1


def depth_of(meta: int) -> int:
    """Return the remaining depth of an entry."""
    return (meta & ((1 << AGE_SHIFT) - 1)) >> 2


def to_front(transposition: Any, row: int) -> int:
    """Make the entry at `row` the first of its bucket, the latest used one; return its row."""
    first = row & ~1
    if row != first:
        for word in range(4):
            transposition[first, word], transposition[row, word] = (
                transposition[row, word],
                transposition[first, word],
            )
    return first


def store(
    transposition: Any,
    generation: int,
    age: int,
    policy: int,
    key: int,
    depth: int,
    bound: int,
    value: int,
    move: int,
) -> None:
    """Write an entry: over its own key, else over what the policy gives up."""
    row = first_row(transposition, key)
    if policy == LRU:
        if transposition[row, KEY] != key:
            to_front(transposition, row + 1)
    elif policy == BY_DEPTH:
        first = transposition[row, META]
        is_kept = first >> AGE_SHIFT == (generation << (GENERATION_SHIFT - AGE_SHIFT)) | age
        if transposition[row, KEY] != key and is_kept and depth_of(first) > depth:
            row += 1
    transposition[row, KEY] = key
    transposition[row, VALUE] = value
    transposition[row, MOVE] = move
    transposition[row, META] = (generation << GENERATION_SHIFT) | (age << AGE_SHIFT) | (depth << 2) | bound


@inlined
def from_root(value: int, ply: int) -> int:
    """Return a stored value as seen from the root `ply` plies above (win scores count plies)."""
    if value > EVALUATION_MAX:
        return value - ply
    if value < -EVALUATION_MAX:
        return value + ply
    return value


@inlined
def from_here(value: int, ply: int) -> int:
    """Return a value as it is stored: win scores count plies from the entry's position."""
    if value > EVALUATION_MAX:
        return value + ply
    if value < -EVALUATION_MAX:
        return value - ply
    return value
