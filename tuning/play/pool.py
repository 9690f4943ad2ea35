"""Pairs of one match or of many go in, answers come out as they are ready: what is played next, and who is to blame?

Matches have a rank; whenever a worker is free it gets pairs of the match of lowest rank that has some waiting, so
that no worker idles as long as any match has work. A batch holds so many pairs as take a second or so, measured
on the way, and more where there are many workers; it ends with a shard where it can, so that a shard is seldom
written in parts. What a dead worker had is played again; pairs that were on their way at two deaths are played one at
a time, and one whose worker then dies once more is a fault. The workers are those of a
`tuning.play.backends.Backend`."""

import logging
import queue
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Hashable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import NamedTuple

from tunesmith.engine.limits import parse_limit
from tunesmith.tuning.play.backends import Backend, how_it_ended, open_backend
from tunesmith.tuning.play.matchup import Answer, Batch, Matchup, Pair
from tunesmith.tuning.play.resources import PATIENCE
from tunesmith.tuning.play.sandbox import recorder
from tunesmith.tuning.play.store import SHARD
from tunesmith.tuning.play.worker import fault_rows

logger = logging.getLogger("tunesmith.tuning")

Key = tuple[int, int]  # of a match: whatever tells it from others

SLOW_SEARCH = 1000  # nodes a second that any search is taken to reach before its speed is known
LONG_PAIR = 400  # moves of two long games
BATCH_SECONDS = 1.0  # of play in one batch: dispatch costs some milliseconds, a kill loses what is on its way
FEW = (
    100  # workers up to which that holds: of more, each gets longer batches, or all would wait for the caller
)
MOST_PAIRS = 16 * SHARD  # in one batch, however short they are
AHEAD = 3  # batches on their way for each worker, so that none idles while the caller deals with an answer
SLOWNESS = 50.0  # times the expected duration after which a batch is taken to hang
WORK, EFFORT = 4.0, 20.0  # seconds of computing that any batch may take, and times the expected ones
TOLD = 8.0  # seconds beyond `EFFORT` times the expected ones after which a batch is spoken of
MERCY = 2  # deaths at which a pair may be on its way before it is played alone
LOOK = 1.0  # seconds between two looks at whether answers can still come


@dataclass(eq=False)
class _Match:
    """Pairs of one match that wait for a worker, in order.

    Attributes
    ----------
    longest
        Seconds a pair may take as long as nothing is measured.
    pace
        What is measured of the speed of one match holds for all of the same pace.
    deaths
        How often each pair was on its way when a worker died.
    remember
        Called when they have changed.
    """

    key: Key
    rank: int
    matchup: Matchup
    longest: float
    pace: Hashable
    waiting: deque[Pair] = field(default_factory=deque)
    deaths: Counter[int] = field(default_factory=Counter)
    remember: Callable[[Counter[int]], None] | None = None


@dataclass(frozen=True, eq=False)
class _Sent:
    """A batch on its way; `box` is where the moves of a suspect stay (`tuning.play.sandbox.recorder`)."""

    match: _Match
    pairs: tuple[Pair, ...]
    is_alone: bool = False
    box: str = ""
    since: float = field(default_factory=time.monotonic)


