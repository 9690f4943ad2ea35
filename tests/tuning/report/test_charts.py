"""Charts: places on axes, ticks that a person would choose, marks where the numbers are."""

import math
import re
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.support.pages import Page
from tunesmith.tuning.report import charts
from tunesmith.tuning.report.charts import Scale, bent, linear, logarithmic, thin, tick_text
from tunesmith.tuning.report.html import el

numbers = st.floats(-1e9, 1e9)
some = st.lists(numbers, min_size=1, max_size=20)


@given(some)
def test_linear_axis(values: list[float]) -> None:
    """Every value has its place, in order, and ticks are few, even and round."""
    scale = linear(values, include=(0.0,))
    places = [scale.at(value) for value in sorted(values)]
    assert places == sorted(places)
    assert all(0 <= place <= 100 for place in places)
    assert 2 <= len(scale.ticks) <= 8
    steps = [b - a for a, b in pairwise(scale.ticks)]
    assert steps == pytest.approx([steps[0]] * len(steps))
    assert re.match(r"[125]\.?0*(e|$)", f"{steps[0]:.6e}".replace(".000000", ""))


@given(some, st.floats(1e-3, 1e6))
@example([286663.0], 0.5)
def test_bent_axis(values: list[float], typical: float) -> None:
    """Bent axes keep the order, hold zero, and stay readable whatever the range."""
    scale = bent(values, typical)
    places = [scale.at(value) for value in sorted(values)]
    assert places == sorted(places)
    assert 0 < scale.at(0.0) < 100
    assert 0.0 in scale.ticks
    assert all(scale.at(b) - scale.at(a) > 7 for a, b in pairwise(scale.ticks))
    assert len(scale.ticks) <= 12


def test_bent_axis_does_not_flatten_the_small() -> None:
    """Beside a weight of 720, weights of 5 and 20 are told apart."""
    scale = bent([0, 5, 20, 720], 20)
    assert scale.at(5) - scale.at(0) > 3
    assert scale.at(20) - scale.at(5) > 8
    assert scale.ticks == (0, 10, 30, 100, 300)


def test_logarithmic_axis() -> None:
    """Powers of ten at even distances; what has no logarithm is left out."""
    scale = logarithmic([1e-6, 1.0, 0.0, -3.0, None])
    assert scale.ticks == pytest.approx([10.0**p for p in range(-6, 1)])
    steps = [scale.at(b) - scale.at(a) for a, b in pairwise(scale.ticks)]
    assert steps == pytest.approx([steps[0]] * 6)
    assert len(logarithmic([1e-150, 1e200]).ticks) <= 9
    assert scale.at(-1) == 0


@pytest.mark.parametrize(
    "values", [[38, 77, 155, 309], [100, 5_000], [1e-6, 1.0], [3e-7, 4e-7], [5.0], [1e-150, 1e200], []]
)
def test_a_logarithmic_axis_has_its_ticks_at_their_own_places(values: list[float]) -> None:
    """No tick lies beyond an end, where it would be drawn at the end, and there are at least two."""
    scale = logarithmic(values)
    assert len(scale.ticks) >= 2
    assert all(scale.low <= tick <= scale.high for tick in scale.ticks)


@pytest.mark.parametrize(
    "values", [[], [None], [0.0], [5.0, 5.0], [-1e300, 1e300], [1e-320], [1e15, 1e15 + 1]]
)
def test_axes_of_odd_values(values: list[float | None]) -> None:
    """Nothing, one value, equal values and giants all have an axis."""
    for scale in (linear(values), linear(values, include=(0.0,)), bent(values, 1.0), logarithmic(values)):
        assert scale.low < scale.high
        assert all(0 <= scale.at(value or 0.0) <= 100 for value in values)


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [(0, "linear", "0"), (-20, "linear", "−20"), (1500, "linear", "1,500"), (0.1 + 0.2, "linear", "0.3"),
     (1e-5, "linear", "1e−5"), (2e7, "linear", "2e7"), (1e-6, "log", "10⁻⁶"), (0.01, "log", "10⁻²"), (1e5, "log", "10⁵")],
)  # fmt: skip
def test_labels(value: float, kind: str, text: str) -> None:
    """Labels are short, with the minus of mathematics."""
    assert tick_text(value, kind) == text


UNIT = Scale(0.0, 100.0, (0.0, 50.0, 100.0))


def test_row_marks() -> None:
    """Circle at the old value, dot at the new one, a whisker from end to end."""
    row = charts.row_marks(UNIT, 20.0, 60.0, (45.0, 75.0), "from 20 to 60")
    assert '<circle cx="20%" cy="16" r="4" class="before"/>' in row
    assert '<circle cx="60%" cy="16" r="4.5" class="after"/>' in row
    assert '<line x1="45%" y1="16" x2="75%" y2="16" class="whisker"/>' in row
    assert row.count('class="whisker"') == 3
    assert row.count('class="zero"') == 1
    assert "<title>from 20 to 60</title>" in row
    assert "circle" not in charts.row_marks(UNIT, None, None, None, "nothing")
    assert 'class="kept"' in charts.row_marks(UNIT, None, 1.0, None, "kept", strong=False)


