"""The fit against other solvers: a fair contest, in small."""

import os

import numpy as np
import pytest

from tunesmith.experiments.proofs import fit_speed


@pytest.mark.parametrize("nonzeros", [None, 5])
def test_every_contender_of_the_benchmark_finds_the_same_loss(nonzeros) -> None:  # type: ignore[no-untyped-def]
    """The comparison is fair: other people's solvers, started on our table, get as low as we do."""
    found = fit_speed.contest(3000, 12, nonzeros, seed=1)
    times, passes, reading = fit_speed.measure(found, patience=1000.0)
    reached = {row.name: row.gap for row in times}
    for name in ("tunesmith", "tunesmith, weights alone", "scikit-learn lbfgs", "scipy L-BFGS-B"):
        assert -1e-8 < reached[name] <= fit_speed.GAP
    assert passes > 0 and reading > 0
    assert fit_speed.weights_alone(found.rows).tobytes() == fit_speed.fitted(found.rows).tobytes()


def test_threads_give_the_same_weights_and_leave_the_environment_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.setattr(fit_speed, "ROUNDS", 1)
    monkeypatch.setattr("tunesmith.tuning.fit.sparse._PART", 1000)
    found = fit_speed.contest(3000, 12, 5, seed=1, counts=True)
    assert fit_speed.matrix_of(found.rows).dtype == np.float32
    one, two = fit_speed.threaded(found, 2)
    assert (one.threads, two.threads) == (1, 2) and min(*one, *two) > 0
    assert os.environ["OMP_NUM_THREADS"] == "7"
    monkeypatch.setattr(fit_speed, "fitted", lambda rows: np.array([float(os.environ["OMP_NUM_THREADS"])]))
    with pytest.raises(RuntimeError, match="the weights depend on the number of threads"):
        fit_speed.threaded(found, 2)
