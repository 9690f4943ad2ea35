"""Who may ask a dashboard, and for what? A server for one person, whose browser also visits pages of strangers.

Such a page may give its own name the address of this machine (DNS rebinding) and then read what the browser reads:
so only requests are answered whose `Host` is a name of this machine (`localhost`, a loopback address) or what the
server was told to listen on. Whatever would change a study is refused in words, and what is no good request is
answered with 4xx before the application sees it. The terminal gets one line for what fails here, and none for what
others send."""

from __future__ import annotations

import io
import ipaddress
import json
import logging
import re
import socket
import socketserver
import sys
import threading
import wsgiref.simple_server
from collections.abc import Callable, Iterable
from functools import cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes

from tunesmith.games.errors import InputError

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

logger = logging.getLogger("tunesmith.tuning")

LONGEST_BODY = 1 << 20  # bytes; a note is what is sent
PATIENCE = 30.0  # seconds that a request may take to come in
_METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS")
_ONLY_SHOWS = "This dashboard only shows. To delete a study, delete its folder."

Application = Callable[..., Iterable[bytes]]


def serve(app: Application, host: str, port: int) -> wsgiref.simple_server.WSGIServer:
    """Return a server that listens (port 0: any free one); call `serve_forever`."""
    try:
        server = wsgiref.simple_server.make_server(host, port, app, _Server, _Request)
    except (OSError, OverflowError, UnicodeError) as error:
        raise InputError(f"dashboard: cannot listen on {host}:{port}: {error}") from None
    server.listens_on = host  # type: ignore[attr-defined]
    return server


def is_loopback(host: str) -> bool:
    """Whether a name or address is reached from this machine alone."""
    address = _address(host)
    return host == "localhost" or host.endswith(".localhost") if address is None else address.is_loopback


def is_allowed(header: str, listens_on: str) -> bool:
    """Whether a `Host` header names this machine, or what the server listens on.

    One that listens everywhere is also asked by an address: it is names that can be made to mean another machine.
    """
    found = re.fullmatch(r"\[([0-9a-fA-F:.]+)\]|([^\s:\[\]]+)", re.sub(r":\d{0,5}$", "", header.strip()))
    if found is None:
        return False
    name = (found[1] or found[2]).lower().removesuffix(".")
    if is_loopback(name) or name == listens_on.lower().strip("[]"):
        return True
    if listens_on not in ("", "0.0.0.0", "::"):
        return False
    return _address(name) is not None or name in _own_names()


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


@cache  # to ask for the full name may take seconds
def _own_names() -> set[str]:
    return {socket.gethostname().lower(), socket.getfqdn().lower()}


# --- requests


