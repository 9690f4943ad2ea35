"""Whom the page answers, and what a wrong request gets: one line, and the game stays as it is."""

import json
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.play_games import hosted
from tunesmith.tuning.report.play_page.app import play_app
from tunesmith.tuning.report.play_page.game import BrowserGame
from tunesmith.tuning.report.server import serve

Address = tuple[str, int]


@pytest.fixture(scope="module")
def game() -> BrowserGame:
    return hosted("kalah")


@pytest.fixture(scope="module")
def address(game: BrowserGame) -> Iterator[Address]:
    server = serve(play_app(game, "kalah"), "127.0.0.1", 0, "play")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield "127.0.0.1", server.server_port
    server.shutdown()
    server.server_close()


def asked(address: Address, head: str, body: str = "", *headers: str) -> tuple[int, str, str]:
    """Send a request; return status, headers and body of the answer."""
    lines = [
        f"{head} HTTP/1.1",
        *(headers or ("Host: localhost",)),
        f"Content-Length: {len(body.encode())}",
        "",
        body,
    ]
    with socket.create_connection(address, timeout=60) as connection:
        connection.sendall("\r\n".join(lines).encode())
        answer = b""
        while part := connection.recv(1 << 16):
            answer += part
    before, _, after = answer.decode().partition("\r\n\r\n")
    return int(before.split()[1]), before, after


JSON = ("Host: localhost", "Content-Type: application/json")


def test_the_page_loads_nothing_and_stands_in_no_frame(address: Address) -> None:
    status, head, body = asked(address, "GET /")
    assert status == 200 and "text/html" in head
    assert "default-src 'none'" in head and "frame-ancestors 'none'" in head and "no-store" in head
    assert (
        "src=" not in body.replace('id="picture"', "")
        and "http" not in body.partition("<body")[2].partition("<script")[0]
    )


def test_what_is_to_be_seen_is_json(address: Address, game: BrowserGame) -> None:
    status, _, body = asked(address, "GET /state")
    assert (status, json.loads(body)["text"]) == (200, game.view["text"])


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("", "expected JSON"), ("{", "expected JSON"), ("[" * 100000, "expected JSON"), ("[]", "expected an object"),
        ("{}", "expected an object with order, position"), ('{"order": "move"}', "expected an object"),
        ('{"order": "mate", "position": 1}', "expected one of move, back, new, hint_me, again"),
        ('{"order": ["move"], "position": 1}', "expected one of"),
        ('{"order": "move", "position": "1"}', "expected a whole number as position"),
        ('{"order": "move", "position": 1, "move": 3}', "a text as move"),
        ('{"order": "new", "position": 1, "side": 2}', "side: expected 0 or 1, found 2"),
        ('{"order": "new", "position": 1, "side": true}', "expected a whole number"),
        ('{"order": "move", "position": 1, "more": 1}', "expected an object"),
        ('{"order": "move", "position": 1, "move": "7"}', "move: expected a legal one, found '7'"),
        ('{"order": "move", "position": 1, "move": "\\u0000"}', "expected JSON"),
    ],
)  # fmt: skip
def test_a_wrong_order_gets_400_and_one_line(
    address: Address, game: BrowserGame, body: str, words: str
) -> None:
    before = game.view
    status, _, answer = asked(address, "POST /order", body, *JSON)
    assert (status, answer.count("\n")) == (400, 1) and words in answer
    assert game.view is before


def test_an_order_in_a_position_that_is_past_gets_409(address: Address) -> None:
    status, _, answer = asked(address, "POST /order", '{"order": "move", "position": 0, "move": "1"}', *JSON)
    assert status == 409 and answer.startswith("the game has gone on")


ORDER = '{"order": "again", "position": 1}'


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (("Host: evil.example", "Content-Type: application/json"), 403),
        ((*JSON, "Origin: http://evil.example"), 403),
        ((*JSON, "Origin: null"), 403),
        ((*JSON, "Origin: http://localhost:9"), 403),
        (("Host: localhost", "Content-Type: text/plain"), 400),
        (("Host: localhost",), 400),
    ],
)
def test_pages_of_others_order_nothing(
    address: Address, game: BrowserGame, headers: tuple[str, ...], status: int
) -> None:
    before = game.view
    assert asked(address, "POST /order", ORDER, *headers)[0] == status
    assert game.view is before


@pytest.mark.parametrize(
    ("head", "status"),
    [("GET /order", 405), ("POST /state", 405), ("DELETE /order", 405), ("GET /nothing", 404), ("HEAD /", 200),
     ("GET /favicon.ico", 204), ("GET /../etc/passwd", 404)],
)  # fmt: skip
def test_other_requests_are_refused(address: Address, head: str, status: int) -> None:
    assert asked(address, head)[0] == status


def test_the_pages_own_order_is_carried_out(address: Address, game: BrowserGame) -> None:
    body: dict[str, Any] = {"order": "new", "position": game.view["position"], "side": 0}
    origin = f"Origin: http://localhost:{address[1]}"
    headers = (f"Host: localhost:{address[1]}", "Content-Type: application/json; charset=utf-8", origin)
    status, _, answer = asked(address, "POST /order", json.dumps(body), *headers)
    assert status == 200 and json.loads(answer)["position"] == body["position"] + 1
