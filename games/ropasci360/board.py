"""The 61 hexes as the bits of one word: numbering, neighbours, distances.

Hex (r, q), row r and column q, has the number (q + 4 + 14 r) mod 61. With this numbering the hexagon of
radius 4 fills 0 to 60 exactly, and a step in any of the six directions is the same rotation of 61 bits for
every hex (1, 13 or 14 places): all tokens of a set step at once. Steps off the board are masked away first.
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


def disc_table() -> Table:
    """Return at `8 * hex + d - 1` the mask of all hexes at most `d` (1 to 8) away from a hex."""
    table = np.zeros(8 * N_HEXES, np.int64)
    for number, centre in enumerate(COORDINATES):
        for other, place in enumerate(COORDINATES):
            for d in range(max(distance(centre, place), 1), 9):
                table[8 * number + d - 1] |= 1 << other
    return table


DISCS = disc_table()
ROW = np.array([r for r, _ in COORDINATES], np.int64)
# The rows from number t (1 to 8) above Lower's home row on: summed, a token counts its rows from that home.
ROWS_FROM = tuple(sum(1 << hex_number(r, q) for r, q in PLACES if r + RADIUS >= t) for t in range(1, 9))
EDGE = mask_of(lambda r, q: max(abs(r), abs(q), abs(r + q)) == RADIUS)

# The hexes that have a neighbour in a direction.
HAS_EAST = mask_of(lambda r, q: is_hex(r, q + 1))
HAS_WEST = mask_of(lambda r, q: is_hex(r, q - 1))
HAS_UP_RIGHT = mask_of(lambda r, q: is_hex(r + 1, q))
HAS_UP_LEFT = mask_of(lambda r, q: is_hex(r + 1, q - 1))
HAS_DOWN_RIGHT = mask_of(lambda r, q: is_hex(r - 1, q + 1))
HAS_DOWN_LEFT = mask_of(lambda r, q: is_hex(r - 1, q))


# Sets of hexes


def east(hexes: int) -> int:
    """Step to (r, q + 1)."""
    return (hexes & HAS_EAST) << 1


def west(hexes: int) -> int:
    """Step to (r, q - 1)."""
    return (hexes & HAS_WEST) >> 1


def up_right(hexes: int) -> int:
    """Step to (r + 1, q)."""
    hexes &= HAS_UP_RIGHT
    return ((hexes << 14) | (hexes >> 47)) & FULL


def up_left(hexes: int) -> int:
    """Step to (r + 1, q - 1)."""
    hexes &= HAS_UP_LEFT
    return ((hexes << 13) | (hexes >> 48)) & FULL


def down_right(hexes: int) -> int:
    """Step to (r - 1, q + 1)."""
    hexes &= HAS_DOWN_RIGHT
    return ((hexes >> 13) | (hexes << 48)) & FULL


def down_left(hexes: int) -> int:
    """Step to (r - 1, q)."""
    hexes &= HAS_DOWN_LEFT
    return ((hexes >> 14) | (hexes << 47)) & FULL


def around(hexes: int) -> int:
    """Return all hexes next to one of `hexes`."""
    return east(hexes) | west(hexes) | up_right(hexes) | up_left(hexes) | down_right(hexes) | down_left(hexes)


def reach(tokens: int, own: int) -> int:
    """Return the hexes that a slide or a swing leads to from `tokens`, with `own` as pivots.

    A token that steps onto a pivot in some direction goes on in the same direction or a sixth of a turn to
    either side of it: these are the hexes next to the pivot that are not next to the start.
    """
    e, w, ur = east(tokens), west(tokens), up_right(tokens)
    ul, dr, dl = up_left(tokens), down_right(tokens), down_left(tokens)
    slides = e | w | ur | ul | dr | dl
    if slides & own == 0:
        return slides
    e, w, ur, ul, dr, dl = e & own, w & own, ur & own, ul & own, dr & own, dl & own
    swings = east(dr | e | ur) | up_right(e | ur | ul) | up_left(ur | ul | w)
    return slides | swings | west(ul | w | dl) | down_left(w | dl | dr) | down_right(dl | dr | e)


def mobility_and_pairs(own: int) -> tuple[int, int]:
    """Return how many distinct slides and swings the hexes of `own` have, and how many pairs are adjacent.

    A swing is known by its direction and target: straight on over the pivot, or between two neighbouring
    directions, where two pivots may offer the same target.
    """
    e, w, ur = east(own), west(own), up_right(own)
    ul, dr, dl = up_left(own), down_right(own), down_left(own)
    n = popcount(e) + popcount(w) + popcount(ur) + popcount(ul) + popcount(dr) + popcount(dl)
    e, w, ur, ul, dr, dl = e & own, w & own, ur & own, ul & own, dr & own, dl & own
    pairs = popcount(e) + popcount(ur) + popcount(ul)
    if pairs == 0:
        return n, 0
    n += popcount(east(e)) + popcount(west(w)) + popcount(up_right(ur)) + popcount(up_left(ul))
    n += popcount(down_right(dr)) + popcount(down_left(dl))
    n += popcount(up_right(e) | east(ur)) + popcount(up_left(ur) | up_right(ul))
    n += popcount(west(ul) | up_left(w)) + popcount(down_left(w) | west(dl))
    n += popcount(down_right(dl) | down_left(dr)) + popcount(east(dr) | down_right(e))
    return n, pairs


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