class _Server(socketserver.ThreadingMixIn, wsgiref.simple_server.WSGIServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say in one line what failed, nothing of a browser that has gone."""
        error = sys.exc_info()[1]
        if not isinstance(error, OSError):
            logger.warning("dashboard: %s: %s", type(error).__name__, error)


class _Request(wsgiref.simple_server.WSGIRequestHandler):
    timeout = PATIENCE
    default_request_version = "HTTP/1.0"  # older ones have no status to be told

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse; also another version of HTTP is the fault of who asks."""
        is_theirs = code == HTTPStatus.HTTP_VERSION_NOT_SUPPORTED
        super().send_error(HTTPStatus.BAD_REQUEST if is_theirs else code, message, explain)

    def log_message(self, format: str, *args: Any) -> None:
        """Keep the terminal for words that matter."""

    def parse_request(self) -> bool:
        """Read a request and refuse one that no browser of this dashboard sends."""
        if not super().parse_request():
            return False
        wrong = self._what_is_wrong()
        if wrong is None:
            return True
        self.send_error(*wrong)
        return False

    def _what_is_wrong(self) -> tuple[int, str] | None:
        hosts = self.headers.get_all("Host", [])
        if len(hosts) != 1:
            return HTTPStatus.BAD_REQUEST, "expected one Host"
        listens_on = self.server.listens_on  # type: ignore[attr-defined]
        if not is_allowed(hosts[0], listens_on):
            return HTTPStatus.FORBIDDEN, "this machine has no such name; --host NAME allows it"
        if self.command not in _METHODS:
            return HTTPStatus.METHOD_NOT_ALLOWED, "no such method"
        if not re.fullmatch(r"/[!-~]*", self.path) or not _is_text(unquote_to_bytes(self.path)):
            return HTTPStatus.BAD_REQUEST, "expected a path"
        return self._take_body()

    def _take_body(self) -> tuple[int, str] | None:
        """Read the body, so that the application does not wait for what may never come."""
        lengths = self.headers.get_all("Content-Length", ["0"])
        if len(lengths) != 1 or not re.fullmatch(r"[0-9]{1,15}", lengths[0].strip()):
            return HTTPStatus.BAD_REQUEST, "expected one length, a whole number"
        if "Transfer-Encoding" in self.headers:
            return HTTPStatus.LENGTH_REQUIRED, "expected a length"
        length = int(lengths[0])
        if length > LONGEST_BODY:
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too long"
        try:
            body = self.rfile.read(length)
        except TimeoutError:
            body = b""
        if len(body) < length:
            return HTTPStatus.BAD_REQUEST, "shorter than its length"
        self.rfile = io.BytesIO(body)
        return None


# --- answers


def only_looking(app: Application) -> Application:
    """Let requests through that read, and notes; refuse the rest in words."""
    logging.getLogger("optuna_dashboard._bottle_util").addFilter(_failure)

    def guarded(environ: WSGIEnvironment, start_response: Any) -> Iterable[bytes]:
        def answer(status: HTTPStatus, reason: str) -> Iterable[bytes]:
            start_response(f"{status} {status.phrase}", [("Content-Type", "application/json")])
            return [json.dumps({"reason": reason}).encode()]

        method, path = environ["REQUEST_METHOD"], environ.get("PATH_INFO", "")
        is_note = method == "PUT" and path.rstrip("/").endswith("/note")
        if method not in ("GET", "HEAD") and not is_note:
            return answer(HTTPStatus.FORBIDDEN, _ONLY_SHOWS)
        if _after_is_bad(environ.get("QUERY_STRING", "")):
            return answer(HTTPStatus.BAD_REQUEST, "after: expected a whole number")
        if is_note and not _is_note(environ):
            return answer(HTTPStatus.BAD_REQUEST, "expected a note: a body of text, and its version")
        _failure.here.error = None
        told: list[Any] = []
        environ = {"HTTP_ACCEPT_ENCODING": "", **environ, "wsgi.errors": io.StringIO()}
        found = app(environ, lambda *words: told.append(words))
        if told and told[-1][0].startswith("500"):
            if isinstance(_failure.here.error, KeyError):
                return answer(HTTPStatus.NOT_FOUND, "there is no such thing")
            logger.warning("dashboard: %s %s: %s", method, path, _failure.words(environ))
        start_response(*told[-1])
        return found

    return guarded


def _is_text(content: bytes) -> bool:
    try:
        return content.decode("utf-8").isprintable()
    except UnicodeDecodeError:
        return False


def _after_is_bad(query: str) -> bool:
    given = re.findall(r"(?:^|&)after=([^&]*)", query)
    return not all(re.fullmatch(r"[0-9]{1,10}", value) for value in given)


def _is_note(environ: WSGIEnvironment) -> bool:
    """Whether the body is a note; it is left to be read again."""
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    environ["wsgi.input"] = io.BytesIO(body)
    try:
        note = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return isinstance(note, dict) and type(note.get("version")) is int and isinstance(note.get("body"), str)


class _Failure(logging.Filter):
    """Keeps the error that optuna-dashboard would log with its traceback while it answers a request."""

    def __init__(self) -> None:
        super().__init__()
        self.here = threading.local()

    def filter(self, record: logging.LogRecord) -> bool:
        """Note what is being handled just now; log nothing."""
        self.here.error = sys.exc_info()[1]
        return False

    def words(self, environ: WSGIEnvironment) -> str:
        """Say in one line what failed."""
        error = self.here.error
        if error is not None:
            return f"{type(error).__name__}: {error}"
        lines = environ["wsgi.errors"].getvalue().split("\n")
        return next(filter(None, reversed(lines)), "failed")


_failure = _Failure()
