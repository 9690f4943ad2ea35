"""The Pentago board: sets of cells and what they say about windows, lines and operations.

A set of cells is a 36-bit word, nine bits a quadrant, so that one quadrant is an index below 512. A table "of
four quadrants" has entry `512 * quadrant + nine bits`. A set of windows is a word with a bit for each of the
32 windows; numbers of stones in all windows at once are three such words: bits 0, 1 and 2 of each number.
Nothing here depends on the variant."""

import numpy as np
import numpy.typing as npt

# Number of each cell, and so its bit (a1 = 0, f6 = 35). Quadrants 0 | 1 above 2 | 3, each row by row:
#
#          a   b   c     d   e   f
#      1   0   1   2 |   9  10  11
#      2   3   4   5 |  12  13  14
#      3   6   7   8 |  15  16  17
#         -----------+------------
#      4  18  19  20 |  27  28  29
#      5  21  22  23 |  30  31  32
#      6  24  25  26 |  33  34  35

Table = npt.NDArray[np.int64]
Counts = tuple[int, int, int]  # of stones in all windows: bits 0, 1 and 2 of the numbers, as sets of windows
Point = tuple[int, int]  # row and column, from the top left

SIZE = 6
BOARD = (1 << SIZE * SIZE) - 1
POINTS: tuple[Point, ...] = tuple((row, column) for row in range(SIZE) for column in range(SIZE))


def cell_of(point: Point) -> int:
    """Return the number of a cell."""
    row, column = point
    return 18 * (row // 3) + 9 * (column // 3) + 3 * (row % 3) + column % 3


POINT_OF: tuple[Point, ...] = tuple(sorted(POINTS, key=cell_of))


def _word(points: list[Point]) -> int:
    return sum(1 << cell_of(point) for point in points)


# Tables

# Windows: five cells in an unbroken row; 12 in rows, 12 in columns, 8 diagonal.


def _windows() -> list[list[Point]]:
    found = []
    for row_step, column_step in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row, column in POINTS:
            points = [(row + i * row_step, column + i * column_step) for i in range(5)]
            if all(point in POINTS for point in points):
                found.append(points)
    return found


_WINDOWS = _windows()
N_WINDOWS = len(_WINDOWS)
ALL_WINDOWS = (1 << N_WINDOWS) - 1
WINDOW_CELLS = np.array([_word(points) for points in _WINDOWS])
INNER_CELLS = np.array([_word(points[1:4]) for points in _WINDOWS])


def _windows_on(lines: list[list[Point]]) -> int:
    on_line = [any(set(window) <= set(line) for line in lines) for window in _WINDOWS]
    return sum(1 << number for number, found in enumerate(on_line) if found)


MAIN_DIAGONALS = _windows_on([[(i, i) for i in range(SIZE)], [(i, 5 - i) for i in range(SIZE)]])
MIDDLE_LINES = _windows_on([[p for p in POINTS if p[axis] == at] for axis in (0, 1) for at in (1, 4)])
OFF_DIAGONALS = _windows_on(
    [[p for p in POINTS if p[0] - p[1] in (-1, 1)], [p for p in POINTS if p[0] + p[1] in (4, 6)]]
)


def _count_tables() -> tuple[Table, Table]:
    """Return the sets of windows whose cells in a quadrant are all set, and how many are, bit by bit."""
    full = np.zeros(4 * 512, np.int64)
    counts = np.zeros(4 * 512 * 2, np.int64)
    parts = np.arange(512)
    for number, window in enumerate(map(int, WINDOW_CELLS)):
        for quadrant in range(4):
            inside = (window >> 9 * quadrant) & 511
            n = np.bitwise_count(parts & inside).astype(np.int64)
            at = slice(512 * quadrant, 512 * (quadrant + 1))
            full[at] |= (parts & inside == inside).astype(np.int64) << number
            counts[0::2][at] |= (n & 1) << number
            counts[1::2][at] |= (n >> 1) << number
    return full, counts


# Four quadrants: windows of which all cells in the quadrant are set (a window with none there counts).
# Four quadrants: numbers of cells set, 0 to 3, as two sets of windows, bit 0 in entry 2i and bit 1 in 2i + 1.
FULL_WINDOWS, WINDOW_COUNTS = _count_tables()

# Lines of three inside a quadrant: three rows, three columns, two diagonals.


def _line_counts() -> Table:
    """Return the number of cells set in each of the eight lines: bit 0 in bits 0 to 7, bit 1 above."""
    lines = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124]
    n = [np.bitwise_count(np.arange(512) & line).astype(np.int64) for line in lines]
    low = sum((count & 1) << i for i, count in enumerate(n))
    high = sum((count >> 1) << (8 + i) for i, count in enumerate(n))
    return np.asarray(low + high, np.int64)


