"""The 61 hexes as the bits of one word: numbering, neighbours, distances.

Hex (r, q), row r and column q, has the number (q + 4 + 14 r) mod 61: the hexagon of radius 4 fills 0 to 60 exactly.
Masks and numbers are non-negative; everything gives the same bits compiled and as plain Python."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

# r =  4           56 57 58 59 60            q of the first hex: -4
#      3         42 43 44 45 46 47                               -4
#      2       28 29 30 31 32 33 34                              -4
#      1     14 15 16 17 18 19 20 21                             -4
#      0   00 01 02 03 04 05 06 07 08                            -4
#     -1     48 49 50 51 52 53 54 55                             -3
#     -2       35 36 37 38 39 40 41                              -2
#     -3         22 23 24 25 26 27                               -1
#     -4           09 10 11 12 13                                 0

Table = npt.NDArray[np.int64]

RADIUS = 4
N_HEXES = 61
FULL = (1 << N_HEXES) - 1


def is_hex(r: int, q: int) -> bool:
    """Tell whether (r, q) is on the board."""
    return max(abs(r), abs(q), abs(r + q)) <= RADIUS


def hex_number(r: int, q: int) -> int:
    """Return the number of the hex in row `r`, column `q`."""
    return (q + 4 + 14 * r) % N_HEXES


# All hexes, ascending by (r, q), and each hex's coordinates by its number.
PLACES = tuple((r, q) for r in range(-RADIUS, RADIUS + 1) for q in range(-RADIUS, RADIUS + 1) if is_hex(r, q))
COORDINATES = tuple(sorted(PLACES, key=lambda place: hex_number(*place)))


def distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    """Return the least number of slides from one (r, q) to another on an empty board."""
    r, q = one[0] - other[0], one[1] - other[1]
    return max(abs(r), abs(q), abs(r + q))


# Tables


def mask_of(chosen: Callable[[int, int], bool]) -> int:
    """Return the mask of the hexes (r, q) for which `chosen` holds."""
    return sum(1 << hex_number(r, q) for r, q in PLACES if chosen(r, q))


def next_table() -> Table:
    """Return at each hex the mask of the hexes next to it."""
    masks = [
        sum(1 << n for n, other in enumerate(COORDINATES) if distance(here, other) == 1)
        for here in COORDINATES
    ]
    return np.array(masks, np.int64)


def distance_table() -> npt.NDArray[np.int8]:
    """Return at `64 * hex + other` how far two hexes are from each other."""
    table = np.zeros(64 * N_HEXES, np.int8)
    for number, here in enumerate(COORDINATES):
        for other, place in enumerate(COORDINATES):
            table[64 * number + other] = distance(here, place)
    return table


NEXT_TO = next_table()
DISTANCES = distance_table()
ROW = np.array([r for r, _ in COORDINATES], np.int64)
# The rows from number t (1 to 8) above Lower's home row on, and those whose number has a bit.
ROWS_FROM = tuple(sum(1 << hex_number(r, q) for r, q in PLACES if r + RADIUS >= t) for t in range(1, 9))
ROW_BITS = tuple(sum(1 << hex_number(r, q) for r, q in PLACES if r + RADIUS >> bit & 1) for bit in range(4))
EDGE = mask_of(lambda r, q: max(abs(r), abs(q), abs(r + q)) == RADIUS)


# Sets of hexes


def reach_from(source: int, own: int) -> int:
    """Return the hexes that a slide or a swing leads to from a hex, with `own` as pivots.

    A token that steps onto a pivot in some direction goes on in the same direction or a sixth of a turn to
    either side of it: these are the hexes next to the pivot that are not next to the start.
    """
    hexes = int(NEXT_TO[source])
    pivots = hexes & own
    while pivots:
        hexes |= int(NEXT_TO[lowest(pivots)])
        pivots &= pivots - 1
    return hexes & ~(1 << source)


def reach(tokens: int, own: int) -> int:
    """Return the hexes that a slide or a swing leads to from `tokens`, with `own` as pivots."""
    hexes = 0
    while tokens:
        hexes |= reach_from(lowest(tokens), own)
        tokens &= tokens - 1
    return hexes


def mobility_and_pairs(own: int) -> tuple[int, int]:
    """Return how many slides and swings the hexes of `own` have, and how many pairs of them are adjacent."""
    moves, neighbours = 0, 0
    tokens = own
    while tokens:
        source = lowest(tokens)
        tokens &= tokens - 1
        moves += popcount(reach_from(source, own))
        neighbours += popcount(int(NEXT_TO[source]) & own)
    return moves, neighbours >> 1


def lowest(mask: int) -> int:
    """Return the number of the lowest bit of a mask that is not empty."""
    return popcount(~mask & (mask - 1))


def popcount(mask: int) -> int:
    """Return the number of bits of `mask`; the compiler knows the loop as one instruction."""
    n = 0
    while mask != 0:
        mask &= mask - 1
        n += 1
    return n


# Piles

# Several tokens of one side on one hex are rare. The first is a bit of a mask; every further one is a digit
# of six bits, hex number + 1, in a pile: a number whose digits descend from the low end, 0 when empty.


def add_to_pile(pile: int, hex_: int) -> int:
    """Return `pile` with one more token on the hex."""
    shift = 0
    while (pile >> shift) & 63 > hex_ + 1:
        shift += 6
    return (((pile >> shift) << 6 | hex_ + 1) << shift) | (pile & ((1 << shift) - 1))


def take_from_pile(pile: int, hex_: int) -> int:
    """Return `pile` with one token less on the hex; the same pile if none is there."""
    shift = 0
    while (pile >> shift) & 63 > hex_ + 1:
        shift += 6
    if (pile >> shift) & 63 != hex_ + 1:
        return pile
    return ((pile >> (shift + 6)) << shift) | (pile & ((1 << shift) - 1))


def clear_pile(pile: int, hexes: int) -> int:
    """Return `pile` without the tokens on `hexes`."""
    kept, shift = 0, 0
    while pile:
        if (hexes >> ((pile & 63) - 1)) & 1 == 0:
            kept |= (pile & 63) << shift
            shift += 6
        pile >>= 6
    return kept


def count_pile(pile: int, hexes: int) -> int:
    """Return the number of tokens in `pile` that stand on `hexes`."""
    n = 0
    while pile:
        n += (hexes >> ((pile & 63) - 1)) & 1
        pile >>= 6
    return n


def count_tokens(hexes: int, pile: int) -> int:
    """Return the number of a side's tokens on `hexes`, all of them occupied by it, further ones in `pile`."""
    n = popcount(hexes)
    return n if pile == 0 else n + count_pile(pile, hexes)
