"""Rules of Fanorona: steps, captures by approach and by withdrawal, chains, the end.

A state is `(white_low, white_high, black_low, black_high, path_low, path_high, info)`. The stones are sets of
points, see `board`. The path holds the directions of a running chain's steps, three bits each, the first
step lowest, 21 steps a word. `info` packs, from bit 0: the player who makes the next step (0 White, the first
player), the point of the stone in a running chain plus 1 or 0, the chain's number of steps, the number of
quiet steps in a row, a flag for a game drawn by the quiet limit, a flag for a last step without capture.
A move is the origin's number, the direction from bit 7, the kind from bit 10; or STOP."""

from typing import Any

from tunesmith.games.fanorona.board import (
    HEIGHT,
    HIGH_MASK,
    LEFT,
    LOW_MASK,
    RIGHT,
    WIDTH,
    Points,
    both,
    count,
    either,
    is_any,
    is_common,
    lines,
    lowest,
    neighbours,
    next_point,
    number,
    shifted,
    single,
    split_of,
    without,
    words_of,
)
from tunesmith.games.fanorona.captures import captured, steps_onward
from tunesmith.games.game import ONGOING, State

# The start on 9 x 5 (o White, x Black); White begins. Other boards: full rows, the same pattern between.
#
#   5  x x x x x x x x x
#   4  x x x x x x x x x
#   3  x o x o . x o x o
#   2  o o o o o o o o o
#   1  o o o o o o o o o
#      a b c d e f g h i

FORCED_CHAIN = 0
DRAW_RULE = 1
QUIET_LIMIT = 20  # a step made after more quiet steps in a row than this draws the game

PAIKA, APPROACH, WITHDRAWAL = 0, 1, 2
KIND = 10  # the shift that leads to the kind of a move
STOP = 3 << KIND
BY_GOAL = (6, 5, 7, 4, 0, 3, 1, 2)  # directions by the number of the point they lead to

CHAIN, STEPS_DONE, QUIET = 1, 8, 14  # shifts of `info`
DRAWN = 1 << 19
AFTER_PAIKA = 1 << 20
PATH_STEPS = 21  # steps of a path that one word holds

# Hashing works modulo two primes below 2**31: products must not overflow in compiled code.
HALF = 31
HALF_MASK = (1 << HALF) - 1
FIRST_PRIME, SECOND_PRIME = 2**31 - 1, 2**31 - 19

Stones = tuple[Points, Points]


def start(width: int, height: int) -> tuple[Points, Points]:
    """Return White's and Black's stones at the start."""
    middle, half = height // 2, width // 2
    white = [row * width + column for row in range(middle) for column in range(width)]
    for place in range(width - 1):
        column = place + (place >= half)
        if place % 2:
            white.append(middle * width + column)
    centre = middle * width + half
    black = [point for point in range(width * height) if point not in white and point != centre]
    split = split_of(width, height)
    return words_of(white, split), words_of(black, split)


def most_moves(width: int, height: int) -> int:
    """Return a number of legal moves that no position exceeds.

    A line joins two points; a step along it needs a stone at one end and none at the other, so it serves one
    way at most, and is at most two moves, an approach and a withdrawal. A chain has fewer: one stone moves.
    """
    return sum(1 for _ in lines(width, height))  # every line is listed both ways


START_WHITE, START_BLACK = start(WIDTH, HEIGHT)
MOST_MOVES = most_moves(WIDTH, HEIGHT)


def constants(width: int, height: int, forced_chain: bool, draw_rule: bool) -> dict[str, object]:
    """Return the constants of this file for another variant."""
    white, black = start(width, height)
    return {
        "START_WHITE": white,
        "START_BLACK": black,
        "MOST_MOVES": most_moves(width, height),
        "FORCED_CHAIN": int(forced_chain),
        "DRAW_RULE": int(draw_rule),
    }


# Play


def initial() -> State:
    """Return the start position, White to move."""
    return START_WHITE[0], START_WHITE[1], START_BLACK[0], START_BLACK[1], 0, 0, 0


