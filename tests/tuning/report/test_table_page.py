"""The page of a fit to somebody's table: its weights, where it comes from, and that nothing is proved."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.browsing import SIZES, browser, off_their_lines, opened, overflow, sticking_out, touching
from tests.support.fitted_tables import fitted
from tests.support.pages import Page
from tunesmith.tuning.report.table_page import render, write_page

__all__ = ["browser"]  # a fixture

NAME = "mine <b>.csv"


def test_a_page_says_what_was_fitted_and_what_is_not_proved(tmp_path: Path) -> None:
    facts = fitted().facts
    write_page(tmp_path / "p.html", NAME, facts)
    text = (tmp_path / "p.html").read_text(encoding="utf-8")
    assert text == render(NAME, facts)
    page = Page(text)
    assert page.defects == []
    assert f"Fitted to {NAME} (made, results of the side to move)" in page.text
    assert "Nothing here is proved by play" in page.text
    for row in facts.weights:
        assert row.feature in page.section("weights")


def test_results_of_the_first_player_are_called_so() -> None:
    facts = fitted().facts
    source = facts.table.model_copy(update={"perspective": "first"})
    page = Page(render(NAME, facts.model_copy(update={"table": source})))
    assert "results of the first player" in page.text


def test_the_headline_says_what_was_found(tmp_path: Path) -> None:
    """How many weights, and whether they predict games that the fit never saw; games are not called pairs."""
    facts = fitted().facts
    page = Page(render(NAME, facts))
    losses = facts.loss.held_out
    assert losses is not None
    assert page.section("h1").startswith(
        f"{len(facts.weights)} of {len(facts.weights)} weights fitted: on games"
    )
    assert f"(loss {losses.prior:.5f} before, {losses.fit:.5f} after)" in page.section("h1")
    assert "predict better than a guess of 50 % everywhere" in page.section("h1")
    assert "not recorded" not in page.text
    assert " pair" not in page.text.partition("What the words mean")[0]


@pytest.mark.parametrize(
    ("mean", "words"), [(0.001, "are not shown to predict better than"), (-0.1, "predict worse than")]
)
def test_a_fit_that_is_no_better_says_so(mean: float, words: str) -> None:
    facts = fitted().facts
    gain = facts.gain_held_out.model_copy(update={"mean": mean, "error": 0.01})
    assert words in Page(render(NAME, facts.model_copy(update={"gain_held_out": gain}))).section("h1")


def test_a_weight_without_a_meaning_says_what_it_does() -> None:
    """In an even position; `tempo` is the column that the fit adds."""
    facts = fitted(tempo=True).facts
    page = Page(render(NAME, facts))
    row = next(row for row in facts.weights if row.feature == "material")
    assert (
        f"one more, else even: {100 / (1 + 10 ** (-row.after / 400)):.0f} % of the points expected"
        in page.text
    )
    assert "what having the move is worth" in page.text


@pytest.mark.needs_chromium
@pytest.mark.parametrize("size", list(SIZES))
def test_the_page_fits_a_phone_and_a_screen(browser: Any, tmp_path: Path, size: str) -> None:
    write_page(tmp_path / "p.html", NAME, fitted().facts)
    page, events = opened(browser, tmp_path / "p.html", size)
    assert events == [] and overflow(page) == 0 and sticking_out(page) == []
    assert (touching(page), off_their_lines(page)) == ([], [])
