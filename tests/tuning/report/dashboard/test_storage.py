"""The dashboard looks on while a study runs, and changes nothing (FIELD G2, H2, H3)."""

import json
import os
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend

from tests import IMPORTS
from tests.support.made_up import MadeUpMatches, search

pytestmark = pytest.mark.pages

ROOT = Path(__file__).parents[4]
TRIALS = 10


class _Silent(WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def fetch(port: int, path: str) -> bytes:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=60) as answer:
        assert answer.status == 200
        return bytes(answer.read())


def test_a_dashboard_opened_and_closed_meanwhile_changes_nothing(tmp_path: Path) -> None:
    dashboard = pytest.importorskip("optuna_dashboard")
    call = [sys.executable, "-m", "tests.support.made_up", str(tmp_path / "watched"), "0.3", str(TRIALS)]
    env = {**os.environ, "PYTHONPATH": IMPORTS}
    process = subprocess.Popen(call, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.readline()  # the first trial has ended
    journal = JournalFileBackend(str(tmp_path / "watched" / "journal.log"))
    app = dashboard.wsgi(JournalStorage(journal))
    with make_server("127.0.0.1", 0, app, handler_class=_Silent) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            while process.poll() is None:
                (study,) = json.loads(fetch(server.server_port, "/api/studies"))["study_summaries"]
                assert study["study_name"] == "made-up"
                trials = json.loads(fetch(server.server_port, f"/api/studies/{study['study_id']}?after=0"))[
                    "trials"
                ]
                assert len(trials) <= TRIALS
                fetch(server.server_port, "/dashboard")
                time.sleep(0.2)
        finally:
            server.shutdown()
            thread.join()
    assert process.wait(timeout=60) == 0
    process.stdout.close()
    search(tmp_path / "alone", MadeUpMatches(), trials=TRIALS).run()
    logs = [(tmp_path / name / "trials.jsonl").read_bytes() for name in ("watched", "alone")]
    assert logs[0] == logs[1]
    assert not (tmp_path / "watched" / "journal.log.cut").exists()
