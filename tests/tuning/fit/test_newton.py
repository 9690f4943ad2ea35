"""Newton's method within bounds: known minima, flat places, and giving up."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import lsq_linear

from tunesmith.games.errors import InputError
from tunesmith.tuning.fit.newton import Function, Minimum, Point, halved, minimise, newton_step

FAR = np.full(2, np.inf)


def run(
    function: Function, start: np.ndarray, lower: np.ndarray, upper: np.ndarray, limit: int = 50
) -> Minimum:
    return minimise(function, start, lower, upper, tolerance=1e-9, max_iterations=limit)


@given(seed=st.integers(0, 10**6), n=st.integers(1, 6))
@settings(max_examples=40)
def test_quadratic_in_a_box_ends_where_bounded_least_squares_does(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    root, target = rng.normal(size=(n + 2, n)), rng.normal(size=n + 2)
    lower, upper = -rng.uniform(0, 1, n), rng.uniform(0, 1, n)

    def function(x: np.ndarray) -> Point:
        miss = root @ x - target
        return Point(float(miss @ miss) / 2, root.T @ miss, root.T @ root)

    found = run(function, np.zeros(n), lower, upper)
    assert found.place == pytest.approx(lsq_linear(root, target, (lower, upper), tol=1e-12).x, abs=1e-6)
    assert (lower <= found.place).all() and (found.place <= upper).all()
    at_bound = (found.place == lower) | (found.place == upper)
    assert (found.free | at_bound).all()


def test_full_steps_that_go_too_far_are_halved() -> None:
    """sqrt(1 + x^2): from 5 a whole Newton step lands at -125."""

    def function(x: np.ndarray) -> Point:
        root = np.sqrt(1 + x**2)
        return Point(float(root.sum()), x / root, np.diag(1 / root**3))

    assert run(function, np.array([5.0, -3.0]), -FAR, FAR).place == pytest.approx([0, 0], abs=1e-8)


def test_direction_without_curvature_stays_where_it_is() -> None:
    """A quantity that the function does not depend on keeps its start."""

    def function(x: np.ndarray) -> Point:
        return Point(float((x[0] - 2) ** 2), np.array([2 * (x[0] - 2), 0.0]), np.diag([2.0, 0.0]))

    assert run(function, np.array([0.0, 7.0]), -FAR, FAR).place == pytest.approx([2, 7], abs=1e-6)


def test_start_outside_the_bounds_is_moved_in() -> None:
    def function(x: np.ndarray) -> Point:
        return Point(float(x @ x), 2 * x, 2 * np.eye(2))

    found = run(function, np.array([9.0, -9.0]), np.array([1.0, -5.0]), np.array([2.0, 5.0]))
    assert found.place == pytest.approx([1, 0], abs=1e-12)


def test_gradient_that_lies_and_too_few_iterations_are_errors() -> None:
    def uphill(x: np.ndarray) -> Point:
        return Point(float(-x @ x), 2 * x, 2 * np.eye(2))

    with pytest.raises(
        InputError,
        match="did not converge: after 0 iterations the largest scaled gradient is 2, expected at most 1e-09",
    ):
        run(uphill, np.ones(2), -FAR, FAR)

    def slow(x: np.ndarray) -> Point:
        return Point(float((x**4).sum()), 4 * x**3, np.diag(12 * x**2))

    with pytest.raises(InputError, match="after 3 iterations"):
        run(slow, np.ones(2), -FAR, FAR, limit=3)


def test_a_function_that_does_not_fall_as_its_gradient_says_is_left_at_once() -> None:
    with pytest.raises(InputError, match="after 0 iterations"):
        run(lambda x: Point(0.0, np.ones(2), np.eye(2)), np.zeros(2), -FAR, FAR)


def test_a_fall_that_rounding_hides_stops_no_step() -> None:
    """Beside a million a fall of 1e-12 cannot be seen."""

    def function(x: np.ndarray) -> Point:
        return Point(1e6 + float(x @ x), 2 * x, 2 * np.eye(2))

    assert run(function, np.array([1e-6, 0.0]), -FAR, FAR).place == pytest.approx([0, 0], abs=1e-9)


def test_a_flat_direction_is_damped_in_parts_of_the_mean_curvature() -> None:
    """Of two numbers the mean is 1, of four it is 2; and without any curvature the step is downhill."""
    two = newton_step(np.diag([2.0, 0.0]), np.array([0.0, 1.0]))
    four = newton_step(np.diag([8.0, 0.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0, 0.0]))
    assert two[1] == pytest.approx(2 * four[1]) and two[1] < -1e6
    assert newton_step(-np.eye(2), np.array([3.0, -1.0])).tolist() == [-3.0, 1.0]


def test_a_step_uphill_may_not_raise_the_value_and_without_bounds_goes_all_the_way() -> None:
    here = Point(0.0, np.array([1.0]), np.eye(1))
    for value, is_taken in ((0.0, True), (3e-6, False)):
        found = halved(lambda x, value=value: Point(value, x, np.eye(1)), np.zeros(1), here, np.ones(1))  # type: ignore[misc]
        assert (found is not None) == is_taken
        assert found is None or found[0].tolist() == [1.0]
