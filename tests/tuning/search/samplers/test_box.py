"""Places in [-1, 1] and values: one mapping, there and back."""

import numpy as np
import optuna
import pytest
from optuna.distributions import FloatDistribution, IntDistribution

from tunesmith.tuning.search.samplers.box import axis


@pytest.fixture(autouse=True)
def _quiet():
    optuna.logging.set_verbosity(optuna.logging.ERROR)


@pytest.mark.parametrize(
    "distribution",
    [
        IntDistribution(-3, 9, step=3),
        IntDistribution(1, 64, log=True),
        FloatDistribution(0.1, 0.9, step=0.2),
        FloatDistribution(0.01, 10, log=True),
    ],
    ids=str,
)
def test_places_and_values_agree(distribution):
    one = axis(distribution)
    for unit in np.linspace(-1, 1, 23):
        value = one.value(float(unit))
        assert distribution._contains(distribution.to_internal_repr(value))
        assert one.value(one.unit(value)) == pytest.approx(value)


def test_rounding_by_chance_is_right_on_average():
    one = axis(IntDistribution(0, 10))
    unit = one.unit(3) + 0.3 * (one.unit(4) - one.unit(3))
    values = [one.value(unit, chance) for chance in np.linspace(0, 1, 1001)]
    assert set(values) == {3, 4}
    assert np.mean(values) == pytest.approx(3.3, abs=0.01)
