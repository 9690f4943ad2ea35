"""CLOP's artificial landscapes are those of the source."""

import numpy as np
import optuna
import pytest

from tunesmith.experiments.clop_problems import PROBLEMS, problem


@pytest.fixture(autouse=True)
def _quiet():
    optuna.logging.set_verbosity(optuna.logging.ERROR)


@pytest.mark.parametrize(
    ("name", "n", "best", "mean"),
    [
        ("LOG", 1, 0.61923, 0.367),
        ("FLAT", 1, 0.54983, 0.521),
        ("POWER", 1, 0.52910, 0.505),
        ("ANGLE", 1, 0.73106, 0.332),
        ("STEP", 1, 0.73106, 0.485),
        ("ROSENBROCK", 2, 0.73106, 0.206),
        ("CORRELATED", 2, 0.84142, 0.478),
    ],
)
def test_problems_are_those_of_the_source(name, n, best, mean):
    """Best and mean win rate, checked on a fine grid when the definitions were written down."""
    hill = problem(name, n)
    line = np.linspace(-1, 1, 100_001) if n == 1 else np.linspace(-1, 1, 1001)
    grid = np.stack(np.meshgrid(*[line] * n, indexing="ij"), axis=-1)
    rates = hill.win_rate(grid)
    assert hill.best_rate == pytest.approx(best, abs=1e-5)
    assert rates.max() <= hill.best_rate + 1e-9
    assert rates.mean() == pytest.approx(mean, abs=1.5e-3)


def test_no_setting_has_negative_regret():
    rng = np.random.default_rng(0)
    for hill in PROBLEMS:
        assert hill.regret(rng.uniform(-1, 1, (2000, hill.n))).min() >= -1e-12
        assert hill.regret(hill.best) == 0


def test_unknown_problems_are_named():
    with pytest.raises(ValueError, match="ROSENBROCK"):
        problem("ROSENBROCK", 3)
