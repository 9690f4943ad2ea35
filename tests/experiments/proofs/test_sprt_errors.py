"""Error rates and lengths of sequential tests, in the small form of experiments/proofs/sprt_errors.py."""

import pytest

from tunesmith.experiments.proofs.sprt_errors import errors_above, length_off, simulate, theory
from tunesmith.tuning.stats.likelihood import MODELS, Model
from tunesmith.tuning.stats.sprt import (
    Sprt,
)

WIDE = Sprt(0, 100)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("share", [0, 1])
def test_simulated_error_rates_and_lengths_are_kept(model: Model, share: float) -> None:
    test = Sprt(0, 60, model=model)
    for rates in simulate(test, 60 * share, tests=150, seed=1):
        assert errors_above(test, rates) < 3
        assert length_off(rates, theory(test, 60 * share).expected_games) < 0.1


def test_corrected_bounds_save_games() -> None:
    plain, corrected = simulate(WIDE, 50, tests=100, seed=2)
    assert corrected.mean_games < plain.mean_games


def test_a_simulated_test_depends_on_its_number_only() -> None:
    assert simulate(WIDE, 100, 20, seed=3) == simulate(WIDE, 100, 20, seed=3)
    first, longer = simulate(WIDE, 100, 10, seed=3)[0], simulate(WIDE, 100, 20, seed=3)[0]
    assert longer.passes >= first.passes
