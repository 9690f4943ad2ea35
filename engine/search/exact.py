"""Does the value of a position reach a bound? A search to the end of the game, for the solver alone.

It promises: a value that reaches the bound is a lower bound of the true one, any other an upper bound (fail-soft),
seen from the mover of the position. All moves are made before one is searched: a reply that settles the question
ends it. Nothing is evaluated, and depth is not counted, so lines of different length share what the table knows.
What is settled (`settled_margin`) is left out of its keys and values.

The table has buckets of four entries in one cache line, 16 bytes each: the key, and a word of both bounds, the best
move and the binary digits of the positions it took, by which entries are kept. Its memory takes longer to answer than
a position to work out, so it is told of each position as soon as that is reached, and asked when its turn comes: of
the first move's, when its own moves have been made; of the others', before that."""

from typing import Any

import numpy as np

from tunesmith.engine.compile.jit import inlined, prefetch
from tunesmith.engine.compile.slots import (
    HAS_HINT,
    HAS_MARGIN,
    HAS_SETTLED,
    N_SYMMETRIES,
    apply_move,
    final_margin,
    legal_moves,
    move_hint,
    mover,
    open_margin,
    open_state,
    outcome,
    settled_margin,
    symmetric_move,
)
from tunesmith.engine.search.ordering import TABLE_MOVE, history_index
from tunesmith.engine.search.transposition import NO_MOVE, canonical_key
from tunesmith.engine.search.values import INFINITY, for_mover
from tunesmith.engine.searcher import MAX_PLY, N_HISTORY
from tunesmith.games.game import ONGOING, Game, State

UNKNOWN = 1 << 50  # a position that has to be searched
TOO_LONG = 1 << 51  # a line of play does not end within the stack
FULL = 1 << 52  # the table is, and may grow
STOPPED = 1 << 53  # by whoever set the limit of nodes to 0

# Fields of a frame: one row a ply.
BETA, BEST, BEST_MOVE, N_MOVES, N_LEFT, MOVE, KEY, IMAGE, SHIFT, BEGAN = range(10)
NODES, NODE_LIMIT, ENTRIES, MOST_ENTRIES = range(4)  # fields of `counters`

HINT = 1 << 40  # beyond every count of cut-offs
TRIED = -TABLE_MOVE  # the rating of a move that has been searched
WAYS = 4  # entries of a bucket
_PIECE = 1 << 13  # entries that are divided at once: they stay in the cache
EFFORT_BITS, MOVE_BITS, VALUE_BITS = 6, 21, 18
MOVE_SHIFT, LOWER_SHIFT, UPPER_SHIFT = (
    EFFORT_BITS,
    EFFORT_BITS + MOVE_BITS,
    EFFORT_BITS + MOVE_BITS + VALUE_BITS,
)
EFFORT_MASK, MOVE_MASK, VALUE_MASK = (1 << EFFORT_BITS) - 1, (1 << MOVE_BITS) - 1, (1 << VALUE_BITS) - 1
MIDDLE = 1 << (VALUE_BITS - 1)  # what stands for the value 0
MOST = MIDDLE - 2  # a bound beyond it is kept as "at least this"; one step further there is none


def new_memory(game: Game) -> tuple[Any, ...]:
    """Return what a search works with beside the table: int64 arrays of zeros.

    counters (4,); frames (MAX_PLY, 10), a row a ply; moves, their order, the keys after them and the images that
    those were made from (MAX_PLY, max_moves); history (2, N_HISTORY), how often a move of a player has cut off.
    """
    sizes = (4,), (MAX_PLY, 10), *4 * [(MAX_PLY, game.max_moves)], (2, N_HISTORY)
    return tuple(np.zeros(size, np.int64) for size in sizes)