def legal_moves(state: State, out: Any) -> int:
    """List capturing steps (in a chain those of its stone, and STOP), or paikas where there are none."""
    own, enemy = stones(state)
    empty = free_points(own, enemy)
    if chain_point(state) >= 0:
        n = list_continuations(state, enemy, empty, out)
        if not FORCED_CHAIN:
            out[n] = STOP
            n += 1
        return n
    n = list_captures(own, enemy, empty, out)
    if n == 0:
        for direction in range(8):
            n = list_steps(both(shifted(own, direction), empty), direction, PAIKA, out, n)
    return n


def list_captures(own: Points, enemy: Points, empty: Points, out: Any) -> int:
    """List the capturing steps that may begin a turn."""
    n = 0
    for direction in range(8):
        reached = both(shifted(own, direction), empty)
        n = list_steps(both(reached, shifted(enemy, direction ^ 4)), direction, APPROACH, out, n)
        behind = shifted(shifted(enemy, direction), direction)
        n = list_steps(both(reached, behind), direction, WITHDRAWAL, out, n)
    return n


def list_steps(reached: Points, direction: int, kind: int, out: Any, n: int) -> int:
    """Append the steps of one direction and kind to the `n` in `out`, given the points they reach."""
    step = (direction << 7) + (kind << KIND) - int(LEFT[direction]) + int(RIGHT[direction])
    while is_any(reached):
        point = lowest(reached)
        out[n] = number(point) + step
        n += 1
        reached = without(reached, point)
    return n


def list_continuations(state: State, enemy: Points, empty: Points, out: Any) -> int:
    """List the capturing steps by which a running chain may go on, by the numbers of the points they reach."""
    at, n = chain_point(state), 0
    steps = steps_onward(at, last_direction(state), enemy, without(empty, visited(state)))
    for direction in BY_GOAL:
        for kind in (APPROACH, WITHDRAWAL):
            move = (direction << 7) + (kind << KIND)
            if (steps >> step_of(move)) & 1:
                out[n] = at + move
                n += 1
    return n


def step_of(move: int) -> int:
    """Return the step (`captures`) of a move that captures."""
    return (move >> 7) - (APPROACH << (KIND - 7))


def apply_move(state: State, move: int) -> State:
    """Make a step, take what it captures, and pass the turn unless the chain can go on."""
    info = state[6]
    turn = info & 1
    kind = move >> KIND
    if move == STOP:
        return state[0], state[1], state[2], state[3], 0, 0, turn ^ 1
    drawn = DRAWN if DRAW_RULE and quiet_steps(state) > QUIET_LIMIT else 0
    own, enemy = stones(state)
    origin, direction = move & 127, (move >> 7) & 7
    goal = next_point(origin, direction)
    own = either(without(own, single(origin)), single(goal))
    if kind == PAIKA:
        if DRAW_RULE:
            drawn |= ((quiet_steps(state) + 1) << QUIET) | AFTER_PAIKA
        return packed(turn, own, enemy, 0, 0, (turn ^ 1) | drawn)
    enemy = without(enemy, captured(origin, step_of(move), enemy))
    open_points = without(free_points(own, enemy), either(visited(state), single(origin)))
    if not steps_onward(goal, direction, enemy, open_points):
        return packed(turn, own, enemy, 0, 0, (turn ^ 1) | drawn)
    done = steps_done(state)
    path_low, path_high = state[4], state[5]
    if done < PATH_STEPS:
        path_low |= direction << (3 * done)
    else:
        path_high |= direction << (3 * (done - PATH_STEPS))
    chain = ((goal + 1) << CHAIN) | ((done + 1) << STEPS_DONE)
    return packed(turn, own, enemy, path_low, path_high, turn | chain | drawn)


def mover(state: State) -> int:
    """Return who makes the next step."""
    return state[6] & 1


def outcome(state: State) -> int:
    """Ask for the quiet limit, then for a player without stones, then for one who cannot move."""
    if state[6] & DRAWN:
        return 0
    own, enemy = stones(state)
    turn = state[6] & 1
    if not is_any(enemy):
        return 1 - 2 * turn
    if chain_point(state) >= 0 or is_common(neighbours(own), free_points(own, enemy)):
        return ONGOING
    return 2 * turn - 1


