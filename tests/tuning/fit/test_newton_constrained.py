"""Newton's method while sums stay below limits: where general solvers end, and which limits hold the place."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from tunesmith.games.errors import InputError
from tunesmith.tuning.fit.newton import Function, Point
from tunesmith.tuning.fit.newton_constrained import Limits, minimise_within


def bowl(hessian: np.ndarray, slope: np.ndarray) -> Function:
    return lambda x: Point(float(x @ hessian @ x / 2 - slope @ x), hessian @ x - slope, hessian)


def within(function: Function, limits: Limits, n: int):  # type: ignore[no-untyped-def]
    return minimise_within(function, np.zeros(n), limits, tolerance=1e-9, max_iterations=50)


@given(seed=st.integers(0, 10**6), n=st.integers(1, 5), m=st.integers(0, 6))
@settings(max_examples=25)
def test_a_quadratic_ends_where_a_general_solver_does(seed: int, n: int, m: int) -> None:
    rng = np.random.default_rng(seed)
    half = rng.normal(size=(n + 2, n))
    function = bowl(half.T @ half + 0.5 * np.eye(n), 3 * rng.normal(size=n))
    limits = Limits(rng.normal(size=(m, n)), rng.uniform(0.1, 1, m))
    found = within(function, limits, n)
    held = [{"type": "ineq", "fun": lambda x, at=at: limits.room(x)[at]} for at in range(m)]
    other = minimize(
        lambda x: function(x).value, np.zeros(n), jac=lambda x: function(x).gradient, method="SLSQP",
        constraints=held, options={"ftol": 1e-14, "maxiter": 500},
    )  # fmt: skip
    assert (limits.room(found.place) >= -1e-8).all()
    assert found.point.value <= other.fun + 1e-6
    assert found.point.value == pytest.approx(other.fun, abs=1e-4)


def test_the_limit_that_is_in_the_way_is_named_and_its_direction_is_not_free() -> None:
    """The lowest point is at (3, 1); x + y may be 2 at most, x 100."""
    limits = Limits(np.array([[1.0, 1.0], [1.0, 0.0]]), np.array([2.0, 100.0]))
    found = within(bowl(np.eye(2), np.array([3.0, 1.0])), limits, 2)
    assert found.place == pytest.approx([2.0, 0.0])
    assert found.held == (0,)
    assert found.directions.shape == (2, 1)
    assert np.array([1.0, 1.0]) @ found.directions[:, 0] == pytest.approx(0.0, abs=1e-12)


def test_limits_that_say_the_same_are_no_trouble() -> None:
    limits = Limits(np.array([[1.0], [1.0], [2.0]]), np.array([2.0, 2.0, 4.0]))
    assert within(bowl(np.eye(1), np.array([9.0])), limits, 1).place == pytest.approx([2.0])


def test_room_is_how_far_a_sum_may_grow() -> None:
    limits = Limits(np.array([[1.0, -1.0], [0.0, 2.0]]), np.array([0.0, 3.0]))
    assert limits.room(np.array([1.0, 4.0])).tolist() == [3.0, -5.0]


def test_a_slope_that_lies_is_an_error() -> None:
    def lies(x: np.ndarray) -> Point:
        return Point(float(x @ x), -2 * x - 1, np.eye(1))

    limits = Limits(np.array([[1.0]]), np.array([1e9]))
    with pytest.raises(
        InputError, match="did not converge within its constraints: the largest scaled gradient"
    ):
        within(lies, limits, 1)
