"""Text forms of RoPaSci 360.

A state is one JSON object without spaces:
`{"board":[[-4,1,"rr"],[4,0,"S"]],"throws":[1,2],"nturns":2}`. `board` lists the occupied hexes [r, q, tokens]
ascending by (r, q); a letter a token, upper case Upper's, lower case Lower's, in ASCII order. `throws` are
throws made by Upper and by Lower, `nturns` turns played. While Upper's choice is hidden there is
`"pending":MOVE` too. A move is `Tr:4,-2` (throw a rock to (4, -2); s scissors, p paper),
`L:0,0>0,1` (slide) or `W:0,0>-1,2` (swing)."""

import json
import re
from typing import Any

from tunesmith.games.errors import InputError
from tunesmith.games.game import State
from tunesmith.games.ropasci360.board import (
    COORDINATES,
    PLACES,
    add_to_pile,
    count_pile,
    distance,
    hex_number,
    is_hex,
)
from tunesmith.games.ropasci360.rules import (
    AS_GIVEN,
    GOES_ON,
    MAX_TURNS,
    N_THROWS,
    SYMBOLS,
    THROWN,
    TURNS,
    judge,
    legal_moves,
    mover,
    symbols_on,
)
from tunesmith.games.texts import is_whole, parse_json, shown

SIDES = ("Upper", "Lower")

_ACTION = re.compile(r"T([rps]):(-?\d),(-?\d)|[LW]:(-?\d),(-?\d)>(-?\d),(-?\d)", re.ASCII)
_SHAPE = '{"board":[[r,q,tokens],...],"throws":[u,l],"nturns":n}'


def tokens_on(state: State, number: int) -> tuple[str, str]:
    """Return Upper's and Lower's tokens on a hex as letters, upper and lower case."""
    here = 1 << number
    upper, lower, rock, paper, upper_pile, lower_pile = state[:6]
    symbol = symbols_on(here, upper | lower, rock, paper)
    if symbol == 0:
        return "", ""
    letter = SYMBOLS[symbol >> 1]
    n_upper = (upper >> number & 1) + count_pile(upper_pile, here)
    n_lower = (lower >> number & 1) + count_pile(lower_pile, here)
    return letter.upper() * n_upper, letter * n_lower


# States


def state_to_text(state: State) -> str:
    """Return the JSON object of a state, without spaces."""
    cells = ((r, q, tokens_on(state, hex_number(r, q))) for r, q in PLACES)
    fields: dict[str, Any] = {
        "board": [[r, q, upper + lower] for r, q, (upper, lower) in cells if upper + lower],
        "throws": [state[6] & 15, state[6] >> 4],
        "nturns": state[8] & TURNS,
    }
    if state[7] != 0:
        fields["pending"] = move_to_text(state, state[7])
    return json.dumps(fields, separators=(",", ":"))


def text_to_state(text: str) -> State:
    """Read a state; refuse what cannot stand on the board between turns.

    A position is taken as it is given, even if the end test would fire: that is asked after turns only.
    """
    fields = _fields(text)
    throws = _numbers(fields["throws"], 2, N_THROWS, "throws", text)
    turns = _numbers([fields["nturns"]], 1, MAX_TURNS, "nturns", text)[0]
    board = _board(fields["board"], text)
    for side, name in enumerate(SIDES):
        n = sum(letter.isupper() == (side == 0) for _, tokens in board for letter in tokens)
        if n > throws[side]:
            raise _wrong(text, f"at most as many tokens of {name} as throws made, {throws[side]}", f"{n} in ")
    state = _packed(board, throws, turns)
    can_act = all(throws[side] < N_THROWS or state[side] for side in (0, 1))
    if can_act and judge(state) != GOES_ON:
        state = (*state[:8], turns | AS_GIVEN)
    if "pending" not in fields:
        return state
    if not isinstance(fields["pending"], str):
        raise _wrong(text, "pending as the text of a move", f"{fields['pending']!r} in ")
    return (*state[:7], text_to_move(state, fields["pending"]), state[8])


def _fields(text: str) -> dict[str, Any]:
    """Return the members of the JSON object, all there and none twice."""
    members = {"board", "throws", "nturns"}
    try:
        pairs = parse_json(text, object_pairs_hook=tuple)  # keeps members that come twice
    except (ValueError, TypeError):
        raise _wrong(text, f"a JSON object {_SHAPE}") from None
    if not isinstance(pairs, tuple) or not members <= {name for name, _ in pairs}:
        raise _wrong(text, f"a JSON object {_SHAPE}")
    fields = dict(pairs)
    if len(fields) != len(pairs) or not fields.keys() <= members | {"pending"}:
        raise _wrong(text, f"no other members than {_SHAPE} and pending, each once")
    return fields


