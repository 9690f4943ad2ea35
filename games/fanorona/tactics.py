"""What the stones of one side threaten: counts for the features, all as if that side began a turn.

Everything is done for all stones of a side at once, one direction after the other; only the longest turn is
searched stone by stone. `own` and `enemy` are sets of points, `empty` holds the points without a stone."""

from tunesmith.games.fanorona.board import (
    EDGE_HIGH,
    EDGE_LOW,
    HIGH_MASK,
    LOW_MASK,
    Points,
    both,
    count,
    either,
    has,
    is_any,
    is_common,
    lowest,
    neighbours,
    next_point,
    number,
    popcount,
    shifted,
    single,
    without,
)
from tunesmith.games.fanorona.captures import captured, captured_row, capturing_steps, steps_onward

# A turn being searched is kept as a stack in three words, seven bits a step: the step, and how many stones it took.
ITEM_BITS, WORD_ITEMS = 7, 9
ITEM_MASK = (1 << ITEM_BITS) - 1
TOP_SHIFT = ITEM_BITS * (WORD_ITEMS - 1)
SHIFTED_MASK = (1 << TOP_SHIFT) - 1
MOST_STEPS = 3 * WORD_ITEMS


def survey(own: Points, enemy: Points, empty: Points, whole_turns: bool) -> tuple[int, int, int, Points]:
    """Return what the turns that begin with a capture by a stone of `own` can take.

    Number of first steps; most stones taken by one of these, and by a whole turn; the stones that first steps can take.
    """
    n_steps, longest, best, taken = 0, 0, 0, (0, 0)
    starts = capture_starts(enemy, empty)
    takers = both(own, starts)
    while is_any(takers):
        at = number(lowest(takers))
        takers = without(takers, single(at))
        steps = capturing_steps(at, enemy, empty)
        while steps != 0:
            step = popcount(~steps & (steps - 1))
            steps &= steps - 1
            row = captured(at, step, enemy)
            length = count(row)
            n_steps += 1
            longest = max(longest, length)
            taken = either(taken, row)
            goal = next_point(at, step & 7)
            if whole_turns and has(starts, goal):  # else nothing is left to take from there
                onward = steps_onward(goal, step & 7, enemy, empty)
                if onward != 0:
                    open_points = without(either(empty, row), single(goal))
                    rest = longest_onward(goal, onward, without(enemy, row), open_points)
                    best = max(best, length + rest)
    return n_steps, longest, max(best, longest), taken


def capture_starts(enemy: Points, empty: Points) -> Points:
    """Return the points, with a stone or without, from which a stone would have a capturing step."""
    found = (0, 0)
    for direction in range(8):
        opposite = direction ^ 4
        ends = either(shifted(enemy, direction), shifted(shifted(enemy, opposite), opposite))
        found = either(found, both(shifted(empty, opposite), ends))
    return found


def count_mobility(own: Points, empty: Points) -> int:
    """Return the number of empty neighbours over all stones."""
    total = 0
    for direction in range(8):
        total += count(both(shifted(own, direction), empty))
    return total


def mobility_ahead(own: Points, enemy: Points, empty: Points) -> tuple[int, Points]:
    """Return the own empty neighbours over all stones less the enemy's, and the points next to an empty one."""
    ahead, near = 0, (0, 0)
    for direction in range(8):
        beside = shifted(empty, direction)
        ahead += count(both(own, beside)) - count(both(enemy, beside))
        near = either(near, beside)
    return ahead, near


def count_groups(stones: Points) -> int:
    """Return the number of groups of stones joined by lines.

    Lines part the board into triangles, so groups less holes are stones less joined pairs plus full triangles
    (Euler). A hole is what no way joins to the edge, without stones of the set: seldom there is one.
    """
    beside, above, back = shifted(stones, 0), shifted(stones, 1), shifted(stones, 4)
    rising, falling = both(stones, shifted(stones, 2)), both(stones, shifted(stones, 3))
    pairs = count(both(stones, beside)) + count(both(stones, above)) + count(rising) + count(falling)
    triangles = count(both(rising, beside)) + count(both(rising, above))
    triangles += count(both(falling, back)) + count(both(falling, above))
    others = LOW_MASK & ~stones[0], HIGH_MASK & ~stones[1]
    outer = both(others, (EDGE_LOW, EDGE_HIGH))
    inner = without(others, outer)
    while is_any(inner):
        outer = both(neighbours(outer), inner)
        if not is_any(outer):
            return count(stones) - pairs + triangles + flooded(inner)
        inner = without(inner, outer)
    return count(stones) - pairs + triangles


def flooded(points: Points) -> int:
    """Return the number of groups of points joined by lines, one after the other."""
    total = 0
    while is_any(points):
        grown = lowest(points)
        while is_any(grown):
            points = without(points, grown)
            grown = both(neighbours(grown), points)
        total += 1
    return total


