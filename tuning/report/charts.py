"""How are numbers drawn so that one picture serves a phone, a screen and paper?

Charts are SVG without a view box: x is in percent, y in pixels, so that they take any width while letters keep
their size. Labels of axes stand outside of the picture, in the padding of its frame. Colours, all of them
variables that know light and dark, and line widths come from `page.css`. No script, no number of the page is
computed here: values arrive in the unit they are drawn in.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tunesmith.tuning.report.html import Content, Markup, el, join
from tunesmith.tuning.report.numbers import MINUS, Number, percent

Point = tuple[float, float]

_HUGE = 1e12  # beyond, differences of ends could overflow
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_LETTER = 2.6  # percent of a chart in a table that a letter takes
_GAP = 7.0  # between ticks, however short their labels
_ROOM = 8.0  # pixels that a bold letter takes
_SCREEN, _PHONE = 680, 285  # pixels that the page has at least
_MIDDLE = 16  # of a row, in pixels from its top: the middle of a line of text in a table
_NAME_HEIGHT = 16  # pixels between the names of two levels
_MOST_POINTS = 400  # of a line: more than a screen shows


@dataclass(frozen=True)
class Scale:
    """An axis from `low` to `high`. `log`: positive values; `bent`: linear below `bend`, logarithmic beyond."""

    low: float
    high: float
    ticks: tuple[float, ...]
    kind: Literal["linear", "log", "bent"] = "linear"
    bend: float = 1.0

    def at(self, value: float) -> float:
        """Return the place of a value in percent, ends included."""
        low, high, here = (self._forward(v) for v in (self.low, self.high, value))
        return min(100.0, max(0.0, 100 * (here - low) / (high - low)))

    def _forward(self, value: float) -> float:
        if self.kind == "log":
            return math.log10(max(value, 1e-250))
        return math.asinh(value / self.bend) if self.kind == "bent" else value


def linear(values: Iterable[Number], include: Sequence[float] = (), pad: float = 0.06, n: int = 6) -> Scale:
    """Return an axis that holds the values, with round ticks."""
    low, high = _ends(values, include)
    room = pad * (high - low)
    low, high = low - room, high + room
    step = _round_step((high - low) / n)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return Scale(low, high, tuple(step * i for i in range(first, last + 1)))


def logarithmic(values: Iterable[Number]) -> Scale:
    """Return an axis for the positive ones among the values: powers of ten, or 1, 2, 5 times them on a short one."""
    powers = [math.log10(v) for v in values if v is not None and v > 1e-200] or [0.0]
    room = max(
        0.2, 0.4 - (max(powers) - min(powers)) / 2
    )  # in all 0.8 or more: two ticks, however near they are
    low, high = min(powers) - room, max(powers) + room
    first, last = math.ceil(low), math.floor(high)
    if last <= first:
        steps = (m * 10.0**p for p in range(math.floor(low), last + 1) for m in (1, 2, 5))
        ticks = tuple(step for step in steps if low <= math.log10(step) <= high)
    else:
        ticks = tuple(10.0**p for p in range(first, last + 1, max(1, math.ceil((last - first) / 7))))
    return Scale(10**low, 10**high, ticks, "log")


def bent(values: Iterable[Number], typical: float) -> Scale:
    """Return an axis around zero, linear up to about the `typical` size, so that one giant hides nobody."""
    low, high = _ends(values, (0.0,))
    bend = max(typical, (high - low) * 1e-6)
    low, high = min(1.15 * low, -bend), max(1.15 * high, bend)
    power = math.floor(math.log10(bend))
    sizes = [m * 10.0**p for p in range(power, power + 8) for m in (1, 3)]
    sizes = [size for size in sizes if bend / 2 <= size]
    plain = Scale(low, high, (), "bent", bend)
    above = _spaced(plain, [size for size in sizes if size <= high])
    below = _spaced(plain, [-size for size in sizes if -size >= low])
    return replace(plain, ticks=(*reversed(below), 0.0, *above))


def _spaced(scale: Scale, ticks: Sequence[float]) -> list[float]:
    """Return those of the ticks that leave room for their labels, counted from zero outwards."""
    kept = [0.0]
    for tick in ticks:
        letters = (len(tick_text(tick)) + len(tick_text(kept[-1]))) / 2
        if abs(scale.at(tick) - scale.at(kept[-1])) > max(_GAP, _LETTER * (letters + 1.5)):
            kept.append(tick)
    return kept[1:]


def tick_text(value: float, kind: str = "linear") -> str:
    """Return a short label; `log`: as a power of ten."""
    if kind == "log":
        power = math.floor(math.log10(value) + 1e-9)
        times = round(value / 10.0**power)
        return (f"{times}·" if times > 1 else "") + "10" + str(power).translate(_RAISED)
    if value and not 1e-3 <= abs(value) < 1e6:
        return f"{value:.3g}".replace("e-0", "e-").replace("e+0", "e").replace("-", MINUS)
    return f"{value:,.6g}".replace("-", MINUS)


# A row of a table


def row_axis(scale: Scale) -> Markup:
    """Return the labels of a column of `row_marks`."""
    return el("svg", _tick_labels(scale, 14), class_="row axis", height=20, aria_hidden="true")


def row_marks(
    scale: Scale, before: Number, after: Number, ends: Point | None, words: str, strong: bool = True
) -> Markup:
    """Draw an open circle (before) and a dot (after) with a whisker from end to end into a row.

    `words` are what a screen reader says and a pointer shows; a dot that is not `strong` is grey.
    """
    parts: list[Content] = [el("title", words), _rules(scale)]
    if before is not None and after is not None:
        parts.append(_line(scale.at(before), _MIDDLE, scale.at(after), _MIDDLE, "way"))
    if ends is not None:
        low, high = (scale.at(end) for end in ends)
        parts.append(_line(low, _MIDDLE, high, _MIDDLE, "whisker"))
        parts += [_line(end, _MIDDLE - 4, end, _MIDDLE + 4, "whisker") for end in (low, high)]
    if before is not None:
        parts.append(el("circle", cx=_pc(scale.at(before)), cy=_MIDDLE, r=4, class_="before"))
    if after is not None:
        parts.append(
            el("circle", cx=_pc(scale.at(after)), cy=_MIDDLE, r=4.5, class_="after" if strong else "kept")
        )
    return el("svg", parts, class_="row", role="img", aria_label=words)


def _rules(scale: Scale) -> list[Markup]:
    return [
        el("line", x1=_pc(x), x2=_pc(x), y2="100%", class_="zero" if tick == 0 else "grid")
        for tick, x in _places(scale)
    ]


# Framed charts


def lines(
    x: Scale,
    y: Scale,
    series: Sequence[tuple[str, Sequence[Point]]],
    *,
    titles: tuple[str, str],
    words: str,
    levels: Sequence[tuple[float, str]] = (),
    marks: Sequence[Point] = (),
    height: int = 240,
) -> Markup:
    """Draw lines (class, points), horizontal levels with their names, and marked points."""
    inside = _levels(y, levels, height)
    inside += [_polyline(x, y, thin(points), kind) for kind, points in series if points]
    inside += [el("circle", cx=_pc(x.at(a)), cy=_down(y, b, height), r=5, class_="after") for a, b in marks]
    inside += _level_names(y, levels, height)
    return _frame(x, y, inside, titles, words, height)


def _levels(y: Scale, levels: Sequence[tuple[float, str]], height: int) -> list[Content]:
    return [_line(0, at, 100, at, "level") for at in (_down(y, value, height) for value, _ in levels)]


def _level_names(y: Scale, levels: Sequence[tuple[float, str]], height: int) -> list[Content]:
    """Return the names of levels, to stand above all else; those of nearly the same level are one label."""
    named: list[tuple[float, list[str]]] = []
    for value, name in levels:
        at = _down(y, value, height)
        near = next((names for other, names in named if abs(other - at) < _NAME_HEIGHT), None)
        if near is None:
            named.append((at, [name]))
        else:
            near.append(name)
    places = [(round(at - 6 if at > 20 else at + 16, 1), names) for at, names in named]
    return [el("text", ", ".join(names), x=6, y=place, class_="name") for place, names in places]


def dots(
    x: Scale,
    y: Scale,
    points: Sequence[tuple[float, float, Number, float, str]],
    *,
    titles: tuple[str, str],
    words: str,
    height: int = 240,
) -> Markup:
    """Draw (x, y, half width, radius, words) over the diagonal that perfect predictions lie on."""
    ends = [(max(x.low, y.low),) * 2, (min(x.high, y.high),) * 2]
    inside: list[Content] = [_polyline(x, y, ends, "level")]
    for a, b, half, radius, text in points:
        place, cx = _down(y, b, height), _pc(x.at(a))
        bar = None
        if half is not None:
            bar = _line(x.at(a), _down(y, b - half, height), x.at(a), _down(y, b + half, height), "whisker")
        dot = el("circle", cx=cx, cy=place, r=radius, class_="after")
        inside.append(el("g", el("title", text), bar, dot))
    return _frame(x, y, inside, titles, words, height)


def history(
    x: Scale,
    y: Scale,
    points: Sequence[tuple[float, float, Number, str, str]],
    *,
    titles: tuple[str, str],
    words: str,
    levels: Sequence[tuple[float, str]] = (),
    height: int = 240,
    joined: bool = False,
) -> Markup:
    """Draw (x, y, half width, class of the dot, words) with whiskers, and horizontal levels with their names.

    `joined` points are on one line.
    """
    inside = _levels(y, levels, height)
    if joined:
        inside.append(_polyline(x, y, [(a, b) for a, b, *_ in points], "curve"))
    for a, b, half, kind, text in points:
        low, high = (_down(y, b + sign * (half or 0.0), height) for sign in (-1, 1))
        bar = _line(x.at(a), low, x.at(a), high, "whisker") if half is not None else None
        dot = el("circle", cx=_pc(x.at(a)), cy=_down(y, b, height), r=3.5, class_=kind)
        inside.append(el("g", el("title", text), bar, dot))
    inside += _level_names(y, levels, height)
    return _frame(x, y, inside, titles, words, height)


def thin(points: Sequence[Point], most: int = _MOST_POINTS) -> list[Point]:
    """Return fewer points of a line: ends, and the lowest and highest of each stretch, in order."""
    if len(points) <= most:
        return list(points)
    size = math.ceil(2 * len(points) / most)
    kept = {0, len(points) - 1}
    for start in range(0, len(points), size):
        stretch = range(start, min(start + size, len(points)))
        kept.add(min(stretch, key=lambda i: points[i][1]))
        kept.add(max(stretch, key=lambda i: points[i][1]))
    return [points[i] for i in sorted(kept)]


def _frame(
    x: Scale, y: Scale, inside: list[Content], titles: tuple[str, str], words: str, height: int
) -> Markup:
    grid: list[Content] = []
    for tick, place in _places(y):
        at = round(height * (1 - place / 100), 1)
        grid.append(_line(0, at, 100, at, "zero" if tick == 0 else "grid"))
        grid.append(el("text", tick_text(tick), x=-8, y=at + 4, text_anchor="end"))
    grid += [_line(place, height, place, height + 5, "tick") for _, place in _places(x)]
    grid.append(_tick_labels(x, height + 20))
    grid.append(el("text", titles[1], x=-44, y=-12, class_="name"))
    grid.append(el("text", titles[0], x="100%", y=height + 40, class_="name", text_anchor="end"))
    picture = el("svg", grid, inside, height=height, role="img", aria_label=words)
    return el("div", picture, class_="frame")


def _polyline(x: Scale, y: Scale, points: Sequence[Point], kind: str) -> Markup:
    places = " ".join(f"{10 * x.at(a):.0f},{1000 - 10 * y.at(b):.0f}" for a, b in points)
    stretch = {"viewBox": "0 0 1000 1000", "preserveAspectRatio": "none", "width": "100%", "height": "100%"}
    return el("svg", el("polyline", points=places, class_=kind), **stretch)


# Histograms


def histogram(
    x: Scale,
    bins: Sequence[tuple[float, float, float]],
    *,
    titles: tuple[str, str],
    words: str,
    height: int = 180,
) -> Markup:
    """Draw (from, to, amount) as bars that stand side by side."""
    y = replace(linear([amount for *_, amount in bins], include=(0.0,), n=4), low=0.0)
    y = replace(y, ticks=tuple(tick for tick in y.ticks if tick >= 0))
    return _frame(x, y, [_bar(x, y, bar, height) for bar in bins], titles, words, height)


def _bar(x: Scale, y: Scale, bar: tuple[float, float, float], height: int) -> Markup:
    low, high, amount = bar
    top = _down(y, amount, height)
    title = el("title", f"{tick_text(low)} to {tick_text(high)}: {tick_text(amount)}")
    width = max(0.0, x.at(high) - x.at(low) - 0.3)
    return el(
        "g", title, el("rect", x=_pc(x.at(low)), width=_pc(width), y=top, height=height - top, class_="bar")
    )


def strip(amounts: Sequence[float], words: str, height: int = 26) -> Markup:
    """Draw bars of equal width into a row of a table, the tallest as high as the row."""
    most, width = max(amounts, default=0.0), 100 / max(len(amounts), 1)
    bars: list[Content] = [el("title", words), _line(0, height, 100, height, "zero")]
    for at, amount in enumerate(amounts):
        tall = max(1.0, height * amount / most) if amount > 0 and most > 0 else 0.0
        if tall:
            bars.append(
                el("rect", x=_pc(at * width), width=_pc(0.92 * width), y=round(height - tall, 1),
                   height=round(tall, 1), class_="bar")
            )  # fmt: skip
    return el("svg", bars, class_="row", role="img", aria_label=words)


# Shares of a whole


def share_bar(parts: Sequence[tuple[str, Number, str]], words: str, width: float = 1.0) -> Markup:
    """Draw (name, amount, class) as parts of one bar; an empty whole is an empty bar.

    `width` is the share of the page that the bar takes on a screen, as a column of a table does.
    """
    amounts = [max(0.0, amount or 0.0) for _, amount, _ in parts]
    whole, start, inside = sum(amounts), 0.0, []
    for (name, _, kind), amount in zip(parts, amounts, strict=True):
        part = 100 * amount / whole if whole > 0 else 0.0
        inside.append(_share(name, start, part, kind, width))
        start += part
    return el("svg", inside, class_="shares", height=30, role="img", aria_label=words)


def _share(name: str, start: float, part: float, kind: str, width: float) -> Markup | None:
    if part <= 0:
        return None
    text = join(name, " ", percent(part / 100, 0))
    box = el("rect", x=_pc(start), width=_pc(part), height=30, class_=kind)
    room = part / 100 * width * _SCREEN, part / 100 * _PHONE
    return el("g", el("title", text), box, _share_labels(name, text, start + part / 2, room, kind))


def _share_labels(name: str, text: Markup, middle: float, room: Point, kind: str) -> list[Markup]:
    """Return what fits into so many pixels of a screen and of a phone: name and percent, the name, or nothing."""
    wide, narrow = (_fitting((text, len(name) + 5), (name, len(name)), room=pixels) for pixels in room)
    if wide == narrow:
        return [_share_label(wide, middle, kind, "")] if wide else []
    labels = ((wide, "wide"), (narrow, "narrow"))
    return [_share_label(content, middle, kind, where) for content, where in labels if content]


def _fitting(*labels: tuple[str, int], room: float) -> str | None:
    return next((label for label, letters in labels if _ROOM * letters <= room), None)


def _share_label(content: str, middle: float, kind: str, where: str) -> Markup:
    return el("text", content, x=_pc(middle), y=20, text_anchor="middle", class_=f"on-{kind} {where}".strip())


# Helpers


def _ends(values: Iterable[Number], include: Sequence[float]) -> tuple[float, float]:
    found = [min(max(v, -_HUGE), _HUGE) for v in (*values, *include) if v is not None] or [0.0, 1.0]
    low, high = min(found), max(found)
    if high - low <= 1e-12 * max(1.0, abs(low)):
        room = max(abs(low), 1.0) * 0.1
        return low - room, high + room
    return low, high


def _round_step(rough: float) -> float:
    """Return the least of 1, 2, 5 times a power of ten that is not below `rough`."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * m for m in (1, 2, 5, 10) if power * m >= rough * (1 - 1e-9))


def _places(scale: Scale) -> list[tuple[float, float]]:
    return [(tick, scale.at(tick)) for tick in scale.ticks]


def _tick_labels(scale: Scale, y: float) -> list[Markup]:
    kind = "log" if scale.kind == "log" and not all(map(_is_short, scale.ticks)) else "linear"
    places = [(tick_text(tick, kind), _pc(place)) for tick, place in _places(scale)]
    return [el("text", text, x=place, y=y, text_anchor="middle") for text, place in places]


def _is_short(value: float) -> bool:
    """Whether a power of ten is read at a glance without an exponent."""
    return 0.005 < value < 200_000


def _down(y: Scale, value: float, height: int) -> float:
    return round(height * (1 - y.at(value) / 100), 1)


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Markup:
    return el("line", x1=_pc(x1), y1=y1, x2=_pc(x2), y2=y2, class_=kind)


def _pc(place: float) -> str:
    return f"{place:.4g}%"