def end_reason(state: State) -> str:
    """Say why the state is finished."""
    return "quiet_limit" if state[6] & DRAWN else "no_move"


# Search


def is_quiet(state: State) -> bool:
    """Tell whether the mover has no capture and no chain runs."""
    if chain_point(state) >= 0:
        return False
    own, enemy = stones(state)
    empty = free_points(own, enemy)
    for direction in range(8):
        reached = both(shifted(own, direction), empty)
        ends = either(shifted(enemy, direction ^ 4), shifted(shifted(enemy, direction), direction))
        if is_common(reached, ends):
            return False
    return True


def noisy_moves(state: State, out: Any) -> int:
    """List the mover's capturing steps, and STOP in a chain."""
    if chain_point(state) >= 0:
        return legal_moves(state, out)
    own, enemy = stones(state)
    return list_captures(own, enemy, free_points(own, enemy), out)


def move_hint(state: State, move: int) -> int:
    """Return the number of stones that a move takes."""
    kind = move >> KIND
    if kind == PAIKA or move == STOP:
        return 0
    _, enemy = stones(state)
    return count(captured(move & 127, step_of(move), enemy))


# Counters and repetition


def history_key(state: State) -> int:
    """Return a hash of the stones, whoever is to move; 0 unless the last step was a paika.

    Pictures from before a capture need no forgetting: they hold more stones, and none comes back.
    """
    if state[6] & AFTER_PAIKA == 0:
        return 0
    first, second = 1, 1
    for word in (state[0], state[1], state[2], state[3]):
        low, high = word & HALF_MASK, word >> HALF
        first = (first * 1_345_678_901 + low) % FIRST_PRIME
        first = (first * 1_345_678_901 + high) % FIRST_PRIME
        second = (second * 1_912_345_067 + low) % SECOND_PRIME
        second = (second * 1_912_345_067 + high) % SECOND_PRIME
    return max((first << HALF) + second, 1)


def strip_counters(state: State) -> State:
    """Return the state without the count of quiet steps and what the last step was."""
    info = state[6] & ~((31 << QUIET) | AFTER_PAIKA)
    return state[0], state[1], state[2], state[3], state[4], state[5], info


# The words of a state


def packed(turn: int, own: Points, enemy: Points, path_low: int, path_high: int, info: int) -> State:
    """Return the state with the stones of `turn` in `own`."""
    if turn:
        return enemy[0], enemy[1], own[0], own[1], path_low, path_high, info
    return own[0], own[1], enemy[0], enemy[1], path_low, path_high, info


def stones(state: State) -> Stones:
    """Return the stones of the player who makes the next step, and the other's."""
    if state[6] & 1:
        return (state[2], state[3] & HIGH_MASK), (state[0], state[1] & HIGH_MASK)
    return (state[0], state[1] & HIGH_MASK), (state[2], state[3] & HIGH_MASK)


def free_points(own: Points, enemy: Points) -> Points:
    """Return the points without a stone."""
    return LOW_MASK & ~(own[0] | enemy[0]), HIGH_MASK & ~(own[1] | enemy[1])


def chain_point(state: State) -> int:
    """Return the point of the stone in a running chain, or -1."""
    return ((state[6] >> CHAIN) & 127) - 1


def steps_done(state: State) -> int:
    """Return the number of steps of a running chain."""
    return (state[6] >> STEPS_DONE) & 63


def quiet_steps(state: State) -> int:
    """Return the number of quiet steps in a row."""
    return (state[6] >> QUIET) & 31


def path_direction(state: State, step: int) -> int:
    """Return the direction of one step (from 0) of a running chain."""
    if step < PATH_STEPS:
        return (state[4] >> (3 * step)) & 7
    return (state[5] >> (3 * (step - PATH_STEPS))) & 7


def last_direction(state: State) -> int:
    """Return the direction of the last step of a running chain."""
    return path_direction(state, steps_done(state) - 1)


def visited(state: State) -> Points:
    """Return the points that the stone of a running chain has left behind in this turn."""
    found = (0, 0)
    point = chain_point(state)
    for step in range(steps_done(state) - 1, -1, -1):
        back = path_direction(state, step)
        point = next_point(point, back ^ 4)
        found = either(found, single(point))
    return found
