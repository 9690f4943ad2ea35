"""What the stones of one side threaten: counts for the features, all as if that side began a turn.

Everything is done for all stones of a side at once, one direction after the other; only the longest turn is
searched stone by stone. `own` and `enemy` are sets of points, `empty` holds the points without a stone."""

from tunesmith.games.fanorona.board import (
    Points,
    both,
    count,
    direction_of,
    either,
    from_point,
    is_any,
    is_common,
    joined_to,
    lowest,
    neighbours,
    next_point,
    number,
    shifted,
    single,
    without,
)
from tunesmith.games.fanorona.rules import (
    APPROACH,
    WITHDRAWAL,
    can_continue,
    continuations,
    free_points,
    row_from,
)

# A turn being searched is kept as a stack in three words, seven bits a step: direction, kind, stones taken.
ITEM_BITS, WORD_ITEMS = 7, 9
ITEM_MASK = (1 << ITEM_BITS) - 1
TOP_SHIFT = ITEM_BITS * (WORD_ITEMS - 1)
SHIFTED_MASK = (1 << TOP_SHIFT) - 1
MOST_STEPS = 3 * WORD_ITEMS


def survey(own: Points, enemy: Points, empty: Points) -> tuple[int, int, Points, Points]:
    """Return what the first steps of `own` can capture.

    Number of capturing steps; most stones taken by one; the stones that can take; those that can be taken.
    """
    n_steps, longest = 0, 0
    takers, taken = (0, 0), (0, 0)
    for direction in range(8):
        opposite = direction ^ 4
        reached = both(shifted(own, direction), empty)
        approach = both(reached, shifted(enemy, opposite))
        withdrawal = both(reached, shifted(shifted(enemy, direction), direction))
        capturing = either(approach, withdrawal)
        if is_any(capturing):
            n_steps += count(approach) + count(withdrawal)
            origins = shifted(capturing, opposite)
            takers = either(takers, origins)
            ahead, length = swept(shifted(approach, direction), direction, enemy)
            longest = max(longest, length)
            behind = shifted(shifted(withdrawal, opposite), opposite)
            behind, length = swept(behind, opposite, enemy)
            longest = max(longest, length)
            taken = either(taken, either(ahead, behind))
    return n_steps, longest, takers, taken


def swept(row: Points, direction: int, enemy: Points) -> tuple[Points, int]:
    """Return the enemy stones in rows that begin with those of `row`, and the length of the longest row."""
    found, length = (0, 0), 0
    while is_any(row):
        found = either(found, row)
        length += 1
        row = both(shifted(row, direction), enemy)
    return found, length


def count_mobility(own: Points, empty: Points) -> int:
    """Return the number of empty neighbours over all stones."""
    total = 0
    for direction in range(8):
        total += count(both(shifted(own, direction), empty))
    return total


def count_groups(stones: Points) -> int:
    """Return the number of groups of stones joined by lines."""
    single_stones = without(stones, neighbours(stones))
    total = count(single_stones)
    rest = without(stones, single_stones)
    while is_any(rest):
        grown = lowest(rest)
        group = (0, 0)
        while is_any(grown):
            group = either(group, grown)
            grown = without(both(neighbours(group), rest), group)
        rest = without(rest, group)
        total += 1
    return total


def longest_turn(takers: Points, own: Points, enemy: Points) -> int:
    """Return the most stones that one of `takers` can take in a whole turn."""
    best, n_enemies = 0, count(enemy)
    while is_any(takers) and best < n_enemies:
        at = number(lowest(takers))
        takers = without(takers, single(at))
        best = max(best, longest_chain(at, without(own, single(at)), enemy))
    return best


