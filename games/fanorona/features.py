"""Features of a Fanorona position, seen from the player who makes the next step.

Differences are own minus opponent's, and both sides are looked at as if each began a turn on this board: a
running chain shows in `in_chain` alone. `degree_sum`, `strong_points`, `edge`, `corner`, `centre` and
`material` are sums of the `pst` entries; they are there because a few such numbers can be fitted from few
games. Three features are not differences: `tempo` is 1, `in_chain` and `own_chain` look at the mover alone, who takes
what he can before the other side does. `pursuit` asks whether who has more stones comes near the others, without
which nothing is won; it costs a look at every pair of stones, so it is left out while there are many."""

from typing import Any

import numpy as np

from tunesmith.games.fanorona.board import (
    EDGE_HIGH,
    EDGE_LOW,
    HEIGHT,
    WIDTH,
    Points,
    Table,
    both,
    count,
    is_strong,
    lines,
    lowest,
    neighbours,
    number,
    split_of,
    without,
    words_of,
)
from tunesmith.games.fanorona.rules import chain_point, free_points, stones
from tunesmith.games.fanorona.tactics import (
    count_groups,
    count_safe_paikas,
    mobility_ahead,
    survey,
)
from tunesmith.games.game import State

FEATURES_WANTED = -1
STAGES = ("many", "few")
FEWEST, MOST = 8, 20  # stones in all: `few` alone from FEWEST down, `many` alone from MOST up

MATERIAL, MATERIAL_REL, DEGREE_SUM, STRONG_POINTS, CENTRE, EDGE, CORNER = range(7)
ISOLATED, BLOCKED, MOBILITY, TEMPO, IN_CHAIN = range(7, 12)
CAPTURE_STEPS, BEST_LINE, HANGING, BEST_CHAIN, GROUPS, SAFE_PAIKAS, PURSUIT, OWN_CHAIN = range(12, 20)
PST = 20
DIGITS = 4  # of the number of lines that leave a point, eight at most
CHAINS = (1 << BEST_CHAIN) | (1 << OWN_CHAIN)
LOOKS = (1 << CAPTURE_STEPS) | (1 << BEST_LINE) | (1 << HANGING) | CHAINS | (1 << SAFE_PAIKAS)


# Meanings


def meanings(width: int, height: int) -> dict[str, str]:
    """Return a line of meaning for each feature, in the order of `features`."""
    versus = "own minus opponent's"
    firsts = [min(points) for points in folded_places(width, height)]
    places = {
        f"pst_{i}": f"stones on {'abcdefghi'[p % width]}{p // width + 1} and its mirror points, {versus}"
        for i, p in enumerate(firsts, 1)
    }
    return {
        "material": f"stones, {versus}",
        "material_rel": "stones, own minus opponent's, as a share (-1 to 1) of all stones",
        "degree_sum": f"lines that leave the points under the stones, {versus}",
        "strong_points": f"stones on points with diagonals, {versus}",
        "centre": f"stones on the 3 x 3 points in the middle, {versus}",
        "edge": f"stones on border points, {versus}",
        "corner": f"stones in corners, {versus}",
        "isolated": f"stones without a stone of their side next to them, {versus}",
        "blocked": f"stones without an empty point next to them, {versus}",
        "mobility": f"empty points next to a stone, summed over stones, {versus}",
        "tempo": "1 for having the move",
        "in_chain": "1 if the mover is inside a chain of captures, else 0",
        "capture_steps": f"capturing steps that may begin a turn, {versus}",
        "best_line": f"most stones that one capturing step takes, {versus}",
        "hanging": f"stones that one step of the other side could take, {versus}",
        "best_chain": f"most stones that a whole turn takes, {versus}",
        "groups": f"groups of stones joined by lines, {versus}",
        "safe_paikas": f"legal paikas (none beside a capture) after which no stone hangs, {versus}",
        "pursuit": f"mean steps between own and enemy stones, times minus material_rel; 0 above {MOST} stones in all",
        "own_chain": "most stones that a whole turn of the mover takes",
        **places,
    }


