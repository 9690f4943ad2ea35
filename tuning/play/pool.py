"""Workers that stay for a whole search: pairs of many matches go in, answers come out as they are ready.

Matches have a rank; whenever a worker is free it gets pairs of the match of lowest rank that has some waiting,
so no worker idles as long as any match has work. A batch is half a second of play. A worker that dies takes
all batches in flight with it: their pairs are played once more, each alone, and one whose worker then dies
again is a fault. Threads can neither be stopped nor watched. `play_all` plays the pairs of one match, also on a
cluster."""

from __future__ import annotations

import logging
import math
import os
from collections import deque
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from typing import Any

from tunesmith.tuning.play.backends import dask_cluster, deaf_children, how_it_ended, place_of, run_batches
from tunesmith.tuning.play.matchup import RENEWAL, Answer, Batch, Matchup, Pair
from tunesmith.tuning.play.sandbox import recorder
from tunesmith.tuning.play.sandbox.process import start
from tunesmith.tuning.play.schedule import PATIENCE, SLOWNESS, Schedule, longest_pair
from tunesmith.tuning.play.store import SHARD
from tunesmith.tuning.play.worker import fault_rows, play_batch

logger = logging.getLogger("tunesmith.tuning")

Key = tuple[int, int]  # of a match: whatever tells it from others

SECONDS = 0.5  # of play in a batch
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMBA", "NUMEXPR")}


@dataclass
class _Match:
    """Pairs of one match that wait for a worker, in order."""

    key: Key
    rank: int
    matchup: Matchup
    waiting: deque[Pair] = field(default_factory=deque)


@dataclass(frozen=True)
class _Sent:
    """A batch that a worker has."""

    match: _Match
    pairs: tuple[Pair, ...]
    is_alone: bool = False
    box: str = ""


