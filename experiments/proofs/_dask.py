"""A Dask cluster on this machine: a scheduler and workers of one thread, in processes of their own."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple


class Cluster(NamedTuple):
    """A cluster that runs.

    Attributes
    ----------
    address
        Of the scheduler.
    started
        A file with the process numbers of all workers that were started, a line each.
    revive
        Replaces the workers that have ended; returns how many.
    """

    address: str
    started: Path
    revive: Callable[[], int]


@contextmanager
def cluster(folder: Path, n_workers: int, *options: str) -> Iterator[Cluster]:
    """Run a scheduler and workers for the block; `options` are more of `dask worker`.

    The folder, which is there and of no other cluster, keeps what they say. RuntimeError: the scheduler has ended.
    """
    facts, started, said = folder / "scheduler.json", folder / "workers", folder / "dask.log"
    workers: list[subprocess.Popen[bytes]] = []

    def run(*words: str) -> subprocess.Popen[bytes]:
        call = [sys.executable, "-P", "-m", "dask", *words, "--scheduler-file", str(facts), "--no-dashboard"]
        with said.open("ab") as log:
            return subprocess.Popen(call, stdout=log, stderr=log, cwd=folder)

    def add() -> None:
        workers.append(run("worker", "--nthreads", "1", *options))
        with started.open("a") as file:
            file.write(f"{workers[-1].pid}\n")

    def revive() -> int:
        dead = [process for process in workers if process.poll() is not None]
        for process in dead:
            workers.remove(process)
            add()
        return len(dead)

    scheduler = run("scheduler", "--host", "127.0.0.1", "--port", "0")
    try:
        while not facts.is_file() or not facts.read_text().strip():
            if scheduler.poll() is not None:
                raise RuntimeError(f"the scheduler of Dask has ended:\n{said.read_text(errors='replace')}")
            time.sleep(0.05)
        for _ in range(n_workers):
            add()
        yield Cluster(json.loads(facts.read_text())["address"], started, revive)
    finally:
        for process in [*reversed(workers), scheduler]:
            process.terminate()
            process.wait()