def cheap(width: int, height: int) -> tuple[str, ...]:
    """Return the features that need no look at captures or groups."""
    names = tuple(meanings(width, height))
    return names[:CAPTURE_STEPS] + names[PST:]


# Tables


def folded_places(width: int, height: int) -> list[list[int]]:
    """Return the points that each `pst` entry stands for.

    Points that a mirror exchanges share an entry, on square boards those that the diagonal exchanges too:
    images of a position are the same position, so nothing may tell them apart.
    """
    places: dict[tuple[int, int], list[int]] = {}
    for row in range(height):
        for column in range(width):
            place = min(row, height - 1 - row), min(column, width - 1 - column)
            key = (min(place), max(place)) if width == height else place
            places.setdefault(key, []).append(row * width + column)
    return [places[key] for key in sorted(places)]


def folded_masks(width: int, height: int) -> tuple[Table, Table]:
    """Return the points that each `pst` entry stands for: low and high words."""
    split = split_of(width, height)
    low, high = zip(*(words_of(points, split) for points in folded_places(width, height)), strict=True)
    return np.array(low, np.int64), np.array(high, np.int64)


def degree_masks(width: int, height: int) -> tuple[Table, Table]:
    """Return the points whose number of lines has each binary digit, the lowest first: low and high words."""
    origins = [origin for origin, _, _ in lines(width, height)]
    having = [[p for p in set(origins) if (origins.count(p) >> digit) & 1] for digit in range(DIGITS)]
    low, high = zip(*(words_of(points, split_of(width, height)) for points in having), strict=True)
    return np.array(low, np.int64), np.array(high, np.int64)


def distances(width: int, height: int) -> Table:
    """Return the number of steps between two points of an empty board, entry `points * a + b`."""
    n = width * height
    joined: list[list[int]] = [[] for _ in range(n)]
    for origin, _, neighbour in lines(width, height):
        joined[origin].append(neighbour)
    table = np.zeros((n, n), np.int64)
    for origin in range(n):
        ring, seen, steps = {origin}, {origin}, 0
        while ring:
            table[origin, sorted(ring)] = steps
            ring = {neighbour for point in ring for neighbour in joined[point]} - seen
            seen |= ring
            steps += 1
    return table.ravel()


