"""A Pentago position as text and as SVG: four plates with round hollows; fives are marked.

Styles are attributes and names begin with pentago-, so that many pictures can share one page."""

from tunesmith.games.game import ONGOING, State
from tunesmith.games.pentago.board import POINTS, WINDOW_CELLS, cell_of, fives
from tunesmith.games.pentago.notation import state_to_text
from tunesmith.games.pentago.rules import mover, outcome

# Text


def draw_text(state: State) -> str:
    """Draw the board with its coordinates, a line between quadrants, and whose turn it is."""
    lines = ["    a b c   d e f"]
    for row in range(6):
        stones = [_stone(state, cell_of((row, column))) for column in range(6)]
        lines.append(f"{row + 1} | {' '.join(stones[:3])} | {' '.join(stones[3:])} |")
        if row == 2:
            lines.append("  |-------+-------|")
    rule = "  +-------+-------+"
    return "\n".join([lines[0], rule, *lines[1:], rule, f"  {_words(state)}"])


def _words(state: State) -> str:
    result = outcome(state)
    if result == ONGOING:
        return f"{('White', 'Black')[mover(state)]} to move"
    return {1: "White wins", 0: "draw", -1: "Black wins"}[result]


def _stone(state: State, cell: int) -> str:
    if (state[0] >> cell) & 1:
        return "w"
    return "b" if (state[1] >> cell) & 1 else "."


# Picture
_DEFINITIONS = (
    '<defs><linearGradient id="pentago-plate" x1="0" y1="0" x2="1" y2="1">'
    '<stop offset="0" stop-color="#b8433a"/><stop offset="1" stop-color="#8f2d28"/></linearGradient>'
    '<radialGradient id="pentago-hollow" cx=".5" cy=".38"><stop offset="0" stop-color="#571814"/>'
    '<stop offset="1" stop-color="#74231e"/></radialGradient>'
    '<radialGradient id="pentago-white" cx=".36" cy=".3"><stop offset="0" stop-color="#ffffff"/>'
    '<stop offset="1" stop-color="#cfc8ba"/></radialGradient>'
    '<radialGradient id="pentago-black" cx=".36" cy=".3"><stop offset="0" stop-color="#6a6a70"/>'
    '<stop offset="1" stop-color="#141416"/></radialGradient></defs>'
)
_PLATE, _CELL, _LEFT, _TOP = 150, 46, 34, 32  # sizes; distance between plates is 8


def draw_svg(state: State) -> str:
    """Draw the four quadrants with their stones, coordinates, fives, and whose turn it is."""
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 384" role="img"'
        ' font-family="\'DejaVu Sans\',Verdana,Arial,sans-serif" text-anchor="middle">',
        f"<title>Pentago {state_to_text(state)}</title>{_DEFINITIONS}",
        '<rect x="4" y="4" width="352" height="376" rx="16" fill="#2c1a17" stroke="#120a09"/>',
    ]
    for quadrant in range(4):
        x, y = _LEFT + 158 * (quadrant % 2), _TOP + 158 * (quadrant // 2)
        parts.append(
            f'<rect x="{x}" y="{y}" width="{_PLATE}" height="{_PLATE}" rx="12" fill="url(#pentago-plate)"'
            ' stroke="#d0695f" stroke-width="1.5"/>'
        )
    for i in range(6):
        parts.append(
            _label(_middle(i, _LEFT), 23, "abcdef"[i]) + _label(19, _middle(i, _TOP) + 4, "123456"[i])
        )
    for point in POINTS:
        parts.append(_disc(state, point))
    parts += [_bar(window) for window in _full_windows(state)]
    return "".join([*parts, _caption(state), "</svg>"])


def _middle(index: int, start: int) -> int:
    return start + 29 + _CELL * index + 20 * (index // 3)


def _disc(state: State, point: tuple[int, int]) -> str:
    row, column = point
    fill = {"w": "white", "b": "black", ".": "hollow"}[_stone(state, cell_of(point))]
    radius, edge = (16, "#4a1410") if fill == "hollow" else (19, "#0c0c0d")
    spot = f'cx="{_middle(column, _LEFT)}" cy="{_middle(row, _TOP)}" r="{radius}"'
    return f'<circle {spot} fill="url(#pentago-{fill})" stroke="{edge}"/>'


def _full_windows(state: State) -> list[list[tuple[int, int]]]:
    full = fives(state[0]) | fives(state[1])
    cells = [int(WINDOW_CELLS[number]) for number in range(32) if (full >> number) & 1]
    return [[point for point in POINTS if (window >> cell_of(point)) & 1] for window in cells]


def _bar(window: list[tuple[int, int]]) -> str:
    (top, start), (bottom, end) = window[0], window[-1]
    ends = f'x1="{_middle(start, _LEFT)}" y1="{_middle(top, _TOP)}"'
    ends += f' x2="{_middle(end, _LEFT)}" y2="{_middle(bottom, _TOP)}"'
    return f'<line {ends} stroke="#ffc83d" stroke-width="6" stroke-linecap="round" opacity=".85"/>'


def _caption(state: State) -> str:
    turn = "" if outcome(state) != ONGOING else ("white", "black")[mover(state)]
    disc = f'<circle cx="126" cy="363" r="6" fill="url(#pentago-{turn})" stroke="#8d8580"/>' if turn else ""
    return disc + _label(184, 367, _words(state))


def _label(x: int, y: int, text: str) -> str:
    return f'<text x="{x}" y="{y}" font-size="12" fill="#f3ddd3">{text}</text>'


def squares(state: State) -> dict[str, tuple[int, int, int, int]]:
    """Return the boxes of the cells by name."""
    return {
        "abcdef"[column] + "123456"[row]: (_middle(column, _LEFT) - 22, _middle(row, _TOP) - 22, 44, 44)
        for row, column in POINTS
    }
