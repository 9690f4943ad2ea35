"""The Fanorona board: its lines, and sets of points as bits.

A set of points is a pair of words `(low, high)`: bit p of `low` is point p below SPLIT, bit p - SPLIT of
`high` is point p from SPLIT on. Up to 63 points fit in `low`; then HIGH_MASK is 0, every `high` is 0, and
the compiler drops what is done to it. Only 9 x 9 needs both words: rows 1 to 5 and rows 6 to 9.

Directions are numbered so that `d ^ 4` is opposite to d: 0 right, 1 up, 2 up right, 3 up left, 4 left,
5 down, 6 down left, 7 down right."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

# Point (column, row) has number 9 * row + column: a1 = 0, i1 = 8, a2 = 9, i5 = 44. Lines:
#
#   5  o-o-o-o-o-o-o-o-o
#      |\|/|\|/|\|/|\|/|
#   4  o-o-o-o-o-o-o-o-o
#      |/|\|/|\|/|\|/|\|
#   3  o-o-o-o-o-o-o-o-o
#      |\|/|\|/|\|/|\|/|
#   2  o-o-o-o-o-o-o-o-o
#      |/|\|/|\|/|\|/|\|
#   1  o-o-o-o-o-o-o-o-o
#      a b c d e f g h i
#
# Points on diagonals are strong: column + row even, counting from 0.

Points = tuple[int, int]
Table = npt.NDArray[np.int64]

WIDTH = 9
HEIGHT = 5

STEPS = ((1, 0), (0, 1), (1, 1), (-1, 1), (-1, 0), (0, -1), (-1, -1), (1, -1))  # columns, rows
WORD = 63  # bits of a word that may be used


# Tables


def split_of(width: int, height: int) -> int:
    """Return the number of points in the low word."""
    return width * height if width * height <= WORD else width * ((height + 1) // 2)


def is_strong(column: int, row: int) -> bool:
    """Tell whether diagonal lines meet in a point (columns and rows from 0)."""
    return (column + row) % 2 == 0


def lines(width: int, height: int) -> Iterator[tuple[int, int, int]]:
    """Yield (origin, direction, neighbour) for every line between neighbouring points, both ways."""
    for row in range(height):
        for column in range(width):
            for direction, (right, up) in enumerate(STEPS):
                on_board = 0 <= column + right < width and 0 <= row + up < height
                if on_board and (right == 0 or up == 0 or is_strong(column, row)):
                    yield row * width + column, direction, (row + up) * width + column + right


def words_of(points: list[int], split: int) -> Points:
    """Return the set that holds the given points."""
    whole = sum(1 << point for point in set(points))
    return whole & ((1 << split) - 1), whole >> split


def lines_from(width: int, height: int) -> tuple[Table, Table]:
    """Return the points from which a line leads in each direction: low and high words."""
    split = split_of(width, height)
    found = [[origin for origin, towards, _ in lines(width, height) if towards == d] for d in range(8)]
    low, high = zip(*(words_of(points, split) for points in found), strict=True)
    return np.array(low, np.int64), np.array(high, np.int64)


def shifts(width: int) -> tuple[Table, Table]:
    """Return by how many bits a step moves a point: to the left, to the right."""
    moved = np.array([right + up * width for right, up in STEPS], np.int64)
    return np.maximum(moved, 0), np.maximum(-moved, 0)


def beyond(width: int, height: int) -> int:
    """Return a number for "off the board": no set has that bit, and it shifts within a word."""
    split = split_of(width, height)
    return WORD if split == width * height else split + 60


def next_points(width: int, height: int) -> Table:
    """Return the point that a line leads to, entry `8 * point + direction`, or `beyond`."""
    table = np.full(8 * width * height, beyond(width, height), np.int64)
    for origin, direction, neighbour in lines(width, height):
        table[8 * origin + direction] = neighbour
    return table


def joined_points(width: int, height: int) -> tuple[Table, Table]:
    """Return the points joined to each point: low and high words."""
    split, joined = split_of(width, height), [list[int]() for _ in range(width * height)]
    for origin, _, neighbour in lines(width, height):
        joined[origin].append(neighbour)
    low, high = zip(*(words_of(points, split) for points in joined), strict=True)
    return np.array(low, np.int64), np.array(high, np.int64)


def directions(width: int) -> Table:
    """Return the direction of a step from point a to b, entry `width + 1 + b - a`."""
    table = np.zeros(2 * width + 3, np.int64)
    for direction, (right, up) in enumerate(STEPS):
        table[width + 1 + right + up * width] = direction
    return table


def weak_points(width: int, height: int) -> Points:
    """Return the points without diagonals."""
    weak = [
        row * width + column for row in range(height) for column in range(width) if not is_strong(column, row)
    ]
    return words_of(weak, split_of(width, height))


def edge_points(width: int, height: int) -> Points:
    """Return the points on the border."""
    points = [(row * width + column, column, row) for row in range(height) for column in range(width)]
    return words_of(
        [p for p, c, r in points if c in (0, width - 1) or r in (0, height - 1)], split_of(width, height)
    )


SPLIT = split_of(WIDTH, HEIGHT)
LOW_MASK = (1 << SPLIT) - 1
HIGH_MASK = (1 << (WIDTH * HEIGHT - SPLIT)) - 1
FROM_LOW, FROM_HIGH = lines_from(WIDTH, HEIGHT)
WEAK_LOW, WEAK_HIGH = weak_points(WIDTH, HEIGHT)
EDGE_LOW, EDGE_HIGH = edge_points(WIDTH, HEIGHT)
LEFT, RIGHT = shifts(WIDTH)
NEXT = next_points(WIDTH, HEIGHT)
JOINED_LOW, JOINED_HIGH = joined_points(WIDTH, HEIGHT)
DIRECTION = directions(WIDTH)


def constants(width: int, height: int) -> dict[str, object]:
    """Return the constants of this file for another board."""
    split = split_of(width, height)
    from_low, from_high = lines_from(width, height)
    left, right = shifts(width)
    weak_low, weak_high = weak_points(width, height)
    edge_low, edge_high = edge_points(width, height)
    joined_low, joined_high = joined_points(width, height)
    return {
        "WIDTH": width,
        "HEIGHT": height,
        "SPLIT": split,
        "LOW_MASK": (1 << split) - 1,
        "HIGH_MASK": (1 << (width * height - split)) - 1,
        "FROM_LOW": from_low,
        "FROM_HIGH": from_high,
        "WEAK_LOW": weak_low,
        "WEAK_HIGH": weak_high,
        "EDGE_LOW": edge_low,
        "EDGE_HIGH": edge_high,
        "LEFT": left,
        "RIGHT": right,
        "NEXT": next_points(width, height),
        "JOINED_LOW": joined_low,
        "JOINED_HIGH": joined_high,
        "DIRECTION": directions(width),
    }


# Sets of points


def both(a: Points, b: Points) -> Points:
    """Return the points in a and in b."""
    return a[0] & b[0], a[1] & b[1] if HIGH_MASK else 0


def either(a: Points, b: Points) -> Points:
    """Return the points in a or in b."""
    return a[0] | b[0], a[1] | b[1] if HIGH_MASK else 0


def without(a: Points, b: Points) -> Points:
    """Return the points in a and not in b."""
    return a[0] & ~b[0], a[1] & ~b[1] if HIGH_MASK else 0


def is_any(a: Points) -> bool:
    """Tell whether a holds a point."""
    if HIGH_MASK:
        return (a[0] | a[1]) != 0
    return a[0] != 0


def is_common(a: Points, b: Points) -> bool:
    """Tell whether a and b share a point."""
    return is_any(both(a, b))


def single(point: int) -> Points:
    """Return the set that holds one point."""
    if HIGH_MASK:
        if point >= SPLIT:
            return 0, 1 << (point - SPLIT)
        return 1 << point, 0
    return 1 << point, 0


def has(a: Points, point: int) -> bool:
    """Tell whether a point, or `beyond`, is in a."""
    if HIGH_MASK:
        if point >= SPLIT:
            return (a[1] >> (point - SPLIT)) & 1 != 0
        return (a[0] >> point) & 1 != 0
    return (a[0] >> point) & 1 != 0


def count(a: Points) -> int:
    """Return the number of points in a."""
    if HIGH_MASK:
        return popcount(a[0]) + popcount(a[1])
    return popcount(a[0])


def lowest(a: Points) -> Points:
    """Return the set of the first point of a, which holds at least one."""
    if a[0] != 0 or not HIGH_MASK:
        return a[0] & -a[0], 0
    return 0, a[1] & -a[1]


def number(a: Points) -> int:
    """Return the number of the only point in a."""
    if a[0] != 0 or not HIGH_MASK:
        return popcount(a[0] - 1)
    return SPLIT + popcount(a[1] - 1)


def shifted(a: Points, direction: int) -> Points:
    """Return where the points of a lead along lines in a direction; points without such a line drop out."""
    left, right = int(LEFT[direction]), int(RIGHT[direction])
    low = a[0] & int(FROM_LOW[direction])
    if not HIGH_MASK:
        return (low << left) >> right, 0
    high = a[1] & int(FROM_HIGH[direction])
    if right == 0:
        low <<= left
        return low & LOW_MASK, (high << left) | (low >> SPLIT)
    return (low >> right) | ((high & ((1 << right) - 1)) << (SPLIT - right)), high >> right


def next_point(point: int, direction: int) -> int:
    """Return the next point in a direction, or `beyond`."""
    return int(
        NEXT[8 * (point & 127) + direction]
    )  # & 127: never negative, which the compiler need not check


def direction_of(origin: int, goal: int) -> int:
    """Return the direction of the step between two points that a line joins."""
    return int(DIRECTION[WIDTH + 1 + goal - origin])


def joined_to(point: int) -> Points:
    """Return the points that lines join to a point."""
    return int(JOINED_LOW[point]), int(JOINED_HIGH[point])


def neighbours(a: Points) -> Points:
    """Return all points that a line joins to a point of a.

    Diagonal steps are a step to the side and one up or down; what is beside a strong point is weak.
    """
    beside = either(shifted(a, 0), shifted(a, 4))
    corners_too = either(a, both(beside, (WEAK_LOW, WEAK_HIGH)))
    return either(beside, either(shifted(corners_too, 1), shifted(corners_too, 5)))


def popcount(word: int) -> int:
    """Return the number of bits set in a word (not negative); LLVM knows the loop as one instruction."""
    n = 0
    while word != 0:
        word &= word - 1
        n += 1
    return n
