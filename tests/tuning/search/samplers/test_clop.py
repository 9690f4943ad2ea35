"""CLOP: where settings are drawn, and where its quadratic is not believed."""

import numpy as np
import optuna
import pytest
from optuna.distributions import FloatDistribution

from tests.support.sampling import regret
from tunesmith.experiments.clop_problems import problem
from tunesmith.tuning.search.samplers import WDL, CLOPSampler


@pytest.fixture(autouse=True)
def _quiet():
    optuna.logging.set_verbosity(optuna.logging.ERROR)


def test_where_a_quadratic_is_wrong_the_smoother_is_believed():
    """On a plateau between two cliffs the weighted mean lies off; what all settings show is plain enough."""
    hill = problem("STEP", 1)
    x = np.linspace(-1, 1, 81)[:, None]
    wins = np.rint(500 * hill.win_rate(x))
    study = optuna.create_study(direction="maximize")
    for at, won in zip(x[:, 0], wins, strict=True):
        study.add_trial(
            optuna.create_trial(
                params={"x0": float(at)},
                distributions={"x0": FloatDistribution(-1, 1)},
                value=won / 500,
                user_attrs={WDL: [int(won), 0, int(500 - won)]},
            )
        )
    assert regret(hill, CLOPSampler().recommend(study)) < 0.02


def test_one_setting_in_ten_is_drawn_from_the_whole_box():
    """Otherwise what a quadratic has once taken for bad is never seen again."""
    sampler, study = CLOPSampler(games_per_trial=50, seed=1), optuna.create_study(direction="maximize")
    study.sampler = sampler
    hill, rng = problem("LOG", 1), np.random.default_rng(1)
    for _ in range(300):
        trial = study.ask({"x0": FloatDistribution(-1, 1)})
        study.tell(trial, rng.binomial(50, float(hill.win_rate([trial.params["x0"]]))) / 50)
    late = [trial.params["x0"] for trial in study.trials[150:]]
    assert 2 <= sum(at > 0.3 for at in late) <= 25  # 35 % of the box, where no good setting lies
