"""The report in a real browser: nothing is loaded, nothing overflows, boards are seen, on a phone and on paper."""

from pathlib import Path
from typing import Any

import pytest

from tests.support import report_fixture as fixture
from tests.support.browsing import SIZES, browser, opened, overflow, sticking_out
from tests.support.report_fixture import HOSTILE, changed
from tunesmith.tuning.report import study_page

__all__ = ["browser"]  # a fixture

pytestmark = [pytest.mark.pages, pytest.mark.needs_chromium]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the finished study."""
    return study_page.write_report(fixture.write(tmp_path_factory.mktemp("study")))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_nothing_loaded_nothing_overflows(browser: Any, finished: Path, size: str, scheme: str) -> None:
    """No request, no message, no sideways scrolling; every board is a picture one can see."""
    page, events = opened(browser, finished, size, scheme)
    assert events == []
    assert overflow(page) <= 0
    assert sticking_out(page) == []
    boards = page.query_selector_all("img.board")
    assert len(boards) == 10
    for board in boards:
        assert board.evaluate("e => e.complete && e.naturalWidth > 0")
        box = board.bounding_box()
        assert box["width"] > 200 and box["height"] > 80


def test_letters_of_charts_keep_their_size(browser: Any, finished: Path) -> None:
    """Labels are as tall on a phone as on a screen."""
    heights = []
    for size in SIZES:
        page, _ = opened(browser, finished, size)
        heights.append(page.evaluate("document.querySelector('.frame text').getBoundingClientRect().height"))
    assert heights[0] == pytest.approx(heights[1], abs=0.5)
    assert heights[0] > 10


def test_labels_of_axes_do_not_touch(browser: Any, finished: Path) -> None:
    """No two labels of one axis overlap, on any width."""
    for size in SIZES:
        page, _ = opened(browser, finished, size)
        touching = page.evaluate(
            """[...document.querySelectorAll('svg')].flatMap(svg => {
            const boxes = [...svg.querySelectorAll(':scope > text')].map(t => [t.textContent, t.getBoundingClientRect()])
              .filter(([_, b]) => b.width > 0);
            return boxes.flatMap(([name, a], i) => boxes.slice(i + 1)
              .filter(([_, b]) => a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom)
              .map(([other]) => `${name} / ${other}`)) })"""
        )
        assert touching == [], size


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(browser: Any, finished: Path, scheme: str) -> None:
    """Every text has at least the contrast that the accessibility guidelines ask of small print (4.5 to 1)."""
    page, _ = opened(browser, finished, "screen", scheme)
    faint = page.evaluate(
        """(() => {
        const parse = c => c.match(/[\\d.]+/g).map(Number);
        const light = ([r, g, b]) => [r, g, b].map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
          .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
        const behind = e => { for (; e; e = e.parentElement) {
          const c = parse(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; } };
        const found = new Set();
        for (const e of document.querySelectorAll('body *')) {
          if (e.closest('svg.shares') || e.tagName === 'title' || ![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) continue;
          const style = getComputedStyle(e), text = parse(e.closest('svg') ? style.fill : style.color);
          const [a, b] = [light(text), light(behind(e))].sort((x, y) => y - x);
          if ((a + .05) / (b + .05) < 4.5) found.add(`${e.tagName}.${e.className.baseVal ?? e.className}`);
        }
        return [...found] })()"""
    )
    assert faint == []


def test_print(browser: Any, finished: Path) -> None:
    """On A4 paper nothing is cut off, and dark screens print dark on white."""
    page, _ = opened(browser, finished, "screen", "dark")
    page.emulate_media(media="print", color_scheme="dark")
    page.set_viewport_size({"width": 688, "height": 1000})  # A4 without its margins
    assert overflow(page) <= 0
    assert sticking_out(page) == []
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert page.pdf(format="A4").startswith(b"%PDF")


@pytest.mark.parametrize("size", SIZES)
def test_hostile_study(browser: Any, tmp_path: Path, size: str) -> None:
    """Markup in names does not run, and names without a space do not widen the page."""
    long = HOSTILE + "W" * 500
    files = changed(fixture.study(), lambda leaf: long + leaf if isinstance(leaf, str) else leaf)
    for name, run in files.items():
        if name.startswith("verify/"):
            run["kind"] = "sequential" if run["sprt"] else "fixed"
    page, events = opened(browser, study_page.write_report(fixture.write(tmp_path, files)), size)
    assert events == []
    assert overflow(page) <= 0
    page.eval_on_selector_all("details", "all => all.forEach(e => e.open = true)")
    assert overflow(page) <= 0


@pytest.mark.parametrize("size", SIZES)
def test_empty_study(browser: Any, tmp_path: Path, size: str) -> None:
    """A study that has only just begun can be looked at too."""
    page, events = opened(browser, study_page.write_report(tmp_path), size)
    assert events == []
    assert overflow(page) <= 0
    assert page.locator("h2").count() == 8
