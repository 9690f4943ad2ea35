"""The board in a real browser: some moves of every game by mouse and by keyboard, on a screen and on a phone."""

import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.browsing import PATIENCE, SIZES, browser, overflow, sticking_out
from tests.support.play_games import FAILING, SILENT, hosted
from tunesmith import games
from tunesmith.tuning.cli.new_game import write_game
from tunesmith.tuning.report.play_page.app import play_app
from tunesmith.tuning.report.server import serve

__all__ = ["browser"]  # a fixture

pytestmark = [pytest.mark.pages, pytest.mark.needs_chromium]


@pytest.fixture
def served(browser: Any) -> Iterator[Any]:
    """Serve a game and open it: gives the page, the game, and what the page complained of."""
    servers, contexts = [], []

    def start(spec: str, size: str = "screen", **options: Any) -> tuple[Any, Any, list[str]]:
        game = hosted(spec, **options)
        server = serve(play_app(game, spec), "127.0.0.1", 0, "play")
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        width, height = SIZES[size]
        context = browser.new_context(viewport={"width": width, "height": height}, bypass_csp=True)
        contexts.append(context)
        page, events = context.new_page(), []
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: events.append(f"error: {error}"))
        page.on("console", lambda message: events.append(f"console: {message.text}"))
        page.on("request", lambda request: events.append(request.url))
        page.goto(f"http://127.0.0.1:{server.server_port}/")
        ready(page, game)
        return page, game, [one for one in events if not one.startswith((page.url, "data:image/svg+xml"))]

    yield start
    for context in contexts:
        context.close()
    for server in servers:
        server.shutdown()
        server.server_close()


def ready(page: Any, game: Any, after: int = -1) -> None:
    """Wait until the game stands in a position after that one, the engine has answered, and the page shows it."""
    end = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < end:
        view = game.view
        shown = page.locator("#field").get_attribute("data-version")
        if view["position"] > after and not view["doing"] and shown == str(view["version"]):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"the page does not follow: {game.view['turn']}")


def square(page: Any, name: str) -> Any:
    return page.locator(f"#squares button[data-square='{name}']")


def make(page: Any, game: Any, text: str, squares: list[str]) -> None:
    """Play a move as a person does: square by square, and from the list where others share these squares."""
    before, moves = game.view["position"], game.view["moves"]
    for name in squares:
        square(page, name).click()
    if sum(other[: len(squares)] == squares for _, other in moves) > 1:
        page.locator("#choice").get_by_role("button", name=text, exact=True).click()
    ready(page, game, before)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", games.names())
def test_moves_are_made_by_clicks(served: Any, name: str, size: str) -> None:
    """Every move of every game has squares or is a button; the page never overflows and loads nothing."""
    page, game, events = served(name, size)
    rng = random.Random(1)
    for _ in range(3):
        mine = len([one for one in game.view["log"] if one["who"] == "you"])
        text, squares = rng.choice(game.view["moves"])
        assert squares or text == "stop"
        make(page, game, text, squares)
        log = [one["text"] for one in game.view["log"] if one["who"] == "you"]
        assert log[mine] == text
        assert (overflow(page), sticking_out(page, "pre, #parts")) == (0, [])
    assert events == []
    assert page.locator("#picture").evaluate("e => e.complete && e.naturalWidth > 0")


def test_targets_are_shown_and_a_second_click_gives_up(served: Any) -> None:
    page, game, _ = served("expendibots")
    assert page.locator("#squares .may").count() == page.locator("#squares button:enabled").count() == 12
    square(page, "01").click()
    assert square(page, "01").get_attribute("aria-label") == "01, chosen"
    targets = {squares[1] for _, squares in game.view["moves"] if squares[0] == "01" and len(squares) > 1}
    assert {one.get_attribute("data-square") for one in page.locator("#squares .may").all()} == targets
    assert page.locator("#choice button").all_text_contents() == ["B01"]
    square(page, "01").click()
    assert page.locator("#squares .chosen").count() == 0


