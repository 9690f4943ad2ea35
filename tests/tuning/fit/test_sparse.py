"""The fit of large tables finds the same optimum as Newton's method on every row, dense or sparse."""

import numpy as np
import pytest
from scipy import sparse

from tests.support.simulated import fit, table
from tunesmith.experiments.proofs import fit_speed
from tunesmith.games.errors import InputError
from tunesmith.tuning.fit.loss import expected_result
from tunesmith.tuning.fit.sparse import fit_large, large, loss_and_gradient

NOTHING = np.zeros(6)


def some(rows: int = 6000, columns: int = 6, seed: int = 2) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    matrix = (rng.poisson(0.4, (rows, columns)) - rng.poisson(0.4, (rows, columns))) * 10.0 ** rng.uniform(
        -2, 2, columns
    )
    weights = rng.normal(size=columns) * 80 / matrix.std(axis=0)
    return matrix, (rng.random(rows) < expected_result(matrix @ weights)) * 1.0


def test_the_optimum_is_that_of_newtons_method():
    matrix, labels = some()
    found = fit_large(large(matrix, labels), tolerance=1e-9)
    exact = fit(table(matrix, labels=labels), np.zeros((1, 6)), ridge=0)
    size = np.sqrt((matrix**2).mean(axis=0))
    assert found.weights * size == pytest.approx(exact.weights[0] * size, abs=1e-4)
    assert found.value == pytest.approx(exact.training.fit, abs=1e-12)


def test_slope_bounds_what_is_still_to_gain():
    matrix, labels = some(rows=30_000)
    best = fit_large(large(matrix, labels), tolerance=1e-9).value
    for tolerance in (1e-2, 1e-3, 1e-4):
        found = fit_large(large(matrix, labels), tolerance=tolerance)
        assert -1e-12 <= found.value - best <= 2 * max(found.slope, 1e-7) ** 2


def test_sparse_is_dense_without_the_zeros():
    matrix, labels = some()
    weight = np.random.default_rng(0).uniform(0.5, 2, len(labels))
    dense = fit_large(large(matrix, labels, weight), ridge=1e-3, tolerance=1e-9)
    thin = fit_large(large(sparse.csc_matrix(matrix), labels, weight), ridge=1e-3, tolerance=1e-9)
    assert thin.weights == pytest.approx(dense.weights, rel=1e-6)


def test_gradient_equals_differences_of_the_loss():
    matrix, labels = some(rows=200)
    rows, pull, place = large(matrix, labels), np.full(6, 1e-4), np.arange(6.0)
    _, gradient = loss_and_gradient(rows, pull, place)
    for at in range(6):
        step = np.eye(6)[at] * 1e-3
        slope = (
            loss_and_gradient(rows, pull, place + step)[0] - loss_and_gradient(rows, pull, place - step)[0]
        )
        assert gradient[at] == pytest.approx(slope / 2e-3, rel=1e-4, abs=1e-10)


def test_dependent_and_silent_columns_cost_nothing():
    """A sum of two columns and a column of zeros: the loss is that without them."""
    matrix, labels = some()
    more = np.column_stack([matrix, matrix[:, 0] + matrix[:, 1], np.zeros(len(labels))])
    plain, found = (
        fit_large(large(matrix, labels), tolerance=1e-8),
        fit_large(large(more, labels), tolerance=1e-8),
    )
    assert found.value == pytest.approx(plain.value, abs=1e-10)
    assert found.weights[-1] == 0 and np.isfinite(found.weights).all()


def test_results_that_a_feature_decides_are_refused_without_a_ridge_and_fitted_with_one():
    matrix, _ = some()
    decided = (matrix[:, 0] > 0) * 1.0 * (matrix[:, 0] != 0) + 0.5 * (matrix[:, 0] == 0)
    with pytest.raises(InputError, match="did not converge.*use a ridge"):
        fit_large(large(matrix[:, :1], decided), tolerance=1e-12, max_passes=8)
    assert np.isfinite(fit_large(large(matrix, decided), ridge=1e-3).weights).all()


def test_wrong_tables_are_refused():
    with pytest.raises(InputError, match="labels: expected a result from 0 to 1 for each of 3 rows"):
        large(np.zeros((3, 1)), np.array([0.0, 2.0, 1.0]))
    with pytest.raises(InputError, match="weight: expected a number from 0 up"):
        large(np.zeros((3, 1)), np.zeros(3), np.zeros(3))


@pytest.mark.parametrize("nonzeros", [None, 5])
def test_every_contender_of_the_benchmark_finds_the_same_loss(nonzeros):
    """The comparison is fair: other people's solvers, started on our table, get as low as we do."""
    found = fit_speed.contest(3000, 12, nonzeros, seed=1)
    times, passes, reading = fit_speed.measure(found, patience=60.0)
    reached = {row.name: row.gap for row in times}
    for name in ("tunesmith", "scikit-learn lbfgs", "scipy L-BFGS-B"):
        assert -1e-9 < reached[name] <= fit_speed.GAP
    assert passes > 0 and reading > 0