LINE_COUNTS = _line_counts()

CENTRES = _word([p for p in POINTS if p[0] % 3 == 1 and p[1] % 3 == 1])
CORNERS = _word([p for p in POINTS if p[0] % 3 != 1 and p[1] % 3 != 1])

# Moves of a quadrant: where the stone of (row, column), 0 to 2 each, goes.


def clockwise(row: int, column: int) -> Point:
    """Turn by 90 degrees, top to right."""
    return column, 2 - row


def counter_clockwise(row: int, column: int) -> Point:
    """Turn by 90 degrees, top to left."""
    return 2 - column, row


def mirror(row: int, column: int) -> Point:
    """Exchange left and right."""
    return row, 2 - column


def quadrant_table(places: list[int]) -> Table:
    """Return the image of every quadrant when the stone of cell i goes to `places[i]`."""
    parts = np.arange(512)
    image = np.zeros(512, np.int64)
    for cell, place in enumerate(places):
        image |= ((parts >> cell) & 1) << place
    return image


def inverse(places: list[int]) -> list[int]:
    """Return where stones go when the move is undone."""
    return [places.index(cell) for cell in range(9)]


# Sets of cells


def fives(stones: int) -> int:
    """Return the windows that are full; 0 if there is no five."""
    return int(
        FULL_WINDOWS[stones & 511]
        & FULL_WINDOWS[512 | ((stones >> 9) & 511)]
        & FULL_WINDOWS[1024 | ((stones >> 18) & 511)]
        & FULL_WINDOWS[1536 | ((stones >> 27) & 511)]
    )


def winning_gaps(own: int, opp: int) -> int:
    """Return the empty cells that win for `own`, on a board where the operation is already done."""
    if fives(opp):
        return 0
    return BOARD & ~(own | opp) if fives(own) else gaps(own, opp)


def gaps(own: int, opp: int) -> int:
    """Return the empty cells that complete a five of `own`."""
    ones, twos, fours = window_counts(own)
    if fours & ~ones == 0:
        return 0
    opp_ones, opp_twos, opp_fours = window_counts(opp)
    return cells_missing(fours & ~ones & ~(opp_ones | opp_twos | opp_fours), own)


def cells_missing(windows: int, stones: int) -> int:
    """Return the cells of a set of windows that are not in `stones`."""
    cells = 0
    while windows != 0:
        cells |= int(WINDOW_CELLS[lowest(windows)])
        windows &= windows - 1
    return cells & ~stones


def window_counts(stones: int) -> Counts:
    """Return the number of stones in each window."""
    first = (stones & 511) << 1
    second = 1024 | ((stones >> 9) & 511) << 1
    third = 2048 | ((stones >> 18) & 511) << 1
    fourth = 3072 | ((stones >> 27) & 511) << 1
    a, b, c = add(
        int(WINDOW_COUNTS[first]),
        int(WINDOW_COUNTS[first + 1]),
        0,
        int(WINDOW_COUNTS[second]),
        int(WINDOW_COUNTS[second + 1]),
    )
    a, b, c = add(a, b, c, int(WINDOW_COUNTS[third]), int(WINDOW_COUNTS[third + 1]))
    return add(a, b, c, int(WINDOW_COUNTS[fourth]), int(WINDOW_COUNTS[fourth + 1]))


def add(ones: int, twos: int, fours: int, more_ones: int, more_twos: int) -> Counts:
    """Add numbers of two bits to numbers of three bits, one in each bit of the words; no sum passes 7."""
    carry = ones & more_ones
    either = twos ^ more_twos
    return ones ^ more_ones, either ^ carry, fours | (twos & more_twos) | (either & carry)


def lowest(cells: int) -> int:
    """Return the number of the lowest bit of a word that is not 0."""
    return popcount((cells & -cells) - 1)


def popcount(word: int) -> int:
    """Count the bits of a non-negative word; the compiler knows the loop as one instruction."""
    n = 0
    while word != 0:
        word &= word - 1
        n += 1
    return n
