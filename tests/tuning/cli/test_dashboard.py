"""The command `tunesmith dashboard`: what it refuses, and when it warns."""

from pathlib import Path

import pytest

from tests.support.report_fixture import small_study, write
from tunesmith.games.errors import StudyError
from tunesmith.tuning import cli
from tunesmith.tuning.report import server
from tunesmith.tuning.report.dashboard import app as dashboard


def test_a_folder_without_a_study_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(StudyError, match=r"nowhere: expected the folder of a study, found no study\.json"):
        dashboard.make_dashboard([tmp_path / "nowhere"])
    assert cli.run(["dashboard", str(tmp_path / "nowhere")]) == 2
    assert "expected the folder of a study" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("host", "is_open"),
    [("127.0.0.1", False), ("127.8.8.8", False), ("::1", False), ("localhost", False),
     ("0.0.0.0", True), ("192.168.1.2", True), ("::", True), ("example.org", True)],
)  # fmt: skip
def test_whoever_opens_it_to_others_is_told_that_no_password_protects_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    host: str,
    is_open: bool,
) -> None:
    class Server:
        server_port = 8080

        def serve_forever(self) -> None:
            raise KeyboardInterrupt

        def server_close(self) -> None:
            pass

    monkeypatch.setattr(server, "serve", lambda app, host, port: Server())
    study = write(tmp_path / "s", small_study())
    assert cli.run(["dashboard", str(study), "--host", host]) == 0
    said = capsys.readouterr()
    assert said.out.startswith(f"http://{host}:8080/")
    assert ("no password protects" in said.err) == is_open
