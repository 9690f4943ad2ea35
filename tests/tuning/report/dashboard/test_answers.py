"""What a dashboard refuses, and what it says of its own failures."""

from typing import Any

import pytest

from tunesmith.tuning.report.dashboard.answers import only_looking

pytestmark = pytest.mark.pages


def test_a_failure_of_ours_is_one_line(caplog: pytest.LogCaptureFixture) -> None:
    def app(environ: Any, start_response: Any) -> list[bytes]:
        environ["wsgi.errors"].write("Traceback ...\n  File ...\nOSError: disk\n")
        start_response("500 Oh", [])
        return [b"oh"]

    said: list[str] = []
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/x"}
    assert list(only_looking(app)(environ, lambda status, headers: said.append(status))) == [b"oh"]
    assert said == ["500 Oh"] and [record.getMessage() for record in caplog.records] == [
        "dashboard: GET /x: OSError: disk"
    ]
