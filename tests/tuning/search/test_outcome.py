"""What a setting scored, and whether that is worse than another, pair by pair."""

import numpy as np
import pytest

from tunesmith.tuning.search.outcome import Outcome, is_worse, paired_difference


def outcome(scores):
    one = np.array([scores], float)
    return Outcome(("o",), one, np.zeros((1, len(scores), 3), int), "")


def test_worse_is_judged_pair_by_pair():
    rng = np.random.default_rng(1)
    base = rng.binomial(4, 0.5, 40) / 4
    lower = np.maximum(base - 0.25 * (rng.random(40) < 0.5), 0)
    assert is_worse(outcome(lower), outcome(base), 0.01)
    assert not is_worse(outcome(base), outcome(lower), 0.01)
    assert not is_worse(outcome(base), outcome(base), 0.5)
    assert not is_worse(outcome([np.nan] * 40), outcome(base), 0.5)


def test_paired_differences_leave_out_what_either_lacks():
    gain, error = paired_difference(outcome([1, 0.5, np.nan, 0.25]), outcome([0.5, 0.5, 0.5]))
    assert gain == pytest.approx(0.25)
    assert error == pytest.approx(0.25)
