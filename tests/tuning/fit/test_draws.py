"""Draws as an outcome of their own: planted weights and margins come back, other labels are refused."""

import numpy as np
import pytest

from tests.support.simulated import table
from tunesmith.games.errors import InputError
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.fit.draws import fit_with_draws
from tunesmith.tuning.fit.loss import expected_result, mean_loss, scores
from tunesmith.tuning.fit.rows import Rows
from tunesmith.tuning.fit.scale import fit_scale

OPTIONS = FitOptions(draws=True, ridge=1e-7)
NOTHING = np.zeros((1, 2))


def ordered(margin: float, n: int = 16_000, seed: int = 5) -> Rows:
    """Simulate losses, draws and wins that split one scale at -margin and margin."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(n, 2))
    score, luck = features @ [150.0, -60.0], rng.random(n)
    won, lost = expected_result(score - margin), expected_result(-score - margin)
    labels = np.where(luck < won, 1.0, np.where(luck < won + lost, 0.0, 0.5))
    return table(features, labels=labels, group=np.arange(n) // 2)


@pytest.mark.parametrize("margin", [40.0, 80.0, 250.0])
def test_weights_and_margin_come_back_as_they_were_planted(margin: float) -> None:
    """Their ratio: the unit is that of the expected result, in which a wide margin makes scores smaller."""
    rows = ordered(margin)
    found = fit_with_draws(rows, NOTHING, OPTIONS)
    assert found.fit.weights[0] / found.margin == pytest.approx([150 / margin, -60 / margin], rel=0.12)
    assert fit_scale(scores(rows, found.fit.weights), rows.labels) == pytest.approx(1, abs=0.05)


@pytest.mark.parametrize("size", [0.5, 2.0])
def test_scores_stay_in_the_unit_of_the_prior(size: float) -> None:
    """Whoever has right weights, however large a unit they are in, gets them and the margin back in that unit."""
    prior = size * np.array([[150.0, -60.0]])
    found = fit_with_draws(ordered(80.0), prior, OPTIONS)
    assert found.fit.weights == pytest.approx(prior, rel=0.1)
    assert found.margin == pytest.approx(size * 80, rel=0.1)


def test_no_other_weights_and_margin_are_likelier() -> None:
    rows = ordered(80.0)
    found = fit_with_draws(rows, NOTHING, OPTIONS).fit
    lowest = mean_loss(rows, found.weights, found.loss)
    for change in (np.array([[5.0, 0.0]]), np.array([[0.0, 5.0]])):
        for sign in (1, -1):
            assert mean_loss(rows, found.weights + sign * change, found.loss) > lowest


def test_a_start_changes_the_way_and_not_the_place() -> None:
    rows = ordered(80.0, 2000)
    plain = fit_with_draws(rows, NOTHING, OPTIONS)
    other = fit_with_draws(rows, NOTHING, OPTIONS, start=np.array([[90.0, 30.0]]))
    assert other.fit.weights == pytest.approx(plain.fit.weights, rel=1e-3)
    assert other.margin == pytest.approx(plain.margin, rel=1e-3)


@pytest.mark.parametrize(
    ("label", "words"),
    [
        (0.3, "draws: expected results 0, 1/2 and 1 .* found 0.3"),
        (0.5, "draws: expected some draws and some other results, found 100% draws"),
        (1.0, "draws: expected some draws and some other results, found 0% draws"),
    ],
)
def test_results_must_be_losses_draws_and_wins(label: float, words: str) -> None:
    rows = table(np.ones((50, 2)), labels=np.full(50, label))
    with pytest.raises(InputError, match=words):
        fit_with_draws(rows, NOTHING, OPTIONS)


def test_a_single_result_of_another_kind_is_named() -> None:
    labels = np.arange(50) % 3 / 2
    labels[7] = 0.25
    with pytest.raises(InputError, match="found 0.25"):
        fit_with_draws(table(np.ones((50, 2)), labels=labels), NOTHING, OPTIONS)
