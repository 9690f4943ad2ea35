"""Text forms of Expendibots and drawings of a position.

A state is `BOARD white|black NTURNS`: the rows y = 7 to 0 joined by `/`, in each the squares x = 0 to 7, `.`
empty, `A` to `L` a White stack of 1 to 12, `a` to `l` a Black one; then who moves and the plies played (even:
White moves). A move is `B<x><y>` (BOOM) or `M<n>:<x><y>-<x><y>` (MOVE of n tokens, n in hexadecimal)."""

import re
from typing import Any

import numpy as np

from games.errors import InputError
from games.expendibots.rules import (
    PLY_LIMIT,
    boards,
    height_at,
    legal_moves,
    mover,
    outcome,
    pack,
    plies,
)
from games.game import ONGOING, State

SIDES = ("white", "black")
TOKENS = 12  # of each side, at the start
MOST_MOVES = 176  # the size of a buffer; 171 is the most that a side can have

_BOARD = re.compile("[.A-La-l]{8}(/[.A-La-l]{8}){7}")
_MOVE = re.compile("B[0-7][0-7]|M[1-9A-C]:[0-7][0-7]-[0-7][0-7]")


def stacks(state: State) -> list[int]:
    """Return the height of the stack on each square, White's positive, Black's negative."""
    p0, p1, p2, p3, white = boards(state)
    heights = [height_at(p0, p1, p2, p3, square) for square in range(64)]
    return [height if white >> square & 1 else -height for square, height in enumerate(heights)]


def state_to_text(state: State) -> str:
    """Return the rows from the top, the side to move, and the plies played."""
    letters = [_letter(stack) for stack in stacks(state)]
    rows = ["".join(letters[8 * y : 8 * y + 8]) for y in reversed(range(8))]
    return f"{'/'.join(rows)} {SIDES[mover(state)]} {plies(state)}"


def _letter(stack: int) -> str:
    if stack == 0:
        return "."
    return chr(ord("A") + stack - 1) if stack > 0 else chr(ord("a") - stack - 1)


def text_to_state(text: str) -> State:
    """Read a state; refuse too many tokens, and a count of plies that belongs to the other side's move."""
    fields = text.split()
    if len(fields) != 3:
        raise _wrong("state", "three fields BOARD white|black NTURNS", text)
    board, side, turns = fields
    if not _BOARD.fullmatch(board):
        raise _wrong("state", "8 rows of 8 squares . A-L a-l, joined by /", board)
    if side not in SIDES:
        raise _wrong("state", "white or black to move", side)
    if not re.fullmatch("0|[1-9][0-9]{0,2}", turns) or int(turns) > PLY_LIMIT:
        raise _wrong("state", f"0 to {PLY_LIMIT} plies", turns)
    if int(turns) % 2 != SIDES.index(side):
        raise _wrong("state", "white to move after an even number of plies, black after an odd one", text)
    heights = _heights(board)
    for name, own in (("White", heights), ("Black", [-height for height in heights])):
        tokens = sum(height for height in own if height > 0)
        if tokens > TOKENS:
            raise _wrong("state", f"at most {TOKENS} tokens of {name} (found {tokens})", board)
    planes = [sum((abs(height) >> i & 1) << s for s, height in enumerate(heights)) for i in range(4)]
    white = sum(1 << square for square, height in enumerate(heights) if height > 0)
    return pack(planes[0], planes[1], planes[2], planes[3], white, SIDES.index(side), int(turns))


def _heights(board: str) -> list[int]:
    squares = "".join(reversed(board.split("/")))
    return [0 if s == "." else ord(s) - 64 if s.isupper() else 96 - ord(s) for s in squares]


def move_to_text(state: State, move: int) -> str:
    """Return `Bxy` or `Mn:xy-xy`."""
    tokens, source, target = move >> 12, (move >> 6) & 63, move & 63
    start = f"{source & 7}{source >> 3}"
    return f"M{tokens:X}:{start}-{target & 7}{target >> 3}" if tokens else f"B{start}"


def text_to_move(state: State, text: str) -> int:
    """Read a move that is legal in `state`."""
    if not _MOVE.fullmatch(text):
        raise _wrong("move", "B<x><y> or M<n>:<x><y>-<x><y>, like B23 or M2:01-03", text)
    square = [int(x) + 8 * int(y) for x, y in re.findall("([0-7])([0-7])", text.partition(":")[2] or text)]
    move = square[0] << 6 | square[-1]
    if text[0] == "M":
        move |= int(text[1], 16) << 12
    buffer: Any = np.zeros(MOST_MOVES, np.int64)
    if move not in buffer[: legal_moves(state, buffer)]:
        raise _wrong("move", f"a legal move of {SIDES[mover(state)]} in {state_to_text(state)}", text)
    return move