class Pool:
    """Plays pairs of any number of matches on the workers of a backend, each pair exactly once.

    `patience` is the seconds that any batch may take before its worker is taken to hang (0 = no watch).
    """

    def __init__(self, backend: Backend, patience: float = PATIENCE) -> None:
        self._backend = backend
        self._patience = patience if backend.is_watched else 0.0
        self._matches: dict[Key, _Match] = {}
        self._suspects: deque[tuple[_Match, Pair]] = deque()
        self._sent: dict[Future[Answer], _Sent] = {}
        self._landed: queue.SimpleQueue[Future[Answer]] = queue.SimpleQueue()
        self._seconds_per_pair: dict[Hashable, float] = {}  # by pace
        self._is_sending = False
        self._told: _Sent | None = None

    def add(
        self,
        key: Key,
        rank: int,
        matchup: Matchup,
        pairs: Iterable[Pair],
        deaths: Counter[int] | None = None,
        remember: Callable[[Counter[int]], None] | None = None,
        pace: Hashable = None,
    ) -> None:
        """Ask for pairs of a match, after those that were asked for before under the same key.

        deaths: what an earlier run remembers of pairs that were on their way when a worker died. pace: whatever
        tells apart matches whose pairs do not take about the same time.
        """
        if key not in self._matches:
            longest = _longest_pair(matchup, self._patience)
            known = Counter(deaths or {})
            self._matches[key] = _Match(key, rank, matchup, longest, pace, deaths=known, remember=remember)
        match = self._matches[key]
        for pair in pairs:
            if match.deaths[pair.number] >= MERCY:
                self._suspects.append((match, pair))
            else:
                match.waiting.append(pair)
        self._fill()

    def drop(self, key: Key) -> None:
        """Forget what waits for a match, and answers that are still to come."""
        self._matches.pop(key, None)
        self._suspects = deque(one for one in self._suspects if one[0].key != key)

    @property
    def is_busy(self) -> bool:
        """Whether an answer is due."""
        return bool(self._sent or self._suspects or any(match.waiting for match in self._matches.values()))

    @property
    def has_room(self) -> bool:
        """Whether so few pairs wait that workers may soon be without work."""
        waiting = sum(len(match.waiting) for match in self._matches.values())
        return waiting + len(self._suspects) < self._most_sent

    def next(self) -> tuple[Key, Answer]:
        """Wait for any batch; return the key of its match and its games. Faults come as answers too."""
        while True:
            self._fill()
            if not self._sent:
                raise RuntimeError("nothing was asked for")
            self._backend.check()
            try:
                found = self._land(self._landed.get(timeout=LOOK))
            except queue.Empty:
                self._tell_of_slow()
                continue
            if found is not None and self._matches.get(found[0].key) is found[0]:
                self._fill()  # workers play while the caller deals with the answer
                return found[0].key, found[1]

    def close(self) -> None:
        """Stop the workers of this machine at once if they still play; what they had is lost."""
        if self._sent or self._is_sending:
            self._backend.stop()
        else:
            self._backend.rest()
        for sent in self._sent.values():
            recorder.discard(sent.box)
        self._sent.clear()

    # --- hand out

    def _fill(self) -> None:
        if self._backend.is_spent and not self._sent:
            self._backend.stop()
        while len(self._sent) < self._most_sent and not self._is_to_clear():
            sent = self._take()
            if sent is None or not self._send(sent):
                return

    @property
    def _most_sent(self) -> int:
        """How many batches may be on their way: no worker gets a second one before the pace of play is known."""
        return self._backend.width * (AHEAD if self._seconds_per_pair else 1)

    def _is_to_clear(self) -> bool:
        """Whether what is on its way has to come back first: for new workers, or because a suspect plays alone."""
        if not self._sent:
            return False
        is_alone = bool(self._suspects) or any(sent.is_alone for sent in self._sent.values())
        return self._backend.is_spent or (self._backend.dies_as_one and is_alone)

    def _take(self) -> _Sent | None:
        """Take what is to be played next: a suspect, or about `BATCH_SECONDS` of the match of lowest rank."""
        if self._suspects:
            match, pair = self._suspects.popleft()
            return _Sent(match, (pair,), True, recorder.new())
        ready = [match for match in self._matches.values() if match.waiting]
        if not ready:
            return None
        match = min(ready, key=lambda one: one.rank)
        size = self._size(match, sum(len(one.waiting) for one in ready))
        pairs: list[Pair] = []
        while match.waiting and len(pairs) < size:
            is_new_shard = pairs and match.waiting[0].number // SHARD != pairs[-1].number // SHARD
            if is_new_shard and len(pairs) + SHARD > size:
                break
            pairs.append(match.waiting.popleft())
        return _Sent(match, tuple(pairs))

    def _seconds(self, match: _Match) -> float:
        """Return how long a pair of a match takes, 0 as long as nothing is measured."""
        return self._seconds_per_pair.get(match.pace, 0.0)

    def _size(self, match: _Match, n_waiting: int) -> int:
        measured = self._seconds(match)
        if measured == 0.0:
            return 1
        # Ever smaller towards the end, so that all workers end at about the same time.
        left = n_waiting // (2 * self._backend.width)
        seconds = BATCH_SECONDS * max(1.0, self._backend.width / FEW)
        return max(1, min(MOST_PAIRS, left, round(seconds / measured)))

    def _send(self, sent: _Sent) -> bool:
        """Send a batch; where workers have just died, take it back. Return whether more can be sent."""
        batch = Batch(sent.pairs, self._patience_for(sent), sent.box, self._work_for(sent))
        self._is_sending = True  # until it is known what came of it, also if Ctrl-C comes in between
        try:
            future = self._backend.submit(sent.match.matchup, batch)
        except Exception as error:
            self._is_sending = False
            if not self._backend.is_death(error):
                raise
            recorder.discard(sent.box)
            self._take_back(sent)
            if self._sent:  # their death is still to be heard of
                return False
            self._backend.stop()
            return True
        self._sent[future] = sent
        self._is_sending = False
        future.add_done_callback(self._landed.put)
        return True

    def _patience_for(self, sent: _Sent) -> float:
        if self._patience == 0.0:
            return 0.0
        measured = self._seconds(sent.match)
        if measured == 0.0:
            return self._patience + len(sent.pairs) * sent.match.longest
        return max(self._patience, SLOWNESS * len(sent.pairs) * measured)

    def _work_for(self, sent: _Sent) -> float:
        """Return how long a batch may compute: by the pace of play, or by the limits as long as they tell it."""
        if self._patience == 0.0:
            return 0.0
        measured = self._seconds(sent.match)
        if measured > 0.0:
            return max(WORK, EFFORT * len(sent.pairs) * measured)
        is_told = all(parse_limit(text).kind != "depth" for text in sent.match.matchup.limits)
        return WORK + len(sent.pairs) * sent.match.longest if is_told else 0.0

    def _tell_of_slow(self) -> None:
        """Say once of the batch that is longest on its way that a game of it may hang."""
        sent = min(self._sent.values(), key=lambda one: one.since, default=None)
        if (
            sent is None
            or sent is self._told
            or not all(self._seconds(one.match) for one in self._sent.values())
        ):
            return
        expected = sum(self._seconds(one.match) * len(one.pairs) for one in self._sent.values())
        if time.monotonic() - sent.since < TOLD + EFFORT * expected:
            return
        self._told = sent
        numbers = (
            f"{sent.pairs[0].number} to {sent.pairs[-1].number}"
            if len(sent.pairs) > 1
            else sent.pairs[0].number
        )
        logger.warning(
            "no answer in %.0f s about pair %s of %s, where a pair takes %.2g s: if a game hangs, it is given up soon",
            time.monotonic() - sent.since,
            numbers,
            sent.match.matchup.game,
            self._seconds(sent.match),
        )

    # --- take back

    def _land(self, future: Future[Answer]) -> tuple[_Match, Answer] | None:
        """Return a match and its games; None if the pairs of a batch are to be played again."""
        sent = self._sent.pop(future, None)
        if sent is None:  # taken back when another of its workers died
            return None
        try:
            answer = future.result()
        except Exception as error:
            if not self._backend.is_death(error):
                raise
            return self._crash(sent, how_it_ended(error))
        finally:
            recorder.discard(sent.box)
        now = answer.seconds / len(sent.pairs)
        before = self._seconds(sent.match)
        self._seconds_per_pair[sent.match.pace] = now if before == 0.0 else 0.7 * before + 0.3 * now
        return sent.match, answer

    def _crash(self, first: _Sent, why: str) -> tuple[_Match, Answer] | None:
        """Take back what was on its way to workers that are gone; a pair that was alone is guilty beyond doubt."""
        lost = [first]
        if self._backend.dies_as_one:
            lost += [self._sent.pop(future) for future in list(self._sent) if _is_lost(future)]
            self._backend.stop()
        if first.is_alone:
            (pair,) = first.pairs
            moves = recorder.read(first.box, pair.opening)
            return first.match, Answer(fault_rows(first.match.matchup, pair, why, moves), 0.0)
        logger.warning("%s: its pairs are played again", why)
        for sent in lost:
            sent.match.deaths.update(pair.number for pair in sent.pairs)
            if sent.match.remember is not None:
                sent.match.remember(sent.match.deaths)
            self._take_back(sent)
        return None

    def _take_back(self, sent: _Sent) -> None:
        match = sent.match
        if self._matches.get(match.key) is not match:  # dropped
            return
        suspects = [pair for pair in sent.pairs if match.deaths[pair.number] >= MERCY]
        self._suspects.extend((match, pair) for pair in suspects)
        others = [pair for pair in sent.pairs if match.deaths[pair.number] < MERCY]
        match.waiting = deque(sorted([*others, *match.waiting], key=lambda pair: pair.number))


