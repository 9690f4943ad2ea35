"""The scale of a hand-made evaluation: closed forms, other units, and scores that have no scale."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.simulated import table
from tunesmith.games.errors import InputError
from tunesmith.tuning.fit.loss import mean_loss
from tunesmith.tuning.fit.scale import fit_scale

AHEAD = np.array([100.0, 100.0, 100.0, 100.0, -100.0, -100.0, -100.0, -100.0])
THREE_OF_FOUR = np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0])


def test_scale_of_three_wins_in_four_at_100_points() -> None:
    """Closed form: K_e = 4 ln 3, and the losses there."""
    scale = fit_scale(AHEAD, THREE_OF_FOUR)
    assert scale == pytest.approx(1.908485, abs=1e-6)
    assert scale * math.log(10) == pytest.approx(4 * math.log(3), rel=1e-10)
    rows, weights = table(AHEAD[:, None], labels=THREE_OF_FOUR), np.array([[scale]])
    assert mean_loss(rows, weights, "squared-error") == pytest.approx(0.1875, rel=1e-12)
    assert mean_loss(rows, weights) == pytest.approx(0.5623351, abs=1e-7)


@given(unit=st.sampled_from([1e-9, 1e-3, 1.0, 37.0, 1e9]), seed=st.integers(0, 1000))
@settings(max_examples=25)
def test_scale_turns_with_the_unit(unit: float, seed: int) -> None:
    """An evaluation in other units has the inverse scale; draws and weights count."""
    rng = np.random.default_rng(seed)
    score, label, weight = rng.normal(size=60), rng.choice([0, 0.5, 1], 60), rng.uniform(0.5, 2, 60)
    assert fit_scale(score * unit, label, weight) * unit == pytest.approx(
        fit_scale(score, label, weight), rel=1e-7
    )


def test_weight_counts_rows() -> None:
    """A row of weight 3 is three rows, a row of weight 0 is none."""
    score, label = np.array([50.0, 100.0, -20.0, 70.0]), np.array([1.0, 0.0, 0.0, 1.0])
    merged = fit_scale(score, label, np.array([3.0, 2.0, 1.0, 0.0]))
    assert merged == pytest.approx(fit_scale(score.repeat([3, 2, 1, 0]), label.repeat([3, 2, 1, 0])))


def test_evaluation_that_is_wrong_has_a_negative_scale() -> None:
    assert fit_scale(-AHEAD, THREE_OF_FOUR) == pytest.approx(-1.908485, abs=1e-6)


@pytest.mark.parametrize(
    ("score", "label", "message"),
    [
        ([0, 0, 0], [1, 0, 1], "every score is 0"),
        ([5, -2, 1], [1, 0, 1], "the side ahead always wins in all 3 rows"),
        ([5, -2, 0], [0, 1, 1], "the side ahead never wins in all 3 rows"),
        ([5, np.inf, 0], [0, 1, 1], "row 1, column 0: expected a finite number of at most 1e.100, found inf"),
    ],
)
def test_scores_without_a_scale_are_refused(score: list[float], label: list[float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        fit_scale(np.array(score), np.array(label, dtype=np.float64))


def test_the_strength_of_a_player_takes_no_part_in_the_scale_of_its_scores() -> None:
    """A player 300 Elo weaker than the other, whose scores are half of the truth."""
    rng = np.random.default_rng(5)
    score = rng.normal(0, 200, 20_000)
    label = (rng.random(len(score)) < 1 / (1 + 10 ** ((300 - 2 * score) / 400))).astype(float)
    assert fit_scale(score, label, is_between_equals=False) == pytest.approx(2, abs=0.1)
    assert not 1.9 < fit_scale(score, label) < 2.1
    assert fit_scale(score - 150, label, is_between_equals=False) == pytest.approx(2, abs=0.1)


@pytest.mark.parametrize(
    ("score", "label"),
    [
        ([5, -2, 1], [0, 0, 0]),
        ([5, -2, 1], [1, 0, 0]),
        ([5, 1, -2], [0, 0.5, 1]),
        ([3, 3, 3], [0, 1, 1]),
        ([], []),
    ],
)
def test_scores_of_unequal_players_that_say_all_or_nothing_have_no_scale(
    score: list[float], label: list[float]
) -> None:
    with pytest.raises(InputError, match="no finite scale is best|no scale can be found"):
        fit_scale(np.array(score, float), np.array(label, float), is_between_equals=False)
