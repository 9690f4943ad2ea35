"""Newton's method while sums stay below limits: where general solvers end, and which limits hold the place."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from tunesmith.games.errors import InputError
from tunesmith.tuning.fit import newton_constrained
from tunesmith.tuning.fit.newton import Function, Minimum, Point
from tunesmith.tuning.fit.newton_constrained import Limits, _longest, minimise_within


def bowl(hessian: np.ndarray, slope: np.ndarray) -> Function:
    return lambda x: Point(float(x @ hessian @ x / 2 - slope @ x), hessian @ x - slope, hessian)


def within(function: Function, limits: Limits, n: int, most: int = 50) -> Minimum:
    return minimise_within(function, np.zeros(n), limits, tolerance=1e-9, max_iterations=most)


def at_most(*sums: tuple[list[float], float]) -> Limits:
    """Return limits of sums: factors, and how large the sum may be."""
    return Limits(np.array([one for one, _ in sums]), np.array([limit for _, limit in sums]))


@given(seed=st.integers(0, 10**6), n=st.integers(1, 5), m=st.integers(0, 6))
@settings(max_examples=25)
def test_a_quadratic_ends_where_a_general_solver_does(seed: int, n: int, m: int) -> None:
    rng = np.random.default_rng(seed)
    half = rng.normal(size=(n + 2, n))
    function = bowl(half.T @ half + 0.5 * np.eye(n), 3 * rng.normal(size=n))
    limits = Limits(rng.normal(size=(m, n)), rng.uniform(0.1, 1, m))
    looked: list[np.ndarray] = []
    found = within(lambda x: looked.append(x) or function(x), limits, n)  # type: ignore[func-returns-value]
    assert min((limits.room(x).min(initial=0) for x in looked), default=0) > -1e-8  # not even on the way
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
    assert found.iterations == 1
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


def test_along_a_limit_a_quadratic_takes_one_step_and_no_more_are_needed() -> None:
    """x + y stays below 1; the bowl is askew, so the step to the limit tilts the way along it."""
    function, limits = (
        bowl(np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([9.0, 2.0])),
        at_most(([1.0, 1.0], 1.0)),
    )
    found = within(function, limits, 2, most=1)
    assert (
        found.place == pytest.approx([3.0, -2.0]) and found.iterations == 1
    )  # 2x + y - 9 = x + 3y - 2, y = 1 - x
    with pytest.raises(InputError, match="did not converge within its constraints"):
        within(function, limits, 2, most=0)
    assert within(bowl(np.eye(1), np.array([1e-9])), at_most(([1.0], 5.0)), 1, most=0).iterations == 0


def test_room_of_a_billionth_is_none() -> None:
    function = bowl(np.eye(1), np.array([3.0]))
    for room, place in ((1e-9, 0.0), (1.02e-9, 1.02e-9)):
        found = within(function, at_most(([1.0], room)), 1)
        assert found.place.tolist() == [place] and found.held == (0,)


@pytest.mark.parametrize("unit", [1e-12, 1.0, 1e12])
def test_neither_the_unit_of_the_value_nor_a_direction_in_which_nothing_bends_is_trouble(unit: float) -> None:
    """Only x - y matters: it is best at 3 and may be 2. Of three that lean on a limit two may be let go."""
    flat = bowl(unit * np.array([[1.0, -1.0], [-1.0, 1.0]]), unit * np.array([3.0, -3.0]))
    limits = at_most(([1.0, -1.0], 2.0), ([1.0, 0.0], 100.0), ([2.0, -2.0], 4.0))
    found = minimise_within(flat, np.zeros(2), limits, tolerance=1e-6 * unit, max_iterations=10)
    assert found.place[0] - found.place[1] == pytest.approx(2.0, abs=1e-5)
    both = at_most(([1.0, 1.0], 2.0), ([1.0, 0.0], 1.5))  # x may be 1.5, but is best at 1
    found = minimise_within(
        bowl(unit * np.eye(2), unit * np.array([3.0, 3.0])),
        np.zeros(2),
        both,
        tolerance=1e-6 * unit,
        max_iterations=9,
    )
    assert found.place == pytest.approx([1.0, 1.0]) and found.held == (0,)


def test_a_step_is_shortened_by_the_first_limit_that_it_would_cross() -> None:
    limits = np.array([[1.0, 0.0], [0.0, 0.5], [1.0, 1.0], [-1.0, 0.0]])
    room, step, none = np.array([1.0, 0.1, 5.0, 0.0]), np.array([2.0, 0.5]), np.zeros(0, dtype=np.int64)
    assert _longest(limits, room, step, none) == pytest.approx(0.4)
    assert _longest(limits, room, step, np.array([1])) == pytest.approx(0.5)
    assert _longest(limits, room, step / 10, none) == 1.0
    assert _longest(limits, room - 0.2, step, none) == 0.0  # it is over the second already


def test_no_place_beyond_a_limit_is_looked_at_even_if_the_limit_was_not_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The step to 3 is shortened to the limit at 2."""
    monkeypatch.setattr(newton_constrained, "_held", lambda *_: np.zeros(0, dtype=np.int64))
    looked, function = list[float](), bowl(np.eye(1), np.array([3.0]))
    with pytest.raises(InputError, match="did not converge within its constraints"):
        within(lambda x: looked.append(x[0]) or function(x), at_most(([1.0], 2.0)), 1, most=3)  # type: ignore[func-returns-value]
    assert max(looked) == 2.0


def test_a_limit_along_which_the_step_goes_is_not_in_its_way() -> None:
    """y may not grow, and the way is along x."""
    found = within(bowl(np.eye(2), np.array([3.0, 0.0])), at_most(([0.0, 1.0], 0.0), ([1.0, 0.0], 9.0)), 2)
    assert found.place == pytest.approx([3.0, 0.0]) and found.iterations == 1


def test_steps_that_go_too_far_are_halved() -> None:
    """sqrt(1 + (x - 5)^2): from 0 a whole step lands at 130."""
    looked: list[float] = []

    def function(x: np.ndarray) -> Point:
        looked.append(float(x[0]))
        root = np.sqrt(1 + (x - 5) ** 2)
        return Point(float(root.sum()), (x - 5) / root, np.diag(1 / root**3))

    assert within(function, at_most(([1.0], 1000.0)), 1).place == pytest.approx([5.0])
    assert looked[:5] == pytest.approx([0, 130, 65, 32.5, 16.25])