class Crew:
    """Workers on this machine: processes (`loky`), or threads of this one (`threads`)."""

    def __init__(self, jobs: int, backend: str, patience: float = PATIENCE) -> None:
        self._jobs, self._backend = jobs, backend
        self._patience = 0.0 if backend == "threads" else patience
        self._matches: dict[Key, _Match] = {}
        self._sent: dict[Future[Answer], _Sent] = {}
        self._suspects: deque[_Sent] = deque()
        self._seconds_per_pair = 0.0
        self._n_pairs = 0
        self._executor: Any = None

    def add(self, key: Key, rank: int, matchup: Matchup, pairs: Sequence[Pair]) -> None:
        """Ask for pairs of a match, after those that were asked for before under the same key."""
        self._matches.setdefault(key, _Match(key, rank, matchup)).waiting.extend(pairs)
        self._fill()

    def drop(self, key: Key) -> None:
        """Forget what waits for a match, and answers that are still to come."""
        self._matches.pop(key, None)

    def next(self) -> tuple[Key, Answer]:
        """Wait for any batch; return the key of its match and its games."""
        while True:
            self._fill()
            if not self._sent:
                raise RuntimeError("nothing was asked for")
            done, _ = wait(self._sent, return_when=FIRST_COMPLETED)
            found = self._land(next(iter(done)))
            if found is not None and found[0] in self._matches:
                return found

    def close(self) -> None:
        """Stop all workers at once; what they had is lost."""
        self._stop()
        for sent in self._sent.values():
            recorder.discard(sent.box)
        self._sent.clear()

    def _stop(self) -> None:
        executor, self._executor = self._executor, None
        if isinstance(executor, ThreadPoolExecutor):
            executor.shutdown(wait=True, cancel_futures=True)
        elif executor is not None:
            executor.shutdown(wait=True, kill_workers=True)

    # --- hand out

    def _fill(self) -> None:
        """Keep three batches for each worker on their way, so that none idles while a trial is told.

        A suspect is on its way alone.
        """
        if any(sent.is_alone for sent in self._sent.values()):
            return
        if self._suspects:
            if not self._sent:
                self._send(replace(self._suspects.popleft(), box=recorder.new()))
            return
        if self._n_pairs >= self._jobs * RENEWAL // 2:  # what the game's own code leaks ends with its process
            if self._sent:
                return
            self._stop()
            self._n_pairs = 0
        while len(self._sent) < 3 * self._jobs:
            ready = [match for match in self._matches.values() if match.waiting]
            if not ready:
                return
            match = min(ready, key=lambda one: one.rank)
            batch = self._batch(match, sum(len(one.waiting) for one in ready))
            if not self._send(_Sent(match, batch)) and self._sent:
                return

    def _batch(self, match: _Match, n_waiting: int) -> tuple[Pair, ...]:
        """Take pairs of one shard: about `SECONDS` of play, but no more than leaves work for the others."""
        size = math.ceil(n_waiting / (2 * self._jobs))
        if self._seconds_per_pair > 0:
            size = min(size, round(SECONDS / self._seconds_per_pair))
        shard = match.waiting[0].number // SHARD
        pairs = [match.waiting.popleft()]
        while len(pairs) < size and match.waiting and match.waiting[0].number // SHARD == shard:
            pairs.append(match.waiting.popleft())
        return tuple(pairs)

    def _send(self, sent: _Sent) -> bool:
        """Send a batch; where workers have just died, take it back and return False."""
        from joblib.externals.loky.process_executor import BrokenProcessPool

        batch = Batch(sent.pairs, self._patience_for(sent), sent.box)
        try:
            with deaf_children():
                future = self._workers().submit(play_batch, sent.match.matchup, batch)
        except BrokenProcessPool:
            sent.match.waiting.extendleft(reversed(sent.pairs))
            if not self._sent:  # nothing was lost with them
                self._stop()
            return False
        self._sent[future] = sent
        self._n_pairs += len(sent.pairs)
        return True

    def _patience_for(self, sent: _Sent) -> float:
        if self._patience == 0.0:
            return 0.0
        longest = longest_pair(sent.match.matchup, self._patience)
        if self._seconds_per_pair > 0:
            longest = min(longest, SLOWNESS * self._seconds_per_pair)
        return self._patience + len(sent.pairs) * longest

    def _workers(self) -> Executor:
        if self._executor is None:
            self._executor = self._start()
        found: Executor = self._executor
        return found

    def _start(self) -> Any:
        if self._backend == "threads":
            return ThreadPoolExecutor(self._jobs)
        from joblib.externals.loky.process_executor import ProcessPoolExecutor

        return ProcessPoolExecutor(self._jobs, initializer=start, initargs=(os.getpid(),), env=ONE_THREAD)

    # --- take back

    def _land(self, future: Future[Answer]) -> tuple[Key, Answer] | None:
        from joblib.externals.loky.process_executor import BrokenProcessPool

        sent = self._sent.pop(future)
        try:
            answer = future.result()
        except BrokenProcessPool as error:
            return self._crash(sent, how_it_ended(error))
        finally:
            recorder.discard(sent.box)
        now = answer.seconds / len(sent.pairs)
        before = self._seconds_per_pair
        self._seconds_per_pair = now if before == 0.0 else 0.8 * before + 0.2 * now
        return sent.match.key, answer

    def _crash(self, first: _Sent, why: str) -> tuple[Key, Answer] | None:
        """Take back what was on its way to workers that are gone; a pair that was alone is guilty."""
        lost = [first, *(self._sent.pop(future) for future in list(self._sent) if _is_lost(future))]
        self._stop()
        if first.is_alone:
            (pair,) = first.pairs
            rows = fault_rows(first.match.matchup, pair, why, recorder.read(first.box, pair.opening))
            return first.match.key, Answer(rows, 0.0)
        logger.warning("%s: its pairs are played again", why)
        self._suspects.extend(_Sent(sent.match, (pair,), True) for sent in lost for pair in sent.pairs)
        return None


def _is_lost(future: Future[Answer]) -> bool:
    """Whether a batch died with its worker; one that came back before is still to be read."""
    return not future.done() or future.exception() is not None


def play_all(
    matchup: Matchup,
    pairs: Iterable[Pair],
    jobs: int,
    backend: str = "loky",
    patience: float = PATIENCE,
) -> Generator[Answer]:
    """Play all pairs, each exactly once, and yield answers as they come; faults come as answers too.

    A caller that stops early closes the generator: that stops the workers of this machine at once. Threads can
    neither be stopped nor watched: there a game that hangs, hangs for good. A cluster plays with all its
    workers, whatever `jobs` says.
    """
    place = place_of(backend, matchup.game, jobs)
    if place.is_elsewhere:
        matchup = replace(matchup, game=dask_cluster().from_anywhere(matchup.game))
    watched = 0.0 if backend == "threads" else patience
    schedule = Schedule(pairs, watched, longest_pair(matchup, patience), place.width)
    while schedule:
        suspect = schedule.suspect()
        box = "" if suspect is None else recorder.new()
        alone = None if suspect is None else iter([suspect._replace(box=box)])
        batches = alone or schedule.batches(place.until_renewal())
        answers = run_batches(place, matchup, batches)
        try:
            for answer in answers:
                schedule.landed(answer)
                yield answer
        except place.deaths as error:
            why = how_it_ended(error)
            logger.warning("%s: its pairs are played again", why)
            for pair in schedule.crashed(was_alone=suspect is not None):
                yield Answer(fault_rows(matchup, pair, why, recorder.read(box, pair.opening)), 0.0)
        finally:
            answers.close()
            recorder.discard(box)


__all__ = ["Crew"]
