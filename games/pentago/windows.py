"""Questions about sets of cells: fives, numbers of stones in all windows at once, single bits.

Words are those of `tables`. Nothing here depends on the variant."""

from games.pentago.tables import BOARD, FULL_WINDOWS, WINDOW_CELLS, WINDOW_COUNTS


def fives(stones: int) -> int:
    """Return the windows that are full; 0 if there is no five."""
    return int(
        FULL_WINDOWS[stones & 511]
        & FULL_WINDOWS[512 | ((stones >> 9) & 511)]
        & FULL_WINDOWS[1024 | ((stones >> 18) & 511)]
        & FULL_WINDOWS[1536 | (stones >> 27)]
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


def window_counts(stones: int) -> tuple[int, int, int]:
    """Return the number of stones in each window, as sets of windows: bit 0, bit 1, bit 2 of the number."""
    first = (stones & 511) << 1
    second = 1024 | ((stones >> 9) & 511) << 1
    third = 2048 | ((stones >> 18) & 511) << 1
    fourth = 3072 | (stones >> 27) << 1
    a, b, c = add(
        int(WINDOW_COUNTS[first]),
        int(WINDOW_COUNTS[first + 1]),
        0,
        int(WINDOW_COUNTS[second]),
        int(WINDOW_COUNTS[second + 1]),
    )
    a, b, c = add(a, b, c, int(WINDOW_COUNTS[third]), int(WINDOW_COUNTS[third + 1]))
    return add(a, b, c, int(WINDOW_COUNTS[fourth]), int(WINDOW_COUNTS[fourth + 1]))


def add(ones: int, twos: int, fours: int, more_ones: int, more_twos: int) -> tuple[int, int, int]:
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
