"""Two sides in turns: a ratio of their rates, of each round."""

import pytest

from tunesmith.experiments.bench.race import (
    Effort,
    Title,
    of_pairs,
    of_points,
    race,
)

TITLE = Title("what", "steps/s", "another", "a step", "the same")


def test_sides_take_turns_and_the_ratio_is_of_their_rates():
    calls = []

    def side(name, seconds):
        def work():
            calls.append(name)
            return 1.0, seconds

        return work

    row = race(TITLE, side("ours", 0.1), side("other", 0.5), Effort(seconds=1.0, rounds=2))
    assert (row.ours, row.reference, row.ratio) == pytest.approx((10.0, 2.0, 5.0))
    assert calls == ["ours", "other", *["ours"] * 5, "other", "other", *["ours"] * 5]


def test_ratios_are_of_each_round():
    row = of_pairs(TITLE, [(10.0, 1.0), (9.0, 3.0), (40.0, 8.0)])
    assert (row.ours, row.reference, row.ratio, row.low, row.high) == (10.0, 3.0, 5.0, 3.0, 10.0)
    row = of_pairs(TITLE, [(1.0, 10.0), (2.0, 8.0)], less_is_better=True)
    assert (row.ratio, row.low, row.high) == (7.0, 4.0, 10.0)


def test_points_have_no_ratio_to_nothing():
    row = of_points(TITLE, 15.0, 20)
    assert (row.ours, row.reference, row.ratio) == (15.0, 5.0, 3.0)
    assert of_points(TITLE, 20.0, 20).ratio is None
