"""The Expendibots board: sets of squares as bits, stacks, clusters.

A *board* is a set of squares as a 64-bit pattern, bit `8 * y + x` for square (x, y). Compiled, a pattern that
holds square (7, 7) is a negative number, in plain Python it is a large one; so boards are only combined bit
by bit, shifted under a mask, negated, and compared with equality: never added, subtracted or multiplied (an
overflow is undefined in compiled code), never `~` without an `&`. Four *height boards* p0 to p3 hold bits 0 to 3
of the height of the stack on each square."""

#  y
#  7   56 57 58 59 60 61 62 63      Black starts on rows 7 and 6
#  6   48 49 50 51 52 53 54 55
#  5   40 41 42 43 44 45 46 47
#  4   32 33 34 35 36 37 38 39
#  3   24 25 26 27 28 29 30 31
#  2   16 17 18 19 20 21 22 23
#  1    8  9 10 11 12 13 14 15
#  0    0  1  2  3  4  5  6  7      White starts on rows 0 and 1
#       0  1  2  3  4  5  6  7  x

NOT_RIGHT = 0x7F7F7F7F7F7F7F7F  # files 0 to 6
NOT_TOP = 0x00FFFFFFFFFFFFFF  # rows 0 to 6


# Stacks


def height_at(p0: int, p1: int, p2: int, p3: int, square: int) -> int:
    """Return the height of the stack on `square`, 0 if empty."""
    return (
        (p0 >> square) & 1 | ((p1 >> square) & 1) << 1 | ((p2 >> square) & 1) << 2 | ((p3 >> square) & 1) << 3
    )


def count(p0: int, p1: int, p2: int, p3: int, squares: int) -> int:
    """Return the number of tokens on `squares`."""
    n = popcount(p0 & squares) + 2 * popcount(p1 & squares)
    if p2 | p3 != 0:  # stacks of four and more are rare
        n += 4 * popcount(p2 & squares) + 8 * popcount(p3 & squares)
    return n


def lowered(p0: int, p1: int, p2: int, p3: int) -> tuple[int, int, int, int]:
    """Return the height boards of all stacks with one token less."""
    borrow = p0 | p1 | p2 | p3
    q0, borrow = p0 ^ borrow, borrow & ~p0
    q1, borrow = p1 ^ borrow, borrow & ~p1
    q2, borrow = p2 ^ borrow, borrow & ~p2
    return q0, q1, q2, p3 ^ borrow


# Sets of squares


def spread(board: int) -> int:
    """Add the eight neighbours of every square."""
    board |= (board & NOT_RIGHT) << 1 | (board >> 1) & NOT_RIGHT
    return board | (board & NOT_TOP) << 8 | (board >> 8) & NOT_TOP


def cluster(seed: int, occupied: int) -> int:
    """Return all squares of `occupied` that go off when those of `seed` do."""
    blast = spread(seed) & occupied
    while blast != seed:
        seed = blast
        blast = spread(seed) & occupied
    return blast


def lowest(board: int) -> int:
    """Return the lowest square of a board that is not empty."""
    return popcount(~(board | -board))


def popcount(board: int) -> int:
    """Return the number of squares (in this shape the compiler knows a single instruction for it)."""
    n = 0
    while board != 0:
        board ^= board & -board
        n += 1
    return n