def n_entries(hash_mb: int) -> int:
    """Return the number of entries of a table of `hash_mb` MiB: a power of two, one bucket at least."""
    entries = max(WAYS, hash_mb * 1024 * 1024 // 16)
    return 1 << (entries.bit_length() - 1)


def room_for(n_entries: int) -> Any:
    """Return memory for tables of up to `n_entries`, int64 (entries, 2), each bucket in a cache line of 64 bytes.

    Nothing is written to it, so it takes no memory of the machine before a table in it does (`new_table`, `grown`).
    """
    memory = np.empty(2 * n_entries + 7, np.int64)
    first = (-memory.ctypes.data % 64) // 8
    return memory[first : first + 2 * n_entries].reshape(n_entries, 2)


def new_table(room: Any, n_entries: int) -> Any:
    """Return an empty table in memory of `room_for`, int64 (n_entries, 2): key and packed word."""
    room[:n_entries] = 0
    return room[:n_entries]


def grown(room: Any, n_entries: int) -> Any:
    """Return a table twice as large with the entries of the one in `room`: each bucket is divided among two."""
    for first in range(0, n_entries, _PIECE):
        lower = room[first : min(first + _PIECE, n_entries)]
        upper = room[n_entries + first : n_entries + first + len(lower)]
        in_upper = -((lower[:, :1] & (n_entries // WAYS)) != 0).astype(
            np.int64
        )  # a bit more of each key counts
        np.bitwise_and(lower, in_upper, out=upper)
        lower ^= upper
    return room[: 2 * n_entries]


# --- the table


@inlined
def first_row(table: Any, key: int) -> int:
    """Return the first row of the bucket of `key`."""
    return int(WAYS * (key & (table.shape[0] // WAYS - 1)))


@inlined
def row_of(table: Any, key: int) -> int:
    """Return the row of the entry of `key`, or -1."""
    row = first_row(table, key)
    for at in range(row, row + WAYS):
        if table[at, 0] == key and table[at, 1] != 0:
            return at
    return -1


@inlined
def lower_of(word: int) -> int:
    """Return the lower bound of an entry, -INFINITY if there is none."""
    value = ((word >> LOWER_SHIFT) & VALUE_MASK) - MIDDLE
    return value if value >= -MOST else -INFINITY


@inlined
def upper_of(word: int) -> int:
    """Return the upper bound of an entry, INFINITY if there is none."""
    value = (word >> UPPER_SHIFT) - MIDDLE
    return value if value <= MOST else INFINITY


@inlined
def packed(lower: int, upper: int, move: int, effort: int) -> int:
    """Return the word of an entry; bounds out of reach are weakened, a move that has no room is forgotten."""
    low = min(max(lower, -MOST - 1), MOST) + MIDDLE
    high = min(max(upper, -MOST), MOST + 1) + MIDDLE
    kept = move if 0 <= move < MOVE_MASK else MOVE_MASK
    return (high << UPPER_SHIFT) | (low << LOWER_SHIFT) | (kept << MOVE_SHIFT) | effort


@inlined
def move_of(word: int) -> int:
    """Return the move of an entry, or NO_MOVE."""
    move = (word >> MOVE_SHIFT) & MOVE_MASK
    return move if move != MOVE_MASK else NO_MOVE


@inlined
def keep(counters: Any, table: Any, key: int, value: int, reached: bool, move: int, n_nodes: int) -> None:
    """Write what a search has found: into the entry of its key, else over the one that took the fewest positions."""
    effort = 1
    while n_nodes > 0:
        n_nodes >>= 1
        effort += 1
    lower, upper = -INFINITY, INFINITY
    row = row_of(table, key)
    if row >= 0:
        lower, upper = lower_of(table[row, 1]), upper_of(table[row, 1])
        if move == NO_MOVE:
            move = move_of(table[row, 1])
    else:
        row = first_row(table, key)
        for at in range(row + 1, row + WAYS):
            if table[at, 1] & EFFORT_MASK < table[row, 1] & EFFORT_MASK:
                row = at
        counters[ENTRIES] += int(table[row, 1] == 0)
    if reached:
        lower = max(lower, value)
    else:
        upper = min(upper, value)
    table[row, 0] = key
    table[row, 1] = packed(lower, upper, move, effort)


# --- the search


@inlined
def settled(state: State, beta: int) -> int:
    """Return a bound of a position's value that says whether it reaches `beta`, without a search; else UNKNOWN."""
    result = outcome(state)
    if result != ONGOING:
        return for_mover(final_margin(state) if HAS_MARGIN else result, state)
    if HAS_SETTLED:
        banked, reach = settled_margin(state), open_margin(state)
        if banked - reach >= beta:
            return banked - reach
        if banked + reach < beta:
            return banked + reach
    return UNKNOWN


@inlined
def known(word: int, shift: int, beta: int) -> int:
    """Return the bound of an entry's word that says whether the value reaches `beta`, else UNKNOWN."""
    if lower_of(word) + shift >= beta:
        return lower_of(word) + shift
    if upper_of(word) + shift < beta:
        return upper_of(word) + shift
    return UNKNOWN


def zero_window(
    counters: Any,
    frames: Any,
    moves: Any,
    order: Any,
    keys: Any,
    images: Any,
    history: Any,
    table: Any,
    root: State,
    beta: int,
) -> int:
    """Return a lower bound >= `beta` of an unfinished root's value, or an upper bound below it (template).

    TOO_LONG, FULL or STOPPED if there is no answer. The arrays are those of `new_memory`. All is written into one
    function, and no row of an array has a name: each would be counted as a reference, at every position.
    """
    found: Any = np.empty(moves.shape[1], np.int64)
    states = [root] * MAX_PLY
    ply, state = 0, root
    key, image = canonical_key(open_state(root) if HAS_SETTLED else root, True, False)
    while True:
        # Down: make the moves of `state`, and keep those that the position after them does not settle.
        if ply == MAX_PLY - 1:
            return TOO_LONG
        if counters[NODES] >= counters[NODE_LIMIT]:
            return STOPPED
        if counters[ENTRIES] >= counters[MOST_ENTRIES]:
            return FULL
        began = int(counters[NODES])
        value = UNKNOWN
        best, best_move, n_kept = -INFINITY, NO_MOVE, 0
        for index in range(legal_moves(state, found)):
            move = int(found[index])
            child = apply_move(state, move)
            counters[NODES] += 1
            is_same = mover(child) == mover(state)
            below = settled(child, beta if is_same else 1 - beta)
            if below == UNKNOWN:
                moves[ply, n_kept] = move
                below_key, below_image = canonical_key(
                    open_state(child) if HAS_SETTLED else child, True, False
                )
                prefetch(table, first_row(table, below_key))
                keys[ply, n_kept] = below_key
                images[ply, n_kept] = below_image
                n_kept += 1
            else:
                below = below if is_same else -below
                if below > best:
                    best, best_move = below, move
                    if below >= beta:
                        value = best
                        break
        if value == UNKNOWN:
            shift = settled_margin(state) if HAS_SETTLED else 0
            first = NO_MOVE
            row = row_of(table, key)
            if row >= 0:
                word = int(table[row, 1])
                value, first = known(word, shift, beta), move_of(word)
        if value == UNKNOWN:
            for index in range(n_kept):
                move = int(moves[ply, index])
                rating = history[mover(state), history_index(move)]
                if HAS_HINT:
                    rating += move_hint(state, move) * HINT
                if first == (move if N_SYMMETRIES <= 1 else symmetric_move(state, move, image)):
                    rating = TABLE_MOVE
                order[ply, index] = rating
            states[ply] = state
            frames[ply, BEGAN] = began
            frames[ply, BETA] = beta
            frames[ply, BEST] = best
            frames[ply, BEST_MOVE] = best_move
            frames[ply, N_MOVES] = n_kept
            frames[ply, N_LEFT] = n_kept
            frames[ply, KEY] = key
            frames[ply, IMAGE] = image
            frames[ply, SHIFT] = shift
        # Up: what is known goes to the parent. Sideways: the best of the moves left, which the table may know.
        while True:
            if value == UNKNOWN and frames[ply, N_LEFT] == 0:
                value = int(frames[ply, BEST])
                state = states[ply]
                move = int(frames[ply, BEST_MOVE])
                if N_SYMMETRIES > 1 and move != NO_MOVE:
                    move = symmetric_move(state, move, int(frames[ply, IMAGE]))
                spent = int(counters[NODES] - frames[ply, BEGAN])
                reached = value >= frames[ply, BETA]
                keep(
                    counters,
                    table,
                    int(frames[ply, KEY]),
                    value - int(frames[ply, SHIFT]),
                    reached,
                    move,
                    spent,
                )
            if value != UNKNOWN:
                if ply == 0:
                    return value
                ply -= 1
                value = value if mover(state) == mover(states[ply]) else -value
                if value > frames[ply, BEST]:
                    frames[ply, BEST] = value
                    move = int(frames[ply, MOVE])
                    frames[ply, BEST_MOVE] = move
                    if value >= frames[ply, BETA]:
                        frames[ply, N_LEFT] = 0
                        history[mover(states[ply]), history_index(move)] += 1
                value = UNKNOWN
                continue
            chosen = 0
            for index in range(1, frames[ply, N_MOVES]):
                if order[ply, index] > order[ply, chosen]:
                    chosen = index
            order[ply, chosen] = TRIED
            move = int(moves[ply, chosen])
            frames[ply, MOVE] = move
            beta = int(frames[ply, BETA])
            state = apply_move(states[ply], move)
            beta = beta if mover(state) == mover(states[ply]) else 1 - beta
            key, image = int(keys[ply, chosen]), int(images[ply, chosen])
            is_first = frames[ply, N_LEFT] == frames[ply, N_MOVES]
            frames[ply, N_LEFT] -= 1
            ply += 1
            if not is_first:
                row = row_of(table, key)
                if row >= 0:
                    value = known(int(table[row, 1]), settled_margin(state) if HAS_SETTLED else 0, beta)
            if value == UNKNOWN:
                break
