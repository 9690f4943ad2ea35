"""Text forms of Expendibots.

A state is `BOARD white|black NTURNS`: the rows y = 7 to 0 joined by `/`, in each the squares x = 0 to 7, `.`
empty, `A` to `L` a White stack of 1 to 12, `a` to `l` a Black one; then who moves and the plies played (even:
White moves). A move is `B<x><y>` (BOOM) or `M<n>:<x><y>-<x><y>` (MOVE of n tokens, n in hexadecimal)."""

import re
from typing import Any

import numpy as np

from tunesmith.games.errors import InputError
from tunesmith.games.expendibots.board import height_at
from tunesmith.games.expendibots.rules import MOST_MOVES, PLY_LIMIT, boards, legal_moves, mover, pack, plies
from tunesmith.games.game import State
from tunesmith.games.texts import shown

SIDES = ("white", "black")
TOKENS = 12  # of each side, at the start

_BOARD = re.compile("[.A-La-l]{8}(/[.A-La-l]{8}){7}")
_MOVE = re.compile("B[0-7][0-7]|M[1-9A-C]:[0-7][0-7]-[0-7][0-7]")


def stacks(state: State) -> list[int]:
    """Return the height of the stack on each square, White's positive, Black's negative."""
    p0, p1, p2, p3, white = boards(state)
    heights = [height_at(p0, p1, p2, p3, square) for square in range(64)]
    return [height if white >> square & 1 else -height for square, height in enumerate(heights)]


# States


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


# Moves


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


def _wrong(what: str, expected: str, text: Any) -> InputError:
    return InputError(f"expendibots {what}: expected {expected}, found {shown(text)}")
