"""The local model: bad settings lose their weight, and draws count as a third result."""

import numpy as np
import optuna
import pytest

from tunesmith.experiments.clop_problems import problem
from tunesmith.tuning.search.samplers.quadratic import draw_width, fit_local


@pytest.fixture(autouse=True)
def _quiet():
    optuna.logging.set_verbosity(optuna.logging.ERROR)


def test_bad_settings_lose_their_weight_and_good_ones_keep_it():
    rng = np.random.default_rng(1)
    x = rng.uniform(-1, 1, (300, 1))
    wins = rng.binomial(50, problem("LOG", 1).win_rate(x))
    local = fit_local(x, np.column_stack([wins, 0 * wins, 50 - wins]).astype(float))
    good, bad = local.weight(np.array([[-0.5], [0.9]]))
    assert good > 0.5
    assert bad < 0.01
    score, error = local.score(np.array([[-0.5]]))
    assert abs(score[0] - 0.619) < 4 * error[0] + 0.02


def test_with_few_games_every_setting_lives():
    x = np.linspace(-1, 1, 8)[:, None]
    wdl = np.array([[1.0, 0.0, 1.0]] * 4 + [[1.0, 0.0, 0.0]] * 4)
    assert fit_local(x, wdl).weights.min() > 0.3


def test_draws_narrow_the_errors_as_a_third_result_does():
    """Draws are neither wins nor losses: the score stays, its error is that of results with draws."""
    x = np.zeros((50, 1))
    with_draws = np.array([[3.0, 4.0, 3.0]] * 50)
    without = np.array([[5.0, 0.0, 5.0]] * 50)
    scores = [fit_local(x, wdl).score(np.zeros((1, 1))) for wdl in (with_draws, without)]
    assert scores[0][0] == pytest.approx(0.5)
    assert scores[1][0] == pytest.approx(0.5)
    assert scores[0][1] / scores[1][1] == pytest.approx(0.6**0.5, rel=0.02)  # variance per game .15 and .25


def test_draw_width_is_that_of_the_shares():
    """BayesElo: P(win) = s(q - delta), P(loss) = s(-q - delta)."""
    delta = 0.7
    win, loss = (1 / (1 + np.exp(delta - q)) for q in (0.3, -0.3))
    assert draw_width(1e6 * np.array([win, 1 - win - loss, loss])) == pytest.approx(delta, abs=1e-4)
