"""SVG that stands alone: it has its own colours for light and dark, and letters that a phone can show.

A picture is WIDTH units wide; a phone of 390 pixels shows a unit at three quarters of a pixel. Lengths are in units."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tunesmith.tuning.report import charts
from tunesmith.tuning.report.html import Content, Markup, el

WIDTH = 480
_LEFT, _RIGHT, _TOP, _HEIGHT = 46, 104, 54, 250  # of a chart: room for labels, and the height of its field
_LINE = 17  # between names at the ends of curves
_LIGHT = ("#1f6fb2", "#b8433a", "#2e7d4f", "#8a5a00", "#7a3fa0")
_DARK = ("#6db3f2", "#f08a80", "#6fcf97", "#e0b04c", "#c79bea")


def _colours(of: Sequence[str]) -> str:
    return "".join(f".s{at}{{color:{colour}}}" for at, colour in enumerate(of))


STYLE = f""".word,.small{{font:14px system-ui,sans-serif;text-anchor:start;fill:#1c2733}}
.small{{font-size:13px;fill:#5a6772}}.grid{{stroke:#d5dbe0}}.zero{{stroke:#5a6772}}
.line{{fill:none;stroke:currentColor;stroke-width:2}}.dashed{{stroke-dasharray:5 4}}
.mid{{text-anchor:middle}}.end{{text-anchor:end}}.bold{{font-weight:bold}}{_colours(_LIGHT)}
@media(prefers-color-scheme:dark){{.word{{fill:#e6ebef}}.small{{fill:#9aa7b2}}
.grid{{stroke:#3a4650}}.zero{{stroke:#9aa7b2}}{_colours(_DARK)}}}
.of{{fill:currentColor}}"""


class Point(NamedTuple):
    """A place on the axis below, and Elo with the ends of its 95 % interval."""

    x: float
    elo: float
    elo_low: float
    elo_high: float


@dataclass(frozen=True)
class Curve:
    """A line through points; `colour` is a number of the palette."""

    name: str
    points: tuple[Point, ...]
    colour: int
    dashed: bool = False


class Row(NamedTuple):
    """A name and a figure with the ends of its 95 % interval; without a figure a heading."""

    name: str
    at: Point | None
    colour: int


def picture(words: str, height: float, *parts: Content) -> str:
    """Return a file; `words` are what a screen reader says."""
    drawn = el(
        "svg", el("title", words), el("style", Markup(STYLE)), *parts,
        xmlns="http://www.w3.org/2000/svg", role="img", viewBox=f"0 0 {WIDTH} {height:g}", width=WIDTH,
        height=f"{height:g}",
    )  # fmt: skip
    return drawn + "\n"


def word(text: str, x: float, y: float, classes: str = "word") -> Markup:
    """Return letters on a line whose foot is at `y`."""
    return el("text", text, x=_n(x), y=_n(y), class_=classes)


def rule(x1: float, y1: float, x2: float, y2: float, classes: str) -> Markup:
    """Return a straight line."""
    return el("line", x1=_n(x1), y1=_n(y1), x2=_n(x2), y2=_n(y2), class_=classes)


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


# --- curves


def curves(title: str, below: str, found: Sequence[Curve], words: str) -> str:
    """Draw figures against something that is counted, on a logarithmic axis; the figure is in Elo."""
    points = [point for curve in found for point in curve.points]
    across = charts.logarithmic([point.x for point in points])
    up = charts.linear(
        [end for point in points for end in (point.elo_low, point.elo_high)], include=(0.0,), n=5
    )
    bottom = _TOP + _HEIGHT
    drawn = (_curve(curve, across, up, 3.0 * (at - (len(found) - 1) / 2)) for at, curve in enumerate(found))
    return picture(
        words,
        bottom + 46,
        word(title, 0, 16),
        word("Elo", 0, _TOP - 14, "small"),
        *_axes(across, up),
        word(below, _LEFT + _field() / 2, bottom + 40, "small mid"),
        *drawn,
        *_names(found, up),
    )


def _field() -> int:
    return WIDTH - _LEFT - _RIGHT


def _x(scale: charts.Scale, value: float) -> float:
    return _LEFT + _field() * scale.at(value) / 100


def _y(scale: charts.Scale, value: float) -> float:
    return _TOP + _HEIGHT * (1 - scale.at(value) / 100)


def _axes(across: charts.Scale, up: charts.Scale) -> Iterator[Markup]:
    for tick in up.ticks:
        y = _y(up, tick)
        yield rule(_LEFT, y, WIDTH - _RIGHT, y, "grid" if tick else "zero")
        yield word(charts.tick_text(tick), _LEFT - 8, y + 5, "small end")
    for tick in across.ticks:
        x = _x(across, tick)
        yield rule(x, _TOP, x, _TOP + _HEIGHT, "grid")
        yield word(f"{tick:,.0f}", x, _TOP + _HEIGHT + 20, "small mid")


def _curve(curve: Curve, across: charts.Scale, up: charts.Scale, aside: float) -> Markup:
    """Draw a curve, a little aside so that whiskers of two do not cover each other."""
    places = [(_x(across, point.x) + aside, point) for point in curve.points]
    path = " ".join(f"{_n(x)},{_n(_y(up, point.elo))}" for x, point in places)
    style = "line dashed" if curve.dashed else "line"
    return el(
        "g",
        el("polyline", points=path, class_=style),
        *(rule(x, _y(up, point.elo_low), x, _y(up, point.elo_high), "line") for x, point in places),
        *(el("circle", cx=_n(x), cy=_n(_y(up, point.elo)), r=4, class_="of") for x, point in places),
        class_=f"s{curve.colour}",
    )


def _names(found: Sequence[Curve], up: charts.Scale) -> Iterator[Markup]:
    """Write at the height of each curve's end what tells it from those of its colour, none over another."""
    foot = -1e9
    for curve in sorted(found, key=lambda curve: _y(up, curve.points[-1].elo)):
        foot = max(foot + _LINE, _y(up, curve.points[-1].elo) + 5)
        yield el("g", word(_label(curve), WIDTH - _RIGHT + 6, foot, "word of"), class_=f"s{curve.colour}")


def _label(curve: Curve) -> str:
    return curve.name.rpartition(", ")[2] if curve.dashed else curve.name.partition(",")[0]


# --- rows

_NAMES, _ROW, _LETTERS = 218, 34, 31  # of a row: room for its name, its height, letters in a line of the name


def rows(title: str, found: Sequence[Row], words: str) -> str:
    """Draw a row for each figure, in Elo to the right; the figure itself stands at the end of the row."""
    ends = [end for row in found if row.at for end in (row.at.elo_low, row.at.elo_high)]
    scale = charts.linear(ends, include=(0.0,), n=3)
    bottom = 40 + _ROW * len(found)
    return picture(
        words,
        bottom + 26,
        word(title, 0, 16),
        *_columns(scale, bottom),
        *(part for at, row in enumerate(found) for part in _row(row, scale, 40 + _ROW * at + _ROW / 2)),
    )


def _columns(scale: charts.Scale, bottom: float) -> Iterator[Markup]:
    for tick in scale.ticks:
        x = _across(scale, tick)
        yield rule(x, 34, x, bottom, "grid" if tick else "zero")
        yield word(charts.tick_text(tick), x, bottom + 18, "small mid")


def _across(scale: charts.Scale, value: float) -> float:
    return _NAMES + (WIDTH - _NAMES - 46) * scale.at(value) / 100


def _row(row: Row, scale: charts.Scale, y: float) -> Iterator[Markup]:
    if row.at is None:
        yield word(row.name, 0, y + 8, "word bold")
        return
    lines = list(_broken(row.name))
    yield from (
        word(line, 0, y + 5 + 15 * (at - (len(lines) - 1) / 2), "small") for at, line in enumerate(lines)
    )
    yield el(
        "g",
        rule(_across(scale, row.at.elo_low), y, _across(scale, row.at.elo_high), y, "line"),
        el("circle", cx=_n(_across(scale, row.at.elo)), cy=_n(y), r=4, class_="of"),
        class_=f"s{row.colour}",
    )
    yield word(f"{row.at.elo:+z.0f}", WIDTH, y + 5, "small end")


def _broken(name: str) -> Iterator[str]:
    """Break a name into lines of at most so many letters, at its spaces."""
    line = ""
    for part in name.split():
        if line and len(line) + 1 + len(part) > _LETTERS:
            yield line
            line = part
        else:
            line = f"{line} {part}".strip()
    yield line
