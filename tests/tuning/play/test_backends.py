"""Processes that play: one library thread each, renewed in time, started in any way; and a disk that is full."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import IMPORTS
from tests.support.missing import missing_pairs
from tests.support.small_matches import digests, play
from tests.tuning.play.test_faults import ROOT, N, run
from tunesmith.experiments.proofs._dying import workers
from tunesmith.tuning.play import backends
from tunesmith.tuning.play.matchup import Batch
from tunesmith.tuning.play.store import shard_path

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")


def test_a_worker_has_one_library_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "play_batch", threads_of)
    workers = backends.open_backend("loky", 1)
    try:
        assert workers.submit(None, Batch((), 0.0)).result() == ["1"] * 4  # type: ignore[arg-type]
    finally:
        workers.stop()


def threads_of(*_: object) -> list[str | None]:
    return [os.getenv(f"{library}_NUM_THREADS") for library in ("OMP", "OPENBLAS", "MKL", "NUMBA")]


@pytest.mark.slow
def test_workers_are_renewed_after_a_number_of_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "RENEWAL", 40)
    monkeypatch.setattr("tunesmith.tuning.play.pool.BATCH_SECONDS", 0.005)
    seen: set[int] = set()
    play(tmp_path / "renewed", range(130), jobs=2, backend="loky", progress=lambda *_: seen.update(found()))
    play(tmp_path / "threads", range(130))
    assert len(seen) >= 6  # 130 pairs, 40 at a time: at least three pairs of processes
    assert digests(tmp_path / "renewed") == digests(tmp_path / "threads")


def found() -> list[int]:
    """Return the processes that play for this one."""
    return workers(os.getpid())


SPAWN = (
    "import sys; from joblib.externals.loky.backend import context; context.set_start_method('spawn'); "
    + ("from tests.support import brittle_play as play; play.main(*sys.argv[1:])")
)


@pytest.mark.slow
def test_workers_may_be_spawned(tmp_path: Path) -> None:
    program = tmp_path / "spawned.py"  # a spawned process reads its parent's main program
    program.write_text(f"if __name__ == '__main__':\n    {SPAWN}\n")
    arguments = [str(tmp_path / "spawned"), str(N), "2", "trouble=none"]
    environment = {**os.environ, "TUNESMITH_NUMBA": "0", "PYTHONPATH": IMPORTS}
    subprocess.run([sys.executable, program, *arguments], env=environment, check=True, timeout=200)
    run(tmp_path / "loky", N, 2, "trouble=none")
    assert digests(tmp_path / "spawned") == digests(tmp_path / "loky")


@pytest.mark.slow
def test_a_full_disk_ends_the_run_with_a_sentence_and_the_same_command_goes_on(tmp_path: Path) -> None:
    folder, whole = tmp_path / "full", tmp_path / "whole"
    run(whole, 130, 2, "trouble=none")
    room = (
        shard_path(whole, 2).stat().st_size // 1024 + 1
    )  # for the last shard, of two pairs, not for a whole one
    arguments = [sys.executable, "-m", "tests.support.brittle_play", str(folder), "130", "2", "trouble=none"]
    environment = {**os.environ, "TUNESMITH_NUMBA": "0", "PYTHONPATH": IMPORTS}
    limited = ["bash", "-c", f'ulimit -f {room}; exec "$@"', "bash", *arguments]
    done = subprocess.run(
        limited, check=False, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=200
    )
    assert f'"text": "{folder}: cannot be written: ' in done.stdout.splitlines()[-1], done.stderr
    assert not list(folder.glob("*.draft")) and not list(folder.glob(".*.draft"))
    assert missing_pairs(folder, range(130))
    run(folder, 130, 2, "trouble=none")
    assert digests(folder) == digests(whole)
