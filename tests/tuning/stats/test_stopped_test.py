"""Estimates after a sequential test: walls against a lattice walk, invariants, and that they remove the bias."""

import json
import math
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.naive import statistics as naive
from tests.naive.formulas import nelo_to_bayeselo
from tunesmith.games.errors import InputError
from tunesmith.tuning.stats.elo import bayeselo_to_elo, estimate, pair_outcome
from tunesmith.tuning.stats.sprt import Sprt, walk
from tunesmith.tuning.stats.stopped_test import after_test, worse_outcome

A, B = -math.log(19), math.log(19)
cell = st.integers(0, 60)
counts = st.one_of(st.tuples(cell, cell, cell), st.tuples(cell, cell, cell, cell, cell))


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


@given(counts, st.floats(-20, 20), st.floats(1, 50))
def test_every_estimate_is_finite_and_contains_its_elo(n: tuple[int, ...], low: float, width: float) -> None:
    result = after_test(Sprt(low, low + width), n)
    assert json.loads(json.dumps(asdict(result), allow_nan=False)) == asdict(result)
    assert result.elo_low <= result.elo + 1e-6 and result.elo <= result.elo_high + 1e-6
    assert 0 <= result.los <= 1


@given(counts, st.sampled_from(["normalized", "logistic"]))
def test_far_from_the_walls_it_is_the_plain_estimate(n: tuple[int, ...], model: str) -> None:
    test = Sprt(0, 0.5, model=model)  # type: ignore[arg-type]
    result, plain = after_test(test, n), estimate(n)
    assume(abs(result.llr) < 0.3 and result.games < 300)
    assert result.elo == pytest.approx(plain.elo, abs=1e-3)
    assert (result.elo_low, result.elo_high) == pytest.approx((plain.elo_low, plain.elo_high), abs=0.1)


@given(counts)
def test_the_other_player_sees_the_mirror_image(n: tuple[int, ...]) -> None:
    ours, theirs = after_test(Sprt(-5, 15), n), after_test(Sprt(-15, 5), n[::-1])
    assume(not ours.is_clamped)
    assert theirs.elo == pytest.approx(-ours.elo, abs=0.05)
    assert (theirs.elo_low, theirs.elo_high) == pytest.approx((-ours.elo_high, -ours.elo_low), abs=0.3)
    assert theirs.los == pytest.approx(1 - ours.los, abs=2e-3)


def test_bayesian_bounds_are_taken_at_the_drawelo_of_the_sample() -> None:
    bayesian = after_test(Sprt(0, 4, model="bayesian"), (300, 500, 330))
    logistic = after_test(
        Sprt(0, bayeselo_to_elo(4, _drawelo(300, 500, 330)), model="logistic"), (300, 500, 330)
    )
    assert bayesian.elo == pytest.approx(logistic.elo)


def _drawelo(loss: int, draw: int, win: int) -> float:
    n = loss + draw + win
    return 200 * math.log10((n - loss) / loss * (n - win) / win)


def test_beyond_a_bound_it_goes_back_to_it() -> None:
    test = Sprt(0, 30)
    assert not after_test(test, (10, 20, 40, 25, 15)).is_clamped
    far = after_test(test, (10, 200, 400, 400, 100))
    assert far.is_clamped and far.llr > 1.03 * test.upper


def test_it_takes_away_the_bias_of_stopping() -> None:
    """At H1 the plain estimate of a stopped test is too high: its median, and this one's is right."""
    test, nelo = Sprt(0, 100), 100.0
    bayeselo = nelo_to_bayeselo(nelo, 200)
    steps, true = np.cumsum(pair_outcome(bayeselo, 200))[:-1], bayeselo_to_elo(bayeselo, 200)
    plain_above = above = inside = 0
    tests = 150
    for number in range(tests):
        results = np.searchsorted(
            steps, np.random.default_rng([5, number]).random(1000), side="right"
        ).tolist()
        n = walk(test, results).counts
        result = after_test(test, n)
        plain_above += estimate(n).elo > true
        above += result.elo > true
        inside += result.elo_low <= true <= result.elo_high
    assert plain_above / tests > 0.6
    assert abs(above / tests - 0.5) < abs(plain_above / tests - 0.5)
    assert inside / tests > 0.88


@pytest.mark.parametrize("level", [0, 1, math.nan])
def test_a_level_lies_between_0_and_1(level: float) -> None:
    with pytest.raises(InputError, match=f"level must lie strictly between 0 and 1, found {level}"):
        after_test(Sprt(), (1, 2, 3), level)
