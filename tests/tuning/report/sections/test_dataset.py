"""The training positions on a page: the figures of the file, and no damage breaks it."""

from pathlib import Path
from typing import Any

import pytest

from tests.support import report_fixture as fixture
from tests.support.browsing import SIZES, browser, opened, overflow, sticking_out
from tests.support.described_games import data, facts, folder, games, made
from tests.support.pages import Page, tidy
from tests.support.small_matches import kalah
from tunesmith.tuning.documents.data import DatasetFacts
from tunesmith.tuning.report.sections.dataset import render, write_page

__all__ = ["browser", "data", "facts", "folder", "games", "made"]  # fixtures


def test_the_page_tells_the_figures(made: DatasetFacts, facts: dict[str, Any]) -> None:
    page = Page(render(made))
    text = tidy(page.section("data"))
    assert "Length of games" in text and "Results of the side to move" in text
    rows = [[tidy(cell) for cell in row] for row in page.table_rows("data")]
    bank = facts["features"][0]
    (row,) = [row for row in rows if row[0].startswith("bank") and len(row) > 8]
    assert row[1] == f"{100 * bank['not_zero']:.1f} %" and row[2] == f"{bank['rows']:,}"
    assert f"{facts['rows']:,}" in tidy(page.section("selection"))


def test_a_report_has_the_section_and_no_damage_breaks_it(facts: dict[str, Any], tmp_path: Path) -> None:
    files = fixture.study()
    files["fit/gen-2.json"]["dataset"] = facts
    assert "Coverage of each feature" in fixture.page_of(tmp_path, files).section("data")
    broken = fixture.changed(facts, lambda leaf: "x" if isinstance(leaf, int | float) else None)
    files["fit/gen-2.json"]["dataset"] = broken
    assert "Training positions" in fixture.page_of(tmp_path, files).section("data")


def test_a_feature_that_never_changes_has_no_correlation(made: DatasetFacts) -> None:
    facts = made.content()
    facts["features"][0]["correlation"] = None
    page = Page(render(DatasetFacts.of(facts, "here")))
    assert "not recorded" not in page.section("data")


@pytest.mark.needs_chromium
@pytest.mark.parametrize("size", SIZES)
def test_nothing_loaded_nothing_overflows(
    browser: Any, made: DatasetFacts, tmp_path: Path, size: str
) -> None:
    write_page(tmp_path / "d.html", made)
    page, events = opened(browser, tmp_path / "d.html", size)
    assert events == [] and overflow(page) <= 0 and sticking_out(page) == []
    page.eval_on_selector_all("details", "all => all.forEach(e => e.open = true)")
    assert overflow(page) <= 0
    widths = page.eval_on_selector_all(
        ".coverage td.chart svg, .results svg.shares", "all => all.map(e => e.getBoundingClientRect().width)"
    )
    assert len(widths) > kalah().n_features and min(widths) > 100
