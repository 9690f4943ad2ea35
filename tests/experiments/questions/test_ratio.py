"""Shares of another search's cost: of totals, with intervals that hold what other positions and rounds would say."""

import numpy as np
import pytest

from tunesmith.experiments.questions.ratio import of_totals


def test_the_share_is_that_of_the_totals() -> None:
    found = of_totals([[1.0, 30.0]], [[2.0, 40.0]])
    assert found.value == pytest.approx(31 / 42)
    assert found.low is not None and found.high is not None and found.low < found.value < found.high


def test_what_is_the_same_everywhere_has_no_error() -> None:
    assert of_totals([[5, 7, 9]], [[10, 14, 18]]) == pytest.approx((0.5, 0.5, 0.5))


def test_one_position_says_nothing_of_others() -> None:
    assert of_totals([[3.0], [3.1]], [[4.0], [4.0]])[1:] == (None, None)


def test_a_round_in_which_the_machine_was_slow_widens_the_interval() -> None:
    positions = np.arange(1.0, 14.0)
    calm = of_totals([positions * 0.9] * 5, [positions] * 5)
    disturbed = of_totals([positions * 0.9] * 4 + [positions * 1.3], [positions] * 5)
    assert calm.high == pytest.approx(0.9) and disturbed.high is not None and disturbed.high > 1


def test_intervals_hold_the_share_of_all_positions() -> None:
    """Costs that differ a hundredfold from position to position, and times that differ by a tenth from round to round."""
    rng, held, n = np.random.default_rng(1), 0, 1000
    for _ in range(n):
        theirs = rng.lognormal(0, 1, 13)
        share = rng.normal(0.8, 0.2, 13)  # on its own at each position
        ours = [theirs * share * rng.normal(1, 0.05) for _ in range(5)]
        found = of_totals(ours, [theirs * rng.normal(1, 0.05) for _ in range(5)])
        held += found.low <= 0.8 <= found.high  # type: ignore[operator]
    assert 0.92 <= held / n <= 0.99
