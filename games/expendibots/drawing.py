"""An Expendibots position as text and as SVG, White's home below.

No style sheet: in a page with other pictures it would reach those too."""

from tunesmith.games.expendibots.notation import SIDES, stacks, state_to_text
from tunesmith.games.expendibots.rules import PLY_LIMIT, mover, outcome, plies
from tunesmith.games.game import ONGOING, State

# Text


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


# Picture

# Squares of 40, numbers of rows and columns at the left and below, a line of text under all.
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


def squares(state: State) -> dict[str, tuple[int, int, int, int]]:
    """Return the boxes of the squares by name."""
    return {f"{x}{y}": (26 + 40 * x, 286 - 40 * y, 40, 40) for x in range(8) for y in range(8)}
