"""Images of a RoPaSci 360 position: left and right exchanged, and the players."""

import numpy as np

from tunesmith.games.game import State
from tunesmith.games.ropasci360.board import COORDINATES, N_HEXES, Table, add_to_pile, hex_number, lowest
from tunesmith.games.ropasci360.rules import THROWN

# Tables


def mirror_table() -> Table:
    """Return at `256 * byte + value` the left-right mirror image of that byte of a mask."""
    table = np.zeros(8 * 256, np.int64)
    for number, (r, q) in enumerate(COORDINATES):
        for value in range(256):
            if value >> number % 8 & 1:
                table[256 * (number // 8) + value] |= 1 << hex_number(r, -r - q)
    return table


MIRROR = mirror_table()
MIRROR_NUMBER = np.array([hex_number(r, -r - q) for r, q in COORDINATES], np.int64)


# Images


def symmetries(state: State, k: int) -> State:
    """Return the position itself (k = 0) or its left-right mirror image (k = 1)."""
    if k == 0:
        return state
    upper, lower, rock, paper, upper_pile, lower_pile, throws, pending, turns = state
    upper_pile = 0 if upper_pile == 0 else mirror_pile(upper_pile)
    lower_pile = 0 if lower_pile == 0 else mirror_pile(lower_pile)
    pending = 0 if pending == 0 else symmetric_move(state, pending, k)
    upper, lower = mirrored(upper), mirrored(lower)
    return upper, lower, mirrored(rock), mirrored(paper), upper_pile, lower_pile, throws, pending, turns


def mirrored(hexes: int) -> int:
    """Return the left-right mirror image: (r, q) becomes (r, -r - q)."""
    return (
        int(MIRROR[hexes & 255])
        | int(MIRROR[256 + (hexes >> 8 & 255)])
        | int(MIRROR[512 + (hexes >> 16 & 255)])
        | int(MIRROR[768 + (hexes >> 24 & 255)])
        | int(MIRROR[1024 + (hexes >> 32 & 255)])
        | int(MIRROR[1280 + (hexes >> 40 & 255)])
        | int(MIRROR[1536 + (hexes >> 48 & 255)])
        | int(MIRROR[1792 + (hexes >> 56)])
    )


def mirror_pile(pile: int) -> int:
    """Return the mirror image of `pile`, in order again."""
    image = 0
    while pile:
        image = add_to_pile(image, int(MIRROR_NUMBER[(pile & 63) - 1]))
        pile >>= 6
    return image


def symmetric_move(state: State, move: int, k: int) -> int:
    """Return the same move in the k-th image."""
    if k == 0:
        return move
    source, target = move >> 6, int(MIRROR_NUMBER[move & 63])
    if source < THROWN:
        source = int(MIRROR_NUMBER[source])
    return 64 * source + target


# Players exchanged


def swap_sides(state: State) -> State:
    """Exchange the players: the board turned by half, tokens and throws changing sides.

    Meant for positions without a hidden choice: Upper (0) is to choose before and after, so the features,
    seen from him, change their sign. A hidden choice is dropped: Lower was to choose, now Upper is, in the
    same situation, so the mover's features stay the same.
    """
    upper, lower, rock, paper, upper_pile, lower_pile, throws, _, turns = state
    upper, lower = half_turned(lower), half_turned(upper)
    upper_pile, lower_pile = half_turn_pile(lower_pile), half_turn_pile(upper_pile)
    throws = throws >> 4 | (throws & 15) << 4
    return upper, lower, half_turned(rock), half_turned(paper), upper_pile, lower_pile, throws, 0, turns


def half_turned(hexes: int) -> int:
    """Return the image under the half turn: (r, q) becomes (-r, -q), number n becomes (8 - n) mod 61."""
    turned = 0
    while hexes:
        turned |= 1 << (8 - lowest(hexes)) % N_HEXES
        hexes &= hexes - 1
    return turned


def half_turn_pile(pile: int) -> int:
    """Return the image of `pile` under the half turn, in order again."""
    image = 0
    while pile:
        image = add_to_pile(image, (9 - (pile & 63)) % N_HEXES)
        pile >>= 6
    return image


def swap_move(move: int) -> int:
    """Return the same move on the board turned by half: what the other side does in `swap_sides`."""
    source, target = move >> 6, (8 - (move & 63)) % N_HEXES
    if source < THROWN:
        source = (8 - source) % N_HEXES
    return 64 * source + target
