"""How sure a fit is: clustered by pair, with the ridge as the prior, and by the data alone."""

import numpy as np
import pytest

from tests.naive import texel as naive
from tests.support.simulated import as_naive, fit, positions, table
from tunesmith.tuning.fit.loss import derivatives

WEIGHTS = np.array([[120.0, -45.0, 0.0], [30.0, 80.0, -60.0]])
NOTHING = np.zeros_like(WEIGHTS)
SMALL = positions(WEIGHTS, 80, seed=9)


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


def test_without_a_ridge_the_data_alone_say_what_the_fit_says() -> None:
    found = fit(SMALL, NOTHING, ridge=0)
    assert found.data_errors == pytest.approx(found.errors, rel=1e-9)
    assert found.data.weights == pytest.approx(found.weights, abs=1e-6)


def test_the_data_alone_are_those_of_the_naive_twin_at_the_solution() -> None:
    """Whatever the ridge: the information of the rows, the sum over pairs, and one Newton step without ridge."""
    found = fit(SMALL, NOTHING, ridge=0.1)
    by_pair = np.array(naive.gradients_by_pair(as_naive(SMALL), found.weights.tolist(), "cross-entropy"))
    at = derivatives(SMALL, found.weights)
    inverse = np.linalg.inv(at.hessian)
    n = len(by_pair)
    covariance = inverse @ (by_pair.T @ by_pair) @ inverse * n / (n - 1)
    assert found.data.covariance == pytest.approx(covariance, rel=1e-6)
    assert found.data.weights.ravel() == pytest.approx(
        found.weights.ravel() - inverse @ at.gradient, abs=1e-6
    )


def test_a_ridge_makes_the_posterior_surer_and_not_the_data() -> None:
    """The prior adds what it claims to know; the data only speak of another place, nearer to even."""
    weak, strong = fit(SMALL, NOTHING, ridge=1e-6), fit(SMALL, NOTHING, ridge=0.3)
    assert (strong.errors < 0.7 * weak.errors).all()
    assert (strong.data_errors > 0.8 * weak.data_errors).all()
    assert (
        np.abs(strong.data.weights - weak.weights).max() < 0.5 * np.abs(strong.weights - weak.weights).max()
    )


def test_what_no_row_speaks_about_has_an_infinite_error_by_the_data_alone() -> None:
    """Two columns that are nearly one: only the ridge parts them, and the first weight stands apart."""
    rng = np.random.default_rng(5)
    own, other = rng.normal(size=(2, 600))
    rows = table(
        np.column_stack([own, other, other + 4e-3 * rng.normal(size=600)]),
        labels=rng.integers(0, 2, 600) * 1.0,
    )
    found = fit(rows, np.zeros((1, 3)), ridge=0.01)
    assert found.status.tolist() == [["fitted"] * 3]
    assert np.isfinite(found.errors).all()
    assert np.isfinite(found.data_errors[0, 0])
    assert np.isinf(found.data_errors[0, 1:]).all()


def test_a_weight_that_is_not_fitted_has_no_error_by_data() -> None:
    rows = table(np.column_stack([np.ones(50), np.zeros(50)]), labels=np.arange(50) % 2 * 1.0)
    found = fit(rows, np.zeros((1, 2)), ridge=0.01)
    assert np.isnan(found.data_errors[0, 1])
