"""What may be asked of the page, and what is answered?

`GET /` is the page, `GET /state` what is to be seen just now, and `POST /order` a JSON object: `order` (one of
`game.ORDERS`), `position` (the one it is given in), and `move` or `side` with it. A wrong one gets 400 and a line that
says why, one given in a position that is past 409. Nothing is loaded from anywhere else."""

import json
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from tunesmith.games.errors import InputError
from tunesmith.games.texts import is_whole, parse_json
from tunesmith.tuning.report.html import Markup, el, page
from tunesmith.tuning.report.play_page.game import ORDERS, BrowserGame, Stale
from tunesmith.tuning.report.play_page.view import WHO
from tunesmith.tuning.report.server import Application

_JSON, _TEXT, _HTML = "application/json", "text/plain; charset=utf-8", "text/html; charset=utf-8"
_HEADERS = [
    ("Cache-Control", "no-store"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    (
        "Content-Security-Policy",
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
]


def play_app(game: BrowserGame, name: str) -> Application:
    """Return the WSGI application of one game, called `name` on its page."""
    whole = _page(name)

    def app(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        status, kind, content = _answer(game, whole, environ)
        start_response(f"{status.value} {status.phrase}", [("Content-Type", kind), *_HEADERS])
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [content.encode("utf-8", "replace")]

    return app


def _answer(game: BrowserGame, whole: str, environ: dict[str, Any]) -> tuple[HTTPStatus, str, str]:
    method, path = environ["REQUEST_METHOD"], environ.get("PATH_INFO", "")
    if path not in ("/", "/state", "/order", "/favicon.ico"):
        return HTTPStatus.NOT_FOUND, _TEXT, f"{path:.60}: there is no such page\n"
    if (method == "POST") != (path == "/order") or method not in ("GET", "HEAD", "POST"):
        return HTTPStatus.METHOD_NOT_ALLOWED, _TEXT, f"{method} {path}: expected GET, or POST /order\n"
    if path == "/":
        return HTTPStatus.OK, _HTML, whole
    if path == "/favicon.ico":
        return HTTPStatus.NO_CONTENT, _TEXT, ""
    if path == "/state":
        return HTTPStatus.OK, _JSON, json.dumps(game.view)
    try:
        return HTTPStatus.OK, _JSON, json.dumps(game.order(**_order(environ)))
    except Stale as error:
        return HTTPStatus.CONFLICT, _TEXT, f"{error}\n"
    except InputError as error:
        return HTTPStatus.BAD_REQUEST, _TEXT, f"{error}\n"


def _order(environ: dict[str, Any]) -> dict[str, Any]:
    """Read an order; refuse (InputError) what is none."""
    if environ.get("CONTENT_TYPE", "").partition(";")[0].strip() != _JSON:
        raise InputError(f"order: expected {_JSON}, found {environ.get('CONTENT_TYPE') or 'no type'!r:.60}")
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    try:
        asked = parse_json(body.decode("utf-8"))
    except ValueError as error:
        raise InputError(f"order: expected JSON: {str(error).splitlines()[0]:.200}") from None
    known = {"order": None, "position": None, "move": "", "side": 0}
    if not isinstance(asked, dict) or not {"order", "position"} <= asked.keys() <= known.keys():
        raise InputError(
            f"order: expected an object with order, position, and move or side, found {asked!r:.100}"
        )
    if asked["order"] not in ORDERS:
        raise InputError(f"order: expected one of {', '.join(ORDERS)}, found {asked['order']!r:.60}")
    found = {**known, **asked}
    if not is_whole(found["position"]) or not isinstance(found["move"], str) or not is_whole(found["side"]):
        raise InputError("order: expected a whole number as position and as side, and a text as move")
    if found["side"] not in (0, 1):
        raise InputError(f"order: side: expected 0 or 1, found {found['side']}")
    return {"name": found["order"], **{key: found[key] for key in ("position", "move", "side")}}


def _page(name: str) -> str:
    board = el(
        "section",
        el("p", id="turn", class_="turn", aria_live="polite"),
        el("p", id="error", class_="notice", role="alert", hidden=True),
        el(
            "div",
            el("img", id="picture", alt="", draggable="false"),
            el("pre", id="drawing", class_="board", hidden=True),
            el("div", id="squares"),
            id="field",
            class_="field",
        ),
        el("div", id="choice", class_="choice", aria_live="polite"),
        el("div", _buttons(), class_="orders"),
        el("p", id="hint", class_="hint", aria_live="polite"),
        class_="table",
    )
    side = el(
        "div",
        el(
            "details",
            el("summary", "All moves, by notation"),
            el("div", id="moves", class_="choice"),
            id="all",
        ),
        el(
            "details",
            el("summary", "Evaluation by feature"),
            el("p", id="view", class_="caption"),
            el("div", id="parts", class_="wide"),
            id="evaluation",
        ),
        el("details", el("summary", "Moves played"), el("ol", id="log"), id="played", open=True),
        el("details", el("summary", "Position as text"), el("pre", id="text", class_="board")),
        class_="beside",
    )
    head = el("header", el("p", "Play against ", el("span", id="against"), class_="eyebrow"), el("h1", name))
    none = el("noscript", el("p", "This page needs JavaScript.", class_="notice"))
    body = el("main", head, none, el("div", board, side, class_="both"), class_="play")
    return page(f"Play {name}", body, "play.css", "play.js")


def _buttons() -> list[Markup]:
    orders = {"hint_me": "Hint", "back": "Take back", "again": "Try again"}
    plain = [el("button", text, type="button", id=f"order-{name}") for name, text in orders.items()]
    sides = [el("button", f"New game as {WHO[n]}", type="button", id=f"new-{n}") for n in (0, 1)]
    return [*plain, *sides]
