"""How sure a fit is: clustered by pair, with the ridge as the prior, and by the data alone."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from tests.naive import texel as naive
from tests.support.simulated import as_naive, fit, positions, table
from tunesmith.tuning.fit.loss import derivatives
from tunesmith.tuning.fit.rows import Rows
from tunesmith.tuning.fit.sparse import Sparse
from tunesmith.tuning.fit.uncertainty import DataAlone, _data_alone

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


@pytest.mark.parametrize("is_sparse", [False, True])
def test_the_posterior_is_the_sandwich_with_the_ridge_as_one_more_observation(is_sparse: bool) -> None:
    """A^-1 (M + L / n) A^-1 in logits of usual effect, n = trace(A - L) / trace(M), for rows of different weight."""
    full = positions(np.array([[90.0, -50.0, 20.0]]), 60)
    full = replace(full, stages=None, weight=np.resize([0.5, 1.0, 2.0], full.n))
    rows = full if not is_sparse else replace(full, features=Sparse(sparse.csr_matrix(full.features)))
    ridge = 0.2
    found = fit(rows, np.zeros((1, 3)), ridge=ridge)
    by_pair = np.array(naive.gradients_by_pair(as_naive(full), found.weights.tolist(), "cross-entropy"))
    mean_square = full.weight @ full.features**2 / full.weight.sum()  # type: ignore[operator]
    elo = 400 / np.log(10) / np.sqrt(mean_square)  # of a weight, for a logit of usual effect
    share = full.weight @ (full.features != 0) / full.weight.sum()
    pull = np.diag(ridge / share)
    noise = elo[:, None] * (by_pair.T @ by_pair * 60 / 59) * elo
    told = elo[:, None] * derivatives(full, found.weights).hessian * elo
    n = np.trace(told) / np.trace(noise)
    inverse = np.linalg.inv(told + pull)
    exact = 1e-7 if is_sparse else 1e-9  # the curvature of sparse rows is that of a place nearby
    assert found.n_effective == pytest.approx(n, rel=exact)
    expected = elo[:, None] * (inverse @ (noise + pull / n) @ inverse) * elo
    assert found.covariance == pytest.approx(expected, rel=exact)


@pytest.mark.parametrize("is_sparse", [False, True])
def test_two_pairs_tell_how_far_apart_they_are_and_one_tells_nothing(is_sparse: bool) -> None:
    """A weight that is in each pair once, won in the one and lost in the other: M = 2 * (1/2 * 1/2)^2 * 2 / 1."""
    matrix = np.ones((2, 1))
    features = Sparse(sparse.csr_matrix(matrix)) if is_sparse else matrix
    rows = Rows(features, None, np.array([1.0, 0.0]), np.ones(2), np.array([4, 9]))
    found = fit(rows, np.zeros((1, 1)), ridge=1e-3, min_rows=1, keep_near_labels=True)
    assert found.n_effective == pytest.approx(1 / 4 / (2 * (1 / 4) ** 2 * 2))
    alone = fit(
        replace(rows, group=np.array([4, 4])), np.zeros((1, 1)), ridge=1e-3, min_rows=1, keep_near_labels=True
    )
    assert np.isnan(alone.n_effective) and np.isnan(alone.covariance).all()


def test_a_direction_with_an_error_beyond_2400_elo_is_one_of_which_the_rows_say_nothing() -> None:
    """In Elo of usual effect, by as many rows as the data are worth."""
    elo, n = 400 / np.log(10), 100.0
    rates = (elo / np.array([2300.0, 2500.0])) ** 2 / n
    told = _data_alone(np.zeros((1, 2)), elo * np.eye(2), np.diag(rates), np.diag(rates / n), np.zeros(2), n)
    assert told.errors == pytest.approx(np.array([[2300.0, np.inf]]))
    assert np.abs(told.silent).ravel().tolist() == pytest.approx([0.0, elo])


def test_a_weight_that_a_silent_direction_hardly_touches_has_its_own_error() -> None:
    """A thousandth of the direction is no part of it; the smallest part that is left counts."""
    for part, is_known in ((0.9e-3, True), (1.02e-3, False)):
        axes = np.array([[np.sqrt(1 - part**2), -part], [part, np.sqrt(1 - part**2)]])
        told = axes @ np.diag([1.0, 1e-12]) @ axes.T
        found = _data_alone(np.zeros((1, 2)), np.eye(2), told, told / 100, np.zeros(2), 100.0)
        assert np.isfinite(found.errors).tolist() == [[is_known, False]]
    given = DataAlone(np.zeros((1, 3)), np.diag([4.0, 9.0, 0.0]), np.array([[0.0], [0.01], [0.0]]))
    assert given.errors.tolist() == [[2.0, np.inf, 0.0]]


def test_where_nothing_can_move_nothing_is_unsure() -> None:
    found = fit(SMALL, WEIGHTS, ridge=1e-3, fixed=np.ones(WEIGHTS.shape, dtype=bool))
    assert (found.covariance == 0).all() and (found.data.covariance == 0).all()
    assert found.data.silent.shape == (6, 0) and np.isnan(found.n_effective)
