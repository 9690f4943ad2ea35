"""What one stone of Fanorona can take, looked up in tables: all its capturing steps at once, and the row of each.

A *step* is its direction for a capture by approach, the direction plus WITHDRAWING for one by withdrawal; a set of
steps holds bit s for step s. Nothing here asks whose turn it is: `enemy` is what may be taken, `open_points` are those
to which the stone may go. The tables are for boards of one word; on 9 x 9 points lines are walked."""

import numpy as np
import numpy.typing as npt

from tunesmith.games.fanorona.board import (
    HEIGHT,
    HIGH_MASK,
    WIDTH,
    Points,
    Table,
    beyond,
    either,
    has,
    lines,
    next_point,
    next_points,
    single,
    words_of,
)

WITHDRAWING = 8
# Steps along other lines than that of a direction, by its lowest two bits. After a capture a stone may not go on in
# the same direction, and never back to where it came from. No other step is changed by what was taken: that stood on
# the line of the capture, and none of it next to the stone but straight on.
OTHER_LINES = np.array([0xFFFF & ~(0x1111 << line) for line in range(4)], np.int64)

# Tables


def rays(width: int, height: int) -> list[list[int]]:
    """Return the points on the line from a point in a direction, itself first, for entry `8 * point + direction`."""
    n, table = width * height, next_points(width, height)
    off_board = beyond(width, height)
    found = []
    for start in range(n):
        for direction in range(8):
            ray = [start]
            while (following := int(table[8 * ray[-1] + direction])) != off_board:
                ray.append(following)
            found.append(ray)
    return found


def rows_of_steps(width: int, height: int) -> Table:
    """Return the points that a step could take from, entry `16 * point + step`."""
    n = width * height
    table = np.zeros(16 * n, np.int64)
    if is_large(width, height):
        return table
    all_rays = rays(width, height)
    for origin, direction, _ in lines(width, height):
        ahead, behind = all_rays[8 * origin + direction][2:], all_rays[8 * origin + (direction ^ 4)][1:]
        table[16 * origin + direction] = words_of(ahead, n)[0]
        table[16 * origin + direction + WITHDRAWING] = words_of(behind, n)[0]
    return table


def points_around(width: int, height: int) -> tuple[Table, Table]:
    """Return the points one step from each point, and those two steps away on one line."""
    n, table, off_board = width * height, next_points(width, height), beyond(width, height)
    one, two = np.zeros(n, np.int64), np.zeros(n, np.int64)
    if is_large(width, height):
        return one, two
    for origin, direction, neighbour in lines(width, height):
        one[origin] |= 1 << neighbour
        following = int(table[8 * neighbour + direction])
        two[origin] |= 0 if following == off_board else 1 << following
    return one, two


def is_large(width: int, height: int) -> bool:
    """Tell whether a board needs two words."""
    return beyond(width, height) != 63


def is_nine_wide(width: int, height: int) -> int:
    """Return 1 if rows have nine points and a word has room for three more rows, else 0."""
    return int(width == 9 and height <= 5)


def strides(width: int) -> Table:
    """Return the distance between points on the line of a step."""
    ahead = [1, width, width + 1, width - 1]
    return np.array(4 * ahead, np.int64)


# The 3 x 3 points round a stone, or those two steps away, are gathered in nine bits of eleven at most; each place has a
# bit of its own, and a table says which directions lead to the places set. Where the width is nine and a word has room,
# the three rows come together by one multiplication, as which the compiler knows the sum of shifts: no other places
# fall between them.


def places(step: int) -> list[tuple[int, int]]:
    """Return bit and direction of the eight places at a distance of one or two steps."""
    directions = [6, 5, 7, 4, -1, 0, 3, 1, 2]  # from the lower left, row by row
    bits = range(9) if step == 1 else (0, 2, 4, 1, 3, 5, 6, 8, 10)
    return [(bit, direction) for bit, direction in zip(bits, directions, strict=True) if direction >= 0]


def directions_to(step: int, turned: int) -> npt.NDArray[np.int32]:
    """Return the directions, `turned` by xor, that lead to the places set in an index."""
    index = np.arange(512 if step == 1 else 2048)
    found = np.zeros(len(index), np.int64)
    for bit, direction in places(step):
        found |= ((index >> bit) & 1) << (direction ^ turned)
    return found.astype(np.int32)


def corner_shifts(width: int, height: int, step: int) -> tuple[Table, Table]:
    """Return by how many bits to the left and right the place `step` rows and columns below a point comes to bit 0."""
    moved = np.arange(width * height, dtype=np.int64) - step * (width + 1)
    return np.maximum(-moved, 0), np.maximum(moved, 0)


