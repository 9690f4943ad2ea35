"""Features of a Pentago position, seen from the player to move. Differences are own minus opponent's.

Left out, because others say the same exactly (a regression could not tell them apart):
- stones on the edges of quadrants: both players' stones differ by 0 or 1, so `centres`, `corners_q` and edges
  together are `-odd`;
- open windows along the borders of quadrants: with those of `main_diag`, `middle_lines` and `off_diag` they
  are `open_3 + open_4`."""

from typing import Any

from tunesmith.games.game import State
from tunesmith.games.pentago.board import (
    BOARD,
    CENTRES,
    CORNERS,
    INNER_CELLS,
    LINE_COUNTS,
    MAIN_DIAGONALS,
    MIDDLE_LINES,
    OFF_DIAGONALS,
    Counts,
    cells_missing,
    gaps,
    lowest,
    popcount,
    window_counts,
)
from tunesmith.games.pentago.rules import N_OPERATIONS, PLACEMENT_WINS, counts_after, operate

FEATURES_WANTED = -1
STAGES = ("opening", "middle", "ending")
OPENING_STONES, MIDDLE_STONES, ENDING_STONES = 6, 16, 26

# Meanings
MEANINGS = {
    "open_1": "windows (five cells in a row) with 1 own stone and no other, own minus opponent's",
    "open_2": "windows with 2 own stones and no other, own minus opponent's",
    "open_3": "windows with 3 own stones and no other, own minus opponent's",
    "open_4": "windows with 4 own stones and no other, own minus opponent's",
    "blocked_3": "windows with 3 own stones and just one other, own minus opponent's",
    "blocked_4": "windows with 4 own stones and just one other, own minus opponent's",
    "split_4": "windows of open_4 whose empty cell is not at an end, own minus opponent's",
    "main_diag": "windows of open_3 and open_4 on the two long diagonals, own minus opponent's",
    "middle_lines": "windows of open_3 and open_4 on rows 2, 5 and columns b, e, own minus opponent's",
    "off_diag": "windows of open_3 and open_4 on the four diagonals of five cells, own minus opponent's",
    "centres": "stones on centres of quadrants, own minus opponent's",
    "corners_q": "stones on corners of quadrants, own minus opponent's",
    "quad_lines": "full lines of three inside a quadrant, own minus opponent's",
    "quad_pairs": "lines of three inside a quadrant with two own stones and a gap, own minus opponent's",
    "tempo": "1 for having the move",
    "empties": "number of empty cells",
    "odd": "1 if the number of empty cells is odd, else 0",
    "wins_now": "moves that win at once",
    "opp_wins_now": "moves that would win at once for the opponent, were it his turn",
    "op_open_3": "most windows of open_3 after an operation without a stone, own minus opponent's",
    "op_open_4": "most windows of open_4 after an operation without a stone, own minus opponent's",
    "giveaway": "share (0 to 1) of the moves after which the opponent has a five",
}
FIRST_DEAR = 17  # from here on, features look at every operation
CHEAP = tuple(MEANINGS)[:FIRST_DEAR]
DEAR = ((1 << len(MEANINGS)) - 1) & -(1 << FIRST_DEAR)


# Features


def features(state: State, out: Any) -> None:
    """Write the features of `MEANINGS`."""
    own, opp = (state[0], state[1]) if state[2] == 0 else (state[1], state[0])
    own_counts, opp_counts = window_counts(own), window_counts(opp)
    look_at_windows(own, own_counts, opp, opp_counts, out)
    look_at_quadrants(own, opp, out)
    n_empty = 36 - popcount(own | opp)
    out[14] = 1.0
    out[15] = float(n_empty)
    out[16] = float(n_empty & 1)
    if FEATURES_WANTED & DEAR:
        look_at_operations(own, own_counts, opp, opp_counts, n_empty, out)


def look_at_windows(own: int, own_counts: Counts, opp: int, opp_counts: Counts, out: Any) -> None:
    """Write what the 32 windows show."""
    a, b, c = own_counts
    d, e, f = opp_counts
    own_none, opp_none = ~(a | b | c), ~(d | e | f)
    own_one, opp_one = a & ~b & ~c, d & ~e & ~f
    own_3, opp_3 = a & b, d & e
    own_4, opp_4 = c & ~a, f & ~d
    out[0] = float(popcount(own_one & opp_none) - popcount(opp_one & own_none))
    out[1] = float(popcount(b & ~a & opp_none) - popcount(e & ~d & own_none))
    out[2] = float(popcount(own_3 & opp_none) - popcount(opp_3 & own_none))
    out[3] = float(popcount(own_4 & opp_none) - popcount(opp_4 & own_none))
    out[4] = float(popcount(own_3 & opp_one) - popcount(opp_3 & own_one))
    out[5] = float(popcount(own_4 & opp_one) - popcount(opp_4 & own_one))
    out[6] = float(n_split(own_4 & opp_none, own) - n_split(opp_4 & own_none, opp))
    own_strong, opp_strong = (own_3 | own_4) & opp_none, (opp_3 | opp_4) & own_none
    out[7] = float(popcount(own_strong & MAIN_DIAGONALS) - popcount(opp_strong & MAIN_DIAGONALS))
    out[8] = float(popcount(own_strong & MIDDLE_LINES) - popcount(opp_strong & MIDDLE_LINES))
    out[9] = float(popcount(own_strong & OFF_DIAGONALS) - popcount(opp_strong & OFF_DIAGONALS))


