"""What a setting scored, opening by opening, and by how much it differs from another."""

import numpy as np
import pytest

from tunesmith.tuning.search.outcome import Outcome, paired_difference


def outcome(scores):
    one = np.array([scores], float)
    return Outcome(("o",), one, np.zeros((1, len(scores), 3), int), np.arange(len(scores)))


def test_paired_differences_leave_out_what_either_lacks():
    gain, error = paired_difference(outcome([1, 0.5, np.nan, 0.25]), outcome([0.5, 0.5, 0.5]))
    assert gain == pytest.approx(0.25)
    assert error == pytest.approx(0.25)


def test_the_score_on_an_opening_is_the_mean_over_opponents_that_have_a_result():
    scores = np.array([[1, 0.5, np.nan, np.nan], [0.5, np.nan, 0.25, np.nan]])
    both = Outcome(("a", "b"), scores, np.zeros((2, 4, 3), int), np.arange(4))
    assert both.by_opening() == [0.75, 0.5, 0.25, None]
