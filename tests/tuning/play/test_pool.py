"""Every pair is handed out and answered exactly once, whatever dies on the way."""

import random
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import Future

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.small_matches import hand
from tunesmith.tuning.play.matchup import FAULT, Answer, Batch, Matchup, Pair, PlayedGame, pair_seed
from tunesmith.tuning.play.pool import EFFORT, LONG_PAIR, MERCY, SLOW_SEARCH, SLOWNESS, WORK, Pool
from tunesmith.tuning.play.resources import PATIENCE
from tunesmith.tuning.play.store import SHARD

MOVES = np.zeros(1, np.int64)
SCORES = np.zeros(1, np.float32)
MATCH, OTHER = (
    Matchup("kalah", hand(), hand(), (limit, limit), seed=1) for limit in ("nodes:75", "nodes:40")
)


class DiedError(Exception):
    """A worker is gone."""


class MadeUp:
    """Workers that take `seconds` for a pair, end batches in any order, die of some pairs, are spent after `most`."""

    def __init__(
        self,
        width: int = 1,
        seconds: float = 0.01,
        *,
        seed: int = 0,
        guilty: Iterable[int] = (),
        most: int = 1 << 60,
        is_watched: bool = True,
        dies_as_one: bool = True,
    ) -> None:
        self.width, self.is_watched, self.dies_as_one = width, is_watched, dies_as_one
        self.sent: list[tuple[Matchup, Batch]] = []
        self.on_the_way: list[tuple[Future[Answer], Batch]] = []
        self.stopped: list[tuple[int, int]] = []  # pairs played since the last stop, batches on their way
        self.deaths = self.rests = 0
        self._seconds, self._guilty, self._most, self._n_pairs = seconds, set(guilty), most, 0
        self._choose: Callable[[int], int] = random.Random(seed).randrange

    @property
    def is_spent(self) -> bool:
        return self._n_pairs >= self._most

    def submit(self, matchup: Matchup, batch: Batch) -> Future[Answer]:
        future: Future[Answer] = Future()
        self.sent.append((matchup, batch))
        self.on_the_way.append((future, batch))
        self._n_pairs += len(batch.pairs)
        return future

    def is_death(self, error: BaseException) -> bool:
        return isinstance(error, DiedError)

    def check(self) -> None:
        """Somebody waits: end a batch."""
        if not self.on_the_way:  # all of them have died
            return
        future, batch = self.on_the_way.pop(self._choose(len(self.on_the_way)))
        if self._guilty & {pair.number for pair in batch.pairs}:
            self.deaths += 1
            also = self.on_the_way if self.dies_as_one else []
            for lost in [future, *(one[0] for one in also)]:
                lost.set_exception(DiedError())
            also.clear()
            return
        games = [
            PlayedGame(pair.number, game, 1, 1, MOVES, SCORES, 1, "finished")
            for pair in batch.pairs
            for game in (0, 1)
        ]
        future.set_result(Answer(games, self._seconds * len(batch.pairs)))

    def stop(self) -> None:
        self.stopped.append((self._n_pairs, len(self.on_the_way)))
        self._n_pairs = 0

    def rest(self) -> None:
        self.rests += 1


def some(numbers: Iterable[int]) -> list[Pair]:
    """Make pairs of numbers."""
    return [Pair(number, (number,)) for number in numbers]


def play(backend: MadeUp, numbers: Iterable[int], patience: float = PATIENCE) -> list[PlayedGame]:
    """Play pairs of one match to the end."""
    pool = Pool(backend, patience)
    pool.add((0, 0), 0, MATCH, some(numbers))
    rows: list[PlayedGame] = []
    while pool.is_busy:
        rows += pool.next()[1].games
    pool.close()
    return rows


