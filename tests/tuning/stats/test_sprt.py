"""Sequential tests: decisions in order, corrected bounds, lengths."""

import json
import math
from dataclasses import FrozenInstanceError, asdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import statistics as naive
from tests.naive.formulas import elo_to_nelo
from tunesmith.games.errors import InputError
from tunesmith.tuning.stats.elo import bayeselo_outcome, drawelo_of_draw_rate, moments
from tunesmith.tuning.stats.likelihood import llr
from tunesmith.tuning.stats.sprt import (
    Sprt,
    bounds,
    ends_within,
    expected_length,
    in_order,
    mean_overshoots,
    pairs_to_resolve,
    resolvable,
    shown_gain,
    walk,
    worst_length,
)

results = st.lists(st.one_of(st.integers(0, 4), st.none()), max_size=60)
WIDE = Sprt(0, 100)


def one_by_one(
    test: Sprt, sequence: list[int | None], overshoot: bool = False
) -> tuple[int | None, str, list[float]]:
    """Judge after every single result, as if the rest did not exist yet."""
    counts, path = [0] * 5, []
    for read, result in enumerate(sequence, start=1):
        if result is not None:
            counts[result] += 1
        decision = test.decide(counts)
        path.append(decision.llr)
        below, above = naive.ladder(path) if overshoot else (0.0, 0.0)
        if decision.llr >= test.upper - above:
            return read, "H1", path
        if decision.llr <= test.lower + below:
            return read, "H0", path
        if test.max_pairs is not None and sum(counts) >= test.max_pairs:
            return read, "inconclusive", path
    return None, "continue", path


@given(results, st.booleans(), st.one_of(st.none(), st.integers(1, 40)))
def test_a_walk_is_a_decision_after_every_result(
    sequence: list[int | None], overshoot: bool, max_pairs: int | None
) -> None:
    test = Sprt(0, 150, max_pairs=max_pairs)
    stop, decision, path = one_by_one(test, sequence, overshoot)
    end = walk(test, sequence, overshoot=overshoot)
    assert (end.stop, end.decision.decision) == (stop, decision)
    assert end.path == pytest.approx(path, abs=1e-9)
    read = sequence[: len(path)]
    assert end.counts == tuple(read.count(cell) for cell in range(5))


@given(results, results)
def test_what_comes_after_the_stop_has_no_influence(first: list[int | None], later: list[int | None]) -> None:
    test = Sprt(0, 150)
    end = walk(test, first)
    if end.stop is not None:
        assert walk(test, first + later) == end
        assert walk(test, first[: end.stop]) == end
        assert walk(test, first[: end.stop - 1]).decision.decision == "continue"


def test_results_are_read_in_the_order_of_their_number() -> None:
    arrived = {3: 4, 0: 2, 1: None, 5: 0}
    assert in_order(arrived) == [2, None]
    assert in_order(arrived | {2: 1}) == [2, None, 1, 4]
    assert in_order(arrived, first=3) == [4]
    assert in_order({}) == []


def test_order_of_arrival_cannot_matter() -> None:
    rng = np.random.default_rng(1)
    numbered = dict(enumerate(rng.choice(5, 400, p=[0.05, 0.15, 0.4, 0.25, 0.15]).tolist()))
    shuffled = {int(k): numbered[int(k)] for k in rng.permutation(len(numbered))}
    assert walk(WIDE, in_order(shuffled)) == walk(WIDE, in_order(numbered))


def test_a_test_ends_for_h1_for_h0_or_at_its_limit() -> None:
    assert walk(WIDE, [4, 3] * 100).decision.decision == "H1"
    assert walk(WIDE, [0, 1] * 100).decision.decision == "H0"
    limited = walk(Sprt(0, 5, max_pairs=10), [2, 3, None, 1] * 100)
    assert (limited.stop, limited.decision.decision, sum(limited.counts)) == (13, "inconclusive", 10)
    assert walk(WIDE, [2]).decision.decision == "continue"
    assert walk(WIDE, []).stop is None
    assert walk(WIDE, [None, None]).counts == (0, 0, 0, 0, 0)


def test_a_limit_of_pairs_is_twice_as_many_games() -> None:
    test = Sprt(0, 5, model="bayesian", max_pairs=10)
    end = walk(test, [0, 1, 2, 1] * 20, cells=3)
    assert (end.stop, end.decision.decision) == (20, "inconclusive")
    assert test.decide((5, 10, 5)).decision == "inconclusive"
    assert test.decide((5, 9, 5)).decision == "continue"


