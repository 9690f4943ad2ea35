"""How is a number shown to a person: how many digits, which sign, and what if there is none?

A value with an error shows two significant digits of the error; what a file does not hold (None) is shown as
"not recorded". Minus is the sign of mathematics, thousands are parted by commas. Elo and errors are given by
the caller in the unit they are shown in; shares are numbers from 0 to 1 and shown in percent.
"""

import math
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tunesmith.tuning.report.html import Content, Markup, el, join
from tunesmith.tuning.stats.elo import Z95
from tunesmith.tuning.stats.words import is_even

MINUS = "\u2212"
ABSENT = el("span", "not recorded", class_="absent")
DASH = el("span", "\u2013", class_="absent")

Number = float | None

_FOLDERS = re.compile(
    r"(?<![^\s='\"(\[])(?:/(?:[^\s/'\"=,;()]+/)+|[A-Za-z]:\\(?:[^\s\\'\"]+\\)+)(?=[^\s/\\])"
)
_EXACT = 1e-9


class Format(NamedTuple):
    """How the intervals of one column are shown: decimals, and whether by both ends."""

    digits: int
    by_ends: bool


def half_width(error: Number) -> Number:
    """Return the half width of the 95 % interval of a value with that standard error."""
    return None if error is None else Z95 * abs(error)


def both_ends(value: Number, half: Number) -> tuple[float, float] | None:
    """Return both ends of an interval, None where value or half width is missing."""
    return None if value is None or half is None else (value - half, value + half)


def decimals(error: Number, most: int = 4) -> int:
    """Return how many decimals show two significant digits of an error; one if there is no error."""
    if error is None or error <= 0:
        return 1
    return min(most, max(0, 1 - math.floor(math.log10(error))))


def fixed(value: Number, digits: int, sign: bool = False) -> Content:
    """Return a number with so many decimals; huge ones in powers of ten."""
    if value is None:
        return ABSENT
    if abs(value) >= 1e9:
        return _spell(f"{value:{'+' if sign else ''}.2e}")
    value = round(value, digits) + 0.0  # no negative zero
    return _spell(f"{value:{'+' if sign and value else ''},.{digits}f}")


def significant(value: Number, digits: int = 3) -> Content:
    """Return a number with so many significant digits, and no more decimals than that takes."""
    if value is None:
        return ABSENT
    value += 0.0  # no negative zero
    if value == 0 or 1e-4 <= abs(value) < 1e7:
        size = math.floor(math.log10(abs(value))) if value else 0
        text = f"{value:,.{max(0, digits - 1 - size)}f}"
        return _spell(text.rstrip("0").rstrip(".") if "." in text else text)
    return _spell(f"{value:.{digits}g}".replace("e-0", "e-").replace("e+", "e").replace("e0", "e"))


def plain(value: Number) -> str:
    """Return a number in words for screen readers and pointers."""
    if value is None:
        return "not recorded"
    value += 0.0  # no negative zero
    return _spell(f"{value:,.4g}" if abs(value) < 1e4 else f"{value:.4g}")


def column_digits(values: Iterable[Number], most: int = 2) -> int:
    """Return the decimals of a column: no more than its numbers have, at most `most` unless all are small."""
    found = [abs(value) for value in values if value is not None]
    for digits in range(most):
        if all(abs(value - round(value, digits)) <= _EXACT * max(1.0, value) for value in found):
            return digits
    return max(most, decimals(max(found), most=6))


def column_format(found: Sequence[tuple[Number, Number, tuple[float, float] | None]]) -> Format:
    """Return how a column of intervals (value, half width, ends) is shown: as its surest one deserves."""
    halves = [half for value, half, _ in found if value is not None and half]
    by_ends = any(
        value is not None and ends is not None and not is_even(value, *ends) for value, _, ends in found
    )
    return Format(decimals(min(halves, default=None)), by_ends)


def count(value: Number) -> Content:
    """Return a whole number with commas."""
    return ABSENT if value is None else fixed(value, 0)


def counted(value: Number, one: str, many: str | None = None) -> Content:
    """Return a count with its noun."""
    if value is None:
        return join("number of ", many or f"{one}s", " ", ABSENT)
    return join(count(value), " ", one if value == 1 else many or f"{one}s")


def percent(share: Number, digits: int = 1) -> Content:
    """Return a share in percent."""
    return ABSENT if share is None else join(fixed(100 * share, digits), "\u202f%")


def interval(
    value: Number,
    half: Number,
    unit: str = "",
    ends: tuple[float, float] | None = None,
    shown: Format | None = None,
) -> Content:
    """Return `+34 ± 12 Elo`, or `+34 (−2 to 91) Elo` where `ends` are uneven.

    With the digits that this deserves, or as its column is `shown`.
    """
    if value is None:
        return ABSENT
    digits = decimals(half) if shown is None else shown.digits
    if shown is not None and shown.by_ends:
        ends = ends or both_ends(value, half)
    end = f" {unit}" if unit else ""
    if half is None:
        return join(fixed(value, digits, sign=True), end, " (interval ", ABSENT, ")")
    if ends is not None and (not is_even(value, *ends) if shown is None else shown.by_ends):
        low, high = (fixed(one, digits, sign=True) for one in ends)
        return no_break(join(fixed(value, digits, sign=True), " (", low, " to ", high, ")", end))
    return no_break(join(fixed(value, digits, sign=True), " ± ", fixed(half, digits), end))


def expected(elo: float) -> float:
    """Return the expected result of a score, 0 to 1."""
    return float(1 / (1 + 10 ** (-max(-4000.0, min(4000.0, elo)) / 400)))


def no_break(content: Content) -> Markup:
    """Keep a value on one line."""
    return el("span", content, class_="value")


def clip(text: str, most: int = 90) -> str:
    """Shorten a text that no honest author would write, and leave out the folders of the machine it was written on."""
    text = without_folders(text)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def without_folders(text: str) -> str:
    """Return a text in which absolute paths have become names of files: pages are passed on."""
    return _FOLDERS.sub("", text)


def chance(share: Number) -> Content:
    """Return a probability in percent; near 0 and 1 without pretending to be certain."""
    if share is None:
        return ABSENT
    if share > 0.999:
        return "above 99.9\u202f%"
    return "below 0.1\u202f%" if share < 0.001 else percent(share)


def words(text: str, most: int) -> Content:
    """Return a text of a table's cell; one with a very long word may break anywhere."""
    shown = clip(text, most)
    return shown if max(map(len, shown.split()), default=0) < 20 else el("span", shown, class_="long")


def short(digest: str | None) -> Content:
    """Return the first twelve characters of a digest."""
    return ABSENT if not digest else el("code", clip(digest, 200)[:12], title=clip(digest, 200))


def name(text: str, most: int = 60) -> Markup:
    """Return the name of a feature as code that may break after an underline."""
    first, *others = clip(text, most).split("_")
    return el("code", first, [["_", el("wbr"), part] for part in others])


def code(text: str | None, most: int = 90) -> Content:
    """Return a name, a limit or the like as code."""
    return ABSENT if not text else el("code", clip(text, most))


def command(text: str, most: int = 300) -> Markup:
    """Return a command as code that does not break inside an option."""
    words = clip(text, most).split(" ")
    shown = [el("span", word, class_="unbroken") if word.startswith("-") else word for word in words]
    return el("code", [[" " if at else None, word] for at, word in enumerate(shown)])


def _spell(text: str) -> str:
    return text.replace("-", MINUS)
