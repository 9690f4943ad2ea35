"""Brownian motion between two walls: against a lattice walk, at its edges, and where two formulas meet."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
