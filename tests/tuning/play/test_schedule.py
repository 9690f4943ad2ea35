"""Every pair is handed out and answered exactly once, whatever dies on the way."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.tuning.play.matchup import Answer, Batch, Pair, PlayedGame, pair_seed
from tunesmith.tuning.play.schedule import MERCY, PATIENCE, SLOWNESS, Schedule
from tunesmith.tuning.play.store import SHARD

MOVES = np.zeros(1, np.int64)
SCORES = np.zeros(1, np.float32)


def answer(batch: Batch, seconds: float = 0.01) -> Answer:
    """Answer a batch as a worker would."""
    games = [
        PlayedGame(pair.number, game, 1, 1, MOVES, SCORES, 1, "finished")
        for pair in batch.pairs
        for game in (0, 1)
    ]
    return Answer(games, seconds)


def some(numbers: range) -> list[Pair]:
    """Make pairs of numbers."""
    return [Pair(number, (number,)) for number in numbers]


@pytest.mark.parametrize("seconds", [0.02, 0.0001])
def test_pairs_come_in_order_and_batches_end_with_a_shard_where_they_can(seconds: float) -> None:
    schedule = Schedule(some(range(30, 3000)), PATIENCE)
    numbers = []
    for batch in schedule.batches(1 << 30):
        own = [pair.number for pair in batch.pairs]
        shards = {number // SHARD for number in own}
        assert len(shards) == 1 or seconds < 1 / SHARD
        assert len(shards) == 1 or len(own) > len(shards) * SHARD - SHARD
        numbers += own
        schedule.landed(answer(batch, seconds * len(own)))
    assert numbers == list(range(30, 3000))
    assert not schedule


def test_a_call_ends_when_processes_are_to_be_renewed() -> None:
    schedule = Schedule(some(range(300)), PATIENCE)
    calls = []
    while schedule:
        sent = [len(batch.pairs) for batch in schedule.batches(100)]
        calls.append(sum(sent))
    assert calls == [100, 100, 100]


def test_batches_grow_to_a_second_of_play() -> None:
    schedule = Schedule(some(range(640)), PATIENCE)
    sizes = []
    for batch in schedule.batches(1 << 30):
        sizes.append(len(batch.pairs))
        schedule.landed(answer(batch, 0.05 * len(batch.pairs)))
    assert sizes[0] == 1
    assert sizes[5] == pytest.approx(20, abs=4)


def test_patience_follows_the_measured_speed() -> None:
    schedule = Schedule(some(range(640)), 10.0, longest=30.0)
    batches = schedule.batches(1 << 30)
    first = next(batches)
    assert first.patience == 40.0
    schedule.landed(answer(first, 5.0))
    assert next(batches).patience == pytest.approx(SLOWNESS * 5.0)


def test_zero_patience_is_no_watch() -> None:
    schedule = Schedule(some(range(64)), 0.0, longest=30.0)
    for batch in schedule.batches(1 << 30):
        assert batch.patience == 0.0
        schedule.landed(answer(batch))


@given(st.sets(st.integers(0, 199), max_size=3), st.integers(1, 4), st.randoms(use_true_random=False))
def test_the_guilty_are_found_and_the_innocent_are_played_once(
    guilty: set[int], jobs: int, random: object
) -> None:
    schedule = Schedule(some(range(200)), PATIENCE)
    played: list[int] = []
    faults: list[int] = []
    deaths = 0
    while schedule:
        suspect = schedule.suspect()
        batches = schedule.batches(1 << 30) if suspect is None else iter([suspect])
        in_flight: list[Batch] = []
        crashed = False
        while True:
            while len(in_flight) < 2 * jobs and (batch := next(batches, None)) is not None:
                in_flight.append(batch)
            if not in_flight:
                break
            batch = in_flight.pop(random.randrange(len(in_flight)))  # type: ignore[attr-defined]
            if guilty & {pair.number for pair in batch.pairs}:
                crashed = True
                break
            schedule.landed(answer(batch))
            played += [pair.number for pair in batch.pairs]
        if crashed:
            deaths += 1
            faults += [pair.number for pair in schedule.crashed(was_alone=suspect is not None)]
    assert sorted(faults) == sorted(guilty)
    assert sorted(played) == sorted(set(range(200)) - guilty)
    assert deaths <= len(guilty) * (MERCY + 1)


def test_seeds_of_pairs_differ_within_and_between_studies() -> None:
    seeds = {pair_seed(seed, number) for seed in range(20) for number in range(2000)}
    assert len(seeds) == 20 * 2000
    assert all(0 <= seed < 2**63 for seed in seeds)
