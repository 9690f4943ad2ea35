"""Where pairs are played: on which workers, and how one of them ended.

Batches go to joblib and come back in any order: to processes (loky), to threads, or to a Dask cluster
(`dask:ADDRESS`). A worker that dies takes all batches in flight with it: a fresh pool gets them again
(`tuning.play.schedule`). Each call starts a new `joblib.Parallel`: one that has failed may hand over results of the
failed call."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import signal
import warnings
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from tunesmith.games.errors import InputError
from tunesmith.tuning.play.matchup import RENEWAL, Answer, Batch, Matchup
from tunesmith.tuning.play.sandbox.process import start
from tunesmith.tuning.play.worker import DEADLY, ENDLESS, HUNG, play_batch

logger = logging.getLogger("tunesmith.tuning")

BACKENDS = ("loky", "threads", "dask")


def backend_of(kind: str, scheduler: str | None) -> str:
    """Return what `play_all` calls a backend and the address of its scheduler: both are good."""
    if kind not in BACKENDS:
        raise InputError(f"backend: expected one of {', '.join(BACKENDS)}, found {kind!r}")
    if scheduler and kind != "dask":
        raise InputError(f"--scheduler {scheduler}: is for --backend dask, found --backend {kind}")
    if kind == "dask":
        dask_cluster().connect(scheduler)
    return f"{kind}:{scheduler}" if scheduler else kind


@dataclass(frozen=True)
class Place:
    """Where batches are played: how many at a time, by which function, what a dead worker raises."""

    width: int
    play: Callable[[Matchup, Batch], Answer]
    parallel: Callable[[], Any]
    deaths: tuple[type[BaseException], ...] = ()
    is_renewed: bool = False
    is_elsewhere: bool = False

    def until_renewal(self) -> int:
        """Return how many pairs may be played before processes are replaced; replaces them when it is time."""
        return _fleet.pairs_left(self.width) if self.is_renewed else 1 << 62


class _Fleet:
    """The processes of loky, which live on from call to call."""

    def __init__(self) -> None:
        self._n_pairs = 0

    def pairs_left(self, width: int) -> int:
        """Return how many pairs the processes may still play; if they have played theirs, end them first."""
        most = width * RENEWAL // 2
        if self._n_pairs >= most:
            from joblib.externals.loky import get_reusable_executor

            get_reusable_executor(reuse=True).shutdown(wait=True)
            self._n_pairs = 0
        return most - self._n_pairs

    def count(self, answer: Answer) -> None:
        """Note that pairs were played."""
        self._n_pairs += len(answer.games) // 2


_fleet = _Fleet()


def place_of(backend: str, game: str, jobs: int) -> Place:
    """Return where a backend plays a game with so many workers."""
    kind, _, address = backend.partition(":")
    if kind == "dask":
        return _on_cluster(address, game)
    if kind == "threads":
        return Place(jobs, play_batch, lambda: _parallel("threading", jobs, 2 * jobs))
    if kind != "loky":
        raise InputError(f"backend: expected one of {', '.join(BACKENDS)}, found {kind!r}")
    from joblib.externals.loky.process_executor import BrokenProcessPool

    options = {"initializer": start, "initargs": (os.getpid(),), "inner_max_num_threads": 1}
    # joblib plays a single job in this process, where a crash of the game would end everything: one job is two
    # workers with one batch between them.
    n_jobs, ahead = max(2, jobs), (1 if jobs == 1 else 2 * jobs)
    return Place(
        jobs, play_batch, lambda: _parallel("loky", n_jobs, ahead, **options), (BrokenProcessPool,), True
    )


def _on_cluster(address: str, game: str) -> Place:
    cluster = dask_cluster()
    client = cluster.connect(address)
    cluster.check_workers(client, cluster.from_anywhere(game))
    width = cluster.n_threads(client)
    return Place(
        width,
        cluster.play,
        lambda: _parallel(cluster.Backend(client=client), width, 2 * width),
        cluster.DEATHS,
        is_elsewhere=True,
    )


def dask_cluster() -> ModuleType:
    """Return the module that knows Dask, which may not be installed."""
    try:
        from tunesmith.tuning.play import cluster
    except ImportError:
        raise InputError("backend dask: needs distributed (pip install 'tunesmith[dask]')") from None
    return cluster


def _parallel(backend: Any, n_jobs: int, ahead: int, **options: Any) -> Any:
    from joblib import Parallel, parallel_config

    with parallel_config(backend, **options):
        return Parallel(n_jobs, return_as="generator_unordered", batch_size=1, pre_dispatch=ahead)


def run_batches(place: Place, matchup: Matchup, batches: Iterator[Batch]) -> Generator[Answer]:
    """Play batches and yield their answers as they come; a dead worker raises one of `place.deaths`."""
    from joblib import delayed

    with warnings.catch_warnings():
        # Closing early is ordinary here: what is lost is played again.
        warnings.filterwarnings("ignore", message=".*tasks which were still being processed")
        warnings.filterwarnings("ignore", message=".*have been successfully executed")
        with deaf_children():
            answers = place.parallel()(delayed(place.play)(matchup, batch) for batch in batches)
        with contextlib.closing(answers):
            for answer in answers:
                _fleet.count(answer)
                yield answer


@contextlib.contextmanager
def deaf_children() -> Iterator[None]:
    """Let processes that start in the block inherit a blocked Ctrl-C: it would hit them while they import.

    One that comes meanwhile reaches this process after the block.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # it unblocks Ctrl-C when it starts; joblib would start it in the block
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def how_it_ended(error: BaseException) -> str:
    """Say in words how a worker ended."""
    from tunesmith.tuning.play.isolated import WorkerDiedError, exit_name

    if isinstance(error, WorkerDiedError):
        codes = exit_name(error.code)
    else:
        found = re.search(r"exit codes of the workers are \{(.*)\}", str(error))
        codes = found[1] if found else ""
    if f"({HUNG})" in codes:
        return ENDLESS
    return f"{DEADLY}, {codes}" if codes else DEADLY
