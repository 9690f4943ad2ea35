"""The page of a gauntlet: circles, players whom no games connect, phones."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.browsing import SIZES, browser, off_their_lines, opened, overflow, sticking_out, touching
from tests.support.circle import circle
from tests.support.pages import Page
from tunesmith.games.errors import InputError
from tunesmith.tuning.report.gauntlet_page import render, write_page

__all__ = ["browser"]  # a fixture


def test_the_page_points_at_circles_and_at_what_cannot_be_compared() -> None:
    page = Page(render(circle()))
    assert page.defects == []
    assert "rock <b> beats scissors beats paper beats rock <b>" in page.section("circles")
    assert "no games connect them" in page.section("notes")
    assert len(page.table_rows("pairings")) == 4


def test_a_page_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        write_page(tmp_path / "nowhere" / "p.html", circle())


@pytest.mark.needs_chromium
@pytest.mark.parametrize("size", list(SIZES))
def test_the_page_fits_a_phone_and_a_screen(browser: Any, tmp_path: Path, size: str) -> None:
    page, events = opened(browser, write_page(tmp_path / "p.html", circle()), size)
    assert events == []
    assert overflow(page) == 0 and sticking_out(page, ".scroll") == []
    assert (touching(page), off_their_lines(page)) == ([], [])


def test_the_words_of_the_figures_are_defined_on_the_page() -> None:
    text = Page(render(circle())).section("glossary")
    for word in ("Rating.", "Bootstrap", "Likelihood of superiority in a gauntlet", "Circle", "Interval, ±"):
        assert word.rstrip(".") in text


def test_a_game_in_a_file_is_called_by_its_name_alone() -> None:
    found = circle()
    page = render(found.model_copy(update={"game": "/srv/somebody/mine/game.py:size=4"}))
    assert "/srv" not in page and "Gauntlet: game.py" in page
