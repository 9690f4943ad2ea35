"""Where pairs are played: on which workers, and how one of them ended.

A backend takes batches and gives futures of their answers: processes of this machine (loky), its threads, or a
Dask cluster (`dask:ADDRESS`, `tuning.play.cluster`). It knows what the death of a worker looks like; what is
played next, and who is to blame, is for `tuning.play.pool`."""

from __future__ import annotations

import contextlib
import os
import re
import signal
from abc import ABC, abstractmethod
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

from tunesmith.games.errors import InputError
from tunesmith.tuning.extras import extra
from tunesmith.tuning.play.matchup import RENEWAL, Answer, Batch, Matchup
from tunesmith.tuning.play.sandbox.deadline import HUNG
from tunesmith.tuning.play.sandbox.process import ONE_THREAD, exit_name, start, starting_safely
from tunesmith.tuning.play.worker import DEADLY, ENDLESS, play_batch

BACKENDS = ("loky", "threads", "dask")
IDLE = 300.0  # seconds without a batch after which a process ends


class Backend(ABC):
    """Workers that play batches; to add a kind of them, say how, and name it in `open_backend`.

    Attributes
    ----------
    width
        How many batches are played at a time.
    is_watched
        Whether a batch that hangs ends its worker.
    dies_as_one
        Whether a worker that dies takes all batches on their way with it, not only its own.
    """

    width: int
    is_watched = True
    dies_as_one = False

    @property
    def is_spent(self) -> bool:
        """Whether the workers have played so much that they are to be stopped once they are idle."""
        return False

    @abstractmethod
    def submit(self, matchup: Matchup, batch: Batch) -> Future[Answer]:
        """Send a batch, to new workers if the last have been stopped."""

    @abstractmethod
    def is_death(self, error: BaseException) -> bool:
        """Whether an error, of a future or of `submit`, says that a worker died."""

    def check(self) -> None:  # noqa: B027 most have nothing to look at
        """Raise StudyError if no answer can come any more; called again and again while answers are due."""

    @abstractmethod
    def stop(self) -> None:
        """Stop the workers of this machine at once; what they have is lost."""

    @abstractmethod
    def rest(self) -> None:
        """Let idle workers go, or keep them for the next pool."""


def backend_of(kind: str, scheduler: str | None) -> str:
    """Return what `open_backend` calls a backend and the address of its scheduler: both are good."""
    if kind not in BACKENDS:
        raise InputError(f"backend: expected one of {', '.join(BACKENDS)}, found {kind!r}")
    if scheduler and kind != "dask":
        raise InputError(f"--scheduler {scheduler}: is for --backend dask, found --backend {kind}")
    if kind == "dask":
        dask_cluster().connect(scheduler)
    return f"{kind}:{scheduler}" if scheduler else kind


def open_backend(name: str, jobs: int) -> Backend:
    """Return so many workers of a backend; a cluster plays with all its workers, whatever `jobs` says."""
    kind, _, address = name.partition(":")
    if kind == "dask":
        found: Backend = dask_cluster().Cluster(address)
        return found
    if kind == "threads":
        return Threads(jobs)
    if kind != "loky":
        raise InputError(f"backend: expected one of {', '.join(BACKENDS)}, found {kind!r}")
    return Processes.of(jobs)


class Threads(Backend):
    """Threads of this process: they can neither be stopped nor watched."""

    is_watched = False

    def __init__(self, jobs: int) -> None:
        self.width = jobs
        self._executor = ThreadPoolExecutor(jobs)

    def submit(self, matchup: Matchup, batch: Batch) -> Future[Answer]:
        return self._executor.submit(play_batch, matchup, batch)

    def is_death(self, error: BaseException) -> bool:
        return False

    def stop(self) -> None:
        self._executor.shutdown(wait=True, cancel_futures=True)

    rest = stop


class Processes(Backend):
    """Processes of this machine; those that are idle at the end of a pool play for the next one like it."""

    dies_as_one = True
    _idle: ClassVar[list[Processes]] = []  # at most one

    def __init__(self, jobs: int) -> None:
        self.width = jobs
        self._folder = Path.cwd()  # where they look for a game
        self._executor: Any = None
        self._n_pairs = 0

    @classmethod
    def of(cls, jobs: int) -> Processes:
        """Return so many processes that work in the current folder."""
        new = cls(jobs)
        while cls._idle:
            old = cls._idle.pop()
            if (old.width, old._folder) == (new.width, new._folder):
                return old
            old.stop()
        return new

    @property
    def is_spent(self) -> bool:
        """Whether it is time for new ones: what the game's own code leaks ends with its process."""
        return self._n_pairs >= self.width * RENEWAL // 2

    def submit(self, matchup: Matchup, batch: Batch) -> Future[Answer]:
        self._n_pairs += len(batch.pairs)
        with deaf_children():
            if self._executor is None:
                self._executor = self._start()
            found: Future[Answer] = self._executor.submit(play_batch, matchup, batch)
            return found

    def _start(self) -> Any:
        from joblib.externals.loky.process_executor import ProcessPoolExecutor

        class Workers(ProcessPoolExecutor):  # type: ignore[misc]
            """Starts each process as we want it, also one that takes the place of another."""

            def _adjust_process_count(self) -> None:
                with deaf_children():
                    super()._adjust_process_count()

        who = {"initializer": start, "initargs": (os.getpid(),)}
        return Workers(self.width, timeout=IDLE, env=ONE_THREAD, **who)

    def is_death(self, error: BaseException) -> bool:
        from joblib.externals.loky.process_executor import BrokenProcessPool

        return isinstance(error, BrokenProcessPool)

    def stop(self) -> None:
        executor, self._executor, self._n_pairs = self._executor, None, 0
        if executor is not None:
            executor.shutdown(wait=True, kill_workers=True)

    def rest(self) -> None:
        self._idle.append(self)


def dask_cluster() -> ModuleType:
    """Return the module that knows Dask, which may not be installed."""
    with extra("dask", "backend dask"):
        from tunesmith.tuning.play import cluster
    return cluster


@contextlib.contextmanager
def deaf_children() -> Iterator[None]:
    """Let processes start in the block: safely, and with a blocked Ctrl-C, which would hit them while they import.

    One that comes meanwhile reaches this process after the block.
    """
    with starting_safely():
        if not hasattr(signal, "pthread_sigmask"):
            yield
            return
        from multiprocessing import resource_tracker

        resource_tracker.ensure_running()  # it unblocks Ctrl-C when it starts; loky would start it in the block
        with _deaf():
            yield


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def how_it_ended(error: BaseException) -> str:
    """Say in words how a worker ended."""
    from tunesmith.tuning.play.isolated import WorkerDiedError

    if isinstance(error, WorkerDiedError):
        codes = exit_name(error.code)
    else:
        found = re.search(r"exit codes of the workers are \{(.*)\}", str(error))
        codes = found[1] if found else ""
    if f"({HUNG})" in codes:
        return ENDLESS
    return f"{DEADLY}, {codes}" if codes else DEADLY
