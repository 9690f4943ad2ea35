"""The page of a fit to somebody's table: its weights, where it comes from, and that nothing is proved."""

from pathlib import Path

from tests.support.fitted_tables import fitted
from tests.support.pages import Page
from tunesmith.tuning.report.table_page import render, write_page

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