def test_lines() -> None:
    """Points are at their places, y upwards; levels carry their names."""
    picture = charts.lines(
        UNIT, UNIT, [("curve", [(0, 0), (50, 100)])], titles=("pairs", "ratio"), words="a line",
        levels=[(50.0, "half")], marks=[(50, 100)], height=200,
    )  # fmt: skip
    assert 'points="0,1000 500,0" class="curve"' in picture
    assert '<line x1="0%" y1="100" x2="100%" y2="100" class="level"/>' in picture
    assert '<circle cx="50%" cy="0" r="5" class="after"/>' in picture
    assert Page(el("html", picture)).defects == []


def test_dots() -> None:
    """A dot with its bar, clipped to the chart."""
    picture = charts.dots(UNIT, UNIT, [(30, 90, 20, 4, "words")], titles=("x", "y"), words="dots", height=100)
    assert '<circle cx="30%" cy="10" r="4" class="after"/>' in picture
    assert '<line x1="30%" y1="30" x2="30%" y2="0" class="whisker"/>' in picture


@given(st.lists(st.tuples(numbers, numbers), max_size=2000), st.integers(10, 400))
def test_thinned_lines_keep_their_shape(points: list[tuple[float, float]], most: int) -> None:
    """Ends, highest and lowest point stay; order stays; short lines are untouched."""
    kept = thin(points, most)
    assert len(kept) <= max(most + 2, 0)
    if len(points) <= most:
        assert kept == points
        return
    assert (kept[0], kept[-1]) == (points[0], points[-1])
    assert max(y for _, y in kept) == max(y for _, y in points)
    assert min(y for _, y in kept) == min(y for _, y in points)
    rest = iter(points)
    assert all(point in rest for point in kept)


def test_labels_of_a_bar_in_a_column_are_shorter() -> None:
    """What would be clipped in half a page is the name alone, or nothing."""
    parts = [("won", 45, "p4"), ("mixed", 9, "p3"), ("lost", 46, "p0")]
    labels = [
        re.findall(r'class="on-p3 ?(\w*)">([^<]*)<', charts.share_bar(parts, "words", width))
        for width in (2.0, 1.0, 0.5)
    ]
    assert labels == [[("wide", "mixed 9\u202f%")], [("wide", "mixed")], []]


def test_levels_that_are_nearly_the_same_have_one_label() -> None:
    picture = charts.lines(
        UNIT,
        UNIT,
        [],
        titles=("x", "y"),
        words="levels",
        levels=[(50.0, "start"), (51.0, "recommended"), (90.0, "best")],
    )
    assert re.findall(r'class="name">([^<]*)<', picture) == ["y", "start, recommended", "best"]


def test_names_of_levels_stand_above_the_points() -> None:
    points = [(10.0, 50.0, 20.0, "after", "words")]
    picture = charts.history(UNIT, UNIT, points, titles=("x", "y"), words="dots", levels=[(50.0, "start")])
    assert picture.index(">start<") > picture.rindex("whisker") > picture.index('class="level"')


def test_an_axis_of_powers_is_labelled_in_one_way() -> None:
    """Plain numbers if all are short, powers of ten if one is not."""
    for values, labels in (
        ([100, 5_000], ["100", "1,000"]),
        ([1e-6, 1.0], ["10⁻⁶", "10⁻⁵"]),
        ([38, 77, 155, 309], ["50", "100", "200"]),
        ([3e-7, 4e-7], ["2·10⁻⁷", "5·10⁻⁷"]),
    ):
        axis = charts.lines(logarithmic(values), UNIT, [], titles=("", ""), words="")
        found = re.findall(r'text-anchor="middle">([^<]*)<', axis)
        assert found[: len(labels)] == labels


def test_share_bar() -> None:
    """Widths are shares of the whole; small parts have no label that would not fit."""
    bar = charts.share_bar([("LL", 6, "p0"), ("DD", 94, "p2"), ("WW", 0, "p4"), ("WD", None, "p3")], "words")
    widths = [float(width) for width in re.findall(r'width="([\d.]+)%"', bar)]
    assert widths == [6, 94]
    assert "DD 94" in bar
    assert 'class="on-p0">LL<' in bar
    assert "LL 6" not in re.sub("<title>.*?</title>", "", bar)
    assert charts.share_bar([("LL", 0, "p0")], "empty").count("rect") == 0
    total = charts.share_bar([("a", 1, "p0"), ("b", 1, "p1"), ("c", 1, "p2")], "thirds")
    assert math.isclose(sum(float(w) for w in re.findall(r'width="([\d.]+)%"', total)), 100, abs_tol=0.1)
