"""The model of costs: each limit is found where it is the least, and tests are as long as the statistics say."""

import pytest

from tunesmith.experiments.cluster import cost
from tunesmith.experiments.cluster.cost import Play, Spent
from tunesmith.experiments.cluster.intake import Intake
from tunesmith.tuning.stats.sprt import Sprt, expected_length

FREE = Spent(controller_batch=1e-9, controller_game=1e-9, scheduler_batch=1e-9, game_bytes=1e-3)
SLOW = Play("slow", 5.0)


def load(batches: int, pairs: int, batch: float = 0.003, game: float = 0.0002) -> Intake:
    """Return what would be measured if a batch and a game cost so much."""
    cpu = batch * batches + game * 2 * pairs
    return Intake(4, 0.1, pairs, 0.0, 10.0, batches, cpu, 0.001 * batches, 1.0, 500 * pairs, 1500 * pairs)


def test_the_price_of_a_batch_and_of_a_game_is_found_again() -> None:
    found = cost.spent([load(100, 100), load(50, 4000), load(300, 900)])
    assert found == Spent(*(pytest.approx(price) for price in (0.003, 0.0002, 0.001, 1000.0)))


def test_no_price_is_negative() -> None:
    found = cost.spent([load(100, 100, 0.003, -0.0001), load(50, 400, 0.003, -0.0001)])
    assert found.controller_batch > 0 and found.controller_game >= 0


def test_workers_are_the_limit_where_nothing_else_costs() -> None:
    for workers in cost.WORKERS:
        found = cost.rate(workers, SLOW, FREE)
        assert (found.bottleneck, found.games, found.busy) == ("the workers", workers / 5.0, 1.0)
    assert cost.full_load(SLOW, FREE) >= 1_000_000


@pytest.mark.parametrize(
    ("price", "name"),
    [
        (Spent(0.1, 1e-9, 1e-9, 1e-3), "the controller"),
        (Spent(1e-9, 0.1, 1e-9, 1e-3), "the controller"),
        (Spent(1e-9, 1e-9, 0.1, 1e-3), "the scheduler"),
        (Spent(1e-9, 1e-9, 1e-9, 1e9), "the network"),
    ],
)
def test_what_costs_most_is_the_bottleneck(price: Spent, name: str) -> None:
    found = cost.rate(1000, SLOW, price)
    assert found.bottleneck == name and found.busy < 1
    most = cost.full_load(SLOW, price)
    assert cost.rate(most - 2, SLOW, price).bottleneck == "the workers"
    assert cost.rate(most, SLOW, price).bottleneck == name


def test_batches_are_those_of_the_pool() -> None:
    assert cost.pairs_in_batch(10, 0.05) == 10  # a second of play
    assert cost.pairs_in_batch(1000, 0.05) == 100  # ten
    assert cost.pairs_in_batch(1000, 30.0) == 1


def test_a_proof_is_as_long_as_the_test_takes() -> None:
    assert cost.proof_games() == expected_length(Sprt(0.0, 2.0), 2.0).expected_games
    assert cost.proof_games(2.0) / cost.proof_games(4.0) == pytest.approx(4.0)


def test_a_search_keeps_as_many_workers_busy_as_it_has_pairs_in_flight() -> None:
    assert cost.busy_in_search(1000, 4) == 40
    assert cost.busy_in_search(8, 4) == 8
    assert cost.at_once_for(1000) == 100 and cost.at_once_for(41) == 5
    few, many = (cost.search_seconds(1000, at_once, SLOW, FREE) for at_once in (4, 100))
    assert few == pytest.approx(25 * many)