def test_a_move_by_keyboard_alone(served: Any) -> None:
    """Tab into the board, arrows from square to square, Enter."""
    page, game, _ = served("pentago")
    square(page, "a1").focus()
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    assert square(page, "b2").get_attribute("aria-label") == "b2, chosen"
    page.keyboard.press("Escape")
    assert page.locator("#squares .chosen").count() == 0
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")  # the first of the moves that share the square has the focus
    page.wait_for_function("document.querySelector('#log').children.length >= 2")
    assert game.view["log"][0]["text"].startswith("b2-")


def test_hint_evaluation_take_back_and_a_new_game(served: Any) -> None:
    page, game, _ = served("kalah")
    page.click("#order-hint_me")
    page.wait_for_function("document.querySelector('#hint').textContent.startsWith('Hint: ')")
    assert "in your view" in page.text_content("#hint")
    page.click("#evaluation summary")
    assert page.text_content("#view").startswith(
        "Elo in your view: you are the first player and to move. Together +"
    )
    assert "tempo" in page.text_content("#parts")
    make(page, game, "1", ["1"])
    page.click("#order-back")
    page.wait_for_function("document.querySelector('#log').children.length === 0")
    page.click("#new-1")
    page.wait_for_function("document.querySelector('#turn').textContent.includes('second player')")
    assert game.view["log"][0]["who"] == "engine"


def test_two_tabs_show_one_game_and_a_late_click_is_no_move(served: Any) -> None:
    """A tab that has heard nothing of the move made in another one orders in vain."""
    page, game, _ = served("kalah")
    other, old = page.context.new_page(), game.view
    other.route("**/state", lambda route: route.fulfill(json=old))
    other.goto(page.url)
    ready(other, game)
    make(page, game, "1", ["1"])
    length = len(game.view["log"])
    with other.expect_response("**/order") as answer:
        square(other, "6").click()
    assert answer.value.status == 409 and len(game.view["log"]) == length
    other.wait_for_function("document.querySelector('#error').textContent.startsWith('the game has gone on')")
    page.reload()
    ready(page, game)
    assert page.locator("#log li").count() == length


def test_choices_of_both_are_told_together(served: Any) -> None:
    """The second player of a simultaneous game is not shown what the engine has chosen."""
    page, game, _ = served("ropasci360", side=1)
    assert page.text_content("#turn") == "The engine has chosen; you see it after your choice."
    assert page.locator("#log li").count() == 0 and "pending" not in page.text_content("#text")
    make(page, game, *game.view["moves"][0])
    assert {one["who"] for one in game.view["log"]} == {"you", "engine"}


@pytest.mark.parametrize("size", SIZES)
def test_a_game_without_squares_is_played_from_the_list(served: Any, tmp_path: Path, size: str) -> None:
    path = write_game("mine", tmp_path)[0]
    path.write_text(path.read_text().replace(", squares=squares", ""))
    page, game, _ = served(str(path), size)
    assert page.locator("#squares button").count() == 0
    page.locator("#moves").get_by_role("button", name="c3", exact=True).click()
    page.wait_for_function("document.querySelector('#log').children.length >= 2")
    assert game.view["log"][0]["text"] == "c3" and overflow(page) == 0


def test_code_of_a_game_that_fails_is_told(
    served: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """On the page and in the terminal, with the line; the game goes on from the position before."""
    path = write_game("mine", tmp_path)[0]
    path.write_text(path.read_text().replace(*FAILING))
    page, game, _ = served(str(path))
    square(page, "c3").click()
    page.wait_for_function("!document.querySelector('#error').hidden")
    assert "ZeroDivisionError" in page.text_content("#error")
    assert "ZeroDivisionError" in caplog.text
    assert page.locator("#order-again").is_visible()
    page.click("#order-back")
    page.wait_for_function("document.querySelector('#error').hidden")
    assert game.view["log"] == [] and len(game.view["moves"]) == 25


def test_a_picture_that_is_not_to_be_trusted_becomes_text(served: Any, tmp_path: Path) -> None:
    path = write_game("mine", tmp_path)[0]
    path.write_text(path.read_text().replace(*SILENT))
    page, _, events = served(str(path))
    assert page.locator("#drawing").is_visible() and not page.locator("#picture").is_visible()
    assert page.locator("#moves button").count() == 25 and events == []
