"""Rules of Pentago: a stone, an operation on the quadrants, then a look for fives.

A state is `(white, black, status)`: the stones as sets of cells (`board`), and what has been decided. Bit 0
of `status` is the side to move, the other bits say why the game is over. A move is `8 * cell + operation`, or
`STONE_ONLY + cell` for a placement that wins before any operation (`classic`)."""

from typing import Any

import numpy as np

from tunesmith.games.errors import InputError
from tunesmith.games.game import ONGOING, State
from tunesmith.games.pentago.board import (
    ALL_WINDOWS,
    BOARD,
    N_WINDOWS,
    WINDOW_COUNTS,
    Counts,
    Table,
    add,
    clockwise,
    counter_clockwise,
    fives,
    gaps,
    inverse,
    lowest,
    mirror,
    popcount,
    quadrant_table,
    window_counts,
    winning_gaps,
)

# Bits of `status`.
BLACK_TO_MOVE = 1
WHITE_FIVE = 2
BLACK_FIVE = 4
BOARD_FULL = 8  # and no five
BY_PLACEMENT = 16  # with a five that was there before any operation

STONE_ONLY = 8 * 36

# Operations in the order of their numbers. With turns, number 2q + kind is kind 0 or 1 on quadrant q; with
# exchanges it is a pair of quadrants.
_TURNS = {
    "twist": {"r": clockwise, "f": mirror},
    "classic": {"r": clockwise, "l": counter_clockwise},
    "classic-after": {"r": clockwise, "l": counter_clockwise},
}
PAIRS = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
VARIANTS = ("twist", "classic", "classic-after", "swap")


