"""Numbers for people: digits that the error deserves, real minus signs, and words for what is missing."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.pages import Page, tidy
from tunesmith.tuning.report import numbers
from tunesmith.tuning.report.html import Content, el
from tunesmith.tuning.report.reading import Record, as_number

pytestmark = pytest.mark.pages

finite = st.floats(-1e8, 1e8)


def text(content: Content) -> str:
    """Return what a person reads."""
    return tidy(Page(el("html", content)).texts["html"])


@pytest.mark.parametrize(
    ("value", "half", "shown"),
    [
        (34.23, 11.8, "+34 ± 12 Elo"), (8.34, 8.61, "+8.3 ± 8.6 Elo"), (-0.02, 1.234, "0.0 ± 1.2 Elo"),
        (-34.5, 0.3456, "-34.50 ± 0.35 Elo"), (1234.5, 150, "+1,234 ± 150 Elo"), (5.0, 0.0, "+5.0 ± 0.0 Elo"),
        (None, 3.0, "not recorded"), (12.3, None, "+12.3 Elo (interval not recorded)"),
    ],
)  # fmt: skip
def test_intervals(value: float | None, half: float | None, shown: str) -> None:
    """Two significant digits of the half width decide."""
    assert text(numbers.interval(value, half, "Elo")) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.0, "0"), (-0.0, "0"), (1.0, "1"), (0.0123456, "0.0123"), (1234567.0, "1,234,567"), (20.04, "20"), (-3.14159, "-3.14"),
     (1e-6, "1e-6"), (1.234e-12, "1.23e-12"), (1e8, "1e8"), (720.0, "720"), (None, "not recorded")],
)  # fmt: skip
def test_significant(value: float | None, shown: str) -> None:
    """Three digits that count, no zeros behind them."""
    assert text(numbers.significant(value)) == shown


def test_there_is_no_negative_zero() -> None:
    shown = [text(one) for one in (numbers.plain(-0.0), numbers.significant(-0.0), numbers.fixed(-0.0, 1))]
    assert shown == ["0", "0", "0.0"]


@given(finite, st.floats(1e-3, 1e6))
def test_rounding_is_finer_than_the_error(value: float, error: float) -> None:
    """What is shown is within a nineteenth of the error of the truth."""
    shown = text(numbers.fixed(value, numbers.decimals(error)))
    assert abs(float(shown.replace(",", "")) - value) <= error / 19


@given(st.floats(0, 1))
def test_chances(share: float) -> None:
    """Nothing is called certain that is not quite."""
    shown = text(numbers.chance(share))
    assert shown not in ("100.0 %", "0.0 %")


def test_counts() -> None:
    """Nouns agree; what is not known is not a zero."""
    assert text(numbers.counted(1, "game")) == "1 game"
    assert text(numbers.counted(12345, "pair")) == "12,345 pairs"
    assert text(numbers.counted(0, "game")) == "0 games"
    assert text(numbers.counted(None, "game")) == "number of games not recorded"
    assert text(numbers.percent(0.1234)) == "12.3 %"


def test_names_and_digests() -> None:
    """Names may break at underlines, digests are short, long texts end in dots."""
    assert numbers.name("free_turn") == "<code>free_<wbr/>turn</code>"
    assert text(numbers.short("0123456789abcdef")) == "0123456789ab"
    assert numbers.clip("a" * 200, 10) == "a" * 9 + "…"
    assert text(numbers.code("")) == "not recorded"


@pytest.mark.parametrize(
    "value", [None, True, False, "1", [], {}, math.nan, math.inf, -math.inf, 10**400, -(10**16), 1e300]
)
def test_what_is_no_number(value: object) -> None:
    """True is not 1, text is not a number, and what no study counts is not recorded."""
    assert as_number(value) is None


def test_records_never_fail() -> None:
    """Keys that are not there, or below something else, give nothing."""
    record = Record({"a": {"b": [1, "x", None, [2, 3], [4]], "c": " "}, "d": 3})
    assert record.number("d") == 3
    assert record.number("d", "x") is None
    assert record.numbers("a", "b") == [1, None, None, None, None]
    assert record.points("a", "b") == [(2, 3)]
    assert record.rows("a", "b") == record.texts("a") == []
    assert record.texts("a", "b") == ["x"]
    assert record.text("a", "c") is None
    assert record.text("d") == "3"
    assert [name for name, _ in record.leaves()] == ["a.b", "a.c", "d"]
    assert Record().items() == []


@pytest.mark.parametrize(
    ("values", "digits"),
    [([1, 20, -3], 0), ([0.5, 3], 1), ([0.0968, -27], 2), ([0.0004, 0.0001], 5), ([None, 2.25], 2), ([], 0), ([0.0], 0)],
)  # fmt: skip
def test_a_column_has_one_number_of_decimals(values: list[float | None], digits: int) -> None:
    assert numbers.column_digits(values) == digits


def test_a_column_of_intervals_has_one_form() -> None:
    """The digits of the surest, and both ends in every row if one is uneven."""
    even, sure, uneven = (34.2, 19.0, None), (8.3, 2.11, (6.2, 10.4)), (40.0, 12.0, (30.0, 58.0))
    shown = numbers.column_format([even, sure])
    assert [text(numbers.interval(*row[:2], "", row[2], shown)) for row in (even, sure)] == [
        "+34.2 ± 19.0",
        "+8.3 ± 2.1",
    ]
    shown = numbers.column_format([even, uneven])
    found = [text(numbers.interval(*row[:2], "", row[2], shown)) for row in (even, uneven)]
    assert found == ["+34 (+15 to +53)", "+40 (+30 to +58)"]


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("/srv/ann/w.json", "w.json"), ("a /b/c/d.toml e", "a d.toml e"), ("--out=/a/b/c", "--out=c"),
        ("'/srv/my games/s.toml'", "'my games/s.toml'"), ("(/a/b)", "(b)"), ("C:\\a\\b.csv", "b.csv"),
        ("7k/8/6K1 w - -", "7k/8/6K1 w - -"), ("games/kalah", "games/kalah"), ("1 / (1 + 2)", "1 / (1 + 2)"),
        ("/a", "/a"), ("http://localhost/a/b", "http://localhost/a/b"), ("won/lost", "won/lost"),
    ],
)  # fmt: skip
def test_absolute_paths_become_names(given: str, shown: str) -> None:
    assert numbers.without_folders(given) == shown
