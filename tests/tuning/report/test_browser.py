"""The report in a real browser: nothing is loaded, nothing overflows, boards are seen, on a phone and on paper."""

from pathlib import Path
from typing import Any

import pytest

from tests.support import report_fixture as fixture
from tests.support.browsing import (
    SIZES,
    browser,
    clipped,
    off_their_lines,
    opened,
    overflow,
    printed_pages,
    sticking_out,
    touching,
)
from tests.support.described_games import data, facts, folder, games, made
from tests.support.report_fixture import HOSTILE, changed
from tunesmith.tuning.report import study_page

__all__ = ["browser", "data", "facts", "folder", "games", "made"]  # fixtures

pytestmark = [pytest.mark.pages, pytest.mark.needs_chromium]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the finished study."""
    return study_page.write_report(fixture.write(tmp_path_factory.mktemp("study")))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, facts: dict[str, Any]) -> Path:
    """The report of a study with all that there can be: positions described, a game, more weights and many notes."""
    files = fixture.study()
    fit = files["fit/gen-2.json"]
    more = [
        {**row, "feature": f"another_{row['feature']}"} for row in fit["weights"][:10] + fit["weights"][24:34]
    ]
    mixed = [{**row, "feature": f"another_{row['feature']}"} for row in fit["usual"]["weights"][:10]]
    fit.update(
        weights=fit["weights"] + more, dataset=facts, notes=[f"weight {n} keeps its prior" for n in range(60)]
    )
    fit["usual"]["weights"] += mixed
    fit["residuals_by_score"] = [
        {
            "from": low,
            "to": low + 150,
            "n": 900,
            "predicted": 0.5,
            "actual": 0.5,
            "residual": 0.01,
            "error": 0.02,
        }
        for low in range(-600, 600, 150)
    ]
    parts = [{"pairs": 70 * 2**n, "loss": 0.46 - n / 300, "error": 0.004 / (n + 1)} for n in range(4)]
    fit["bends"] = [
        {"feature": "a_feature_with_a_name", "knot": 4.0, "odd": True, "before": 20.5, "after": -40.0, "chance": 0.001,
         "fall": 0.0073, "error": 0.0019}
    ]  # fmt: skip
    fit["learning_curve"] = {"parts": parts, "doubling": 0.001, "error": 0.0005}
    for row in facts["balance"]:
        row.update(
            won=0.45 * row["positions"], mixed=0.09 * row["positions"], lost=0.46 * row["positions"], drawn=0
        )
    root = fixture.write(tmp_path_factory.mktemp("whole"), files)
    return study_page.write_report(root)


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


@pytest.mark.parametrize("size", SIZES)
def test_a_study_with_all_that_there_can_be_does_not_overflow(browser: Any, whole: Path, size: str) -> None:
    page, _ = opened(browser, whole, size)
    assert overflow(page) <= 0
    assert sticking_out(page) == []


def test_letters_of_charts_keep_their_size(browser: Any, finished: Path) -> None:
    """Labels are as tall on a phone as on a screen."""
    heights = []
    for size in SIZES:
        page, _ = opened(browser, finished, size)
        heights.append(page.evaluate("document.querySelector('.frame text').getBoundingClientRect().height"))
    assert heights[0] == pytest.approx(heights[1], abs=0.5)
    assert heights[0] > 10


def test_labels_of_charts_can_be_read(browser: Any, finished: Path, whole: Path) -> None:
    """On any width no two labels of a chart overlap, each stands over its line, and none is wider than its bar."""
    for size in SIZES:
        for path in (finished, whole):
            page, _ = opened(browser, path, size)
            assert (touching(page), off_their_lines(page), clipped(page)) == ([], [], []), size


def test_three_positions_are_open_the_rest_is_folded(browser: Any, finished: Path) -> None:
    page, _ = opened(browser, finished)
    assert page.locator("#positions > article").count() == 3
    assert page.locator("#positions details article").count() == 7
    assert page.locator("#positions details").get_by_text("7 more positions").is_visible()


def test_a_study_of_one_game_is_printed_on_eight_pages(browser: Any, whole: Path) -> None:
    """The largest game that ships, with notes of every weight; no column is lost on paper."""
    page, _ = opened(browser, whole)
    assert 4 <= printed_pages(page) <= 8
    page.emulate_media(media="print")
    assert page.locator(".weights td.stage").first.is_visible()
    assert not page.locator("#game .strip").is_visible()


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
    assert page.locator("h2").count() == 9