def _turn_tables(variant: str) -> tuple[Table, Table]:
    """Return nine cells after a turn and before it, entry `512 * kind + nine bits`."""
    there, back = [], []
    for turn in _TURNS.get(variant, _TURNS["twist"]).values():
        images = [turn(cell // 3, cell % 3) for cell in range(9)]
        places = [3 * row + column for row, column in images]
        there.append(quadrant_table(places))
        back.append(quadrant_table(inverse(places)))
    return np.concatenate(there), np.concatenate(back)


def _changes(turned: Table) -> Table:
    """Return `CHANGES`, from nine cells after a turn."""
    windows = np.arange(N_WINDOWS)
    bits = WINDOW_COUNTS.reshape(4, 512, 2, 1) >> windows & 1
    counts = bits[:, :, 0] + 2 * bits[:, :, 1]
    changes = np.zeros((4, 2, 512, 2), np.int64)
    for kind in range(2):
        change = counts[:, turned[512 * kind : 512 * (kind + 1)]] - counts
        ones, twos, fours = (((change >> bit & 1) << windows).sum(axis=-1) for bit in range(3))
        changes[:, kind] = np.stack([ones | twos << N_WINDOWS, fours], axis=-1)
    return changes.ravel()


VARIANT = "twist"
EXCHANGES = 0  # operations exchange two quadrants (else: turn one)
PLACEMENT_WINS = 0  # a five by the placement wins at once
OPERATION_TEXTS = ("0r", "0f", "1r", "1f", "2r", "2f", "3r", "3f")
N_OPERATIONS = 8
TURNED, TURNED_BACK = _turn_tables(VARIANT)
# What a turn adds to the numbers of stones in all windows, modulo 8, in the two entries at
# `2 * (512 * operation + nine bits)`: bits 0 and, above them, bits 1 of the changes; then bits 2.
CHANGES = _changes(TURNED)
FIRST_SHIFT = np.array([9 * first for first, _ in PAIRS] + [0, 0])
SECOND_SHIFT = np.array([9 * second for _, second in PAIRS] + [0, 0])


def constants(variant: str) -> dict[str, object]:
    """Return the constants of this file that depend on the variant; refuse one that does not exist."""
    if variant not in VARIANTS:
        raise InputError(f"pentago: variant: expected one of {', '.join(VARIANTS)}, found {variant!r}")
    kinds = _TURNS.get(variant, {})
    turned, turned_back = _turn_tables(variant)
    texts = [f"{quadrant}{letter}" for quadrant in range(4) for letter in kinds]
    return {
        "VARIANT": variant,
        "EXCHANGES": int(not kinds),
        "PLACEMENT_WINS": int(variant == "classic"),
        "OPERATION_TEXTS": tuple(texts or [f"{first}{second}s" for first, second in PAIRS]),
        "N_OPERATIONS": len(texts) or len(PAIRS),
        "TURNED": turned,
        "TURNED_BACK": turned_back,
        "CHANGES": _changes(turned),
    }


# Play


def initial() -> State:
    """Return the empty board, White to move."""
    return 0, 0, 0


def legal_moves(state: State, out: Any) -> int:
    """List every operation for every empty cell; in `classic`, one move for a cell that makes a five."""
    white, black, status = state
    if status > BLACK_TO_MOVE:
        return 0
    empty = BOARD & ~(white | black)
    n = 0
    if PLACEMENT_WINS:
        own, opp = (white, black) if status == 0 else (black, white)
        winning = gaps(own, opp)
        empty &= ~winning
        while winning != 0:
            out[n] = STONE_ONLY + lowest(winning)
            n += 1
            winning &= winning - 1
    while empty != 0:
        first = 8 * lowest(empty)
        for operation in range(N_OPERATIONS):
            out[n + operation] = first + operation
        n += N_OPERATIONS
        empty &= empty - 1
    return n


def apply_move(state: State, move: int) -> State:
    """Place the mover's stone, do the operation, and see whether the game is over."""
    white, black, status = state
    cell = move >> 3
    if PLACEMENT_WINS and move >= STONE_ONLY:
        cell = move - STONE_ONLY
    if status == 0:
        white |= 1 << cell
    else:
        black |= 1 << cell
    if PLACEMENT_WINS and move >= STONE_ONLY:
        return white, black, judge(white, black, 1 - status) | BY_PLACEMENT
    white = operate(white, move & 7)
    black = operate(black, move & 7)
    return white, black, judge(white, black, 1 - status)


def operate(cells: int, operation: int) -> int:
    """Return where an operation takes a set of cells."""
    if EXCHANGES:
        return exchange(cells, int(FIRST_SHIFT[operation]), int(SECOND_SHIFT[operation]))
    shift = 9 * (operation >> 1)
    part = (cells >> shift) & 511
    return cells ^ ((part ^ int(TURNED[((operation & 1) << 9) | part])) << shift)


def counts_after(counts: Counts, stones: int, operation: int) -> Counts:
    """Return the window counts of `stones` after an operation, from those before it."""
    if EXCHANGES:
        return window_counts(operate(stones, operation))
    ones, twos, fours = counts
    at = (operation << 9 | (stones >> 9 * (operation >> 1)) & 511) << 1
    low = int(CHANGES[at])
    ones, twos, carry = add(ones, twos, 0, low & ALL_WINDOWS, (low >> N_WINDOWS) & ALL_WINDOWS)
    return ones, twos, fours ^ carry ^ int(CHANGES[at + 1])


def undo(cells: int, operation: int) -> int:
    """Return where a set of cells was before an operation."""
    if EXCHANGES:
        return exchange(cells, int(FIRST_SHIFT[operation]), int(SECOND_SHIFT[operation]))
    shift = 9 * (operation >> 1)
    part = (cells >> shift) & 511
    return cells ^ ((part ^ int(TURNED_BACK[((operation & 1) << 9) | part])) << shift)


def exchange(cells: int, first: int, second: int) -> int:
    """Exchange two quadrants, given by their shifts."""
    difference = ((cells >> first) ^ (cells >> second)) & 511
    return cells ^ (difference << first) ^ (difference << second)


def judge(white: int, black: int, side: int) -> int:
    """Return the status of a board with `side` to move."""
    if fives(white):
        side |= WHITE_FIVE
    if fives(black):
        side |= BLACK_FIVE
    if side <= BLACK_TO_MOVE and white | black == BOARD:
        side |= BOARD_FULL
    return side


def mover(state: State) -> int:
    """Return who moves: 0 White, 1 Black."""
    return state[2] & BLACK_TO_MOVE


def outcome(state: State) -> int:
    """Tell who has a five; both, or a full board without one, is a draw."""
    status = state[2]
    if status <= BLACK_TO_MOVE:
        return ONGOING
    return int(status & WHITE_FIVE != 0) - int(status & BLACK_FIVE != 0)


def end_reason(state: State) -> str:
    """Say why the game is over; a position given as text does not know of a five by placement."""
    status = state[2]
    if status & BOARD_FULL:
        return "full"
    if status & BY_PLACEMENT:
        return "five_on_placement"
    return "both_five" if status & WHITE_FIVE and status & BLACK_FIVE else "five"


# Search


def is_quiet(state: State) -> bool:
    """Tell whether neither player could win by one move, were it his turn."""
    white, black, _ = state
    if PLACEMENT_WINS and (gaps(white, black) | gaps(black, white)) != 0:
        return False
    for operation in range(N_OPERATIONS):
        turned_white, turned_black = operate(white, operation), operate(black, operation)
        if winning_gaps(turned_white, turned_black) | winning_gaps(turned_black, turned_white):
            return False
    return True


def noisy_moves(state: State, out: Any) -> int:
    """List the moves that win at once."""
    white, black, status = state
    if status > BLACK_TO_MOVE:
        return 0
    own, opp = (white, black) if status == 0 else (black, white)
    n = 0
    at_once = 0
    if PLACEMENT_WINS:
        at_once = gaps(own, opp)
        cells = at_once
        while cells != 0:
            out[n] = STONE_ONLY + lowest(cells)
            n += 1
            cells &= cells - 1
    for operation in range(N_OPERATIONS):
        cells = winning_gaps(operate(own, operation), operate(opp, operation))
        cells = undo(cells, operation) & ~at_once
        while cells != 0:
            out[n] = 8 * lowest(cells) + operation
            n += 1
            cells &= cells - 1
    return n


def move_hint(state: State, move: int) -> int:
    """Rate the board after a move: fives, then windows of four and of three with no other stone.

    With it a search to depth 3 enters 0.6 times the positions that it enters without any hint.
    """
    if move >= STONE_ONLY:
        return 1000
    white, black, status = state
    own, opp = (white, black) if status == 0 else (black, white)
    own, opp = operate(own | (1 << (move >> 3)), move & 7), operate(opp, move & 7)
    a, b, c = window_counts(own)
    d, e, f = window_counts(opp)
    own_none, opp_none = ~(a | b | c), ~(d | e | f)
    fours = 10 * popcount(c & ~a & opp_none) - 15 * popcount(f & ~d & own_none)
    threes = popcount(a & b & opp_none) - popcount(d & e & own_none)
    return fours + threes + 1000 * int(c & a != 0) - 2000 * int(f & d != 0)


def pass_turn(state: State) -> State:
    """Give the move to the other player: with more stones to come, a turn is hardly ever a burden."""
    white, black, status = state
    return white, black, status ^ BLACK_TO_MOVE
