"""How a posed fit is solved: equal bits, errors clustered by pair."""

import numpy as np
import pytest
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped,unused-ignore]

from tests.naive import texel as naive
from tests.support.simulated import as_naive, fit, positions
from tunesmith.tuning.fit.loss import derivatives

WEIGHTS = np.array([[120.0, -45.0, 0.0], [30.0, 80.0, -60.0]])


NOTHING = np.zeros_like(WEIGHTS)


SMALL = positions(WEIGHTS, 80, seed=9)


def test_equal_rows_give_equal_bits_for_any_number_of_threads() -> None:
    """A digest of the weights must not depend on the machine's cores."""
    rows = positions(WEIGHTS, 3000)
    found = []
    for threads in (1, 2, 2):
        with threadpool_limits(limits=threads):
            found.append(fit(rows, NOTHING, ridge=1e-4))
    assert len({one.weights.tobytes() + one.errors.tobytes() for one in found}) == 1


def test_errors_are_those_of_the_naive_twin() -> None:
    """Without ridge: inverse Hessian, sum over pairs, inverse Hessian."""
    found = fit(SMALL, NOTHING, ridge=0)
    by_pair = np.array(naive.gradients_by_pair(as_naive(SMALL), found.weights.tolist(), "cross-entropy"))
    inverse = np.linalg.inv(derivatives(SMALL, found.weights).hessian)
    n = len(by_pair)
    covariance = inverse @ (by_pair.T @ by_pair) @ inverse * n / (n - 1)
    assert found.covariance == pytest.approx(covariance, rel=1e-6)
    assert found.errors.ravel() == pytest.approx(np.sqrt(np.diag(covariance)), rel=1e-6)
    assert found.interval()[1] - found.interval()[0] == pytest.approx(2 * 1.959964 * found.errors, rel=1e-6)
