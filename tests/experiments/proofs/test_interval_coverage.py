"""Intervals hold the truth about as often as they say: a small form of experiments/proofs/interval_coverage.py."""

import pytest

from tunesmith.experiments.proofs._made_up_pairs import World
from tunesmith.experiments.proofs.interval_coverage import after_stopping, fixed_length, is_good
from tunesmith.tuning.stats.sprt import Sprt


@pytest.mark.parametrize("world", [World(0.5, (0.0,)), World(0.9, (-400.0, 400.0))])
def test_intervals_of_a_fixed_match_hold(world: World) -> None:
    assert all(is_good(share, 400) for share in fixed_length(world, 30, pairs=200, matches=400, seed=1))


def test_the_interval_after_a_test_holds_and_its_estimate_is_not_biased() -> None:
    held, _, above = after_stopping(Sprt(0, 100, model="logistic"), World(), 100, tests=80, seed=1)
    assert is_good(held, 80)
    assert 0.3 < above < 0.7


def test_what_is_good_allows_for_chance_alone() -> None:
    assert is_good(0.94, 10_000) and not is_good(0.91, 10_000) and not is_good(0.99, 10_000)
