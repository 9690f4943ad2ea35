"""Likelihood ratios against a general optimiser, and by their invariants."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.naive import statistics as naive
from tests.naive.formulas import game_outcome, llr_approximate, llr_cutechess, llr_direct
from tunesmith.games.errors import InputError
from tunesmith.tuning.stats.elo import (
    bayeselo_to_elo,
    elo_to_bayeselo,
    fit_bayeselo,
    moments,
    normalized_elo,
    pair_outcome,
)
from tunesmith.tuning.stats.likelihood import MODELS, Model, llr, llrs, single_games

cell = st.integers(0, 400)
threes = st.tuples(cell, cell, cell)
fives = st.tuples(cell, cell, cell, cell, cell)
counts = st.one_of(threes, fives)
bound = st.floats(-60, 60)

EXTREMES = [
    (0, 0, 0),
    (0, 0, 1),
    (0, 1, 0),
    (0, 0, 4250),
    (4250, 0, 0),
    (0, 0, 0, 0, 0),
    (0, 0, 0, 0, 1),
    (0, 0, 1, 0, 0),
    (0, 0, 100000, 0, 0),
    (0, 0, 0, 0, 100000),
    (100000, 1, 0, 0, 1),
    (0, 1, 0, 0, 50),
]


@settings(max_examples=25)
@given(st.one_of(st.tuples(*[st.integers(1, 400)] * 3), st.tuples(*[st.integers(1, 400)] * 5)), bound, bound)
@pytest.mark.parametrize("model", ["normalized", "logistic"])
def test_ratio_is_that_of_a_general_optimiser(
    model: Model, n: tuple[int, ...], low: float, high: float
) -> None:
    assert llr(n, low, high, model) == pytest.approx(naive.llr(n, low, high, model), rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("model", ["normalized", "logistic"])
@pytest.mark.parametrize("n", [(0, 30, 5), (0, 0, 9, 4, 0), (0, 3, 0, 0, 4), (10, 20, 40, 25, 15)])
def test_ratio_with_empty_cells_is_that_of_a_general_optimiser(model: Model, n: tuple[int, ...]) -> None:
    assert llr(n, -5, 20, model) == pytest.approx(naive.llr(n, -5, 20, model), rel=1e-3, abs=1e-3)


@given(counts, bound, bound)
@pytest.mark.parametrize("model", ["normalized", "logistic"])
def test_the_other_player_sees_the_mirror_image(
    model: Model, n: tuple[int, ...], low: float, high: float
) -> None:
    assert llr(n[::-1], -high, -low, model) == pytest.approx(-llr(n, low, high, model), rel=1e-7, abs=1e-7)


@given(threes, bound, bound)
def test_the_mirror_image_of_bayesian_ratios(n: tuple[int, ...], low: float, high: float) -> None:
    for ratio in (lambda *x: llr(*x, model="bayesian"), llr_direct, llr_cutechess):
        assert ratio(n[::-1], -high, -low) == pytest.approx(-ratio(n, low, high), rel=1e-7, abs=1e-7)


@given(counts, bound, bound, bound)
@pytest.mark.parametrize("model", ["normalized", "logistic"])
def test_ratios_of_three_hypotheses_agree(
    model: Model, n: tuple[int, ...], a: float, b: float, c: float
) -> None:
    through = llr(n, a, b, model) + llr(n, b, c, model)
    assert llr(n, a, c, model) == pytest.approx(through, rel=1e-7, abs=1e-7)
    assert llr(n, a, a, model) == 0


@given(counts, st.integers(2, 50), st.floats(-30, 30), st.floats(1, 30))
def test_ratio_grows_with_the_number_of_equal_results(
    n: tuple[int, ...], times: int, low: float, width: float
) -> None:
    n = tuple(c + 1 for c in n)
    many = tuple(c * times for c in n)
    assert llr(many, low, low + width) == pytest.approx(times * llr(n, low, low + width), rel=1e-7, abs=1e-9)


@given(counts, st.floats(-30, 30), st.floats(1, 30))
@pytest.mark.parametrize("model", ["normalized", "logistic"])
def test_no_hypothesis_is_likelier_than_the_sample_itself(
    model: Model, n: tuple[int, ...], low: float, width: float
) -> None:
    n = tuple(c + 1 for c in n)
    # with the sample's own value as one hypothesis, the other one can only lose
    seen = normalized_elo(n) if model == "normalized" else _elo(n)
    if abs(seen) < 900:
        assert llr(n, low, seen, model) >= -1e-9
        assert llr(n, seen, low + width, model) <= 1e-9


def _elo(n: tuple[int, ...]) -> float:
    points = sum(i * c for i, c in enumerate(n)) / (len(n) - 1)
    return 400 * math.log10(points / (sum(n) - points))


@given(st.lists(fives, min_size=1, max_size=8), bound, bound)
@pytest.mark.parametrize("model", ["normalized", "logistic"])
def test_many_rows_are_as_single_ones(
    model: Model, rows: list[tuple[int, ...]], low: float, high: float
) -> None:
    one_by_one = [llr(row, low, high, model) for row in rows]
    assert llrs(rows, low, high, model) == pytest.approx(one_by_one, rel=1e-8, abs=1e-8)


@given(st.lists(threes, min_size=1, max_size=8), bound, bound)
@pytest.mark.parametrize("model", MODELS)
def test_many_rows_of_games(model: Model, rows: list[tuple[int, ...]], low: float, high: float) -> None:
    one_by_one = [llr(row, low, high, model) for row in rows]
    assert llrs(rows, low, high, model) == pytest.approx(one_by_one, rel=1e-8, abs=1e-8)


@pytest.mark.parametrize("n", EXTREMES)
@pytest.mark.parametrize(("low", "high"), [(0, 5), (-300, 300), (-1000, 1000), (500, 501)])
@pytest.mark.parametrize("model", MODELS)
def test_ratio_is_finite_at_the_extremes(model: Model, n: tuple[int, ...], low: float, high: float) -> None:
    value = llr(n, low, high, model)
    assert math.isfinite(value)
    assert llrs([n], low, high, model)[0] == pytest.approx(value, rel=1e-6, abs=1e-9)
    if low == -1000 and sum(n) > 100 and n != n[::-1]:
        assert (value > 0) == (sum(i * c for i, c in enumerate(n)) > sum(n) * (len(n) - 1) / 2)


@given(st.lists(fives, min_size=1, max_size=8), st.integers(0, 7))
@pytest.mark.parametrize("model", ["normalized", "logistic"])
def test_a_row_does_not_depend_on_its_neighbours(
    model: Model, rows: list[tuple[int, ...]], place: int
) -> None:
    place = min(place, len(rows) - 1)
    assert llrs(rows, 0, 40, model)[place] == llrs([rows[place]], 0, 40, model)[0]


def test_no_rows_no_ratios() -> None:
    assert llrs(np.zeros((0, 5)), 0, 5).shape == (0,)


@pytest.mark.parametrize("model", ["normalized", "logistic"])
def test_closed_form_is_near_for_near_bounds(model: Model) -> None:
    n = (871, 26175, 55983, 26678, 821)
    assert llr_approximate(n, 0, 2, model) == pytest.approx(llr(n, 0, 2, model), rel=1e-3)
    assert llr_approximate((1, 2, 1), 0, 2, model) == pytest.approx(llr((1, 2, 1), 0, 2, model), rel=1e-4)


def test_bayesian_bounds_are_logistic_ones_at_the_drawelo_of_the_sample() -> None:
    n = (21484, 41111, 21629)
    _, drawelo = fit_bayeselo(n)
    low, high = (bayeselo_to_elo(b, drawelo) for b in (0.5, 2.5))
    assert llr(n, 0.5, 2.5, "bayesian") == pytest.approx(llr(n, low, high, "logistic"))
    assert llr_direct(n, 0.5, 2.5) == pytest.approx(llr(n, 0.5, 2.5, "bayesian"), rel=1e-5)


def test_bayesian_bounds_on_pairs_are_those_on_games_where_openings_are_balanced() -> None:
    pairs = pair_outcome(7, 200)
    assert single_games(pairs) == pytest.approx(game_outcome(7, 200))
    assert fit_bayeselo(single_games(pairs)) == pytest.approx((7, 200))
    of_pairs = llr([3000 * p for p in pairs], 0, 10, "bayesian")
    assert of_pairs == pytest.approx(
        llr([6000 * p for p in game_outcome(7, 200)], 0, 10, "bayesian"), rel=1e-3
    )


@given(fives, bound, bound)
def test_the_mirror_image_of_bayesian_ratios_of_pairs(n: tuple[int, ...], low: float, high: float) -> None:
    assert llr(n[::-1], -high, -low, "bayesian") == pytest.approx(
        -llr(n, low, high, "bayesian"), rel=1e-7, abs=1e-7
    )


@given(st.lists(st.integers(0, 50), min_size=5, max_size=5).filter(any))
def test_single_games_vary_and_score_as_their_pairs(n: list[int]) -> None:
    """Where such games exist at all; shares are never negative."""
    shares = [count / sum(n) for count in n]
    loss, draw, win = single_games(shares)
    assert min(loss, draw, win) >= 0 and loss + draw + win == pytest.approx(1, abs=1e-4)
    if min(loss, draw, win) > 1e-4:
        facts, games = moments(n), moments((loss, draw, win))
        assert games.score == pytest.approx(facts.score) and games.variance == pytest.approx(
            2 * facts.variance
        )


def test_unequal_openings_make_pairs_tell_more_than_their_games() -> None:
    bayeselo = elo_to_bayeselo(10, 200, [300])
    pairs = [1000 * p for p in pair_outcome(bayeselo, 200, [300])]
    loss = pairs[0] + pairs[1] / 2
    win = pairs[4] + pairs[3] / 2
    # of the middle cell, the share of won and lost games does not change the score
    games = [2 * loss + 200, 2000 - 2 * loss - 2 * win - 400, 2 * win + 200]
    assert llr(pairs, 0, 10, "logistic") > 1.2 * llr(games, 0, 10, "logistic")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: llr((1, 2), 0, 5), "found [1, 2]"),
        (lambda: llr((1, 2, 3), 0, 5, "elo"), "one of normalized, logistic, bayesian, found 'elo'"),  # type: ignore[arg-type]
        (lambda: llr((1, 2, 3), 0, 2000), "bounds must lie within -1000 and 1000, found [0, 2000]"),
        (lambda: llr((1, 2, 3), math.nan, 5), "found [nan, 5]"),
        (lambda: llrs([[1, 2]], 0, 5), "found an array of shape (1, 2)"),
        (lambda: llrs([[1, 2, -3]], 0, 5), "finite and not negative"),
        (lambda: llr_approximate((1, 2, 3), 0, 5, "bayesian"), "the bayesian model has no closed form here"),
        (lambda: llr_direct((1, 2, 3, 4, 5), 0, 5), "BayesElo needs 3 counts"),
    ],
)
def test_wrong_input_is_refused_with_its_value(call: object, message: str) -> None:
    assert callable(call)
    with pytest.raises(InputError) as caught:
        call()
    assert message in str(caught.value)


@pytest.mark.parametrize("model", ["normalized", "logistic"])
def test_an_empty_cell_counts_as_a_thousandth(model: Model) -> None:
    """As in fishtest, fastchess and OpenBench, whose figures these are."""
    assert llr((0, 3, 0, 0, 4), 0, 10, model) == llr((0.001, 3, 0.001, 0.001, 4), 0, 10, model)
