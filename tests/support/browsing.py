"""A real browser that looks at pages we wrote, and what can go wrong on them."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 120_000  # milliseconds
SIZES = {"phone": (390, 844), "screen": (1280, 900)}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser for all tests of this file."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        program = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS, timeout=PATIENCE)
        yield browser
        browser.close()


def opened(browser: Any, path: Path, size: str = "screen", scheme: str = "light") -> tuple[Any, list[str]]:
    """Open a report; the list holds whatever it asked for, printed or failed at."""
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    page, events = context.new_page(), []
    page.set_default_timeout(PATIENCE)
    page.on("console", lambda message: events.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: events.append(f"error: {error}"))
    page.on("dialog", lambda dialog: events.append("dialog"))
    page.on("request", lambda request: events.append(request.url))
    page.goto(path.as_uri())
    return page, [event for event in events if not event.startswith(("data:image/svg+xml", path.as_uri()))]


def overflow(page: Any) -> int:
    """Return by how many pixels the page is wider than the window."""
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def sticking_out(page: Any, scrolled: str = "pre") -> list[str]:
    """Name elements of HTML that reach beyond the window, but for those in boxes that scroll by themselves."""
    found = page.evaluate(
        """scrolled => [...document.querySelectorAll('body *')]
        .filter(e => !e.closest('svg, details:not([open]) > :not(summary), ' + scrolled) && e.offsetParent !== null)
        .filter(e => e.getBoundingClientRect().right > innerWidth + 1)
        .map(e => `${e.tagName}.${e.className}: ${e.textContent.slice(0, 40)}`)""",
        scrolled,
    )
    return list(found)
