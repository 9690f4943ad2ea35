"""L-BFGS that begins with the curvature of a part of the data."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import cho_factor
from scipy.optimize import minimize
from scipy.special import expit

from tunesmith.tuning.fit.lbfgs import _direction, descend


def bowl(seed: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    half = rng.normal(size=(n + 2, n))
    return half.T @ half + 0.1 * np.eye(n), rng.normal(size=n)


@given(seed=st.integers(0, 10**6), n=st.integers(1, 8))
@settings(max_examples=25)
def test_a_quadratic_ends_where_the_equations_say(seed: int, n: int) -> None:
    hessian, slope = bowl(seed, n)
    found = descend(
        lambda x: (x @ hessian @ x / 2 - slope @ x, hessian @ x - slope),
        np.zeros(n), cho_factor(hessian + np.eye(n)), 1e-6, 500,
    )  # fmt: skip
    assert found.is_found and found.slope <= 1e-6
    assert found.place == pytest.approx(np.linalg.solve(hessian, slope), abs=1e-5)


def test_the_whole_curvature_needs_two_passes_and_a_worse_one_more() -> None:
    hessian, slope = bowl(1, 6)

    def run(guess: np.ndarray) -> int:
        def value(x: np.ndarray) -> tuple[float, np.ndarray]:
            return float(x @ hessian @ x / 2 - slope @ x), hessian @ x - slope

        return descend(value, np.zeros(6), cho_factor(guess), 1e-8, 500).passes

    assert run(hessian) == 2 < run(np.eye(6) * np.trace(hessian))


def logistic(x: np.ndarray) -> tuple[float, np.ndarray]:
    """Value and slope of a convex function that is no quadratic."""
    rows = np.array([[1.0, 2.0], [-1.0, 0.5], [0.3, -2.0], [2.0, 1.0]])
    z = rows @ x
    return float(np.logaddexp(0, z).sum() + 0.05 * x @ x), rows.T @ (expit(z)) + 0.1 * x


def test_the_smallest_value_is_that_of_scipy() -> None:
    other = minimize(logistic, np.ones(2), jac=True, method="BFGS", options={"gtol": 1e-10})
    found = descend(logistic, np.ones(2), cho_factor(np.eye(2)), 1e-9, 500)
    assert found.is_found and found.place == pytest.approx(other.x, abs=1e-6)
    assert found.value == pytest.approx(other.fun, rel=1e-12)


def test_too_few_passes_are_told_and_never_lead_uphill() -> None:
    for passes in (1, 2, 4):
        found = descend(logistic, np.ones(2), cho_factor(np.eye(2)), 1e-12, passes)
        assert not found.is_found and found.passes == passes
        assert found.value <= logistic(np.ones(2))[0]


def test_a_step_that_is_a_million_times_too_long_is_halved_until_it_pays() -> None:
    found = descend(logistic, np.ones(2), cho_factor(1e-6 * np.eye(2)), 1e-3, 100)
    right = descend(logistic, np.ones(2), cho_factor(np.eye(2)), 1e-9, 500)
    assert found.is_found and found.value == pytest.approx(right.value, rel=1e-6)


def test_what_is_known_is_not_asked_again_and_the_step_ahead_is_nearer() -> None:
    right = descend(logistic, np.ones(2), cho_factor(np.eye(2)), 1e-9, 500)
    start = np.ones(2)
    told = descend(logistic, start, cho_factor(np.eye(2)), 1e-9, 500, known=logistic(start))
    assert told.passes == right.passes - 1 and (told.place == right.place).all()
    assert (told.gradient == logistic(told.place)[1]).all()
    near = descend(logistic, start, cho_factor(np.eye(2)), 1e-2, 500)
    assert 0 < np.abs(near.ahead - right.place).max() < np.abs(near.place - right.place).max()
    again = descend(logistic, start, cho_factor(np.eye(2)), 1e-9, 500, pairs=right.pairs)
    assert again.passes < right.passes and again.place == pytest.approx(right.place, abs=1e-8)


def test_a_direction_obeys_the_secant_equation() -> None:
    """What the last step changed in the slope leads back along that step, whatever the curvature was thought to be."""
    hessian, _ = bowl(3, 4)
    steps = list(np.random.default_rng(3).normal(size=(3, 4)))
    pairs = [(step, hessian @ step) for step in steps]
    for some in (pairs[:1], pairs):
        assert _direction(some[-1][1], some, cho_factor(7 * np.eye(4))) == pytest.approx(-some[-1][0])