@pytest.mark.parametrize("n", [(0, 0, 0, 0, 0), (0, 0, 0, 0, 1), (1, 0, 0, 0, 0), (0, 0, 1, 0, 0), (0, 0, 0)])
def test_nothing_is_decided_on_next_to_nothing(n: tuple[int, ...]) -> None:
    decision = Sprt().decide(n)
    assert decision.decision == "continue"
    assert abs(decision.llr) < 0.05
    assert json.loads(json.dumps(asdict(decision))) == asdict(decision)


def test_a_decision_shows_ratio_and_bounds() -> None:
    decision = Sprt(0, 2).decide((379, 10170, 21828, 10640, 343))
    assert decision.llr == llr((379, 10170, 21828, 10640, 343), 0, 2)
    assert (decision.lower, decision.upper) == bounds() == pytest.approx((-math.log(19), math.log(19)))
    assert decision.decision == "H1"


@given(st.floats(0.001, 0.4), st.floats(0.001, 0.4))
def test_bounds_mirror_each_other(alpha: float, beta: float) -> None:
    lower, upper = bounds(alpha, beta)
    assert lower < 0 < upper
    assert bounds(beta, alpha) == pytest.approx((-upper, -lower))


@given(st.lists(st.floats(-3, 3), min_size=1, max_size=50))
def test_mean_overshoots_are_those_of_the_ladder(path: list[float]) -> None:
    below, above = naive.ladder(path)
    up, down = mean_overshoots(np.array(path))
    assert (up[-1], down[-1]) == pytest.approx((below, above), abs=1e-9)


# Length


@given(st.floats(-50, 50), st.floats(0.5, 40), st.floats(-60, 60), st.floats(0.01, 0.3), st.floats(0.01, 0.3))
def test_passing_and_length_are_sensible(
    low: float, width: float, nelo: float, alpha: float, beta: float
) -> None:
    test = Sprt(low, low + width, alpha, beta)
    here = expected_length(test, nelo)
    assert 0 <= here.pass_probability <= 1
    assert 0 < here.expected_games <= worst_length(test).expected_games * 1.001
    assert here.pass_probability <= expected_length(test, nelo + 1).pass_probability + 1e-12
    assert expected_length(test, low).pass_probability == pytest.approx(alpha)
    assert expected_length(test, low + width).pass_probability == pytest.approx(1 - beta)


def test_length_is_smooth_at_the_middle() -> None:
    middle, near = expected_length(Sprt(), 2.5), expected_length(Sprt(), 2.5 + 1e-5)
    assert near.expected_games == pytest.approx(middle.expected_games, rel=1e-6)
    assert near.pass_probability == pytest.approx(middle.pass_probability, abs=1e-4)


@pytest.mark.parametrize("nelo", [-1000, 1000])
def test_length_far_away_is_finite(nelo: float) -> None:
    far = expected_length(Sprt(0, 5), nelo)
    assert far.pass_probability == pytest.approx(float(nelo > 0))
    assert 0 < far.expected_games < 100


def test_logistic_and_bayesian_lengths_are_those_of_normalised_bounds() -> None:
    drawelo = drawelo_of_draw_rate(0.6)
    sigma = math.sqrt(moments(bayeselo_outcome(0, drawelo)).variance)
    logistic = expected_length(Sprt(0, 2, model="logistic"), 1, drawelo)
    normalised = expected_length(Sprt(0, elo_to_nelo(2, sigma)), elo_to_nelo(1, sigma))
    assert logistic.expected_games == pytest.approx(normalised.expected_games, rel=1e-3)
    bayesian = expected_length(Sprt(0, 4, model="bayesian"), 4, drawelo)
    assert bayesian.pass_probability == pytest.approx(0.95, abs=1e-4)


# What a test with a limit can resolve


def test_a_limit_of_pairs_makes_a_test_miss_more_than_beta() -> None:
    """Bounds [0, 20], 1,000 pairs, a gain of 20: accepted in 68 to 70 % of played tests, undecided in 26 to 28 %."""
    ends = ends_within(Sprt(0, 20), 1000, 20)
    assert ends.accepted == pytest.approx(0.69, abs=0.015) and ends.undecided == pytest.approx(
        0.27, abs=0.015
    )
    free = ends_within(Sprt(0, 20), 100_000, 20)
    assert free.accepted == pytest.approx(0.95, abs=1e-4) and free.rejected == pytest.approx(0.05, abs=1e-4)