def _board(field: Any, text: str) -> list[tuple[int, str]]:
    """Return (hex number, tokens) of every occupied hex."""
    if not isinstance(field, list):
        raise _wrong(text, "board as a list of [r,q,tokens]", f"{shown(field)} in ")
    board: dict[int, str] = {}
    for cell in field:
        if not (isinstance(cell, list) and len(cell) == 3 and is_whole(cell[0]) and is_whole(cell[1])):
            raise _wrong(text, "hexes as [r,q,tokens]", f"{shown(cell)} in ")
        r, q, tokens = cell
        if not is_hex(r, q):
            raise _wrong(text, "hexes with -4 <= r, q, r + q <= 4", f"{shown(cell)} in ")
        if not isinstance(tokens, str) or not tokens or len({*tokens.lower()}) != 1:
            raise _wrong(text, "one symbol on a hex, once a token", f"{shown(cell)} in ")
        if tokens[0] not in "RPSrps" or tokens.lower().strip(tokens[0].lower()):
            raise _wrong(text, "tokens as letters R, P, S (Upper) or r, p, s (Lower)", f"{shown(cell)} in ")
        if hex_number(r, q) in board:
            raise _wrong(text, "each hex once", f"{shown(cell)} again in ")
        board[hex_number(r, q)] = tokens
    return list(board.items())


def _packed(board: list[tuple[int, str]], throws: list[int], turns: int) -> State:
    sides, piles, symbols = [0, 0], [0, 0], [0, 0, 0]
    for number, tokens in board:
        symbols[SYMBOLS.index(tokens[0].lower())] |= 1 << number
        for letter in tokens:
            side = int(letter.islower())
            if sides[side] >> number & 1:
                piles[side] = add_to_pile(piles[side], number)
            sides[side] |= 1 << number
    rock, paper, _ = symbols
    return sides[0], sides[1], rock, paper, piles[0], piles[1], throws[0] | throws[1] << 4, 0, turns


def _numbers(field: Any, n: int, most: int, name: str, text: str) -> list[int]:
    if not isinstance(field, list) or len(field) != n:
        raise _wrong(text, f"{name} as a list of {n} numbers", f"{shown(field)} in ")
    if not all(is_whole(number) and 0 <= number <= most for number in field):
        raise _wrong(text, f"{name} from 0 to {most}", f"{', '.join(map(shown, field))} in ")
    return field


def _wrong(text: Any, expected: str, found: str = "") -> InputError:
    return InputError(f"ropasci360 state: expected {expected}, found {found}{shown(text)}")


# Moves


def move_to_text(state: State, move: int) -> str:
    """Return the text of a move."""
    source, target = move >> 6, COORDINATES[move & 63]
    if source >= THROWN:
        return f"T{SYMBOLS[source - THROWN]}:{target[0]},{target[1]}"
    start = COORDINATES[source]
    kind = "L" if distance(start, target) == 1 else "W"
    return f"{kind}:{start[0]},{start[1]}>{target[0]},{target[1]}"


def text_to_move(state: State, text: str) -> int:
    """Read a move that is legal for the side that chooses."""
    move = _read_action(text.strip()) if isinstance(text, str) else None
    if move is None or move_to_text(state, move) != text.strip():
        raise InputError(
            f"ropasci360 move: expected Tr:r,q (throw; r, p or s), L:r,q>r,q (slide) or W:r,q>r,q (swing) "
            f"on the board, found {shown(text)}"
        )
    buffer = [0] * 512
    if move not in buffer[: legal_moves(state, buffer)]:
        raise InputError(f"ropasci360 move: expected a legal one of {SIDES[mover(state)]}, found {text!r}")
    return move


def _read_action(text: str) -> int | None:
    found = _ACTION.fullmatch(text)
    if found is None:
        return None
    symbol, *digits = found.groups()
    numbers = [int(digit) for digit in digits if digit is not None]
    places = list(zip(numbers[::2], numbers[1::2], strict=True))
    if not all(is_hex(r, q) for r, q in places):
        return None
    source = THROWN + SYMBOLS.index(symbol) if symbol else hex_number(*places[0])
    return 64 * source + hex_number(*places[-1])