def n_split(windows: int, stones: int) -> int:
    """Return how many windows have an inner cell that is not in `stones`."""
    n = 0
    while windows != 0:
        n += int(INNER_CELLS[lowest(windows)] & ~stones != 0)
        windows &= windows - 1
    return n


def look_at_quadrants(own: int, opp: int, out: Any) -> None:
    """Write where the stones stand in their quadrants, and the lines of three there."""
    out[10] = float(popcount(own & CENTRES) - popcount(opp & CENTRES))
    out[11] = float(popcount(own & CORNERS) - popcount(opp & CORNERS))
    own_ones, own_twos = line_counts(own)
    opp_ones, opp_twos = line_counts(opp)
    out[12] = float(popcount(own_ones & own_twos) - popcount(opp_ones & opp_twos))
    own_pairs = own_twos & ~(own_ones | opp_ones | opp_twos)
    opp_pairs = opp_twos & ~(opp_ones | own_ones | own_twos)
    out[13] = float(popcount(own_pairs) - popcount(opp_pairs))


def line_counts(stones: int) -> tuple[int, int]:
    """Return the number of stones in each of the 32 lines of three, as bits 0 and bits 1 of the numbers."""
    ones, twos = 0, 0
    for shift in range(0, 36, 9):
        counts = int(LINE_COUNTS[(stones >> shift) & 511])
        ones = (ones << 8) | (counts & 255)
        twos = (twos << 8) | (counts >> 8)
    return ones, twos


def look_at_operations(
    own: int, own_counts: Counts, opp: int, opp_counts: Counts, n_empty: int, out: Any
) -> None:
    """Write what one operation can do for either player."""
    own_at_once, opp_at_once = 0, 0
    if PLACEMENT_WINS:
        own_at_once, opp_at_once = gaps(own, opp), gaps(opp, own)
    own_wins, opp_wins = popcount(own_at_once), popcount(opp_at_once)
    n_placements = n_empty - own_wins  # that are followed by an operation
    own_most_3, own_most_4, opp_most_3, opp_most_4, n_given, special = 0, 0, 0, 0, 0, 0
    for operation in range(N_OPERATIONS):  # no loops inside: the compiler takes several operations at once
        a, b, c = counts_after(own_counts, own, operation)
        d, e, f = counts_after(opp_counts, opp, operation)
        own_none, opp_none = ~(a | b | c), ~(d | e | f)
        own_4, opp_4 = c & ~a & opp_none, f & ~d & own_none
        n_own_4, n_opp_4 = popcount(own_4), popcount(opp_4)
        own_most_3 = max(own_most_3, popcount(a & b & opp_none))
        opp_most_3 = max(opp_most_3, popcount(d & e & own_none))
        own_most_4 = max(own_most_4, n_own_4)
        opp_most_4 = max(opp_most_4, n_opp_4)
        if c & a | f & d | own_4 & (own_4 - 1) | opp_4 & (opp_4 - 1) | own_at_once | opp_at_once:
            special |= 1 << operation
        else:  # no five, and one window at most has a gap, so there is nothing to count twice
            own_wins += n_own_4
            opp_wins += n_opp_4
    while special != 0:
        operation = lowest(special)
        a, b, c = counts_after(own_counts, own, operation)
        d, e, f = counts_after(opp_counts, opp, operation)
        turned_own, turned_opp = operate(own, operation), operate(opp, operation)
        own_cells = winning_cells(turned_own, c & ~a & ~(d | e | f), c & a, turned_opp, f & d)
        opp_cells = winning_cells(turned_opp, f & ~d & ~(a | b | c), f & d, turned_own, c & a)
        own_wins += popcount(own_cells & ~operate(own_at_once, operation))
        opp_wins += popcount(opp_cells & ~operate(opp_at_once, operation))
        n_given += int(f & d != 0)
        special &= special - 1
    n_moves = n_placements * N_OPERATIONS + popcount(own_at_once)
    out[17] = float(own_wins)
    out[18] = float(opp_wins)
    out[19] = float(own_most_3 - opp_most_3)
    out[20] = float(own_most_4 - opp_most_4)
    out[21] = n_placements * n_given / max(n_moves, 1)


def winning_cells(own: int, own_4: int, own_5: int, opp: int, opp_5: int) -> int:
    """Return the empty cells that win for `own`, from his open windows of four and both players' fives."""
    if opp_5:
        return 0
    return BOARD & ~(own | opp) if own_5 else cells_missing(own_4, own)


# Stages


def stages(state: State, out: Any) -> None:
    """Write the shares by stones on the board: straight lines from 6 over 16 to 26 stones."""
    stones = popcount(state[0] | state[1])
    out[0] = max(MIDDLE_STONES - max(stones, OPENING_STONES), 0) / (MIDDLE_STONES - OPENING_STONES)
    out[2] = max(min(stones, ENDING_STONES) - MIDDLE_STONES, 0) / (ENDING_STONES - MIDDLE_STONES)
    out[1] = 1.0 - out[0] - out[2]
