"""Estimates after a sequential test: walls against a lattice walk, invariants, and that they remove the bias."""

import json
import math
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.naive.formulas import nelo_to_bayeselo
from tunesmith.games.errors import InputError
from tunesmith.tuning.stats.elo import (
    Z95,
    bayeselo_to_elo,
    estimate,
    fit_bayeselo,
    furthest_elo,
    moments,
    pair_outcome,
    score_to_elo,
    spread,
)
from tunesmith.tuning.stats.likelihood import single_games
from tunesmith.tuning.stats.sprt import Sprt, walk
from tunesmith.tuning.stats.stopped_test import estimate_stopped

A, B = -math.log(19), math.log(19)
cell = st.integers(0, 60)
counts = st.one_of(st.tuples(cell, cell, cell), st.tuples(cell, cell, cell, cell, cell))


@given(counts, st.floats(-20, 20), st.floats(1, 50))
def test_every_estimate_is_finite_and_contains_its_elo(n: tuple[int, ...], low: float, width: float) -> None:
    result = estimate_stopped(Sprt(low, low + width), n)
    assert json.loads(json.dumps(asdict(result), allow_nan=False)) == asdict(result)
    assert result.elo_low <= result.elo + 1e-6 and result.elo <= result.elo_high + 1e-6
    assert 0 <= result.los <= 1


@given(counts, st.sampled_from(["normalized", "logistic"]))
def test_far_from_the_walls_it_is_the_plain_estimate(n: tuple[int, ...], model: str) -> None:
    test = Sprt(0, 0.5, model=model)  # type: ignore[arg-type]
    result, plain = estimate_stopped(test, n), estimate(n)
    assume(abs(result.llr) < 0.3 and result.games < 300)
    assert result.elo == pytest.approx(plain.elo, abs=1e-3)
    facts, limit = moments(n), furthest_elo(result.games)
    reach = Z95 * math.sqrt(spread(n) / (facts.units or 1))
    for found, score in ((result.elo_low, facts.score - reach), (result.elo_high, facts.score + reach)):
        end = score_to_elo(min(max(score, 1e-9), 1 - 1e-9))
        assert found == pytest.approx(min(max(end, -limit), limit), abs=0.1)


@given(counts)
def test_the_other_player_sees_the_mirror_image(n: tuple[int, ...]) -> None:
    ours, theirs = estimate_stopped(Sprt(-5, 15), n), estimate_stopped(Sprt(-15, 5), n[::-1])
    assume(not ours.is_clamped)
    assert theirs.elo == pytest.approx(-ours.elo, abs=0.05)
    assert (theirs.elo_low, theirs.elo_high) == pytest.approx((-ours.elo_high, -ours.elo_low), abs=0.3)
    assert theirs.los == pytest.approx(1 - ours.los, abs=2e-3)


def test_bayesian_bounds_are_taken_at_the_drawelo_of_the_sample() -> None:
    bayesian = estimate_stopped(Sprt(0, 4, model="bayesian"), (300, 500, 330))
    logistic = estimate_stopped(
        Sprt(0, bayeselo_to_elo(4, _drawelo(300, 500, 330)), model="logistic"), (300, 500, 330)
    )
    assert bayesian.elo == pytest.approx(logistic.elo)


def _drawelo(loss: int, draw: int, win: int) -> float:
    n = loss + draw + win
    return 200 * math.log10((n - loss) / loss * (n - win) / win)


def test_beyond_a_bound_it_goes_back_to_it() -> None:
    test = Sprt(0, 30)
    assert not estimate_stopped(test, (10, 20, 40, 25, 15)).is_clamped
    far = estimate_stopped(test, (10, 200, 400, 400, 100))
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
        result = estimate_stopped(test, n)
        plain_above += estimate(n).elo > true
        above += result.elo > true
        inside += result.elo_low <= true <= result.elo_high
    assert plain_above / tests > 0.6
    assert abs(above / tests - 0.5) < abs(plain_above / tests - 0.5)
    assert inside / tests > 0.88


@pytest.mark.parametrize("level", [0, 1, math.nan])
def test_a_level_lies_between_0_and_1(level: float) -> None:
    with pytest.raises(InputError, match=f"level must lie strictly between 0 and 1, found {level}"):
        estimate_stopped(Sprt(), (1, 2, 3), level)


@pytest.mark.parametrize(
    ("counts", "is_clamped"),
    [
        ((127, 635, 127), False),  # half way to the lower bound
        ((208, 1044, 261), False),  # 1.3 % beyond the upper bound
        ((10, 120, 40), True),  # 4.8 % beyond it
        ((36, 108, 10), True),  # 6.5 % beyond the lower one
        ((1, 1, 0), True),  # within both, but the interval reaches what so few games can show
    ],
)
def test_what_lies_well_beyond_a_bound_or_out_of_reach_is_clamped(
    counts: tuple[int, ...], is_clamped: bool
) -> None:
    assert estimate_stopped(Sprt(0, 20), counts).is_clamped is is_clamped


def test_a_test_is_taken_back_to_the_bound_it_has_crossed() -> None:
    """With shares as they are, the games beyond the bound say nothing more: as if it had stopped on it."""
    test, counts = Sprt(0, 20), (208, 1044, 261)
    beyond = estimate_stopped(test, counts)
    there = estimate_stopped(test, [n * test.upper / beyond.llr for n in counts])
    assert beyond.elo == pytest.approx(there.elo, abs=1e-6)
    assert beyond.elo_low == pytest.approx(there.elo_low, abs=1e-6)


@pytest.mark.parametrize("counts", [(300, 500, 330), (0, 40, 30), (20, 40, 60, 50, 30)])
def test_bayesian_bounds_are_those_of_logistic_elo_at_the_drawelo_of_the_sample(
    counts: tuple[int, ...],
) -> None:
    shares = [(n or 0.001) / sum(n or 0.001 for n in counts) for n in counts]
    _, drawelo = fit_bayeselo(single_games(shares))
    low, high = (bayeselo_to_elo(bound, drawelo) for bound in (0.0, 20.0))
    found = estimate_stopped(Sprt(0, 20, model="bayesian"), counts)
    expected = estimate_stopped(Sprt(low, high, model="logistic"), counts)
    assert (found.elo, found.llr) == pytest.approx((expected.elo, expected.llr), rel=1e-6)


def test_los_is_the_probability_that_the_better_one_is_better() -> None:
    """Of a test that stands where it began nothing is known."""
    assert estimate_stopped(Sprt(-10, 10), (100, 300, 100)).los == pytest.approx(0.5, abs=1e-9)
