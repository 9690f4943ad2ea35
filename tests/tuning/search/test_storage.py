"""A search that several processes share through a real PostgreSQL, started and stopped by the test."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import IMPORTS
from tests.support.made_up import search
from tunesmith.tuning.files import read_lines

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.slow

CONTROLLER = """
import sys
from pathlib import Path
from tests.support.made_up import MadeUpMatches, search
search(Path(sys.argv[1]), MadeUpMatches(seconds=0.05), trials=8, address=sys.argv[2]).run()
"""


def program(name: str) -> str:
    """Find a program of PostgreSQL on PATH or where Debian keeps it; skip the test without one."""
    places = [shutil.which(name), *sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))]
    found = next((str(place) for place in places if place), None)
    if found is None:
        pytest.skip(f"PostgreSQL's {name} is not installed")
    return found


@pytest.fixture
def address() -> Iterator[str]:
    """Start a server that listens on this machine only; it refuses to run as root, so root lends it to `nobody`."""
    pytest.importorskip("psycopg")
    pg_ctl, initdb = program("pg_ctl"), program("initdb")
    home = Path(tempfile.mkdtemp(prefix="tunesmith-postgres-"))  # pytest closes its own folders to others
    data = home / "data"
    as_other: list[str] = []
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        shutil.chown(home, "nobody")
        as_other = ["runuser", "-u", "nobody", "--"]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"
    calls = [
        [initdb, "-D", str(data), "-U", "tuner", "-A", "trust", "--no-sync"],
        [pg_ctl, "-D", str(data), "-o", options, "-l", str(data / "log"), "-w", "start"],
    ]
    for call in calls:
        subprocess.run([*as_other, *call], check=True, stdout=subprocess.DEVNULL, cwd="/", timeout=120)
    try:
        yield f"postgresql+psycopg://tuner@127.0.0.1:{port}/postgres"
    finally:
        stop = [pg_ctl, "-D", str(data), "-m", "immediate", "stop"]
        subprocess.run([*as_other, *stop], check=True, stdout=subprocess.DEVNULL, cwd="/", timeout=120)
        shutil.rmtree(home)


def test_six_controllers_that_start_at_once_share_one_total(tmp_path, address):
    """Nobody dies, no trial is lost or played beyond the total (FIELD E12, G1)."""
    search(tmp_path / "parent", trials=8, address=address)  # the study is made once, by the parent
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([IMPORTS, *sys.path])}
    processes = [
        subprocess.Popen([sys.executable, "-c", CONTROLLER, str(tmp_path / name), address], env=env, cwd=ROOT)
        for name in "abcdef"
    ]
    assert [process.wait(timeout=200) for process in processes] == [0] * 6
    one = search(tmp_path / "parent", trials=8, address=address)
    counted = one._counted()
    assert len(counted) == 8
    assert {t.state.name for t in counted} == {"COMPLETE"}
    rows = [row for name in "abcdef" for row in read_lines(tmp_path / name / "trials.jsonl")]
    assert sorted(row["number"] for row in rows if not row.get("surplus")) == [t.number for t in counted]
    assert one.result().trials["fail"] == 0
