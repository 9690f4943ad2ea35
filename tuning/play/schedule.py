"""Which pairs are played next, in what batches, and who is to blame when a worker dies?

A batch holds so many pairs as take a second or so, measured on the way; it ends with a shard where it can, so
that a shard is seldom written in parts. A dead worker takes all batches in flight with it: they are played
again, and pairs that were in flight at two deaths are played one at a time; one whose worker then dies once
more is a fault."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Iterator

from tunesmith.engine.limits import parse_limit
from tunesmith.tuning.play.matchup import Answer, Batch, Matchup, Pair
from tunesmith.tuning.play.store import SHARD

PATIENCE = 120.0  # seconds that any batch may take
SLOW_SEARCH = 1000  # nodes a second that any search is taken to reach before its speed is known
LONG_PAIR = 400  # moves of two long games
BATCH_SECONDS = 1.0  # of play in one batch: dispatch costs some milliseconds, a kill loses what is in flight
MOST_PAIRS = 16 * SHARD  # in one batch, however short they are
SLOWNESS = 50.0  # times the expected duration after which a batch is taken to hang
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

    def batches(self, most: int) -> Iterator[Batch]:
        """Yield batches of the pairs that wait, `most` pairs or a few more in all.

        A pair under suspicion makes a batch and a call of its own.
        """
        n_sent = 0
        while self._waiting and n_sent < most and not self._suspects():
            batch = self._next()
            n_sent += len(batch)
            yield self._send(batch)

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
                is_new_shard = batch and self._waiting[-1].number // SHARD != batch[-1].number // SHARD
                if is_new_shard and len(batch) + SHARD > size:
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
        return max(1, min(MOST_PAIRS, left, round(BATCH_SECONDS / self._seconds_per_pair)))

    def _patience_for(self, n_pairs: int) -> float:
        if self._patience == 0.0:
            return 0.0
        if self._seconds_per_pair == 0.0:
            return self._patience + n_pairs * self._longest
        return max(self._patience, SLOWNESS * n_pairs * self._seconds_per_pair)


def longest_pair(matchup: Matchup, patience: float) -> float:
    """Return the seconds that a pair may take when nothing but its limits is known."""
    limits = [parse_limit(text) for text in matchup.limits]
    timed = max(2 * matchup.move_cap * limit.seconds + 4 * limit.game_seconds for limit in limits)
    counted = max((limit.value for limit in limits if limit.kind == "nodes"), default=0.0)
    unknown = 4 * patience if any(limit.kind == "depth" for limit in limits) else 0.0
    return max(timed, LONG_PAIR * counted / SLOW_SEARCH, unknown)