def _is_lost(future: Future[Answer]) -> bool:
    """Whether a batch died with its worker; one that came back before is still to be read."""
    return not future.done() or future.exception() is not None


def _longest_pair(matchup: Matchup, patience: float) -> float:
    """Return the seconds that a pair may take when nothing but its limits is known."""
    limits = [parse_limit(text) for text in matchup.limits]
    timed = max(2 * matchup.move_cap * limit.seconds + 4 * limit.game_seconds for limit in limits)
    counted = max((limit.value for limit in limits if limit.kind == "nodes"), default=0.0)
    unknown = 4 * patience if any(limit.kind == "depth" for limit in limits) else 0.0
    return max(timed, LONG_PAIR * counted / SLOW_SEARCH, unknown)


class Wanted(NamedTuple):
    """Pairs of a match to be played, and under which number; what `Pool.add` is told of them."""

    number: int
    matchup: Matchup
    pairs: Iterable[Pair]
    deaths: Counter[int] | None = None
    remember: Callable[[Counter[int]], None] | None = None


def play_all(
    matches: Iterable[Wanted], jobs: int, backend: str = "loky", patience: float = PATIENCE
) -> Generator[tuple[int, Answer]]:
    """Play matches on the same workers; yield answers, each with the number of its match, as they come.

    The next match is taken as soon as workers would be without work. A caller that stops early closes the generator:
    that stops the workers of this machine at once. Threads can neither be stopped nor watched: there a game that
    hangs, hangs for good. A cluster plays with all its workers, whatever `jobs` says.
    """
    pool, rest = Pool(open_backend(backend, jobs), patience), iter(matches)
    try:
        while True:
            while pool.has_room and (one := next(rest, None)) is not None:
                known = one.deaths, one.remember
                key = one.number, 0
                pool.add(key, one.number, one.matchup, sorted(one.pairs), *known, pace=one.number)
            if not pool.is_busy:
                return
            (number, _), answer = pool.next()
            yield number, answer
    finally:
        pool.close()
