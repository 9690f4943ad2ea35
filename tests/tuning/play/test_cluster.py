"""Play on a Dask cluster of two workers: the same files as anywhere else, whatever goes wrong.

The cluster plays the brittle game as plain Python."""

import json
import os
import queue
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import IMPORTS
from tests.support.brittle_play import GAME
from tests.support.missing import missing_pairs
from tests.support.small_matches import digests
from tests.tuning.play.test_faults import N, gate_of, held, release, run, undisturbed
from tests.tuning.search.test_runner import brittle
from tunesmith.games.errors import InputError
from tunesmith.tuning.cli import run as command
from tunesmith.tuning.play.cluster import Cluster as Backend
from tunesmith.tuning.play.cluster import (
    OtherCodeError,
    _clients,
    _leave,
    _Task,
    check_workers,
    connect,
    look,
    play,
)
from tunesmith.tuning.play.matchup import Batch

__all__ = ["undisturbed"]  # a fixture

pytestmark = [
    pytest.mark.slow,  # a scheduler and workers take their time to start
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc"),
]


class Cluster:
    """A scheduler and workers in processes of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        self.address = ""
        self.start()

    def start(self) -> None:
        """Start the scheduler, where it was if it was there before."""
        facts = self.folder / "scheduler.json"
        facts.unlink(missing_ok=True)
        port = self.address.rpartition(":")[2] or "0"
        self._run("scheduler", "--host", "127.0.0.1", "--port", port, "--scheduler-file", str(facts))
        self.address = str(json.loads(appeared(facts))["address"])

    def _run(self, *words: str, safely: bool = True, shadow: str = "") -> subprocess.Popen[bytes]:
        gate = str(gate_of(self.folder / "games"))
        looked_in = os.pathsep.join(filter(None, (shadow, IMPORTS)))
        environment = {**os.environ, "TUNESMITH_NUMBA": "0", "PYTHONPATH": looked_in, "BRITTLE_GATE": gate}
        with (self.folder / "log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, *["-P"] * safely, "-m", "dask", *words, "--no-dashboard"],
                cwd=self.folder,
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._processes.append(process)
        return process

    def worker(self, safely: bool = True, shadow: str = "") -> subprocess.Popen[bytes]:
        """Start a worker; `shadow` is a folder whose modules come before all others."""
        words = "worker", self.address, "--nthreads", "1"
        return self._run(*words, safely=safely, shadow=shadow)

    def stop(self) -> None:
        """End all."""
        for process in reversed(self._processes):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def appeared(path: Path) -> str:
    """Return the content of a file once it is there."""
    end = time.monotonic() + 60
    while not (path.is_file() and path.read_text()):
        assert time.monotonic() < end, f"{path} does not appear"
        time.sleep(0.1)
    return path.read_text()


@pytest.fixture
def lone(tmp_path: Path) -> Iterator[Cluster]:
    """Start a scheduler without workers."""
    cluster = Cluster(tmp_path)
    yield cluster
    cluster.stop()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Start a scheduler and two workers."""
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    cluster.worker()
    cluster.worker()
    yield cluster
    cluster.stop()


@pytest.mark.parametrize("trouble", ["raise", "exit", "hang"])
def test_files_are_those_of_processes_on_one_machine(cluster: Cluster, tmp_path: Path, trouble: str) -> None:
    variant = f"trouble={trouble},bad=10,last=10"
    there = run(tmp_path / "dask", N, 1, variant, 1.5, f"dask:{cluster.address}")
    here = run(tmp_path / "loky", N, 2, variant, 1.5)
    assert there == here
    assert there["games"] == 2 * N
    assert there["faults"] == 2
    assert digests(tmp_path / "dask") == digests(tmp_path / "loky")


def test_settings_of_a_search_play_at_once_and_as_on_one_machine(cluster: Cluster, tmp_path: Path) -> None:
    variant = "trouble=exit,bad=7,last=7"
    there = brittle(tmp_path / "dask", variant, f"dask:{cluster.address}")
    here = brittle(tmp_path / "loky", variant)
    assert there == here
    folders = [
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.parquet")}
        for folder in (tmp_path / "dask", tmp_path / "loky")
    ]
    assert len(folders[0]) == 2 and folders[0] == folders[1]


KNOBS = """name = "knobs"
game = "kalah"
openings = { plies = 4 }
[search]
trials = 4
start = "baseline"
limit = "nodes:5"
pairs = 2
pilot = 1
sampler = "clop"
at_once = 3
space = { aspiration = { low = 0, high = 200, step = 50 }, pvs = {} }
"""