def longest_onward(at: int, steps: int, enemy: Points, open_points: Points) -> int:
    """Do what `longest_rest` says, with one fork of the way kept at hand: few turns have two open at once."""
    board = LOW_MASK, HIGH_MASK  # without which a compiler carries empty words along
    enemy, open_points = both(enemy, board), both(open_points, board)
    best, taken = 0, 0
    fork, fork_steps, fork_taken, fork_enemy, fork_open = 0, 0, 0, (0, 0), (0, 0)
    while True:
        while steps != 0:
            step = popcount(~steps & (steps - 1))
            steps &= steps - 1
            goal = next_point(at, step & 7)
            row = captured(at, step, enemy)
            reached = taken + count(row)
            best = max(best, reached)
            onward = steps_onward(goal, step & 7, enemy, open_points)
            if onward != 0:
                if steps != 0 and fork_steps != 0:
                    best = max(best, taken + longest_rest(at, steps, enemy, open_points))
                elif steps != 0:
                    fork, fork_steps, fork_taken, fork_enemy, fork_open = at, steps, taken, enemy, open_points
                at, steps, taken = goal, onward, reached
                enemy, open_points = without(enemy, row), without(either(open_points, row), single(goal))
        if fork_steps == 0:
            return best
        at, steps, taken, enemy, open_points = fork, fork_steps, fork_taken, fork_enemy, fork_open
        fork_steps = 0


def longest_rest(at: int, first: int, enemy: Points, open_points: Points) -> int:
    """Return the most stones that the rest of a turn takes.

    The stone has come to `at` and may go on by one of the steps `first`; the points that it has left behind are not
    open. Depth first, undone on the way back.
    """
    top, middle, bottom = 0, 0, 0
    best, taken, depth = 0, 0, 0
    steps = first
    while True:
        while steps != 0:
            step = popcount(~steps & (steps - 1))
            steps &= steps - 1
            direction = step & 7
            goal = next_point(at, direction)
            row = captured(at, step, enemy)
            length = count(row)
            best = max(best, taken + length)
            onward = steps_onward(goal, direction, enemy, open_points)
            if onward != 0 and depth < MOST_STEPS:
                bottom = ((bottom & SHIFTED_MASK) << ITEM_BITS) | (middle >> TOP_SHIFT)
                middle = ((middle & SHIFTED_MASK) << ITEM_BITS) | (top >> TOP_SHIFT)
                top = ((top & SHIFTED_MASK) << ITEM_BITS) | (step << 3) | length
                depth += 1
                taken += length
                at, steps = goal, onward
                enemy, open_points = without(enemy, row), without(either(open_points, row), single(goal))
        if depth == 0:
            return best
        step, length = (top >> 3) & 15, top & 7
        top = (top >> ITEM_BITS) | ((middle & ITEM_MASK) << TOP_SHIFT)
        middle = (middle >> ITEM_BITS) | ((bottom & ITEM_MASK) << TOP_SHIFT)
        bottom >>= ITEM_BITS
        depth -= 1
        taken -= length
        goal, at = at, next_point(at, (step & 7) ^ 4)
        row = captured_row(at, step, length)
        enemy, open_points = either(enemy, row), without(either(open_points, single(goal)), row)
        steps = steps_onward(at, (top >> 3) & 7, enemy, open_points) if depth else first
        steps &= -2 << step


def count_safe_paikas(own: Points, enemy: Points, empty: Points, is_threatened: bool) -> int:
    """Return the number of quiet steps of `own`, which has no capture, after which no own stone hangs.

    A step is safe if the enemy cannot come to the point that it leaves and capture there (`held`), cannot
    capture the stone where it arrives (`exposed`), and if it stops every capture threatened before: by
    standing on the point that the capturing stone needs, or by being the first stone of the line no more.
    """
    held, exposed = (0, 0), (0, 0)
    for direction in range(8):
        opposite = direction ^ 4
        coming = shifted(enemy, direction)
        ends = either(shifted(own, opposite), shifted(shifted(own, direction), direction))
        held = either(held, both(coming, ends))
        exposed = either(exposed, shifted(both(coming, empty), direction))
        exposed = either(exposed, shifted(both(enemy, shifted(empty, opposite)), opposite))
    free = without(own, held)
    goals = without(empty, exposed)
    if not is_threatened:
        return count_mobility(free, goals)
    landings, victims = capturing_points(enemy, own, empty), first_victims(own, enemy, empty)
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


def first_victims(own: Points, enemy: Points, empty: Points) -> Points:
    """Return the stones of `own` that are the first of those that a step of `enemy` takes."""
    found = (0, 0)
    for direction in range(8):
        opposite = direction ^ 4
        landing = both(shifted(enemy, direction), empty)
        found = either(found, both(shifted(landing, direction), own))
        found = either(found, both(shifted(shifted(landing, opposite), opposite), own))
    return found


def capturing_points(own: Points, enemy: Points, empty: Points) -> Points:
    """Return the points to which `own` has a capturing step."""
    found = (0, 0)
    for direction in range(8):
        reached = both(shifted(own, direction), empty)
        ends = either(shifted(enemy, direction ^ 4), shifted(shifted(enemy, direction), direction))
        found = either(found, both(reached, ends))
    return found