@given(st.floats(-30, 60), st.integers(1, 5000), st.sampled_from(["normalized", "logistic"]))
def test_the_ends_of_a_test_are_probabilities_that_sum_to_one(elo: float, pairs: int, model: str) -> None:
    ends = ends_within(Sprt(0, 20, model=model), pairs, elo, drawelo=100.0)  # type: ignore[arg-type]
    assert min(ends.accepted, ends.rejected, ends.undecided) >= 0
    assert ends.accepted + ends.rejected + ends.undecided == pytest.approx(1, abs=5e-3)


def test_what_a_limit_resolves_is_accepted_in_nine_of_ten_tests() -> None:
    test = Sprt(0, 20, max_pairs=1000)
    gain = resolvable(test, 1000)
    assert gain is not None and ends_within(test, 1000, gain).accepted == pytest.approx(0.9, abs=1e-3)
    assert resolvable(test, 200) > gain > 20
    assert resolvable(Sprt(0, 20), 1) is None
    assert resolvable(Sprt(0, 20, model="logistic"), 200, drawelo=0.0) > 20


def test_the_limit_that_a_gain_needs_accepts_it_in_nine_of_ten_tests() -> None:
    pairs = pairs_to_resolve(Sprt(0, 20))
    assert pairs is not None and ends_within(Sprt(0, 20), pairs, 20).accepted == pytest.approx(0.9, abs=1e-3)
    assert pairs_to_resolve(Sprt(0, 20, beta=0.2)) is None  # misses it in a fifth, whatever the limit


def test_a_fixed_match_shows_what_its_length_allows() -> None:
    """2.8 standard errors: 500 pairs show 31 normalised Elo in 80 % of matches."""
    assert shown_gain(500) == pytest.approx(30.78, abs=0.01)
    assert shown_gain(2000) == pytest.approx(shown_gain(500) / 2)


# Refusals


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Sprt(5, 0), "elo0 must be below elo1, found [5, 0]"),
        (lambda: Sprt(0, 0), "elo0 must be below elo1, found [0, 0]"),
        (lambda: Sprt(0, math.inf), "must lie within -1000 and 1000, found [0, inf]"),
        (lambda: Sprt(alpha=0), "positive with a sum below 1, found 0 and 0.05"),
        (lambda: Sprt(alpha=0.6, beta=0.5), "found 0.6 and 0.5"),
        (lambda: Sprt(model="elo"), "found 'elo'"),  # type: ignore[arg-type]
        (lambda: Sprt(max_pairs=0), "max_pairs must be at least 1, found 0"),
        (lambda: walk(Sprt(), [2, 5]), "from 0 (worst) to 4 or None, found 5"),
        (lambda: walk(Sprt(), [-1]), "found -1"),
        (lambda: walk(Sprt(), [3], cells=3), "from 0 (worst) to 2 or None, found 3"),
        (lambda: walk(Sprt(), [], cells=4), "3 cells (games) or 5 (pairs), found 4"),
        (lambda: expected_length(Sprt(model="logistic"), 0), "logistic bounds depends on drawelo"),
        (lambda: expected_length(Sprt(), 5000), "found [5000, 5000]"),
    ],
)
def test_wrong_input_is_refused_with_its_value(call: object, message: str) -> None:
    assert callable(call)
    with pytest.raises(InputError) as caught:
        call()
    assert message in str(caught.value)


def test_a_test_is_fixed() -> None:
    with pytest.raises(FrozenInstanceError):
        Sprt().elo1 = 3  # type: ignore[misc]


def test_a_test_that_names_nothing_is_that_of_the_field() -> None:
    assert (Sprt().elo0, Sprt().elo1, Sprt().alpha, Sprt().beta) == (0.0, 5.0, 0.05, 0.05)


def test_the_narrowest_and_the_shortest_test_are_still_tests() -> None:
    assert Sprt(0.0, 1e-6).elo1 == 1e-6
    assert Sprt(max_pairs=1).max_pairs == 1


@pytest.mark.parametrize(("alpha", "beta"), [(0.05, 0.0), (0.0, 0.05), (0.5, 0.5)])
def test_errors_that_leave_no_room_between_the_bounds_are_refused(alpha: float, beta: float) -> None:
    with pytest.raises(InputError, match="alpha and beta must be positive with a sum below 1"):
        bounds(alpha, beta)
