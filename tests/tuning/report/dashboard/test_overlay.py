"""What is laid over optuna-dashboard: our head in its page and in nothing else, and cards whose text is text."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.support.pages import Page
from tests.support.report_fixture import small_study, write
from tests.tuning.report.dashboard.test_app import HOSTILE
from tunesmith.tuning.report.dashboard.overlay import card_of, overlaid, unreadable_card
from tunesmith.tuning.report.reading import read_study

pytestmark = pytest.mark.pages

HTML = b"<html><head><title>x</title></head><body></head></body></html>"


def asked(
    kind: str, status: str = "200 OK", path: str = "/", content: bytes = HTML
) -> tuple[str, dict[str, str], bytes]:
    """Ask an application that answers so; return status, headers and content."""
    said: list[Any] = []

    def app(environ: Any, start_response: Any) -> Iterable[bytes]:
        assert "HTTP_IF_MODIFIED_SINCE" not in environ  # the page is another one than it has
        start_response(status, [("Content-Type", kind), ("Content-Length", str(len(content))), ("ETag", "x")])
        return [content]

    environ = {"PATH_INFO": path, "REQUEST_METHOD": "GET", "HTTP_IF_MODIFIED_SINCE": "yesterday"}
    found = overlaid(app, lambda number: (f"card {number}", 3), 2)(environ, lambda *words: said.append(words))
    return said[-1][0], dict(said[-1][1]), b"".join(found)


def test_a_page_gets_our_sheet_and_script_once_and_its_new_length() -> None:
    _, headers, content = asked("text/html; charset=UTF-8")
    assert content.count(b'<script src="/tunesmith/dashboard.js"></script></head>') == 1
    assert content.index(b"dashboard.css") < content.index(b"<body>")
    assert headers["Content-Length"] == str(len(content)) and "ETag" not in headers


@pytest.mark.parametrize(("kind", "status"), [("application/json", "200 OK"), ("text/html", "404 Not Found")])
def test_all_else_stays_as_it_is(kind: str, status: str) -> None:
    assert asked(kind, status) == (
        status,
        {"Content-Type": kind, "Content-Length": str(len(HTML)), "ETag": "x"},
        HTML,
    )


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("studies/1", "200", b'{"html": "card 1", "trials": 3}'), ("studies/2", "404", b""), ("studies/-1", "404", b""),
        ("dashboard.css", "200", b".tunesmith-card"), ("dashboard.js", "200", b"MutationObserver"),
        ("glossary", "200", b"What the words mean"), ("page.css", "404", b""), ("../page.css", "404", b""),
    ],
)  # fmt: skip
def test_our_own_answers(path: str, status: str, words: bytes) -> None:
    found, headers, content = asked("text/html", path=f"/tunesmith/{path}")
    assert found.startswith(status) and words in content
    assert headers["Content-Length"] == str(len(content))


def test_text_of_a_study_is_no_markup_on_its_card(tmp_path: Path) -> None:
    files = small_study()
    files["verdict.json"]["sentence"] = files["verify/main.json"]["opponent"]["name"] = HOSTILE
    files["verdict.json"]["command"] = HOSTILE
    for card in (card_of(read_study(write(tmp_path, files)), HOSTILE), unreadable_card(HOSTILE, HOSTILE)):
        assert "<img" not in card and "&lt;img src=x" in card
        assert Page(f"<html>{card}</html>").defects == []


def test_a_study_that_has_only_begun_has_a_card(tmp_path: Path) -> None:
    files = {"study.json": small_study()["study.json"]}
    text = Page(f"<html>{card_of(read_study(write(tmp_path, files)))}</html>").text
    assert text.startswith("kalah-quick No verdict yet; the study's stage: not started.")
    assert "is missing" not in text


def test_a_card_says_why_nothing_was_shown_and_what_comes_next(tmp_path: Path) -> None:
    files = small_study()
    why = {"cause": "games", "sentence": "too few games", "command": "tunesmith run STUDY --budget 1h"}
    files["verdict.json"].update(outcome="not shown", reason=why)
    card = card_of(read_study(write(tmp_path, files)))
    text = Page(f"<html>{card}</html>").text
    assert '<code>tunesmith run STUDY <span class="unbroken">--budget</span> 1h</code>' in card
    assert "Why, most likely: too few games. Next: tunesmith run STUDY --budget 1h" in text
