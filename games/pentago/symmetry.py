"""Images of a Pentago position: turns and reflections of the board, and the players exchanged.

Image 1 is the half turn, 2 and 3 are the quarter turns, 4 to 7 reflections."""

from collections.abc import Callable

import numpy as np

from tunesmith.games.game import State
from tunesmith.games.pentago.board import POINT_OF, Point, Table, cell_of, quadrant_table
from tunesmith.games.pentago.rules import BLACK_FIVE, BLACK_TO_MOVE, PAIRS, STONE_ONLY, VARIANT, WHITE_FIVE

# Tables
SYMMETRIES: tuple[Callable[[int, int], Point], ...] = (
    lambda row, column: (row, column),
    lambda row, column: (5 - row, 5 - column),
    lambda row, column: (column, 5 - row),
    lambda row, column: (5 - column, row),
    lambda row, column: (row, 5 - column),
    lambda row, column: (5 - row, column),
    lambda row, column: (column, row),
    lambda row, column: (5 - column, 5 - row),
)
FIRST_REFLECTION = 4
# Image of each cell, entry 36 * k + cell.
CELL_IMAGE = np.array([cell_of(image(*point)) for image in SYMMETRIES for point in POINT_OF])
# Shift of the quadrant that each quadrant goes to, entry 4 * k + quadrant.
QUADRANT_IMAGE = np.array([CELL_IMAGE[36 * k + 9 * q] // 9 for k in range(8) for q in range(4)])
# Image of nine cells inside their quadrant (the same in all four), entry 512 * k + nine bits.
PART_IMAGE = np.concatenate(
    [quadrant_table([int(place) % 9 for place in CELL_IMAGE[36 * k : 36 * k + 9]]) for k in range(8)]
)


def _operation_images(variant: str) -> Table:
    """Return the same operation in the k-th image of the board, entry `8 * k + operation`."""
    images = []
    for k in range(8):
        quadrants = [int(image) for image in QUADRANT_IMAGE[4 * k : 4 * k + 4]]
        if variant == "swap":
            pairs = [tuple(sorted((quadrants[first], quadrants[second]))) for first, second in PAIRS]
            images += [PAIRS.index((pair[0], pair[1])) for pair in pairs] + [0, 0]
        else:
            # A reflection turns clockwise into counter-clockwise. (`twist` knows the half turn only.)
            reflected = int(k >= FIRST_REFLECTION)
            images += [2 * quadrants[operation // 2] + (operation % 2 ^ reflected) for operation in range(8)]
    return np.array(images)


OPERATION_IMAGE = _operation_images(VARIANT)


def constants(variant: str) -> dict[str, object]:
    """Return the constants of this file that depend on the variant."""
    return {"OPERATION_IMAGE": _operation_images(variant)}


# Images


def symmetries(state: State, k: int) -> State:
    """Return the k-th image of the board: 1 the half turn, 2 and 3 quarter turns, 4 to 7 reflections."""
    return image(state[0], k), image(state[1], k), state[2]


def image(cells: int, k: int) -> int:
    """Return the k-th image of a set of cells."""
    found = 0
    for quadrant in range(4):
        part = int(PART_IMAGE[(k << 9) | (cells & 511)])
        found |= part << 9 * int(QUADRANT_IMAGE[4 * k + quadrant])
        cells >>= 9
    return found


def symmetric_move(state: State, move: int, k: int) -> int:
    """Return the same move in the k-th image."""
    if move >= STONE_ONLY:
        return STONE_ONLY + int(CELL_IMAGE[36 * k + move - STONE_ONLY])
    return 8 * int(CELL_IMAGE[36 * k + (move >> 3)]) + int(OPERATION_IMAGE[8 * k + (move & 7)])


# Players exchanged


def swap_sides(state: State) -> State:
    """Exchange the players, the mover with them.

    With an odd number of stones the result has the side to move that its text cannot show: `text_to_state`
    takes it from the number of stones.
    """
    white, black, status = state
    exchanged = ((status & WHITE_FIVE) << 1) | ((status & BLACK_FIVE) >> 1)
    return black, white, (status & ~(WHITE_FIVE | BLACK_FIVE) | exchanged) ^ BLACK_TO_MOVE