ROWS = rows_of_steps(WIDTH, HEIGHT)
AROUND, TWO_AWAY = points_around(WIDTH, HEIGHT)
STRIDE = strides(WIDTH)
NEAR_LEFT, NEAR_RIGHT = corner_shifts(WIDTH, HEIGHT, 1)
FAR_LEFT, FAR_RIGHT = corner_shifts(WIDTH, HEIGHT, 2)
NINE_WIDE = is_nine_wide(WIDTH, HEIGHT)
STEPS_TO = directions_to(1, 0) * (1 | 1 << WITHDRAWING)
APPROACHES = directions_to(2, 0)
WITHDRAWALS = directions_to(1, 4) << WITHDRAWING


def constants(width: int, height: int) -> dict[str, object]:
    """Return the constants of this file for another board."""
    around, two_away = points_around(width, height)
    near_left, near_right = corner_shifts(width, height, 1)
    far_left, far_right = corner_shifts(width, height, 2)
    return {
        "ROWS": rows_of_steps(width, height),
        "AROUND": around,
        "TWO_AWAY": two_away,
        "NINE_WIDE": is_nine_wide(width, height),
        "STRIDE": strides(width),
        "NEAR_LEFT": near_left,
        "NEAR_RIGHT": near_right,
        "FAR_LEFT": far_left,
        "FAR_RIGHT": far_right,
    }


# Steps


def capturing_steps(at: int, enemy: Points, open_points: Points) -> int:
    """Return the set of capturing steps of a stone at `at`, wherever it came from."""
    if HIGH_MASK:
        return walked_steps(at, enemy, open_points)
    at &= 63  # what the compiler knows not to be negative, it need not check
    ahead, behind = int(APPROACHES[far(enemy[0], at)]), int(WITHDRAWALS[near(enemy[0], at)])
    return int(STEPS_TO[near(open_points[0], at)]) & (ahead | behind)


def steps_onward(at: int, last: int, enemy: Points, open_points: Points) -> int:
    """Return the set of capturing steps by which a stone that came to `at` in direction `last` may go on."""
    return capturing_steps(at, enemy, open_points) & int(OTHER_LINES[last & 3])


def near(points: int, at: int) -> int:
    """Return which of the points one step from a point are set: an index of `STEPS_TO` and `WITHDRAWALS`."""
    points &= int(AROUND[at])
    if NINE_WIDE:
        return ((points << 12) + (points << 6) + points) >> (at + 2) & 0o777
    square = (points << int(NEAR_LEFT[at])) >> int(NEAR_RIGHT[at])
    return (square & 0o7) | (square >> (WIDTH - 3)) & 0o70 | (square >> (2 * WIDTH - 6)) & 0o700


def far(points: int, at: int) -> int:
    """Return which of the points two steps away are set: an index of `APPROACHES`."""
    points &= int(TWO_AWAY[at])
    if NINE_WIDE:
        return ((points << 30) + (points << 13) + points) >> (at + 10) & 0o3777
    square = (points << int(FAR_LEFT[at])) >> int(FAR_RIGHT[at])
    return (square & 0o25) | (square >> (2 * WIDTH - 1)) & 0o52 | (square >> (4 * WIDTH - 6)) & 0o2500


def walked_steps(at: int, enemy: Points, open_points: Points) -> int:
    """Do what `capturing_steps` says on a board of two words."""
    steps = 0
    for direction in range(8):
        goal = next_point(at, direction)
        if has(open_points, goal):
            if has(enemy, next_point(goal, direction)):
                steps |= 1 << direction
            if has(enemy, next_point(at, direction ^ 4)):
                steps |= 1 << (direction + WITHDRAWING)
    return steps


def captured(at: int, step: int, enemy: Points) -> Points:
    """Return the stones that a step from `at` takes: those that stand in a row from the first place on."""
    direction = step & 7
    if HIGH_MASK:
        if step < WITHDRAWING:
            return row_from(next_point(next_point(at, direction), direction), direction, enemy)
        return row_from(next_point(at, direction ^ 4), direction ^ 4, enemy)
    row = int(ROWS[16 * (at & 63) + step])
    gaps = row & ~enemy[0]
    upward = row & ((gaps & -gaps) - 1)
    stride = int(STRIDE[step])
    gaps |= gaps >> stride  # all that lies beyond a gap: a row has seven places at most
    gaps |= gaps >> 2 * stride
    gaps |= gaps >> 4 * stride
    return upward if (step >> 2) & 1 == step >> 3 else row & ~gaps, 0


def captured_row(at: int, step: int, length: int) -> Points:
    """Return the points of the `length` stones that a step from `at` has taken."""
    direction = step & 7
    if step < WITHDRAWING:
        point, onward = next_point(next_point(at, direction), direction), direction
    else:
        point, onward = next_point(at, direction ^ 4), direction ^ 4
    row = (0, 0)
    for _ in range(length):
        row = either(row, single(point))
        point = next_point(point, onward)
    return row


def row_from(point: int, direction: int, enemy: Points) -> Points:
    """Return the enemy stones that stand in a row from `point` on."""
    row = (0, 0)
    while has(enemy, point):
        row = either(row, single(point))
        point = next_point(point, direction)
    return row
