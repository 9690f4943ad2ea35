"""Images of a Fanorona position: the two mirrors, on square boards also the diagonal, and the players exchanged.

Image k: columns reversed if k & 1, then rows reversed if k & 2, then columns and rows exchanged if k & 4.
All keep strong points strong, since width and height are odd."""

from itertools import product

import numpy as np

from tunesmith.games.fanorona.board import HEIGHT, SPLIT, STEPS, WIDTH, Points, Table, split_of, words_of
from tunesmith.games.fanorona.rules import CHAIN, PATH_STEPS, STOP, chain_point, path_direction, steps_done
from tunesmith.games.game import State

POINT_MASK = 127 << CHAIN


# Tables


def n_images(width: int, height: int) -> int:
    """Return the number of images."""
    return 8 if width == height else 4


def direction_images() -> Table:
    """Return the image of each direction, entry `8 * k + direction`."""
    table = np.zeros(64, np.int64)
    for k, (direction, (right, up)) in product(range(8), enumerate(STEPS)):
        turned = (-right if k & 1 else right, -up if k & 2 else up)
        table[8 * k + direction] = STEPS.index(turned[::-1] if k & 4 else turned)
    return table


def point_images(width: int, height: int) -> Table:
    """Return the image of each point, entry `points * k + point`."""
    found = []
    for k, row, column in product(range(n_images(width, height)), range(height), range(width)):
        turned = (width - 1 - column if k & 1 else column, height - 1 - row if k & 2 else row)
        column_image, row_image = turned[::-1] if k & 4 else turned
        found.append(row_image * width + column_image)
    return np.array(found, np.int64)


def reversed_rows(width: int) -> Table:
    """Return the bits of a row in reverse order, for all rows."""
    return np.array([int(f"{bits:0{width}b}"[::-1], 2) for bits in range(1 << width)], np.int64)


def rows_as_columns(width: int, height: int) -> tuple[Table, Table]:
    """Return the bits of a row put on column a, the first one lowest: low and high words, for all rows."""
    split = split_of(width, height)
    columns = [[width * i for i in range(height) if bits >> i & 1] for bits in range(1 << width)]
    low, high = zip(*(words_of(points, split) for points in columns), strict=True)
    return np.array(low, np.int64), np.array(high, np.int64)


ROW_MASK = (1 << WIDTH) - 1
DIRECTION_IMAGE = direction_images()
POINT_IMAGE = point_images(WIDTH, HEIGHT)
REVERSED = reversed_rows(WIDTH)
COLUMN_LOW, COLUMN_HIGH = rows_as_columns(WIDTH, HEIGHT)


def constants(width: int, height: int) -> dict[str, object]:
    """Return the constants of this file for another board."""
    column_low, column_high = rows_as_columns(width, height)
    return {
        "ROW_MASK": (1 << width) - 1,
        "POINT_IMAGE": point_images(width, height),
        "REVERSED": reversed_rows(width),
        "COLUMN_LOW": column_low,
        "COLUMN_HIGH": column_high,
    }


# Images


def symmetries(state: State, k: int) -> State:
    """Return the k-th image; the mover stays the mover."""
    if k == 0:
        return state
    white, black = image((state[0], state[1]), k), image((state[2], state[3]), k)
    info, path_low, path_high = state[6], 0, 0
    at = chain_point(state)
    if at >= 0:
        info = (info & ~POINT_MASK) | ((int(POINT_IMAGE[WIDTH * HEIGHT * k + at]) + 1) << CHAIN)
        for step in range(steps_done(state)):
            direction = int(DIRECTION_IMAGE[8 * k + path_direction(state, step)])
            if step < PATH_STEPS:
                path_low |= direction << (3 * step)
            else:
                path_high |= direction << (3 * (step - PATH_STEPS))
    return white[0], white[1], black[0], black[1], path_low, path_high, info


def image(points: Points, k: int) -> Points:
    """Return the k-th image of a set of points, row by row."""
    low, high = 0, 0
    for row in range(HEIGHT):
        start = row * WIDTH
        bits = (points[0] >> start) if start < SPLIT else (points[1] >> (start - SPLIT))
        bits &= ROW_MASK
        if k & 1:
            bits = int(REVERSED[bits])
        goal = HEIGHT - 1 - row if k & 2 else row
        if k & 4:
            low |= int(COLUMN_LOW[bits]) << goal
            high |= int(COLUMN_HIGH[bits]) << goal
        elif goal * WIDTH < SPLIT:
            low |= bits << (goal * WIDTH)
        else:
            high |= bits << (goal * WIDTH - SPLIT)
    return low, high


def symmetric_move(state: State, move: int, k: int) -> int:
    """Return the same move in the k-th image."""
    if move == STOP:
        return move
    direction = int(DIRECTION_IMAGE[8 * k + ((move >> 7) & 7)])
    return int(POINT_IMAGE[WIDTH * HEIGHT * k + (move & 127)]) | (direction << 7) | (move & ~1023)


# Players exchanged


def swap_sides(state: State) -> State:
    """Exchange the players' stones, and the mover with them."""
    return state[2], state[3], state[0], state[1], state[4], state[5], state[6] ^ 1
