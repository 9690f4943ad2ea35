"""Brownian motion between two walls: against a lattice walk, at its edges, and where two formulas meet."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tests.naive import statistics as naive
from tunesmith.tuning.stats.brownian import leave, leave_within, worse_outcome

A, B = -math.log(19), math.log(19)


@pytest.mark.parametrize("drift", [-0.4, -0.05, 0.0, 0.1, 0.6])
@pytest.mark.parametrize(("time", "at"), [(3.0, 0.5), (10.0, -1.5), (25.0, 2.0), (12.0, A), (12.0, B)])
def test_walls_absorb_as_on_a_lattice(drift: float, time: float, at: float) -> None:
    lattice = naive.worse_outcome(time, at, drift, 1.0, A, B)
    assert worse_outcome(time, at, drift, 1.0, A, B) == pytest.approx(lattice, abs=0.01)


@pytest.mark.parametrize("drift", [-0.3, 0.0, 0.4])
@pytest.mark.parametrize("at", [-0.2, 0.0, 0.3])
def test_both_methods_agree_where_they_meet(drift: float, at: float) -> None:
    time = 0.01 * (B - A) ** 2
    quick, slow = (worse_outcome(t, at, drift, 1.0, A, B) for t in (time * (1 - 1e-9), time * (1 + 1e-9)))
    assert quick == pytest.approx(slow, abs=1e-6)


@given(st.floats(-3, 3), st.floats(0.01, 100), st.floats(A, B))
def test_worse_is_a_probability_that_falls_with_drift(drift: float, time: float, at: float) -> None:
    here = worse_outcome(time, at, drift, 1.0, A, B)
    assert -1e-3 <= here <= 1 + 1e-3
    assert worse_outcome(time, at, drift + 0.1, 1.0, A, B) <= here + 1e-3
    assert worse_outcome(time, -at, -drift, 1.0, A, B) == pytest.approx(1 - here, abs=2e-3)


@pytest.mark.parametrize("drift", [-0.3, 0.0, 0.05, 0.5])
def test_with_much_time_the_walls_are_met_as_without_a_limit(drift: float) -> None:
    below, above = leave_within(1e4, drift, 1.0, A, B)
    assert above == pytest.approx(leave(drift, 1.0, A, B)[0], abs=1e-6)
    assert below + above == pytest.approx(1, abs=1e-6)


@given(st.floats(-1, 1), st.floats(0.01, 50))
def test_more_time_meets_a_wall_no_more_rarely(drift: float, time: float) -> None:
    less, more = leave_within(time, drift, 1.0, A, B), leave_within(2 * time, drift, 1.0, A, B)
    assert sum(less) <= 1 + 2e-3
    assert all(a <= b + 2e-3 for a, b in zip(less, more, strict=True))


@pytest.mark.parametrize("drift", [-0.7, 0.0, 0.2])
def test_end_and_mean_time_are_those_of_the_differential_equation(drift: float) -> None:
    """Walls that are not alike, and a variance that is not 1."""
    chance, time = naive.leave(drift, 2.5, -1.5, 4.0)
    assert leave(drift, 2.5, -1.5, 4.0) == pytest.approx((chance, time), rel=1e-4)
    assert leave_within(1e3, drift, 2.5, -1.5, 4.0)[1] == pytest.approx(chance, rel=1e-4)


@pytest.mark.parametrize("unit", [1e-3, 1e3])
@pytest.mark.parametrize("drift", [-2e-5, 1e-4, 0.3, 2.0])
def test_a_motion_is_the_same_in_every_unit(unit: float, drift: float) -> None:
    """In a unit of space, then in a unit of time; also where the walls are far apart for the time or the drift."""
    for time in (0.2, 0.8, 3.0):
        here = worse_outcome(time, 0.4, drift, 2.5, -1.5, 4.0)
        walls = (-1.5 * unit, 4.0 * unit)
        assert worse_outcome(time, 0.4 * unit, drift * unit, 2.5 * unit**2, *walls) == pytest.approx(
            here, abs=1e-11
        )
        assert worse_outcome(time / unit, 0.4, drift * unit, 2.5 * unit, -1.5, 4.0) == pytest.approx(
            here, abs=1e-11
        )
    chance, mean = leave(drift, 2.5, -1.5, 4.0)
    assert leave(drift * unit, 2.5 * unit**2, *walls) == pytest.approx((chance, mean), rel=1e-9)
    assert leave(drift * unit, 2.5 * unit, -1.5, 4.0) == pytest.approx((chance, mean / unit), rel=1e-9)


@pytest.mark.parametrize("drift", [0.5, 3.0, 6.0, 60.0])
def test_one_wall_is_met_at_times_of_the_inverse_normal_distribution(drift: float) -> None:
    """The other wall is so far that it is never met."""
    times = stats.invgauss(2.5 / (drift * 1.5), scale=1.5**2 / 2.5)
    for time in (times.ppf(0.01), times.mean(), times.ppf(0.99)):
        assert leave_within(time, drift, 2.5, -60.0, 1.5)[1] == pytest.approx(times.cdf(time), abs=1e-9)


def test_between_far_walls_the_drift_alone_says_where_and_when() -> None:
    assert leave(0.9, 1.0, -500.0, 500.0) == pytest.approx((1.0, 500 / 0.9))
    assert leave(-0.9, 1.0, -500.0, 500.0) == pytest.approx((0.0, 500 / 0.9))


def test_a_strong_drift_is_no_trouble_however_late_it_is() -> None:
    """The near wall is met at times of the inverse normal distribution, for good in exp(2 drift wall); then far one."""
    drift, time, near, far = 6.0, 1.2, 0.5, 10.0
    below, above = leave_within(time, drift, 1.0, -near, far)
    assert below == pytest.approx(math.exp(-2 * drift * near), rel=1e-6)
    assert above == pytest.approx(stats.invgauss(1 / (drift * far), scale=far**2).cdf(time), abs=below)
