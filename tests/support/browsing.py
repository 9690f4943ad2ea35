"""A real browser that looks at pages we wrote, and what can go wrong on them."""

import re
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


def off_their_lines(page: Any) -> list[str]:
    """Name the labels of axes above a table's column that do not stand over their grid lines."""
    found = page.evaluate(
        """[...document.querySelectorAll('table')].filter(t => t.querySelector('thead svg.axis')).flatMap(table => {
        const middle = e => { const b = e.getBoundingClientRect(); return (b.left + b.right) / 2 };
        const labels = [...table.querySelectorAll('thead svg.axis text')].map(e => [e.textContent, middle(e)]);
        return [...table.querySelectorAll('tbody svg.row')].filter(e => e.getBoundingClientRect().width).flatMap(row => {
          const lines = [...row.querySelectorAll('line.grid, line.zero')].map(middle);
          if (lines.length !== labels.length) return [`${lines.length} lines, ${labels.length} labels`];
          return labels.filter(([, x], i) => Math.abs(x - lines[i]) > 1.5)
            .map(([text, x], i) => `${text} at ${x.toFixed(0)}, lines at ${lines.map(l => l.toFixed(0))}`) }) })"""
    )
    return list(found)


def clipped(page: Any) -> list[str]:
    """Name the labels of bars that are wider than their part."""
    found = page.evaluate(
        """[...document.querySelectorAll('svg.shares g')].flatMap(part => {
        const box = part.querySelector('rect').getBoundingClientRect();
        return [...part.querySelectorAll('text')].filter(e => e.getBoundingClientRect().width)
          .filter(e => { const b = e.getBoundingClientRect(); return b.left < box.left - 1 || b.right > box.right + 1 })
          .map(e => e.textContent) })"""
    )
    return list(found)


def touching(page: Any) -> list[str]:
    """Name pairs of labels of one chart that overlap."""
    found = page.evaluate(
        """[...document.querySelectorAll('svg')].flatMap(svg => {
        const boxes = [...svg.querySelectorAll(':scope > text')].map(t => [t.textContent, t.getBoundingClientRect()])
          .filter(([_, b]) => b.width > 0);
        return boxes.flatMap(([name, a], i) => boxes.slice(i + 1)
          .filter(([_, b]) => a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom)
          .map(([other]) => `${name} / ${other}`)) })"""
    )
    return list(found)


def printed_pages(page: Any) -> int:
    """Return how many sheets of A4 a page takes."""
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(format="A4")))
