"""Predicted against actual results, by score and by stage."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.naive import texel as naive
from tests.support.simulated import as_naive, positions, table
from tunesmith.games.errors import InputError
from tunesmith.tuning.fit.calibration import calibrate, gain, residuals_by_score, residuals_by_stage
from tunesmith.tuning.fit.loss import mean_loss, scores
from tunesmith.tuning.fit.rows import Rows

WEIGHTS = np.array([[150.0, -60.0], [40.0, 90.0]])


@given(seed=st.integers(0, 1000), bins=st.integers(1, 12))
@settings(max_examples=25)
def test_bins_hold_what_the_naive_twin_counts(seed: int, bins: int) -> None:
    rows = positions(WEIGHTS, 12, seed=seed)
    weighted = Rows(rows.features, rows.stages, rows.labels, rows.labels + 0.5, rows.group)
    found = calibrate(weighted, WEIGHTS, bins)
    slow = np.array(naive.calibration(as_naive(weighted), WEIGHTS.tolist(), bins))
    assert found.n == pytest.approx(slow[:, 0])
    full = slow[:, 0] > 0
    assert found.predicted[full] == pytest.approx(slow[full, 1] / slow[full, 0])
    assert found.actual[full] == pytest.approx(slow[full, 2] / slow[full, 0])
    assert np.isnan(found.actual[~full]).all()
    assert found.n.sum() == pytest.approx(weighted.weight.sum())
    inside = found.predicted[full]
    assert ((found.edges[:-1][full] <= inside) & (inside <= found.edges[1:][full])).all()


def test_true_weights_are_calibrated_and_doubled_ones_overconfident() -> None:
    rows = positions(WEIGHTS, 3000)
    right, wrong = calibrate(rows, WEIGHTS), calibrate(rows, 2 * WEIGHTS)
    assert (np.abs(right.actual - right.predicted) < 4 * right.error).all()
    assert wrong.actual[0] - wrong.predicted[0] > 4 * wrong.error[0]
    assert wrong.actual[-1] - wrong.predicted[-1] < -4 * wrong.error[-1]


def test_stages_share_out_the_rows() -> None:
    """A row counts in each stage by its share."""
    rows = positions(WEIGHTS, 50)
    whole, parts = calibrate(rows, WEIGHTS, 4), [calibrate(rows, WEIGHTS, 4, stage=s) for s in (0, 1)]
    assert parts[0].n + parts[1].n == pytest.approx(whole.n)
    found = residuals_by_stage(rows, WEIGHTS)
    assert found.n == pytest.approx([part.n.sum() for part in parts])
    assert found.n @ found.loss / rows.n == pytest.approx(mean_loss(rows, WEIGHTS))
    assert found.residual == pytest.approx(found.actual - found.predicted)


def test_residual_names_the_stage_that_is_wrong() -> None:
    """Only the second stage's weight of having the move is off, by 60 Elo."""
    true = np.array([[0.0], [60.0]])
    shares = np.eye(2)[np.arange(8000) % 2]
    rng = np.random.default_rng(3)
    made = table(
        np.ones((8000, 1)),
        shares,
        labels=(rng.random(8000) < 0.585 * shares[:, 1] + 0.5 * shares[:, 0]) * 1.0,
    )
    found = residuals_by_stage(made, np.zeros_like(true))
    assert abs(found.residual[0]) < 3 * found.error[0]
    assert found.residual[1] > 6 * found.error[1]


def test_error_counts_copies_of_a_position_once() -> None:
    """Nine copies in one pair tell no more than one."""
    single, copied = positions(WEIGHTS, 300, 1), positions(WEIGHTS, 300, 9, copies=True)
    assert residuals_by_stage(copied, WEIGHTS).error == pytest.approx(
        residuals_by_stage(single, WEIGHTS).error
    )
    assert gain(copied, 0 * WEIGHTS, WEIGHTS).error == pytest.approx(gain(single, 0 * WEIGHTS, WEIGHTS).error)


def test_gain_is_the_fall_of_the_loss() -> None:
    rows = positions(WEIGHTS, 300)
    found = gain(rows, 0 * WEIGHTS, WEIGHTS)
    assert found.mean == pytest.approx(mean_loss(rows, 0 * WEIGHTS) - mean_loss(rows, WEIGHTS))
    assert found.mean > 5 * found.error > 0
    assert gain(rows, WEIGHTS, WEIGHTS) == (0, 0)
    assert np.isnan(gain(positions(WEIGHTS, 1), 0 * WEIGHTS, WEIGHTS).error)


@pytest.mark.parametrize("n_pairs", [2, 40])
def test_error_of_a_gain_is_that_of_a_mean_over_pairs(n_pairs: int) -> None:
    rows = positions(WEIGHTS, n_pairs, 1)
    falls = [
        naive.loss(row, (0 * WEIGHTS).tolist(), "cross-entropy")
        - naive.loss(row, WEIGHTS.tolist(), "cross-entropy")
        for row in as_naive(rows)
    ]
    found = gain(rows, 0 * WEIGHTS, WEIGHTS)
    assert found == pytest.approx((np.mean(falls), np.std(falls, ddof=1) / np.sqrt(n_pairs)))
    thrice = Rows(rows.features, rows.stages, rows.labels, 3 * rows.weight, rows.group)
    assert gain(thrice, 0 * WEIGHTS, WEIGHTS) == pytest.approx(found)


def test_residuals_in_ranges_of_the_score_are_those_of_the_naive_twin() -> None:
    """By bins of the predicted result and by ranges of the score alike; the last range is empty."""
    rows = positions(WEIGHTS, 30)
    weighted = Rows(rows.features, rows.stages, rows.labels, rows.labels + 0.5, rows.group)
    edges, score = (-100.0, 0.0, 150.0, 9000.0), scores(rows, WEIGHTS)
    slow = naive.residuals(as_naive(weighted), WEIGHTS.tolist(), [sum(s >= e for e in edges) for s in score])
    found = residuals_by_score(weighted, WEIGHTS, edges)
    for number, (n, _, predicted, actual, error, loss) in slow.items():
        wanted = (n, predicted, actual, actual - predicted, error, loss)
        assert [column[number] for column in found] == pytest.approx(wanted)
    assert len(found.n) == 5 and found.n[4] == 0 and np.isnan(found.actual[4])
    bins = calibrate(weighted, WEIGHTS)
    assert bins.edges == pytest.approx(np.arange(11) / 10)
    slow = naive.residuals(
        as_naive(weighted), WEIGHTS.tolist(), [int(10 / (1 + 10 ** (-s / 400))) for s in score]
    )
    for number, (n, mean, predicted, actual, error, _) in slow.items():
        assert [column[number] for column in bins[1:]] == pytest.approx((n, mean, predicted, actual, error))


def test_a_sure_win_is_in_the_highest_bin() -> None:
    assert calibrate(table(np.array([[1e5]])), np.ones((1, 1)), 4).n.tolist() == [0, 0, 0, 1]


def test_unknown_stage_and_no_bins_are_refused() -> None:
    rows = positions(WEIGHTS, 3)
    with pytest.raises(InputError, match="stage: expected a number from 0 to 1, found 2"):
        calibrate(rows, WEIGHTS, stage=2)
    with pytest.raises(InputError, match="bins: expected at least 1, found 0"):
        calibrate(rows, WEIGHTS, bins=0)