@pytest.mark.parametrize("seconds", [0.02, 0.0001])
def test_pairs_come_in_order_and_batches_end_with_a_shard_where_they_can(seconds: float) -> None:
    backend = MadeUp(seconds=seconds)
    play(backend, range(30, 3000))
    numbers: list[int] = []
    for _, batch in backend.sent:
        own = [pair.number for pair in batch.pairs]
        shards = {number // SHARD for number in own}
        assert len(shards) == 1 or seconds < 1 / SHARD
        assert len(shards) == 1 or len(own) > len(shards) * SHARD - SHARD
        numbers += own
    assert numbers == list(range(30, 3000))


def test_workers_are_renewed_between_batches() -> None:
    backend = MadeUp(2, most=100)
    assert len(play(backend, range(300))) == 600
    assert [n >= 100 for n, _ in backend.stopped] == [True, True]
    assert [on_the_way for _, on_the_way in backend.stopped] == [0, 0]


def test_batches_grow_to_a_second_of_play() -> None:
    backend = MadeUp(seconds=0.05)
    play(backend, range(640))
    sizes = [len(batch.pairs) for _, batch in backend.sent]
    assert sizes[0] == 1
    assert sizes[1] == pytest.approx(20, abs=4)


def test_patience_follows_the_measured_speed() -> None:
    backend = MadeUp(seconds=5.0)
    play(backend, range(64), 10.0)
    expected = LONG_PAIR * 75 / SLOW_SEARCH  # seconds of a pair of that limit
    assert backend.sent[0][1].patience == 10.0 + expected
    assert backend.sent[-1][1].patience == pytest.approx(SLOWNESS * 5.0)


def test_what_a_batch_may_compute_follows_the_pace_of_play() -> None:
    for seconds, expected in ((0.001, WORK), (5.0, EFFORT * 5.0)):
        backend = MadeUp(seconds=seconds)
        play(backend, range(64), 10.0)
        first, last = backend.sent[0][1], backend.sent[-1][1]
        assert first.work == WORK + LONG_PAIR * 75 / SLOW_SEARCH
        assert last.work == pytest.approx(expected * (1 if seconds < 1 else len(last.pairs)))


def test_a_pair_whose_workers_died_is_remembered_and_played_alone_when_a_run_goes_on() -> None:
    told: list[Counter[int]] = []
    first, second = MadeUp(2, guilty=[5]), MadeUp(2, guilty=[5])
    pool = Pool(first)
    pool.add((0, 0), 0, MATCH, some(range(8)), remember=lambda deaths: told.append(Counter(deaths)))
    while not told or told[-1][5] < MERCY:
        pool.next()
    pool.close()
    pool = Pool(second)
    pool.add((0, 0), 0, MATCH, some(range(8)), told[-1])
    faults = []
    while pool.is_busy:
        faults += [row.pair for row in pool.next()[1].games if row.reason.startswith(FAULT)]
    assert second.deaths == 1 and set(faults) == {5}


@pytest.mark.parametrize(("patience", "is_watched"), [(0.0, True), (10.0, False)])
def test_without_patience_or_where_nobody_can_be_stopped_there_is_no_watch(
    patience: float, is_watched: bool
) -> None:
    backend = MadeUp(is_watched=is_watched)
    play(backend, range(64), patience)
    assert {batch.patience for _, batch in backend.sent} == {0.0}


@given(st.sets(st.integers(0, 199), max_size=3), st.integers(1, 4), st.integers(0, 1000), st.booleans())
def test_the_guilty_are_found_and_the_innocent_are_played_once(
    guilty: set[int], width: int, seed: int, dies_as_one: bool
) -> None:
    backend = MadeUp(width, seed=seed, guilty=guilty, dies_as_one=dies_as_one)
    rows = play(backend, range(200))
    assert sorted(row.pair for row in rows) == [number for number in range(200) for _ in (0, 1)]
    assert {row.pair for row in rows if row.reason.startswith(FAULT)} == guilty
    assert backend.deaths <= len(guilty) * (MERCY + 1)
    assert backend.rests == 1


def test_the_lowest_rank_is_served_first_and_nobody_waits_for_it() -> None:
    """A worker that is free gets pairs of a later match when the first has all of its pairs on their way."""
    backend = MadeUp(2)
    pool = Pool(backend)
    pool.add((0, 0), 0, MATCH, some(range(6)))  # all that can be on its way
    pool.add((7, 0), 7, OTHER, some(range(5)))
    pool.add((3, 0), 3, MATCH, some(range(10, 15)))
    found: dict[tuple[int, int], set[int]] = {(0, 0): set(), (7, 0): set(), (3, 0): set()}
    while pool.is_busy:
        key, answer = pool.next()
        found[key] |= {row.pair for row in answer.games}
    assert found == {(0, 0): set(range(6)), (7, 0): set(range(5)), (3, 0): set(range(10, 15))}
    later = [matchup for matchup, _ in backend.sent[6:]]
    assert later == sorted(later, key=[MATCH, OTHER].index)


def test_what_was_dropped_is_neither_played_nor_answered_nor_blamed() -> None:
    backend = MadeUp(1, guilty=[0], dies_as_one=True)
    pool = Pool(backend)
    pool.add((0, 0), 0, MATCH, some(range(10)))
    pool.add((1, 0), 1, OTHER, some(range(20, 24)))
    assert backend.sent
    pool.drop((0, 0))
    n_sent = len(backend.sent)
    numbers: list[int] = []
    while len(numbers) < 8:
        key, answer = pool.next()
        assert key == (1, 0)
        numbers += [row.pair for row in answer.games]
    assert sorted(numbers) == [number for number in range(20, 24) for _ in (0, 1)]
    assert {matchup for matchup, _ in backend.sent[n_sent:]} == {OTHER}
    with pytest.raises(RuntimeError, match="nothing was asked for"):
        pool.next()


def test_a_pool_that_is_closed_early_stops_its_workers_and_one_that_is_done_leaves_them() -> None:
    done, early = MadeUp(), MadeUp()
    play(done, range(20))
    assert (done.rests, done.stopped) == (1, [])
    pool = Pool(early)
    pool.add((0, 0), 0, MATCH, some(range(20)))
    pool.next()
    pool.close()
    assert early.rests == 0 and len(early.stopped) == 1


def test_seeds_of_pairs_differ_within_and_between_studies() -> None:
    seeds = {pair_seed(seed, number) for seed in range(20) for number in range(2000)}
    assert len(seeds) == 20 * 2000
    assert all(0 <= seed < 2**63 for seed in seeds)


def test_many_workers_get_longer_batches_and_one_each_before_the_pace_is_known() -> None:
    """Or all would wait for the one who hands out and writes."""
    longest = {}
    for width in (100, 400):
        workers = MadeUp(width, 0.5)
        pool = Pool(workers)
        pool.add((0, 0), 0, MATCH, [Pair(number, ()) for number in range(20 * width)])
        assert len(workers.on_the_way) == width
        while pool.is_busy:
            pool.next()
        longest[width] = max(len(batch.pairs) for _, batch in workers.sent)
    assert longest == {100: 2, 400: 8}


def test_a_slow_match_after_a_quick_one_is_not_taken_to_hang() -> None:
    """What is measured of one says nothing of another pace: its first batch is a single pair, and has time."""
    for pace, first in ((1, 1), (None, 50)):
        workers = MadeUp(1, 0.01)
        pool = Pool(workers, 10.0)
        pool.add((0, 0), 0, MATCH, [Pair(number, ()) for number in range(100)])
        while pool.is_busy:
            pool.next()
        workers.sent.clear()
        pool.add((1, 0), 1, MATCH, [Pair(number, ()) for number in range(100)], pace=pace)
        _, batch = workers.sent[0]
        expected = LONG_PAIR * 75 / SLOW_SEARCH
        assert len(batch.pairs) == first
        assert batch.work == pytest.approx(WORK + expected if first == 1 else EFFORT * 50 * 0.01)
        pool.close()
