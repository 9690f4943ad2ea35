"""Text forms of Fanorona.

A state is `board turn chain quiet`: the rows from the top, separated by `/`, of `w`, `b` and `.`; `w` or `b`,
who makes the next step; `-` or the points that the stone of a running chain has visited in this turn, oldest
first, joined by `-`; the number of quiet steps in a row. A finished game prints `- - -` after the board.
A move is origin, destination and kind (`A` approach, `W` withdrawal, `P` paika), as in `d3e3A`, or `stop`."""

from itertools import pairwise
from typing import Any

import numpy as np

from tunesmith.games.errors import InputError
from tunesmith.games.fanorona.board import (
    HEIGHT,
    SPLIT,
    WIDTH,
    Points,
    count,
    direction_of,
    has,
    joined_to,
    next_point,
    without,
    words_of,
)
from tunesmith.games.fanorona.captures import steps_onward
from tunesmith.games.fanorona.rules import (
    CHAIN,
    DRAW_RULE,
    KIND,
    MOST_MOVES,
    PATH_STEPS,
    QUIET,
    QUIET_LIMIT,
    STEPS_DONE,
    STOP,
    chain_point,
    free_points,
    legal_moves,
    outcome,
    path_direction,
    quiet_steps,
    steps_done,
    stones,
    visited,
)
from tunesmith.games.game import ONGOING, State
from tunesmith.games.texts import shown

COLUMNS = "abcdefghi"
KINDS = "PAW"


def point_name(point: int) -> str:
    """Return the name of a point, as in `d3`."""
    return f"{COLUMNS[point % WIDTH]}{point // WIDTH + 1}"


def white_and_black(state: State) -> tuple[Points, Points]:
    """Return the stones of both players."""
    return (state[0], state[1]), (state[2], state[3])


def letters(state: State, white: str, black: str, empty: str) -> list[list[str]]:
    """Return what stands on each point, row by row from the top."""
    light, dark = white_and_black(state)
    rows = []
    for row in range(HEIGHT - 1, -1, -1):
        numbers = range(row * WIDTH, (row + 1) * WIDTH)
        rows.append([white if has(light, p) else black if has(dark, p) else empty for p in numbers])
    return rows


def chain_points(state: State) -> list[int]:
    """Return the points that the stone of a running chain has visited, oldest first."""
    found = [chain_point(state)] if chain_point(state) >= 0 else []
    for step in range(steps_done(state) - 1, -1, -1):
        found.append(next_point(found[-1], path_direction(state, step) ^ 4))
    return found[::-1]


# States


def state_to_text(state: State) -> str:
    """Return the four fields of a state."""
    if outcome(state) != ONGOING:
        return finished_text(state)
    chain = "-".join(point_name(point) for point in chain_points(state)) or "-"
    return f"{_board_text(state)} {'wb'[state[6] & 1]} {chain} {quiet_steps(state)}"


def finished_text(state: State) -> str:
    """Return the board and `- - -`: a game that has ended, by whatever rule."""
    return f"{_board_text(state)} - - -"


def _board_text(state: State) -> str:
    return "/".join("".join(row) for row in letters(state, "w", "b", "."))


def text_to_state(text: str) -> State:
    """Read a state that a game can go on from; refuse what cannot be a position of this board.

    The list of pictures for the repetition rule starts empty, whatever the number of quiet steps. Without
    the draw rule that number is read and dropped.
    """
    fields = text.split() if isinstance(text, str) else []
    if len(fields) != 4:
        raise _wrong("the four fields board, turn, chain, quiet", text)
    board, turn, chain, quiet = fields
    white, black = _read_board(board, text)
    if turn not in ("w", "b"):
        ended = " (a finished game has no position to play from)" if turn == "-" else ""
        raise _wrong(f"turn w or b{ended}", text, f"{turn!r} in ")
    n_quiet = _read_quiet(quiet, text)
    side = "wb".index(turn)
    info = side | (n_quiet << QUIET if DRAW_RULE else 0)
    state = (*white, *black, 0, 0, info)
    return state if chain == "-" else _with_chain(state, chain, n_quiet, text)


def _read_board(board: str, text: str) -> tuple[Points, Points]:
    rows = board.split("/")
    if len(rows) != HEIGHT or any(len(row) != WIDTH or not set(row) <= set("wb.") for row in rows):
        raise _wrong(f"{HEIGHT} rows of {WIDTH} points w, b or . separated by /", text)
    flat = "".join(reversed(rows))
    most = WIDTH * HEIGHT // 2
    for colour in "wb":
        if flat.count(colour) > most:
            raise _wrong(f"at most {most} stones of a colour", text, f"{flat.count(colour)} {colour} in ")
    if not flat.strip("."):
        raise _wrong("a stone on the board", text)
    light, dark = ([point for point, found in enumerate(flat) if found == colour] for colour in "wb")
    return words_of(light, SPLIT), words_of(dark, SPLIT)