TIMED = {".lock", "history.jsonl", "journal.log", "report.html"}  # files that hold times or paths


def searched(folder: Path, *words: str) -> dict[str, bytes]:
    """Search, with the game as plain Python; return what it wrote."""
    (folder.parent / "knobs.toml").write_text(KNOBS)
    call = ["search", str(folder.parent / "knobs.toml"), "--out", str(folder), *words]
    environment = {**os.environ, "TUNESMITH_NUMBA": "0", "PYTHONPATH": IMPORTS}
    command_line = [sys.executable, "-m", "tunesmith.tuning.cli", *call]
    subprocess.run(command_line, check=True, env=environment, capture_output=True)
    files = [path for path in folder.rglob("*") if path.is_file() and path.name not in TIMED]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_one_two_and_four_workers_make_the_trials_of_one_machine(lone: Cluster, tmp_path: Path) -> None:
    """Trials in flight are a setting of the study, not of the cluster."""
    here = searched(tmp_path / "loky", "--jobs", "2")
    assert here["search/trials.jsonl"].count(b"\n") == 4
    for n_workers, more in ((1, 1), (2, 1), (4, 2)):
        for _ in range(more):
            lone.worker()
        connect(lone.address).wait_for_workers(n_workers, timeout=120)
        there = searched(tmp_path / str(n_workers), "--backend", "dask", "--scheduler", lone.address)
        assert there == here


