"""A RoPaSci 360 position as text and as SVG: row 4 (Upper's home) at the top, q growing to the right.

A hidden choice is not drawn, only that it has been made."""

from tunesmith.games.game import ONGOING, State
from tunesmith.games.ropasci360.board import PLACES, RADIUS, hex_number
from tunesmith.games.ropasci360.notation import SIDES, tokens_on
from tunesmith.games.ropasci360.rules import MAX_TURNS, N_THROWS, TURNS, outcome

# Text


def draw_text(state: State) -> str:
    """Draw the board row by row; four or more tokens on a hex are shown as letter and number."""
    lines = [f"Upper (R P S), throws left: {throws_left(state, 0)}", ""]
    for r in range(RADIUS, -RADIUS - 1, -1):
        columns = [q for row, q in PLACES if row == r]
        cells = "".join(f"{_cell(state, hex_number(r, q)):^6}" for q in columns)
        indent = " " * 3 * abs(r)
        lines.append(f"r = {r:2}   {indent}{cells}{indent}   q = {columns[0]} to {columns[-1]}")
    return "\n".join([*lines, "", f"Lower (r p s), throws left: {throws_left(state, 1)}", caption(state)])


def _cell(state: State, number: int) -> str:
    parts = tokens_on(state, number)
    if len(parts[0] + parts[1]) <= 3:
        return "".join(parts) or "."
    return "".join(f"{part[0]}{len(part)}" for part in parts if part)


def throws_left(state: State, side: int) -> int:
    """Return how many throws a side has left."""
    return N_THROWS - (state[6] >> 4 * side & 15)


def caption(state: State) -> str:
    """Return the turn and who chooses."""
    choosing = "Upper to choose" if state[7] == 0 else "Upper has chosen, Lower to choose"
    if outcome(state) != ONGOING or state[8] & TURNS == MAX_TURNS:
        choosing = "the game is over"
    return f"after turn {state[8] & TURNS}: {choosing}"


# Picture
_FONT = "font-family='DejaVu Sans, Verdana, Arial, sans-serif' text-anchor='middle'"
_SIZE = 34.0  # from a hex's centre to its corners
_WIDTH = _SIZE * 3**0.5
_DISC = ("#35689c", "#c2512f")
_RIM = ("#1d3d5e", "#8a351b")
_GREY = "#808080"


def draw_svg(state: State) -> str:
    """Draw hexes with small r,q, tokens as discs (Upper blue, Lower red), and the throws left."""
    body = [_hex(state, r, q) for r, q in PLACES]
    body += [_hand(state, side) for side in (0, 1)]
    body.append(f"<text x='310' y='590' font-size='13' fill='{_GREY}'>{caption(state)}</text>")
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 620 604' {_FONT}>"
        f"<title>RoPaSci 360, {caption(state)}</title>{''.join(body)}</svg>"
    )


def _hex(state: State, r: int, q: int) -> str:
    x, y = _centre(r, q)
    half, side = _WIDTH / 2, _SIZE / 2
    corners = ((0, -_SIZE), (half, -side), (half, side), (0, _SIZE), (-half, side), (-half, -side))
    points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
    drawn = f"<polygon points='{points}' fill='#f3ead7' stroke='#b9a886' stroke-width='1.5'/>"
    drawn += f"<text x='{x:.1f}' y='{y + 26:.1f}' font-size='8' fill='#9a8a68'>{r},{q}</text>"
    upper, lower = tokens_on(state, hex_number(r, q))
    if upper and lower:
        return drawn + _disc(x - 13, y - 3, 12, upper, 0) + _disc(x + 13, y - 3, 12, lower, 1)
    if upper or lower:
        return drawn + _disc(x, y - 3, 17, upper or lower, int(bool(lower)))
    return drawn


def _disc(x: float, y: float, radius: float, tokens: str, side: int) -> str:
    drawn = (
        f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{radius}' fill='{_DISC[side]}' stroke='{_RIM[side]}' "
        f"stroke-width='2'/><text x='{x:.1f}' y='{y + radius * 0.37:.1f}' font-size='{radius:.0f}' "
        f"font-weight='bold' fill='#ffffff'>{tokens[0]}</text>"
    )
    if len(tokens) == 1:
        return drawn
    x, y = x + radius * 0.8, y - radius * 0.8
    return drawn + (
        f"<circle cx='{x:.1f}' cy='{y:.1f}' r='7' fill='#ffffff' stroke='{_RIM[side]}' stroke-width='1.5'/>"
        f"<text x='{x:.1f}' y='{y + 3.7:.1f}' font-size='10' font-weight='bold' fill='{_RIM[side]}'>"
        f"{len(tokens)}</text>"
    )


def _hand(state: State, side: int) -> str:
    """Draw a side's name and its nine throws, those made as empty rings."""
    y, left, colour = (22, 562)[side], throws_left(state, side), _DISC[side]
    drawn = (
        f"<text x='180' y='{y + 5}' font-size='15' font-weight='bold' fill='{colour}'>{SIDES[side]}</text>"
    )
    for i in range(N_THROWS):
        fill = colour if i < left else "none"
        ring = f"fill='{fill}' stroke='{colour}' stroke-width='2'"
        drawn += f"<circle cx='{226 + 20 * i}' cy='{y}' r='7' {ring}/>"
    return drawn + f"<text x='450' y='{y + 5}' font-size='13' fill='{_GREY}'>throws left: {left}</text>"


def squares(state: State) -> dict[str, tuple[float, float, float, float]]:
    """Return the boxes of the hexes by name, as wide as a hex and as high as keeps them apart."""
    half = _WIDTH / 2 - 2
    places = {f"{r},{q}": _centre(r, q) for r, q in PLACES}
    return {name: (x - half, y - 24, 2 * half, 48) for name, (x, y) in places.items()}


def _centre(r: int, q: int) -> tuple[float, float]:
    return 310 + _WIDTH * (q + r / 2), 292 - 1.5 * _SIZE * r
