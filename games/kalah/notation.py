"""Text forms of Kalah and drawings of a position.

A state is `[pondsA,pondsB,[bankA,bankB],turn]`: each player's ponds from his own left to his own right, turn
0 = A (the first player), 1 = B, null = the game is over and all ponds are empty. A move is the number of a
pond of the player to move."""

import json
from math import cos, sin, sqrt
from typing import Any

from games.errors import InputError
from games.game import State
from games.kalah.rules import BANK, MOST_SEEDS, POND_MASK, PONDS


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


def state_to_text(state: State) -> str:
    """Return the JSON list of a state, without spaces."""
    first, second = players(state)
    turn = None if is_over(state) else state[2]
    lists = [ponds_of(first), ponds_of(second), [first >> BANK, second >> BANK], turn]
    return json.dumps(lists, separators=(",", ":"))


def text_to_state(text: str) -> State:
    """Read a state; refuse what cannot be a position of this board."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError, TypeError):
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
    if turn is not None and not (_is_whole(turn) and turn in (0, 1)):
        raise _wrong(text, "turn 0, 1 or null", f"{turn!r} in ")
    over = not any(ponds_a) and not any(ponds_b)
    if turn is None and not over:
        raise _wrong(text, "turn null only where all ponds are empty (the seeds left are banked)")
    if not over and not (any(ponds_a) and any(ponds_b)):
        raise _wrong(text, "seeds on both sides, or none in any pond (an empty side ends the game)")
    first, second = (_pack(ponds, bank) for ponds, bank in zip((ponds_a, ponds_b), banks, strict=True))
    return (second, first, 1) if turn == 1 and not over else (first, second, 0)


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


def draw_text(state: State) -> str:
    """Draw the board as a table, A below; ponds are numbered from each player's left."""
    first, second = players(state)
    row_a = " ".join(f"{seeds:3}" for seeds in ponds_of(first))
    row_b = " ".join(f"{seeds:3}" for seeds in reversed(ponds_of(second)))
    numbers = [f"{pond:3}" for pond in range(1, PONDS + 1)]
    rule = "-" * len(row_a)
    turn = "game over" if is_over(state) else f"{'AB'[state[2]]} to move"
    return "\n".join(
        [
            f"  B       {' '.join(reversed(numbers))}",
            f"        +-{rule}-+",
            f"        | {row_b} |",
            f"bank {second >> BANK:3}| {' ' * len(rule)} |{first >> BANK:3} bank",
            f"        | {row_a} |",
            f"        +-{rule}-+",
            f"  A       {' '.join(numbers)}     {turn}",
        ]
    )


# The picture: a wooden board; a column of 60 for each pond, and a bank at each end. Styles are attributes and
# names begin with kalah-, so that many pictures can share one page.

_DEFINITIONS = (
    '<defs><linearGradient id="kalah-wood" x1="0" y1="0" x2="0" y2="1">'
    '<stop offset="0" stop-color="#b5793c"/>'
    '<stop offset=".5" stop-color="#9c6329"/><stop offset="1" stop-color="#85521f"/></linearGradient>'
    '<radialGradient id="kalah-hole"><stop offset="0" stop-color="#6b431d"/>'
    '<stop offset="1" stop-color="#553313"/></radialGradient></defs>'
)
_SEED_COLOURS = ("#e8c37a", "#d98e5f", "#9fb58a", "#c9d3d6", "#c76b5a")