def test_a_killed_worker_costs_no_game(lone: Cluster, tmp_path: Path, undisturbed: Path) -> None:
    lone.worker()
    victim = lone.worker()
    process = held(tmp_path / "games", N // 2, 1, f"dask:{lone.address}")
    os.killpg(victim.pid, signal.SIGKILL)
    release(tmp_path / "games")
    out, err = process.communicate(timeout=240)
    assert json.loads(out.splitlines()[-1])["faults"] == 0, err
    assert digests(tmp_path / "games") == digests(undisturbed)


def test_a_worker_that_is_gone_is_told(caplog: pytest.LogCaptureFixture) -> None:
    """Dask itself gives what it had to others without a word."""
    there = {"tcp://a:1": 1, "tcp://b:2": 2}
    backend = object.__new__(Backend)
    backend._client = SimpleNamespace(status="running", nthreads=lambda: dict(there))
    backend._codes, backend._known, backend._there = {}, set(), set()
    assert backend._look() and backend.width == 3 and not caplog.messages
    del there["tcp://b:2"]
    assert backend._look() and backend._look()
    assert caplog.messages == ["Dask worker tcp://b:2 is gone: what it had is played again (1 worker left)"]


def test_a_cluster_that_goes_away_ends_the_run_with_a_sentence(lone: Cluster, tmp_path: Path) -> None:
    lone.worker()
    process = held(tmp_path / "games", N // 2, 1, f"dask:{lone.address}", "lost=3")
    lone.stop()
    out, _ = process.communicate(timeout=240)
    assert "the Dask cluster is gone" in json.loads(out.splitlines()[-1])["text"]
    assert N // 2 <= len(missing_pairs(tmp_path / "games", range(N))) < N


def test_a_scheduler_that_comes_back_is_waited_for(lone: Cluster, tmp_path: Path, undisturbed: Path) -> None:
    """With other workers: what the first ones had is played again."""
    lone.worker()
    process = held(tmp_path / "games", N // 2, 1, f"dask:{lone.address}")
    lone.stop()
    lone.start()
    lone.worker()
    release(tmp_path / "games")
    out, err = process.communicate(timeout=240)
    assert json.loads(out.splitlines()[-1])["faults"] == 0, err
    assert "the Dask cluster is away; waiting for it" in err
    assert digests(tmp_path / "games") == digests(undisturbed)


def test_a_worker_with_other_code_that_joins_is_left_out_by_name(
    lone: Cluster, tmp_path: Path, undisturbed: Path
) -> None:
    lone.worker()
    process = held(tmp_path / "games", N // 2, 1, f"dask:{lone.address}")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "sitecustomize.py").write_text(
        "from tunesmith.engine import source\nsource.engine_digest = lambda: 'other'\n"
    )
    other = lone.worker(shadow=str(tmp_path / "other"))
    other.wait(timeout=120)  # it is told to leave
    release(tmp_path / "games")
    out, err = process.communicate(timeout=240)
    assert json.loads(out.splitlines()[-1])["faults"] == 0, err
    assert "is left out: has other code of" in err
    assert digests(tmp_path / "games") == digests(undisturbed)


def test_a_worker_that_is_left_out_again_and_again_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    """Whatever starts it again each time: it has another port then."""
    left: list[str] = []
    backend = object.__new__(Backend)
    backend._client = SimpleNamespace(retire_workers=lambda workers, close_workers: left.extend(workers))
    backend._complained = set()
    for address in ("tcp://a:1", "tcp://a:2", "tcp://b:1"):
        backend._leave_out({address: "has other code"})
    backend._leave_out({})
    assert left == ["tcp://a:1", "tcp://a:2", "tcp://b:1"]
    assert caplog.messages == [f"Dask worker tcp://{name}:1 is left out: has other code" for name in "ab"]


def test_a_batch_is_played_by_the_code_that_it_was_made_for_or_not_at_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also in the second before somebody looks at a worker that has joined."""
    monkeypatch.setattr("tunesmith.tuning.play.cluster.LOOK", 0.0)
    monkeypatch.setattr(
        "tunesmith.tuning.play.cluster.get_worker", lambda: SimpleNamespace(address="tcp://a:1")
    )
    played: list[Any] = []
    monkeypatch.setattr("tunesmith.tuning.play.isolated.play_apart", lambda *words: played.append(words))
    match: Any = SimpleNamespace(game="kalah")
    with pytest.raises(OtherCodeError, match="tcp://a:1"):
        play("other", match, Batch((), 0.0))
    with pytest.raises(OtherCodeError, match="tcp://a:1"):
        play(look("kalah"), SimpleNamespace(game="nowhere.py"), Batch((), 0.0))  # type: ignore[arg-type]
    assert not played
    play(look("kalah"), match, Batch((), 0.0))
    assert len(played) == 1


@pytest.mark.parametrize(
    "error",
    [CancelledError(), OtherCodeError("tcp://a:1"), ModuleNotFoundError("No module named 'tunesmith'")],
)
def test_what_no_worker_of_ours_has_played_is_sent_again(error: BaseException) -> None:
    backend = object.__new__(Backend)
    backend._known, backend._again = {"tcp://a:1"}, queue.SimpleQueue()
    done: Future[Any] = Future()
    done.set_exception(error)
    task: Any = _Task("code", SimpleNamespace(game="kalah"), Batch((), 0.0))  # type: ignore[arg-type]
    backend._hear(done, task)
    again = backend._again.get_nowait()
    assert again.found is task.found and not task.found.done()
    assert ("tcp://a:1" in backend._known) == (not isinstance(error, OtherCodeError))
    if isinstance(error, ModuleNotFoundError):
        backend._hear(done, again)
        assert isinstance(task.found.exception(), ModuleNotFoundError)


def test_a_game_that_is_not_on_the_workers_is_named(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "only_here.py").write_text(GAME.read_text() + "\nGAME = make()\n")
    client = connect(cluster.address)
    with pytest.raises(InputError, match=r"^worker tcp://.*: game 'only_here:GAME': importing .* failed"):
        check_workers(client, "only_here:GAME")
    client.close()


def test_a_worker_that_looks_for_modules_in_its_folder_is_refused(lone: Cluster) -> None:
    lone.worker(safely=False)
    client = connect(lone.address)
    with pytest.raises(
        InputError, match=r"^worker tcp://.*: looks for modules in its current folder \(/.*'dask worker'"
    ):
        check_workers(client, "kalah")
    client.close()


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("tcp://127.0.0.1:1", "no Dask scheduler at 'tcp://127.0.0.1:1'"),
        ("somewhere", "no Dask scheduler at 'somewhere'"),
        ("http://127.0.0.1", "no Dask scheduler at 'http://127.0.0.1'"),
    ],
)
def test_a_wrong_address_is_said_before_anything_else(
    address: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["selfplay", "kalah", "--out", str(tmp_path / "games"), "--backend", "dask"]
    assert command([*arguments, "--scheduler", address]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "games").exists()


def test_whoever_ends_takes_leave_of_all_schedulers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads of clients that still run when Python ends abort the process now and then (exit code -6)."""
    left = []

    def fails(timeout: float) -> None:
        left.append("gone")
        raise OSError("no scheduler")

    for address, close in (("gone", fails), ("there", lambda timeout: left.append("there"))):
        monkeypatch.setitem(_clients, address, SimpleNamespace(close=close, status="running"))
    for address in set(_clients) - {"gone", "there"}:
        monkeypatch.delitem(_clients, address)
    _leave()
    assert left == ["gone", "there"]
