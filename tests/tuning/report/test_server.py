"""A running dashboard: whom it answers, and what becomes of requests that no browser of its user sends."""

import http.client
import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.report_fixture import small_study, write
from tunesmith.games.errors import InputError
from tunesmith.tuning.report.dashboard.app import make_dashboard
from tunesmith.tuning.report.server import is_allowed, serve

pytestmark = pytest.mark.pages


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    """Serve a study for the tests of this file."""
    study = write(tmp_path_factory.mktemp("served") / "study", small_study())
    server = serve(make_dashboard([study]), "127.0.0.1", 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield "127.0.0.1", server.server_port
    server.shutdown()
    server.server_close()


def asked(address: tuple[str, int], request: bytes) -> int:
    """Send bytes; return the status of the answer."""
    with socket.create_connection(address, timeout=60) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while part := connection.recv(1 << 16):
            answer += part
    assert b"Traceback" not in answer
    return int(answer.split()[1]) if answer else 0


def get(path: str = "/api/studies", *headers: str, method: str = "GET", body: str = "") -> bytes:
    """Return the bytes of a request."""
    lines = [f"{method} {path} HTTP/1.1", *(headers or ("Host: localhost",)), "", body]
    return "\r\n".join(lines).encode("latin-1")


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200), ("127.0.0.1:8080", 200), ("[::1]:80", 200), ("LOCALHOST.", 200), ("my.localhost", 200),
        ("evil.example", 403), ("127.0.0.1.evil.example", 403), ("localhost.evil.example:8080", 403),
        ("192.168.1.2", 403), ("localhost:80@evil.example", 403), ("", 403), ("[", 403), ("a b", 403),
    ],
)  # fmt: skip
def test_only_names_of_this_machine_are_answered(address: tuple[str, int], host: str, status: int) -> None:
    assert asked(address, get("/api/studies", f"Host: {host}")) == status


@pytest.mark.parametrize(
    ("host", "listens_on", "is_good"),
    [
        ("tuner.example:8080", "tuner.example", True), ("192.168.1.2", "192.168.1.2", True),
        ("192.168.1.3", "192.168.1.2", False), ("192.168.1.2:80", "0.0.0.0", True),
        ("evil.example", "0.0.0.0", False), (socket.gethostname(), "0.0.0.0", True), ("[fe80::1]", "::", True),
    ],
)  # fmt: skip
def test_what_the_server_listens_on_is_a_name_too(host: str, listens_on: str, is_good: bool) -> None:
    assert is_allowed(host, listens_on) == is_good


NOTE = json.dumps({"version": 1, "body": "mine"})
LOCAL = "Host: localhost"


@pytest.mark.parametrize(
    "request_",
    [
        get("/api/studies", "Accept: */*"),
        get("/api/studies", LOCAL, "Host: localhost"),
        get("/api/nothing"), get("/api/studies/7"), get("/api/studies/x"), get("/api/studies/" + "9" * 40),
        get("/api/studies/0?after=x"), get("/api/studies/0?after=-1"), get("/api/studies/0?after=" + "9" * 5000),
        get("http://evil.example/api/studies"), get("/%ff%fe"), get("/api/studies\x80"), get("api"), get(""),
        get("/../../etc/passwd"), get("/static/../../../etc/passwd"), get("/artifacts/0/../../study.json"),
        get("/api/studies", method="BREW"), get("/api/studies", method="OPTIONS"), get(method="\xff"),
        get("/" + "a" * 70000), get("/api/studies", LOCAL, "X: " + "a" * 70000),
        get("/api/studies", LOCAL, *(f"X-{i}: 1" for i in range(200))),
        get("/api/studies/0/note", LOCAL, "Content-Length: x", method="PUT", body=NOTE),
        get("/api/studies/0/note", LOCAL, "Content-Length: -5", method="PUT", body=NOTE),
        get("/api/studies/0/note", LOCAL, "Content-Length: 5000", method="PUT", body=NOTE),
        get("/api/studies/0/note", LOCAL, "Content-Length: 99999999999", method="PUT", body=NOTE),
        get("/api/studies/0/note", LOCAL, "Content-Length: 3", "Content-Length: 4", method="PUT", body=NOTE),
        get("/api/studies/0/note", LOCAL, "Transfer-Encoding: chunked", method="PUT", body="zz"),
        *(
            get("/api/studies/0/note", LOCAL, f"Content-Length: {len(body)}", "Content-Type: application/json",
                method="PUT", body=body)
            for body in ("[]", "{", "nul", '{"version": "a", "body": 3}', "[" * 100000, "")
        ),
        get("/api/studies/0/9/note", LOCAL, f"Content-Length: {len(NOTE)}", "Content-Type: application/json",
            method="PUT", body=NOTE).replace(b"/0/9/", b"/7/9/"),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", b"\x00" * 500 + b"\n",
        b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n", b"GET / HTTP/x\r\n\r\n", b"a b c d e\r\n\r\n",
    ],
)  # fmt: skip
def test_bad_requests_are_answered_with_4xx_and_the_terminal_stays_quiet(
    address: tuple[str, int],
    request_: bytes,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert 400 <= asked(address, request_) < 500
    assert capfd.readouterr() == ("", "") and caplog.text == ""


def test_who_says_nothing_gets_no_answer(address: tuple[str, int], capfd: pytest.CaptureFixture[str]) -> None:
    assert (asked(address, b""), asked(address, b"\r\n\r\n")) == (0, 0)
    assert capfd.readouterr() == ("", "")


def test_good_requests_are_answered(address: tuple[str, int]) -> None:
    for path in ("/dashboard", "/api/studies", "/api/studies/0?after=0", "/favicon.ico"):
        connection = http.client.HTTPConnection(*address, timeout=60)
        connection.request("GET", path)
        assert connection.getresponse().status == 200, path
        connection.close()


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://localhost", 200), ("https://localhost", 200), ("http://localhost:3000", 403), ("null", 403),
        ("http://evil.example", 403), ("", 403),
    ],
)  # fmt: skip
def test_pages_of_others_get_no_answer(address: tuple[str, int], origin: str, status: int) -> None:
    assert asked(address, get("/api/studies", LOCAL, f"Origin: {origin}")) == status


def test_a_port_in_use_is_one_line(tmp_path: Path) -> None:
    refused = pytest.raises(InputError, match="cannot listen on 127.0.0.1")
    with serve(lambda *_: [], "127.0.0.1", 0) as taken, refused:
        serve(lambda *_: [], "127.0.0.1", taken.server_port)