def referee_text(result: int, reason: str) -> str:
    """Return the words of the course's referee for a finished game.

    `result` is 1, 0 or -1 for White; `reason` that of `engine.Board`: `tokens`, `no_tokens`, `repetition` or
    `max_plies`.
    """
    draws = {
        "no_tokens": "no tokens remaining",
        "repetition": "game state occurred 4 times.",
        "max_plies": "maximum number of turns reached.",
    }
    if reason in draws:
        return f"draw detected: {draws[reason]}"
    return f"winner: {SIDES[(1 - result) // 2]}"


def draw_text(state: State) -> str:
    """Draw the board with White's stacks as `O2` and Black's as `#2`, White's home below."""
    heights = stacks(state)
    rule = "  +" + "-" * 33 + "+"
    lines = [rule]
    for y in reversed(range(8)):
        cells = [_cell(heights[8 * y + x]) for x in range(8)]
        lines.append(f"{y} | {' '.join(cells)} |")
    columns = "    " + " ".join(f" {x} " for x in range(8))
    legend = f"    O white {_sum(heights, 1)}, # black {_sum(heights, -1)}; {_turn(state)}"
    return "\n".join([*lines, rule, columns.rstrip(), legend])


def _cell(stack: int) -> str:
    if stack == 0:
        return " . "
    return f"{'O' if stack > 0 else '#'}{abs(stack):<2}"


def _sum(heights: list[int], sign: int) -> int:
    return sum(abs(height) for height in heights if height * sign > 0)


def _turn(state: State) -> str:
    if outcome(state) == ONGOING and plies(state) < PLY_LIMIT:
        return f"{SIDES[mover(state)]} to move (ply {plies(state)})"
    return f"game over (ply {plies(state)})"


# The picture: squares of 40, numbers of rows and columns at the left and below, a line of text under all.
# No style sheet: in a page with other pictures it would reach those too.

_DEFINITIONS = (
    '<defs><radialGradient id="expendibots-white" cx=".38" cy=".32"><stop offset="0" stop-color="#ffffff"/>'
    '<stop offset="1" stop-color="#cfd6de"/></radialGradient>'
    '<radialGradient id="expendibots-black" cx=".38" cy=".32"><stop offset="0" stop-color="#5b6472"/>'
    '<stop offset="1" stop-color="#1d222b"/></radialGradient></defs>'
)
_SQUARES = ("#c9a66b", "#dfc08a")
_DISCS = (("white", "#7d8794", "#20262f"), ("black", "#0b0e13", "#f4f6f8"))  # fill, rim, number
_GREY = "#8a8f98"  # readable on white and on black


def draw_svg(state: State) -> str:
    """Draw the board, a pile of discs for each stack (at most five) with its height on top."""
    heights = stacks(state)
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 352 376" role="img"'
        ' font-family="\'DejaVu Sans\',Verdana,Arial,sans-serif" text-anchor="middle">',
        f"<title>Expendibots {state_to_text(state)}</title>{_DEFINITIONS}",
        '<rect x="22" y="2" width="328" height="328" rx="6" fill="#6d4f2a"/>',
    ]
    for square in range(64):
        x, y = 26 + 40 * (square & 7), 286 - 40 * (square >> 3)
        colour = _SQUARES[((square & 7) + (square >> 3)) & 1]
        parts.append(f'<rect x="{x}" y="{y}" width="40" height="40" fill="{colour}"/>')
    for square in reversed(range(64)):  # a high pile may overlap the square above
        parts.append(_pile(46 + 40 * (square & 7), 306 - 40 * (square >> 3), heights[square]))
    for i in range(8):
        parts.append(_label(46 + 40 * i, 344, 11, _GREY, str(i)))
        parts.append(_label(11, 310 - 40 * i, 11, _GREY, str(i)))
    line = f"white {_sum(heights, 1)} tokens, black {_sum(heights, -1)}; {_turn(state)}"
    return "".join([*parts, _label(186, 367, 12, _GREY, line), "</svg>"])


def _pile(x: int, y: int, stack: int) -> str:
    if stack == 0:
        return ""
    colour, rim, ink = _DISCS[int(stack < 0)]
    layers = min(abs(stack), 5)
    levels = [y + layers - 1 - 2 * i for i in range(layers)]
    fill = f'fill="url(#expendibots-{colour})" stroke="{rim}"'
    discs = [f'<circle cx="{x}" cy="{level}" r="15" {fill}/>' for level in levels]
    return "".join(discs) + _label(x, levels[-1] + 6, 17, ink, str(abs(stack)))


def _label(x: int, y: int, size: int, ink: str, text: str) -> str:
    weight = ' font-weight="bold"' if size > 12 else ""
    return f'<text x="{x}" y="{y}" font-size="{size}"{weight} fill="{ink}">{text}</text>'


def _wrong(what: str, expected: str, text: Any) -> InputError:
    shown = repr(text)
    shown = shown if len(shown) <= 200 else f"{shown[:200]}..."
    return InputError(f"expendibots {what}: expected {expected}, found {shown}")