def _read_quiet(quiet: str, text: str) -> int:
    # After one step more the game is drawn, so a position to play from has no higher count.
    most = QUIET_LIMIT + 1
    if not (quiet.isascii() and quiet.isdecimal() and len(quiet) <= 3 and int(quiet) <= most):
        raise _wrong(f"0 to {most} quiet steps", text, f"{quiet[:20]!r} in ")
    return int(quiet)


def _with_chain(state: State, chain: str, n_quiet: int, text: str) -> State:
    """Add a running chain; refuse one that cannot have led here, or that cannot go on."""
    numbers = {point_name(point): point for point in range(WIDTH * HEIGHT)}
    visits = chain.split("-")
    if len(visits) < 2 or not set(visits) <= set(numbers) or len(set(visits)) < len(visits):
        raise _wrong("chain - or two or more different points joined by -", text, f"{chain[:200]!r} in ")
    if n_quiet:
        raise _wrong("0 quiet steps in a chain", text, f"{n_quiet} in ")
    points = [numbers[name] for name in visits]
    directions = _directions(points, text)
    own, enemy = stones(state)
    empty = free_points(own, enemy)
    if not has(own, points[-1]) or not all(has(empty, point) for point in points[:-1]):
        raise _wrong("a stone of the mover on the chain's last point, none on the others", text)
    for step in range(len(directions)):
        if not _may_have_captured(points, directions[step], step, empty):
            pair = "-".join(visits[step : step + 2])
            raise _wrong("a chain of captures", text, f"{pair!r}, which cannot have taken a stone, in ")
    if count(enemy) + len(directions) > WIDTH * HEIGHT // 2:
        raise _wrong("a stone taken by every step of the chain", text, f"{count(enemy)} left in ")
    halves = directions[:PATH_STEPS], directions[PATH_STEPS:]
    path_low, path_high = (sum(d << 3 * i for i, d in enumerate(half)) for half in halves)
    info = state[6] | (points[-1] + 1) << CHAIN | len(directions) << STEPS_DONE
    chained = (*state[:4], path_low, path_high, info)
    if not steps_onward(points[-1], directions[-1], enemy, without(empty, visited(chained))):
        raise _wrong("a chain that can go on (else the turn has ended)", text, f"{chain!r} in ")
    return chained


def _directions(points: list[int], text: str) -> list[int]:
    found: list[int] = []
    for origin, goal in pairwise(points):
        if not has(joined_to(origin), goal):
            pair = f"{point_name(origin)}-{point_name(goal)}"
            raise _wrong("a chain along lines of the board", text, f"{pair!r} in ")
        found.append(direction_of(origin, goal))
    if any(before == after for before, after in pairwise(found)):
        raise _wrong("a chain without two steps in the same direction running", text)
    return found


def _may_have_captured(points: list[int], direction: int, step: int, empty: Points) -> bool:
    """Tell whether step number `step` of a chain can have taken a stone: its place is free, or was taken."""
    targets = next_point(points[step + 1], direction), next_point(points[step], direction ^ 4)
    fresh = [target for target in targets if target not in points[:step]]
    return any(target == points[-1] or has(empty, target) for target in fresh)


def _wrong(expected: str, text: object, found: str = "") -> InputError:
    return InputError(f"fanorona state: expected {expected}, found {found}{shown(text)}")


# Moves


def move_to_text(state: State, move: int) -> str:
    """Return origin, destination and kind, or `stop`."""
    if move == STOP:
        return "stop"
    origin, direction = move & 127, (move >> 7) & 7
    return f"{point_name(origin)}{point_name(next_point(origin, direction))}{KINDS[move >> KIND]}"


def text_to_move(state: State, text: str) -> int:
    """Read a move that is legal in `state`."""
    if outcome(state) != ONGOING:
        raise InputError(f"fanorona move: expected no move (the game is over), found {shown(text)}")
    out: Any = np.zeros(MOST_MOVES, np.int64)
    n = legal_moves(state, out)
    known = {move_to_text(state, int(move)): int(move) for move in out[:n]}
    if not isinstance(text, str) or text.strip() not in known:
        legal = ", ".join(sorted(known))
        raise InputError(f"fanorona move: expected one of {legal}, found {shown(text)}")
    return known[text.strip()]
