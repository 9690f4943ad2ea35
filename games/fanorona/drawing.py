"""A Fanorona position as text and as SVG: a lined board, round stones, the way of a running chain."""

from tunesmith.games.fanorona.board import HEIGHT, WIDTH, has
from tunesmith.games.fanorona.notation import (
    COLUMNS,
    chain_points,
    letters,
    point_name,
    state_to_text,
    white_and_black,
)
from tunesmith.games.fanorona.rules import outcome, quiet_steps
from tunesmith.games.game import ONGOING, State

# Text
PLAYERS = ("White", "Black")


def draw_text(state: State) -> str:
    """Draw the board with its lines (o White, x Black) and say whose turn it is."""
    rows = [f"{HEIGHT - i}  {'-'.join(row)}" for i, row in enumerate(letters(state, "o", "x", "."))]
    slopes = ["   |" + "|".join(_slope(column, row) for column in range(WIDTH - 1)) + "|" for row in (0, 1)]
    drawing = [rows[0]]
    for i, row in enumerate(rows[1:], 1):
        drawing += [slopes[(HEIGHT - 1 - i) % 2], row]
    return "\n".join([*drawing, f"   {' '.join(COLUMNS[:WIDTH])}", f"   {caption(state)}"])


def _slope(column: int, row: int) -> str:
    return "/" if (column + row) % 2 == 0 else "\\"


def caption(state: State) -> str:
    """Say in words who moves or how the game ended."""
    result = outcome(state)
    if result != ONGOING:
        return {1: "White wins", 0: "draw", -1: "Black wins"}[result]
    words = f"{PLAYERS[state[6] & 1]} to move"
    chain = "-".join(point_name(point) for point in chain_points(state))
    words += f", in a chain {chain}" if chain else ""
    return words + (f", {quiet_steps(state)} quiet" if quiet_steps(state) else "")


# Picture
_STYLE = (
    "<style>text{font-family:'DejaVu Sans',Verdana,Arial,sans-serif;text-anchor:middle;fill:#4a2c12}"
    ".name{font-size:13px}.caption{font-size:15px;font-weight:bold}"
    ".line{stroke:#5e3a17;stroke-width:2;stroke-linecap:round}"
    ".light{fill:url(#light);stroke:#6d6250;stroke-width:1.5}.dark{fill:url(#dark);stroke:#17110c}"
    ".way{fill:none;stroke:#d9480f;stroke-width:5;stroke-opacity:.75;stroke-linejoin:round}"
    ".visited{fill:#d9480f}.turn{fill:none;stroke:#d9480f;stroke-width:3}</style>"
    '<defs><radialGradient id="light" cx=".35" cy=".3"><stop offset="0" stop-color="#fffdf6"/>'
    '<stop offset="1" stop-color="#d8cdb4"/></radialGradient>'
    '<radialGradient id="dark" cx=".35" cy=".3"><stop offset="0" stop-color="#6a5a4c"/>'
    '<stop offset="1" stop-color="#1f1812"/></radialGradient></defs>'
)
_GAP = 56  # between neighbouring points
_MARGIN = 58  # from the picture's edge to the outer lines


def draw_svg(state: State) -> str:
    """Draw the board with coordinates, the chain's way, and whose turn it is."""
    width, height = (2 * _MARGIN + _GAP * (n - 1) for n in (WIDTH, HEIGHT))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + 26}" role="img">{_STYLE}',
        f"<title>Fanorona {state_to_text(state)}</title>",
        f'<rect x="4" y="4" width="{width - 8}" height="{height + 18}" rx="14" fill="#e3c390"'
        ' stroke="#8a5a2b" stroke-width="3"/>',
        *_lines(),
        *(_text(_x(column), height - 16, "name", point_name(column)[0]) for column in range(WIDTH)),
        *(_text(22, _y(row) + 5, "name", str(row + 1)) for row in range(HEIGHT)),
        *_way(state),
        *_stones(state),
        _text(width // 2, height + 10, "caption", caption(state)),
        "</svg>",
    ]
    return "".join(parts)


def _x(column: int) -> int:
    return _MARGIN + _GAP * column


def _y(row: int) -> int:
    return _MARGIN + _GAP * (HEIGHT - 1 - row)


def _place(point: int) -> tuple[int, int]:
    return _x(point % WIDTH), _y(point // WIDTH)


def _lines() -> list[str]:
    ends = [((0, row), (WIDTH - 1, row)) for row in range(HEIGHT)]
    ends += [((column, 0), (column, HEIGHT - 1)) for column in range(WIDTH)]
    for row in range(HEIGHT - 1):
        for column in range(WIDTH - 1):
            rises = (column + row) % 2 == 0
            low, high = (row, row + 1) if rises else (row + 1, row)
            ends.append(((column, low), (column + 1, high)))
    return [
        f'<line class="line" x1="{_x(a)}" y1="{_y(b)}" x2="{_x(c)}" y2="{_y(d)}"/>' for (a, b), (c, d) in ends
    ]


def _stones(state: State) -> list[str]:
    drawn = []
    for stones, kind in zip(white_and_black(state), ("light", "dark"), strict=True):
        for point in filter(lambda point: has(stones, point), range(WIDTH * HEIGHT)):
            x, y = _place(point)
            drawn.append(f'<circle class="{kind}" cx="{x}" cy="{y}" r="19"/>')
    return drawn


def _way(state: State) -> list[str]:
    """Draw the way of a running chain, and a ring round its stone (both lie below the stones)."""
    places = [_place(point) for point in chain_points(state)]
    if not places:
        return []
    way = " ".join(f"{x},{y}" for x, y in places)
    dots = [f'<circle class="visited" cx="{x}" cy="{y}" r="6"/>' for x, y in places[:-1]]
    x, y = places[-1]
    return [
        f'<polyline class="way" points="{way}"/>',
        *dots,
        f'<circle class="turn" cx="{x}" cy="{y}" r="22"/>',
    ]


def _text(x: int, y: int, kind: str, text: str) -> str:
    return f'<text class="{kind}" x="{x}" y="{y}">{text}</text>'


def squares(state: State) -> dict[str, tuple[int, int, int, int]]:
    """Return the boxes of the points by name."""
    half = _GAP // 2 - 2
    places = {point_name(point): _place(point) for point in range(WIDTH * HEIGHT)}
    return {name: (x - half, y - half, 2 * half, 2 * half) for name, (x, y) in places.items()}
