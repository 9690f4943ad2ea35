"""A Dask cluster on this machine: a scheduler and workers, in processes of their own, that may be killed."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

LONGEST = 120.0  # seconds that a scheduler may take to start


class Cluster:
    """A cluster that runs.

    Attributes
    ----------
    address
        Of the scheduler.
    started
        A file with the process numbers of all workers that were started, a line each.
    workers, scheduler
        The processes.
    """

    def __init__(self, folder: Path, options: Sequence[str] = ()) -> None:
        self.started = folder / "workers"
        self.workers: list[subprocess.Popen[bytes]] = []
        self._folder, self._options, self._facts = folder, options, folder / "scheduler.json"
        self._port = "0"
        self._start()

    def _start(self) -> None:
        """Start the scheduler, where it was if it was there before."""
        if self._facts.is_file():
            self._facts.unlink()
        own = "--host", "127.0.0.1", "--port", self._port, "--scheduler-file", str(self._facts)
        self.scheduler = self._run("scheduler", *own)
        said, end = self._folder / "dask.log", time.monotonic() + LONGEST
        while not self._facts.is_file() or not self._facts.read_text().strip():
            if self.scheduler.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"the scheduler of Dask has ended:\n{said.read_text(errors='replace')}")
            time.sleep(0.05)
        self.address = str(json.loads(self._facts.read_text())["address"])
        self._port = self.address.rpartition(":")[2]

    def _run(self, *words: str, **more: str) -> subprocess.Popen[bytes]:
        call = [sys.executable, "-P", "-m", "dask", *words, "--no-dashboard"]
        with (self._folder / "dask.log").open("ab") as log:
            return subprocess.Popen(
                call,
                stdout=log,
                stderr=log,
                cwd=self._folder,
                env={**os.environ, **more},
            )

    def add(self, threads: int = 1, address: str = "", **more: str) -> subprocess.Popen[bytes]:
        """Start a worker, which may find the scheduler at another address; `more` is added to its environment."""
        words = address or self.address, "--nthreads", str(threads), *self._options
        self.workers.append(self._run("worker", *words, **more))
        with self.started.open("a") as file:
            file.write(f"{self.workers[-1].pid}\n")
        return self.workers[-1]

    def revive(self) -> int:
        """Replace the scheduler and the workers that have ended; return how many workers."""
        if self.scheduler.poll() is not None:
            self._start()
        dead = [process for process in self.workers if process.poll() is not None]
        for process in dead:
            self.workers.remove(process)
            self.add()
        return len(dead)

    def kill_scheduler(self) -> None:
        """Kill the scheduler, and the workers, which end without it sooner or later."""
        for process in (self.scheduler, *self.workers):
            process.send_signal(signal.SIGKILL)
            process.wait()

    def end(self) -> None:
        """End all processes."""
        for process in [*reversed(self.workers), self.scheduler]:
            process.terminate()
            process.wait()


@contextmanager
def cluster(folder: Path, n_workers: int, *options: str) -> Iterator[Cluster]:
    """Run a scheduler and workers of one thread for the block; `options` are more of `dask worker`.

    The folder, which is there and of no other cluster, keeps what they say. RuntimeError: the scheduler has ended.
    """
    there = Cluster(folder, options)
    try:
        for _ in range(n_workers):
            there.add()
        yield there
    finally:
        there.end()
