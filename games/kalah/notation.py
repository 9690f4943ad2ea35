"""Text forms of Kalah.

A state is `[pondsA,pondsB,[bankA,bankB],turn]`: each player's ponds from his own left to his own right, turn
0 = A (the first player), 1 = B, null = the game is over and all ponds are empty. A move is the number of a
pond of the player to move."""

import json
from typing import Any

from tunesmith.games.errors import InputError
from tunesmith.games.game import State
from tunesmith.games.kalah.board import BANK, MOST_SEEDS, POND_MASK, PONDS
from tunesmith.games.texts import is_whole, parse_json, shown


def players(state: State) -> tuple[int, int]:
    """Return the packed words of the first and of the second player."""
    own, opp, side = state
    return (own, opp) if side == 0 else (opp, own)


def is_over(state: State) -> bool:
    """Tell whether all ponds are empty."""
    return (state[0] | state[1]) & POND_MASK == 0


def ponds_of(word: int) -> list[int]:
    """Return one player's ponds, left to right."""
    return [(word >> 8 * i) & 255 for i in range(PONDS)]


# States


def state_to_text(state: State) -> str:
    """Return the JSON list of a state, without spaces."""
    first, second = players(state)
    turn = None if is_over(state) else state[2]
    lists = [ponds_of(first), ponds_of(second), [first >> BANK, second >> BANK], turn]
    return json.dumps(lists, separators=(",", ":"))


def text_to_state(text: str) -> State:
    """Read a state; refuse what cannot be a position of this board."""
    try:
        fields = parse_json(text)
    except (ValueError, TypeError):
        raise _wrong(text, "a JSON list [pondsA,pondsB,[bankA,bankB],turn]") from None
    if not isinstance(fields, list) or len(fields) != 4:
        raise _wrong(text, "a JSON list of four fields [pondsA,pondsB,[bankA,bankB],turn]")
    ponds_a = _numbers(fields[0], PONDS, "ponds of A", text)
    ponds_b = _numbers(fields[1], PONDS, "ponds of B", text)
    banks = _numbers(fields[2], 2, "banks", text)
    total = sum(ponds_a) + sum(ponds_b) + sum(banks)
    if total > MOST_SEEDS:
        raise _wrong(text, f"at most {MOST_SEEDS} seeds on the board", f"{total} in ")
    turn = fields[3]
    if turn is not None and not (is_whole(turn) and turn in (0, 1)):
        raise _wrong(text, "turn 0, 1 or null", f"{turn!r} in ")
    over = not any(ponds_a) and not any(ponds_b)
    if turn is None and not over:
        raise _wrong(text, "turn null only where all ponds are empty (the seeds left are banked)")
    if not over and not (any(ponds_a) and any(ponds_b)):
        raise _wrong(text, "seeds on both sides, or none in any pond (an empty side ends the game)")
    first, second = (_pack(ponds, bank) for ponds, bank in zip((ponds_a, ponds_b), banks, strict=True))
    return (second, first, 1) if turn == 1 and not over else (first, second, 0)


def _pack(ponds: list[int], bank: int) -> int:
    return sum(seeds << 8 * place for place, seeds in enumerate([*ponds, bank]))


def _numbers(field: Any, n: int, name: str, text: str) -> list[int]:
    if not isinstance(field, list) or len(field) != n:
        raise _wrong(text, f"{name} as a list of {n} numbers")
    if not all(is_whole(seeds) and seeds >= 0 for seeds in field):
        raise _wrong(text, f"{name} as whole numbers from 0")
    return field


def _wrong(text: str, expected: str, found: str = "") -> InputError:
    return InputError(f"kalah state: expected {expected}, found {found}{shown(text)}")


# Moves


def move_to_text(state: State, move: int) -> str:
    """Return the number of the pond."""
    return str(move)


def text_to_move(state: State, text: str) -> int:
    """Read a move that is legal in `state`."""
    legal = [] if is_over(state) else [i + 1 for i, seeds in enumerate(ponds_of(state[0])) if seeds]
    for pond in legal:
        if text.strip() == str(pond):
            return pond
    expected = f"one of the ponds {', '.join(map(str, legal))}" if legal else "no move (the game is over)"
    raise InputError(f"kalah move: expected {expected}, found {text!r}")
