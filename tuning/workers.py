"""Which process plays which pairs, and what happens when one of them dies?

Batches go to joblib (processes by loky, threads, or a Dask cluster) and come back in any order. A batch holds
so many pairs of one shard as take a second or so, measured on the way. A worker that dies takes all batches in
flight with it: a fresh pool gets them again; pairs that were in flight at two deaths are played one at a time,
and one whose worker then dies once more is a fault. Each call starts a new `joblib.Parallel`: one that has
failed may hand over results of the failed call."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import signal
import threading
import warnings
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from typing import Any

from engine.limits import parse_limit
from games.errors import InputError
from tuning.batches import HUNG, Answer, Batch, Matchup, Pair, fault_rows, play_batch
from tuning.child import start
from tuning.store import SHARD

logger = logging.getLogger("tuning")

BACKENDS = ("loky", "threads", "dask")

BATCH_SECONDS = 1.0  # of play in one batch: dispatch costs half a millisecond, a kill loses what is in flight
PATIENCE = 120.0  # seconds that any batch may take
SLOWNESS = 50.0  # times the expected duration after which a batch is taken to hang
SLOW_SEARCH = 1000  # nodes a second that any search is taken to reach before its speed is known
LONG_PAIR = 400  # moves of two long games
MERCY = 2  # deaths at which a pair may be in flight before it is played alone


class Schedule:
    """Hands out pairs in order, in batches of about `BATCH_SECONDS`, and remembers which are in flight.

    joblib asks for batches from threads of its own, so every change holds the lock.
    """

    def __init__(self, pairs: Iterable[Pair], patience: float, longest: float = 0.0, jobs: int = 1) -> None:
        self._longest = longest  # seconds a pair may take as long as nothing is measured
        self._jobs = jobs
        self._waiting = sorted(pairs, reverse=True)
        self._deaths: Counter[int] = Counter()
        self._in_flight: dict[int, Pair] = {}
        self._seconds_per_pair = 0.0
        self._patience = patience
        self._lock = threading.Lock()

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def batches(self) -> Iterator[Batch]:
        """Yield batches of the pairs that wait; a pair under suspicion makes a batch and a call of its own."""
        while self._waiting and not self._suspects():
            yield self._send(self._next())

    def suspect(self) -> Batch | None:
        """Return a batch with a pair that has to be played alone, if there is one."""
        suspects = self._suspects()
        if not suspects:
            return None
        with self._lock:
            self._waiting.remove(suspects[0])
        return self._send(suspects[:1])

    def landed(self, answer: Answer) -> None:
        """Note that a batch came back, and how long a pair takes."""
        numbers = {row.pair for row in answer.games}
        now = answer.seconds / len(numbers)
        with self._lock:
            for number in numbers:
                del self._in_flight[number]
            before = self._seconds_per_pair
            self._seconds_per_pair = now if before == 0.0 else 0.7 * before + 0.3 * now

    def crashed(self, was_alone: bool) -> list[Pair]:
        """Take back what was in flight; return the pairs that are guilty beyond doubt."""
        with self._lock:
            lost, self._in_flight = list(self._in_flight.values()), {}
            self._deaths.update(pair.number for pair in lost)
            if was_alone:
                return lost
            self._waiting = sorted([*self._waiting, *lost], reverse=True)
            return []

    def _suspects(self) -> list[Pair]:
        if not self._deaths:
            return []
        return [pair for pair in reversed(self._waiting) if self._deaths[pair.number] >= MERCY]

    def _next(self) -> list[Pair]:
        batch: list[Pair] = []
        with self._lock:
            size = self._size()
            while self._waiting and len(batch) < size:
                if batch and self._waiting[-1].number // SHARD != batch[0].number // SHARD:
                    break
                batch.append(self._waiting.pop())
        return batch

    def _send(self, pairs: list[Pair]) -> Batch:
        with self._lock:
            self._in_flight.update((pair.number, pair) for pair in pairs)
        return Batch(tuple(pairs), self._patience_for(len(pairs)))

    def _size(self) -> int:
        if self._seconds_per_pair == 0.0:
            return 1
        # Ever smaller towards the end, so that all workers end at about the same time.
        left = len(self._waiting) // (2 * self._jobs)
        return max(1, min(SHARD, left, round(BATCH_SECONDS / self._seconds_per_pair)))

    def _patience_for(self, n_pairs: int) -> float:
        if self._patience == 0.0:
            return 0.0
        if self._seconds_per_pair == 0.0:
            return self._patience + n_pairs * self._longest
        return max(self._patience, SLOWNESS * n_pairs * self._seconds_per_pair)


def play_all(
    matchup: Matchup,
    pairs: Iterable[Pair],
    jobs: int,
    backend: str = "loky",
    patience: float = PATIENCE,
    scheduler: str | None = None,
) -> Generator[Answer]:
    """Play all pairs, each exactly once, and yield answers as they come; faults come as answers too.

    A caller that stops early closes the generator: that stops the workers at once. Threads can neither be
    stopped nor watched: there a game that hangs, hangs for good.
    """
    if backend not in BACKENDS:
        raise InputError(f"backend: expected one of {', '.join(BACKENDS)}, found {backend!r}")
    watched = 0.0 if backend == "threads" else patience
    schedule = Schedule(pairs, watched, _longest(matchup, patience), jobs)
    with _Client(backend, scheduler):
        while schedule:
            suspect = schedule.suspect()
            answers = _run(matchup, schedule.batches() if suspect is None else iter([suspect]), jobs, backend)
            try:
                for answer in answers:
                    schedule.landed(answer)
                    yield answer
            except _deaths() as error:
                why = _how(error)
                logger.warning("%s: its pairs are played again", why)
                for pair in schedule.crashed(was_alone=suspect is not None):
                    yield Answer(fault_rows(matchup, pair, why), 0.0)
            finally:
                answers.close()


def _longest(matchup: Matchup, patience: float) -> float:
    """Return the seconds that a pair may take when nothing but its limits is known."""
    limits = [parse_limit(text) for text in matchup.limits]
    timed = max(2 * matchup.move_cap * limit.seconds + 4 * limit.game_seconds for limit in limits)
    counted = max((limit.value for limit in limits if limit.kind == "nodes"), default=0.0)
    unknown = 4 * patience if any(limit.kind == "depth" for limit in limits) else 0.0
    return max(timed, LONG_PAIR * counted / SLOW_SEARCH, unknown)


def _run(matchup: Matchup, batches: Iterator[Batch], jobs: int, backend: str) -> Generator[Answer]:
    from joblib import delayed

    with warnings.catch_warnings():
        # Closing early is ordinary here: what is lost is played again.
        warnings.filterwarnings("ignore", message=".*tasks which were still being processed")
        warnings.filterwarnings("ignore", message=".*have been successfully executed")
        with _deaf_children():
            answers = _parallel(jobs, backend)(delayed(play_batch)(matchup, batch) for batch in batches)
        yield from answers


@contextlib.contextmanager
def _deaf_children() -> Iterator[None]:
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


def _parallel(jobs: int, backend: str) -> Any:
    from joblib import Parallel, parallel_config

    name = "threading" if backend == "threads" else backend
    options: dict[str, Any] = {}
    n_jobs, pre_dispatch = jobs, 2 * jobs
    if backend == "loky":
        options = {"initializer": start, "initargs": (os.getpid(),), "inner_max_num_threads": 1}
        # joblib plays a single job in this process, where a crash of the game would end everything: one job
        # is two workers with one batch between them.
        n_jobs, pre_dispatch = max(2, jobs), (1 if jobs == 1 else 2 * jobs)
    with parallel_config(name, **options):
        return Parallel(n_jobs, return_as="generator_unordered", batch_size=1, pre_dispatch=pre_dispatch)


class _Client:
    """The connection to a Dask cluster while it is needed; nothing for other backends."""

    def __init__(self, backend: str, scheduler: str | None) -> None:
        self._client: Any = None
        if backend != "dask":
            return
        try:
            from distributed import Client  # type: ignore[import-not-found, unused-ignore]
        except ImportError:
            raise InputError("backend dask: needs distributed (pip install 'tunesmith[dask]')") from None
        self._client = Client(scheduler)  # type: ignore[no-untyped-call, unused-ignore]

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        if self._client is not None:
            self._client.close()


def _deaths() -> tuple[type[BaseException], ...]:
    """Return the exceptions by which a lost worker shows."""
    from joblib.externals.loky.process_executor import BrokenProcessPool

    try:
        from distributed.scheduler import KilledWorker  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return (BrokenProcessPool,)
    return BrokenProcessPool, KilledWorker


def _how(error: BaseException) -> str:
    """Say in words how a worker ended."""
    codes = re.search(r"exit codes of the workers are \{(.*)\}", str(error))
    if codes is None:
        return "worker died"
    return "no end in sight" if f"({HUNG})" in codes[1] else f"worker died, {codes[1]}"
