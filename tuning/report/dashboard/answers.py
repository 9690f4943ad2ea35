"""What may be asked of a dashboard? Whatever would change a study is refused in words, and what fails is one line in
the terminal."""

from __future__ import annotations

import io
import json
import logging
import re
import sys
import threading
from collections.abc import Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from tunesmith.tuning.report.server import Application

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

logger = logging.getLogger("tunesmith.tuning")

_ONLY_SHOWS = "This dashboard only shows. To delete a study, delete its folder."


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
