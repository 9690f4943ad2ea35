"""A Kalah position as text and as SVG: a wooden board, A's ponds below.

Styles are attributes and names begin with kalah-, so that many pictures can share one page."""

from math import cos, sin, sqrt

from tunesmith.games.game import State
from tunesmith.games.kalah.board import BANK, PONDS
from tunesmith.games.kalah.notation import is_over, players, ponds_of, state_to_text

# Text


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


# Picture

# A column of 60 for each pond, and a bank at each end.
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


def squares(state: State) -> dict[str, tuple[int, int, int, int]]:
    """Return the boxes of the mover's ponds, which texts of moves name by their numbers."""
    if state[2] == 0:
        return {str(pond): (83 + 60 * (pond - 1), 137, 54, 54) for pond in range(1, PONDS + 1)}
    return {str(pond): (83 + 60 * (PONDS - pond), 55, 54, 54) for pond in range(1, PONDS + 1)}