def longest_chain(at: int, others: Points, enemy: Points) -> int:
    """Return the most stones that chains of the stone at `at` take (depth first, undone on the way back)."""
    top, middle, bottom = 0, 0, 0
    best, taken, depth = 0, 0, 0
    seen = single(at)
    goals = both(joined_to(at), free_points(others, enemy))
    kind = APPROACH
    while True:
        while is_any(goals):
            goal = number(lowest(goals))
            direction = direction_of(at, goal)
            row = captured(at, goal, direction, kind, enemy)
            if is_any(row):
                length = count(row)
                best = max(best, taken + length)
                left = without(enemy, row)
                open_points = free_points(others, either(left, either(seen, single(goal))))
                if can_continue(goal, direction, left, open_points) and depth < MOST_STEPS:
                    enemy = left
                    taken += length
                    bottom = ((bottom & SHIFTED_MASK) << ITEM_BITS) | (middle >> TOP_SHIFT)
                    middle = ((middle & SHIFTED_MASK) << ITEM_BITS) | (top >> TOP_SHIFT)
                    top = (
                        ((top & SHIFTED_MASK) << ITEM_BITS)
                        | (direction << 4)
                        | ((kind - APPROACH) << 3)
                        | length
                    )
                    depth += 1
                    at, seen = goal, either(seen, single(goal))
                    goals = continuations(at, direction, open_points)
                    kind = APPROACH
                    continue
            if kind == APPROACH:
                kind = WITHDRAWAL
            else:
                goals, kind = without(goals, single(goal)), APPROACH
        if depth == 0:
            return best
        direction, kind, length = (top >> 4) & 7, ((top >> 3) & 1) + APPROACH, top & 7
        top = (top >> ITEM_BITS) | ((middle & ITEM_MASK) << TOP_SHIFT)
        middle = (middle >> ITEM_BITS) | ((bottom & ITEM_MASK) << TOP_SHIFT)
        bottom >>= ITEM_BITS
        depth -= 1
        taken -= length
        goal, at = at, next_point(at, direction ^ 4)
        enemy = either(enemy, captured_row(at, goal, direction, kind, length))
        seen = without(seen, single(goal))
        goals = free_points(others, either(enemy, seen))
        if depth:
            goals = continuations(at, (top >> 4) & 7, goals)
        else:
            goals = both(joined_to(at), goals)
        goals = from_point(goals, goal)
        if kind == APPROACH:
            kind = WITHDRAWAL
        else:
            goals, kind = without(goals, single(goal)), APPROACH


def captured(at: int, goal: int, direction: int, kind: int, enemy: Points) -> Points:
    """Return the stones that a step from `at` to `goal` takes."""
    if kind == APPROACH:
        return row_from(next_point(goal, direction), direction, enemy)
    return row_from(next_point(at, direction ^ 4), direction ^ 4, enemy)


def captured_row(at: int, goal: int, direction: int, kind: int, length: int) -> Points:
    """Return the points of the `length` stones that a step from `at` to `goal` has taken."""
    row = (0, 0)
    onward = direction if kind == APPROACH else direction ^ 4
    point = goal if kind == APPROACH else at
    for _ in range(length):
        point = next_point(point, onward)
        row = either(row, single(point))
    return row


def count_safe_paikas(own: Points, enemy: Points, empty: Points) -> int:
    """Return the number of quiet steps of `own`, which has no capture, after which no own stone hangs.

    A step is safe if the enemy cannot come to the point that it leaves and capture there (`held`), cannot
    capture the stone where it arrives (`exposed`), and if it stops every capture threatened before: by
    standing on the point that the capturing stone needs, or by being the first stone of the line no more.
    """
    held, exposed, victims, landings = (0, 0), (0, 0), (0, 0), (0, 0)
    for direction in range(8):
        opposite = direction ^ 4
        coming = shifted(enemy, direction)
        approach = both(coming, shifted(own, opposite))
        withdrawal = both(coming, shifted(shifted(own, direction), direction))
        capturing = either(approach, withdrawal)
        held = either(held, both(capturing, own))
        landings = either(landings, both(capturing, empty))
        victims = either(victims, shifted(both(approach, empty), direction))
        victims = either(victims, shifted(shifted(both(withdrawal, empty), opposite), opposite))
        exposed = either(exposed, shifted(both(coming, empty), direction))
        exposed = either(exposed, shifted(both(enemy, shifted(empty, opposite)), opposite))
    free = without(own, held)
    goals = without(empty, exposed)
    if not is_any(landings):
        return count_mobility(free, goals)
    total = 0
    if count(landings) == 1 and is_common(landings, goals):
        total += count(both(neighbours(landings), without(free, victims)))
    hunted = both(free, victims)
    while is_any(hunted):
        stone = lowest(hunted)
        hunted = without(hunted, stone)
        left = capturing_points(enemy, without(own, stone), empty)
        reached = both(neighbours(stone), goals)
        if not is_any(left):
            total += count(reached)
        elif count(left) == 1 and is_common(left, reached):
            total += 1
    return total


def capturing_points(own: Points, enemy: Points, empty: Points) -> Points:
    """Return the points to which `own` has a capturing step."""
    found = (0, 0)
    for direction in range(8):
        reached = both(shifted(own, direction), empty)
        ends = either(shifted(enemy, direction ^ 4), shifted(shifted(enemy, direction), direction))
        found = either(found, both(reached, ends))
    return found