def masks_where(width: int, height: int) -> dict[str, Points]:
    """Return the strong points, the centre and the corners."""
    points = [(row * width + column, column, row) for row in range(height) for column in range(width)]
    split = split_of(width, height)
    on_side = [(p, column in (0, width - 1), row in (0, height - 1)) for p, column, row in points]
    centre = [p for p, c, r in points if abs(c - width // 2) <= 1 and abs(r - height // 2) <= 1]
    return {
        "STRONG_MASK": words_of([p for p, c, r in points if is_strong(c, r)], split),
        "CENTRE_MASK": words_of(centre, split),
        "CORNER_MASK": words_of([p for p, side, end in on_side if side and end], split),
    }


STRONG_MASK, CENTRE_MASK, CORNER_MASK = masks_where(WIDTH, HEIGHT).values()
N_PST = len(folded_places(WIDTH, HEIGHT))
PST_LOW, PST_HIGH = folded_masks(WIDTH, HEIGHT)
DEGREE_LOW, DEGREE_HIGH = degree_masks(WIDTH, HEIGHT)
DISTANCE = distances(WIDTH, HEIGHT)


def constants(width: int, height: int) -> dict[str, object]:
    """Return the constants of this file for another board."""
    low, high = folded_masks(width, height)
    degree_low, degree_high = degree_masks(width, height)
    return {
        **masks_where(width, height),
        "N_PST": len(low),
        "PST_LOW": low,
        "PST_HIGH": high,
        "DEGREE_LOW": degree_low,
        "DEGREE_HIGH": degree_high,
        "DISTANCE": distances(width, height),
    }


# Features


def features(state: State, out: Any) -> None:
    """Write the features of `meanings`."""
    own, enemy = stones(state)
    empty = free_points(own, enemy)
    n_own, n_enemy = count(own), count(enemy)
    out[MATERIAL] = float(n_own - n_enemy)
    out[MATERIAL_REL] = (n_own - n_enemy) / (n_own + n_enemy)
    out[DEGREE_SUM] = float(degrees(own) - degrees(enemy))
    out[STRONG_POINTS] = float(count(both(own, STRONG_MASK)) - count(both(enemy, STRONG_MASK)))
    out[CENTRE] = float(count(both(own, CENTRE_MASK)) - count(both(enemy, CENTRE_MASK)))
    edge = EDGE_LOW, EDGE_HIGH
    out[EDGE] = float(count(both(own, edge)) - count(both(enemy, edge)))
    out[CORNER] = float(count(both(own, CORNER_MASK)) - count(both(enemy, CORNER_MASK)))
    out[ISOLATED] = float(count(without(own, neighbours(own))) - count(without(enemy, neighbours(enemy))))
    mobility, near_empty = mobility_ahead(own, enemy, empty)
    out[BLOCKED] = float(count(without(own, near_empty)) - count(without(enemy, near_empty)))
    out[MOBILITY] = float(mobility)
    out[TEMPO] = 1.0
    out[IN_CHAIN] = 1.0 if chain_point(state) >= 0 else 0.0
    for i in range(N_PST):
        place = int(PST_LOW[i]), int(PST_HIGH[i])
        out[PST + i] = float(count(both(own, place)) - count(both(enemy, place)))
    if FEATURES_WANTED & (1 << GROUPS):
        out[GROUPS] = float(count_groups(own) - count_groups(enemy))
    if FEATURES_WANTED & (1 << PURSUIT):
        is_near_end = n_own != n_enemy and n_own + n_enemy <= MOST
        out[PURSUIT] = -mean_distance(own, enemy) * out[MATERIAL_REL] if is_near_end else 0.0
    if FEATURES_WANTED & LOOKS:
        look_at_captures(own, enemy, empty, out)


def degrees(own: Points) -> int:
    """Return the number of lines that leave the points of a set."""
    total = 0
    for digit in range(DIGITS):
        total += count(both(own, (int(DEGREE_LOW[digit]), int(DEGREE_HIGH[digit])))) << digit
    return total


def look_at_captures(own: Points, enemy: Points, empty: Points, out: Any) -> None:
    """Write the features that depend on what each side could capture."""
    whole_turns = FEATURES_WANTED & CHAINS != 0
    own_steps, own_line, own_best, own_taken = survey(own, enemy, empty, whole_turns)
    enemy_steps, enemy_line, enemy_best, enemy_taken = survey(enemy, own, empty, whole_turns)
    out[CAPTURE_STEPS] = float(own_steps - enemy_steps)
    out[BEST_LINE] = float(own_line - enemy_line)
    out[HANGING] = float(count(enemy_taken) - count(own_taken))
    out[BEST_CHAIN] = float(own_best - enemy_best)
    out[OWN_CHAIN] = float(own_best)
    if FEATURES_WANTED & (1 << SAFE_PAIKAS):
        own_safe = 0 if own_steps else count_safe_paikas(own, enemy, empty, enemy_steps > 0)
        enemy_safe = 0 if enemy_steps else count_safe_paikas(enemy, own, empty, own_steps > 0)
        out[SAFE_PAIKAS] = float(own_safe - enemy_safe)


def mean_distance(own: Points, enemy: Points) -> float:
    """Return the mean number of steps between an own and an enemy stone, 0 if a side has none."""
    total, pairs = 0, count(own) * count(enemy)
    while own[0] | own[1]:
        stone = lowest(own)
        own = without(own, stone)
        row = number(stone) * WIDTH * HEIGHT
        others = enemy
        while others[0] | others[1]:
            other = lowest(others)
            others = without(others, other)
            total += int(DISTANCE[row + number(other)])
    return total / pairs if pairs else 0.0


# Stages


def stages(state: State, out: Any) -> None:
    """Share the position between many and few stones: half each at 14, in proportion between 8 and 20."""
    own, enemy = stones(state)
    n = min(max(count(own) + count(enemy), FEWEST), MOST)
    out[0] = (n - FEWEST) / (MOST - FEWEST)
    out[1] = (MOST - n) / (MOST - FEWEST)
