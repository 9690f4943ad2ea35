"""Who may ask a page that we serve? A server for one person, whose browser also visits pages of strangers.

Such a page may give its own name the address of this machine (DNS rebinding) and then read what the browser reads:
so only requests are answered whose `Host` is a name of this machine (`localhost`, a loopback address) or what the
server was told to listen on, and only with an `Origin`, if there is one, that is the same. What is no good request is
answered with 4xx before the application sees it. The terminal gets one line for what fails here, and none for what
others send."""

from __future__ import annotations

import io
import ipaddress
import logging
import re
import socket
import socketserver
import sys
import wsgiref.simple_server
from collections.abc import Callable, Iterable
from functools import cache
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote_to_bytes

from tunesmith.games.errors import InputError

logger = logging.getLogger("tunesmith.tuning")

LONGEST_BODY = 1 << 20  # bytes; a note is what is sent
PATIENCE = 30.0  # seconds that a request may take to come in
_METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS")

Application = Callable[..., Iterable[bytes]]


def serve(
    app: Application, host: str, port: int, name: str = "dashboard"
) -> wsgiref.simple_server.WSGIServer:
    """Return a server that listens (port 0: any free one), called `name` in messages; call `serve_forever`."""
    try:
        server = wsgiref.simple_server.make_server(host, port, app, _Server, _Request)
    except (OSError, OverflowError, UnicodeError) as error:
        raise InputError(f"{name}: cannot listen on {host}:{port}: {error}") from None
    server.listens_on, server.called = host, name  # type: ignore[attr-defined]
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
    called = "server"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say in one line what failed, nothing of a browser that has gone."""
        error = sys.exc_info()[1]
        if not isinstance(error, OSError):
            logger.warning("%s: %s: %s", self.called, type(error).__name__, error)


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
        if any(origin.partition("://")[2] != hosts[0] for origin in self.headers.get_all("Origin", [])):
            return HTTPStatus.FORBIDDEN, "asked for by another page"
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


def _is_text(content: bytes) -> bool:
    try:
        return content.decode("utf-8").isprintable()
    except UnicodeDecodeError:
        return False