def draw_svg(state: State) -> str:
    """Draw a wooden board, A's ponds below, with every seed, the counts, and whose turn it is."""
    first, second = players(state)
    width = 60 * PONDS + 160
    turn = None if is_over(state) else state[2]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 246" role="img"'
        ' font-family="\'DejaVu Sans\',Verdana,Arial,sans-serif" text-anchor="middle">',
        f"<title>Kalah {state_to_text(state)}</title>{_DEFINITIONS}",
        f'<rect x="4" y="4" width="{width - 8}" height="238" rx="34" fill="url(#kalah-wood)"'
        ' stroke="#5e3813" stroke-width="3"/>',
        _bank(46, second >> BANK, "B", turn == 1),
        _bank(width - 46, first >> BANK, "A", turn == 0),
    ]
    for i, (seeds_a, seeds_b) in enumerate(zip(ponds_of(first), reversed(ponds_of(second)), strict=True)):
        x = 110 + 60 * i
        parts.append(_pond(x, 82, seeds_b, turn == 1 and seeds_b > 0))
        parts.append(_pond(x, 164, seeds_a, turn == 0 and seeds_a > 0))
        parts.append(_label(x, 48, str(PONDS - i)) + _label(x, 207, str(i + 1)))
    if turn is None:
        parts.append(_count(width // 2, 127, f"{first >> BANK} : {second >> BANK}"))
    words = ("A to move", "B to move", "game over")[2 if turn is None else turn]
    parts.append(_label(width // 2, 28 if turn == 1 else 228, words))
    return "".join([*parts, "</svg>"])


def _pond(x: int, y: int, seeds: int, to_move: bool) -> str:
    hole = f'<circle cx="{x}" cy="{y}" r="27" {_hole(to_move)}/>'
    return hole + _heap(x, y - 7, seeds, 13.5, 1.0) + _count(x, y + 23, str(seeds))


def _bank(x: int, seeds: int, name: str, to_move: bool) -> str:
    hole = f'<rect x="{x - 27}" y="55" width="54" height="136" rx="27" {_hole(to_move)}/>'
    heap = _heap(x, 114, seeds, 20.0, 2.0)
    return hole + heap + _count(x, 182, str(seeds)) + _label(x, 48, name)


def _hole(to_move: bool) -> str:
    edge = 'stroke="#ffd76a" stroke-width="2.5"' if to_move else 'stroke="#4a2c12" stroke-width="1.5"'
    return f'fill="url(#kalah-hole)" {edge}'


def _heap(x: int, y: int, seeds: int, radius: float, stretch: float) -> str:
    """Lay out seeds like those of a sunflower; many seeds lie closer."""
    spread = min(4.6, radius / sqrt(max(seeds, 1)))
    size = max(1.2, min(3.8, spread * 0.9))
    dots = []
    for k in range(seeds):
        away, angle = spread * sqrt(k + 0.5), 2.39996 * k
        spot = f'cx="{x + away * cos(angle):.1f}" cy="{y + stretch * away * sin(angle):.1f}"'
        dots.append(f'<circle {spot} r="{size:.1f}" fill="{_SEED_COLOURS[k % 5]}"/>')
    return f'<g stroke="#2b1a0a" stroke-width="0.6">{"".join(dots)}</g>' if dots else ""


def _count(x: int, y: int, text: str) -> str:
    return f'<text x="{x}" y="{y}" font-size="13" font-weight="bold" fill="#fff3d6">{text}</text>'


def _label(x: int, y: int, text: str) -> str:
    return f'<text x="{x}" y="{y}" font-size="11" fill="#f7e3bd">{text}</text>'


def _pack(ponds: list[int], bank: int) -> int:
    return sum(seeds << 8 * place for place, seeds in enumerate([*ponds, bank]))


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _numbers(field: Any, n: int, name: str, text: str) -> list[int]:
    if not isinstance(field, list) or len(field) != n:
        raise _wrong(text, f"{name} as a list of {n} numbers")
    if not all(_is_whole(seeds) and seeds >= 0 for seeds in field):
        raise _wrong(text, f"{name} as whole numbers from 0")
    return field


def _wrong(text: str, expected: str, found: str = "") -> InputError:
    shown = repr(text)
    shown = shown if len(shown) <= 200 else f"{shown[:200]}..."
    return InputError(f"kalah state: expected {expected}, found {found}{shown}")
