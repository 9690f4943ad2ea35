"""What is laid over the pages of optuna-dashboard: the verdict on top, nothing that is empty or does nothing.

Its own pages know trials alone: a study without a search would open with empty panels, and offer to delete what only
shows. So a sheet of styles and a script of ours are put into its page, and answers to them below `/tunesmith/`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from tunesmith.tuning.report import glossary
from tunesmith.tuning.report.dashboard.notes import GLOSSARY, HEADS, NUMBERS, Told, told
from tunesmith.tuning.report.html import Content, Markup, asset, el, join
from tunesmith.tuning.report.numbers import clip, command
from tunesmith.tuning.report.reading import StudyFiles

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

HOME = "/tunesmith/"
_HEAD = f'<link rel="stylesheet" href="{HOME}dashboard.css"><script src="{HOME}dashboard.js"></script></head>'.encode()
_KINDS = {"css": "text/css", "js": "text/javascript"}
_COLOURS = {"stronger": "good", "weaker": "bad", "not shown": "warn"}

Application = Callable[..., Iterable[bytes]]


Cards = Callable[[int], tuple[str, int]]


def overlaid(app: Application, card: Cards, n_studies: int) -> Application:
    """Return the dashboard with our sheet and script; `card` answers a study's card and the number of its trials."""

    def answer(environ: WSGIEnvironment, start_response: Any) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if path.startswith(HOME):
            status, kind, content = _own(path.removeprefix(HOME), card, n_studies)
            start_response(
                f"{status.value} {status.phrase}",
                [("Content-Type", f"{kind}; charset=utf-8"), ("Content-Length", str(len(content)))],
            )
            return [content]
        return _with_head(app, environ, start_response)

    return answer


def _own(name: str, card: Cards, n_studies: int) -> tuple[HTTPStatus, str, bytes]:
    if name in ("dashboard.css", "dashboard.js"):
        return HTTPStatus.OK, _KINDS[name.rpartition(".")[2]], asset(name).encode()
    if name == "glossary":
        return HTTPStatus.OK, "text/html", glossary.whole_page().encode()
    number = name.removeprefix("studies/")
    if number.isdecimal() and len(number) < 6 and int(number) < n_studies:
        html, trials = card(int(number))
        return HTTPStatus.OK, "application/json", json.dumps({"html": html, "trials": trials}).encode()
    return HTTPStatus.NOT_FOUND, "text/plain", b"there is no such thing"


def _with_head(app: Application, environ: WSGIEnvironment, start_response: Any) -> Iterable[bytes]:
    """Ask the dashboard, and add our part to the head of its page."""
    said: list[Any] = []
    fresh = {key: value for key, value in environ.items() if key != "HTTP_IF_MODIFIED_SINCE"}
    found = app(fresh, lambda *words: said.append(words))
    status, headers, *rest = said[-1]
    kinds = [value for name, value in headers if name.lower() == "content-type"]
    if not status.startswith("200") or not any(kind.startswith("text/html") for kind in kinds):
        start_response(status, headers, *rest)
        return found
    content = b"".join(found).replace(b"</head>", _HEAD, 1)
    kept = [
        (name, value)
        for name, value in headers
        if name.lower() not in ("content-length", "last-modified", "etag")
    ]
    length = [] if environ["REQUEST_METHOD"] == "HEAD" else [("Content-Length", str(len(content)))]
    start_response(status, [*kept, *length], *rest)
    return [content]


# --- the card of a study


def card_of(study: StudyFiles, broken: str = "") -> Markup:
    """Return what is known of a study: its name, its verdict and attributes, and its note, open."""
    facts = told(study)
    outcome = study.verdict.text("outcome")
    return join(
        el("h2", clip(study.name, 80)),
        el("p", outcome.capitalize(), class_=f"outcome {_COLOURS.get(outcome, '')}".strip())
        if outcome
        else None,
        el("p", facts.headline, class_="sentence"),
        el("dl", [el("div", el("dt", name), el("dd", value)) for name, value in facts.attributes.items()]),
        _runs(facts),
        el("p", broken) if broken else None,
        el("p", facts.reason, [" Next: ", command(facts.following)] if facts.following else None)
        if facts.reason
        else None,
        [el("p", one) for one in facts.paragraphs],
        el("ul", [el("li", one) for one in facts.problems]) if facts.problems else None,
        el("p", "Repeat it: ", command(facts.command, 500)) if facts.command else None,
        el("p", el("a", glossary.TITLE, href=GLOSSARY)),
    )


def _runs(facts: Told) -> Content:
    if not facts.runs:
        return None
    heads = [el("th", name, class_="n" if name in NUMBERS else None) for name in HEADS]
    rows = [
        el("tr", [el("td", cell, class_="n" if name in NUMBERS else None)
                  for name, cell in zip(HEADS, run, strict=True)])
        for run in facts.runs
    ]  # fmt: skip
    return el("div", el("table", el("thead", el("tr", heads)), el("tbody", rows)), class_="scroll")


def unreadable_card(name: str, why: str) -> Markup:
    """Return the card of a study that cannot be read."""
    return join(el("h2", clip(name, 80)), el("p", clip(why, 400)))
