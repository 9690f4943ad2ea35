"""The page of a whole game in a real browser: paged through by keys and buttons, on a phone and on paper."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.browsing import SIZES, browser, opened, overflow, sticking_out
from tests.tuning.report.test_game_page import random_game
from tunesmith import games
from tunesmith.tuning.report import game_page

__all__ = ["browser"]  # a fixture

pytestmark = [pytest.mark.pages, pytest.mark.needs_chromium]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A short random game of every kind."""
    folder = tmp_path_factory.mktemp("pages")
    stories = {name: game_page.Story(random_game(games.load(name), 3, most=14), {}) for name in games.names()}
    return {name: game_page.write_strip(story, folder / f"{name}.html") for name, story in stories.items()}


def shown(page: Any) -> str:
    """Return the number of the board that is shown large, as the page says it."""
    return str(page.locator("#said b").text_content())


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", games.names())
def test_nothing_loaded_nothing_overflows(browser: Any, pages: dict[str, Path], name: str, size: str) -> None:
    """No request, no message, only the strip scrolls sideways; the large board and its buttons are in view."""
    page, events = opened(browser, pages[name], size, "dark" if size == "phone" else "light")
    assert events == []
    assert overflow(page) <= 0
    assert sticking_out(page, scrolled="pre, .strip") == []
    assert page.locator(".large img.board").evaluate("e => e.complete && e.naturalWidth > 0")
    for part in ("#large", "#start", "#end"):
        box = page.locator(part).bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= SIZES[size][0]
        assert box["y"] + box["height"] <= SIZES[size][1]


def test_keys_and_buttons(browser: Any, pages: dict[str, Path]) -> None:
    """Arrows, Home, End, the buttons, the slider and a click on a board all lead to the same place."""
    page, _ = opened(browser, pages["pentago"])
    assert shown(page) == "0 / 14"
    for key, where in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", 14),
        ("ArrowRight", 14),
        ("Home", 0),
    ):
        page.keyboard.press(key)
        assert shown(page) == f"{where} / 14"
        assert page.input_value("#at") == str(where)
    for button, where in (("next", 1), ("end", 14), ("back", 13), ("start", 0)):
        page.click(f"#{button}")
        assert shown(page) == f"{where} / 14"
    page.click("#move-3")
    assert shown(page) == "3 / 14"
    assert page.locator("li.here").get_attribute("id") == "move-3"
    page.fill("#at", "9")
    assert shown(page) == "9 / 14"
    large = page.locator(".large img").get_attribute("src")
    assert large == page.locator("#move-9 img").get_attribute("src")
    assert page.url.endswith("#9")


def test_it_plays_by_itself(browser: Any, pages: dict[str, Path]) -> None:
    """Space plays from here to the end and stops there; at the end it begins again; any step pauses."""
    page, _ = opened(browser, pages["kalah"])
    page.click("#end")
    page.click("#back")
    page.evaluate("document.activeElement.blur()")  # on a button, space presses the button
    page.keyboard.press(" ")
    page.wait_for_function("document.querySelector('#said b').textContent === '14 / 14'")
    page.wait_for_function("!document.querySelector('#play').classList.contains('running')")
    page.click("#play")
    assert shown(page).startswith("0")
    page.keyboard.press("ArrowRight")
    assert page.locator("#play.running").count() == 0


def test_without_a_script_the_strip_is_there(browser: Any, pages: dict[str, Path]) -> None:
    """Where no script runs the boards can be scrolled, and no dead buttons are shown."""
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(pages["fanorona"].as_uri())
    assert page.locator(".strip li").count() == 15
    assert not page.locator("#play").is_visible()
    assert page.locator("#move-14 img").is_visible()


def test_print(browser: Any, pages: dict[str, Path]) -> None:
    """On paper all boards stand in rows, none cut off."""
    page, _ = opened(browser, pages["expendibots"])
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 688, "height": 1000})
    assert overflow(page) <= 0
    assert sticking_out(page) == []
    assert not page.locator("#play").is_visible()
