"""Scores, Elo and error bars: against slow twins, at the edges, and by their invariants."""

import json
import math
from dataclasses import asdict
from itertools import product
from statistics import NormalDist

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import binomtest

from tests.naive import statistics as naive
from tests.naive.formulas import (
    bayeselo_to_nelo,
    dirichlet_score,
    elo_to_nelo,
    game_outcome,
    nelo_to_bayeselo,
    nelo_to_elo,
    student_half_width,
    variance_ratio,
)
from tunesmith.experiments.proofs import few_pairs
from tunesmith.games.errors import InputError
from tunesmith.tuning.stats.elo import (
    Z95,
    Moments,
    bayeselo_outcome,
    bayeselo_to_elo,
    check_counts,
    draw_rate,
    drawelo_of_draw_rate,
    elo_to_bayeselo,
    elo_to_score,
    equality,
    estimate,
    fit_bayeselo,
    furthest_elo,
    games_needed,
    games_of,
    judge,
    moments,
    nelo_half_width,
    normal_cdf,
    normalized_elo,
    pair_outcome,
    points,
    score_interval,
    score_to_elo,
    score_to_nelo,
    sigma_per_game,
    spread,
)

cell = st.integers(0, 60)
threes = st.tuples(cell, cell, cell)
fives = st.tuples(cell, cell, cell, cell, cell)
counts = st.one_of(threes, fives)


def is_finite(result: object) -> bool:
    """Tell whether all numbers of a result survive JSON."""
    return json.loads(json.dumps(result, allow_nan=False)) == result


@given(counts)
def test_moments_are_those_of_the_spelled_out_results(n: tuple[int, ...]) -> None:
    assume(sum(n))
    facts = moments(n)
    assert facts.units == sum(n)
    assert facts.score == pytest.approx(float(naive.score(n)), abs=1e-14)
    assert facts.variance == pytest.approx(float(naive.variance(n)), abs=1e-14)
    assert facts.score * games_of(n) == pytest.approx(points(n))


@given(counts)
def test_every_estimate_is_finite_and_contains_its_elo(n: tuple[int, ...]) -> None:
    result = estimate(n)
    assert is_finite(asdict(result))
    assert result.elo_low <= result.elo <= result.elo_high
    assert 0 <= result.los <= 1
    if sum(n) - max(n) >= 60 and not (equality(n) or 0) > 0.05:
        assert result.nelo_half_width == pytest.approx(680.9612 / math.sqrt(games_of(n)), rel=1e-6)


@given(counts)
def test_the_other_player_sees_the_mirror_image(n: tuple[int, ...]) -> None:
    ours, theirs = estimate(n), estimate(n[::-1])
    assert theirs.score == pytest.approx(1 - ours.score)
    assert theirs.elo == pytest.approx(-ours.elo, abs=1e-9)
    assert (theirs.elo_low, theirs.elo_high) == pytest.approx((-ours.elo_high, -ours.elo_low), abs=1e-9)
    assert theirs.nelo == pytest.approx(-ours.nelo, abs=1e-9)
    assert theirs.los == pytest.approx(1 - ours.los, abs=1e-9)


@given(fives, st.integers(0, 30))
def test_pairs_and_their_games_have_one_score(pairs: tuple[int, ...], drawn: int) -> None:
    ll, ld, middle, wd, ww = pairs
    dd = min(drawn, middle)
    games = (2 * ll + ld + middle - dd, ld + 2 * dd + wd, 2 * ww + wd + middle - dd)
    assert games_of(games) == games_of(pairs)
    assert points(games) == points(pairs)
    assert estimate(games).elo == pytest.approx(estimate(pairs).elo, abs=1e-9)


@given(counts, st.integers(0, 3))
def test_a_better_result_has_more_elo(n: tuple[int, ...], place: int) -> None:
    place = min(place, len(n) - 2)
    assume(n[place])
    better = list(n)
    better[place] -= 1
    better[place + 1] += 1
    assert estimate(better).elo > estimate(n).elo


@given(fives)
def test_independent_games_make_pairs_of_half_the_variance(weights: tuple[int, ...]) -> None:
    loss, draw, win, *_ = (w + 1 for w in weights)
    total = loss + draw + win
    game = (loss / total, draw / total, win / total)
    pair = naive.pair_outcome(*game, second=game)
    assert 2 * moments(pair).variance == pytest.approx(moments(game).variance)
    assert normalized_elo(pair) == pytest.approx(normalized_elo(game), abs=1e-9)


@pytest.mark.parametrize("n", [(0, 0, 0), (0, 0, 0, 0, 0)])
def test_without_games_everything_is_possible(n: tuple[int, ...]) -> None:
    result = estimate(n)
    assert (result.games, result.score, result.elo, result.nelo, result.los) == (0, 0.5, 0, 0, 0.5)
    assert (result.elo_low, result.elo_high) == pytest.approx((-1199.826, 1199.826), abs=1e-3)
    assert result.is_clamped
    assert games_needed(n) is None


@pytest.mark.parametrize("games", [1, 2, 10, 200])
def test_all_won_and_all_lost_are_mirror_images_within_reach(games: int) -> None:
    won, lost = estimate((0, 0, games)), estimate((games, 0, 0))
    assert won.score == 1 and lost.score == 0
    assert (won.elo, -lost.elo) == pytest.approx((furthest_elo(games), furthest_elo(games)))
    assert won.elo == pytest.approx(score_to_elo(1 - 0.25 / games))
    assert won.elo_low < won.elo < won.elo_high
    assert won.los == pytest.approx(1 - lost.los)
    assert won.is_clamped and lost.is_clamped


def test_more_wins_of_wins_show_more() -> None:
    rows = [estimate((0, 0, 0, 0, n)) for n in (1, 2, 5, 20, 100)]
    assert [row.elo_low for row in rows] == sorted(row.elo_low for row in rows)
    assert [row.los for row in rows] == sorted(row.los for row in rows)
    assert rows[0].elo_low < 0 < rows[3].elo_low
    assert 0.8 < rows[0].los < 0.95


def test_all_drawn_is_level_with_an_interval() -> None:
    result = estimate((0, 0, 100, 0, 0))
    assert (result.score, result.elo, result.nelo, result.los) == (0.5, 0, 0, 0.5)
    assert result.elo_half_width == pytest.approx(11.69, abs=0.01)
    assert result.is_clamped
    assert estimate((0, 0, 1, 0, 0)).elo_half_width > 300


def test_evidence_against_equality_does_not_narrow_the_interval() -> None:
    """40 drawn pairs gave ± 18.5, and 39 with one that was won ± 8.4."""
    for decided in range(8):
        rows = [estimate((0, 0, 40 - decided - more, decided + more, 0)) for more in (0, 1)]
        assert rows[0].elo_half_width < rows[1].elo_half_width


@pytest.mark.parametrize(
    "shares", [(0.18, 0.07, 0.5, 0.07, 0.18), (0.3, 0.05, 0.3, 0.05, 0.3), (0.5, 0, 0, 0, 0.5)]
)
def test_equal_players_are_rarely_called_stronger_from_the_first_pair_on(shares: tuple[float, ...]) -> None:
    for pairs in (1, 2, 3, 4, 5, 6, 8, 10):
        found = few_pairs.row(pairs, [("equals", shares)], matches=0, seed=0)
        assert found.false_claims <= 0.05


@given(fives)
def test_equality_is_the_share_of_mirrored_matches_that_are_as_far_apart(n: tuple[int, ...]) -> None:
    n = tuple(min(c, 3) for c in n)
    lead = abs(sum(c * d for c, d in zip(n, (-2, -1, 0, 1, 2), strict=True)))
    steps = [2] * (n[0] + n[4]) + [1] * (n[1] + n[3])
    signs = list(product((-1, 1), repeat=len(steps)))
    assert equality(n) == sum(
        abs(sum(s * d for s, d in zip(row, steps, strict=True))) >= lead for row in signs
    ) / len(signs)


def test_a_lead_that_equals_may_well_have_is_not_shown() -> None:
    """The normal interval of 15 pairs won and 5 lost leaves out zero; 20 throws of a coin come out so in 4 %."""
    assert judged(5, 0, 0, 0, 15) == "stronger" and judged(6, 0, 0, 0, 14) == "not shown"
    assert judged(0, 0, 0, 0, 5) == "not shown" and judged(6, 0, 0, 0, 0) == "weaker"
    assert equality((500, 0, 0, 0, 501)) is None
    assert equality((499, 0, 0, 0, 501)) == pytest.approx(binomtest(501, 1000).pvalue)


def test_the_interval_holds_equality_where_equals_may_well_have_it() -> None:
    """60 pairs of 100 won: the normal interval ends above 1/2, but 6 % of such matches of equals are as far apart."""
    low, high = score_interval((40, 0, 0, 0, 60))
    assert low == 0.5 and high == pytest.approx(0.698, abs=0.001)
    assert score_interval((60, 0, 0, 0, 40)) == pytest.approx((1 - high, 1 - low))
    assert score_interval((40, 0, 0, 0, 60), 0.9)[0] > 0.51


def test_a_claim_takes_an_interval_beyond_zero() -> None:
    assert [judge(*ends) for ends in ((0.1, 9.0), (-9.0, -0.1))] == ["stronger", "weaker"]
    assert {judge(*ends) for ends in ((0.0, 9.0), (-9.0, 0.0), (-0.1, 0.1), (0.0, 0.0))} == {"not shown"}
    found = estimate((10, 20, 40, 25, 15))
    assert score_interval((10, 20, 40, 25, 15)) == score_interval((10, 20, 40, 25, 15), found.level)


def judged(*n: int) -> str:
    found = estimate(n)
    return judge(found.elo_low, found.elo_high)


def test_one_lost_point_is_less_than_none() -> None:
    assert estimate((0, 0, 0, 1, 99)).elo < estimate((0, 0, 0, 0, 100)).elo
    assert not estimate((10, 20, 40, 25, 15)).is_clamped
    assert estimate((0, 0, 3, 0, 20)).is_clamped and estimate((20, 0, 3, 0, 0)).is_clamped


def test_half_width_shrinks_with_games_and_grows_with_level() -> None:
    n = (10, 20, 40, 25, 15)
    assert estimate([4 * c for c in n]).elo_half_width == pytest.approx(
        estimate(n).elo_half_width / 2, rel=0.02
    )
    assert estimate(n, 0.99).elo_half_width > estimate(n, 0.95).elo_half_width


def test_student_is_wider_than_normal_and_meets_it() -> None:
    n = (10, 20, 40, 30, 10)
    assert student_half_width(n) > estimate(n).elo_half_width
    many = [1000 * c for c in n]
    assert student_half_width(many) == pytest.approx(estimate(many).elo_half_width, rel=0.01)


def test_games_needed_would_show_the_seen_difference() -> None:
    n = (10, 20, 40, 25, 15)
    games = games_needed(n, power=0.5)
    assert games is not None and games % 2 == 0
    factor = games / games_of(n)
    assert estimate([c * factor for c in n]).los == pytest.approx(0.975, abs=0.002)
    assert games_needed(n, power=0.8) == pytest.approx(games * (1.95996 + 0.84162) ** 2 / 1.95996**2, abs=4)
    assert games_needed((15, 25, 40, 20, 10)) == games_needed(n)


def test_games_needed_has_a_floor_and_may_not_exist() -> None:
    assert games_needed((0, 0, 0, 0, 3)) == 24
    assert games_needed((0, 0, 0, 1, 99)) == 16
    assert games_needed((5, 20, 5)) is None
    # so little power at so low a level takes one pair, however small the difference
    assert games_needed((100, 200, 400, 201, 100), level=0.1, power=0.01) == 2


@given(st.floats(-900, 900), st.floats(0.05, 0.5))
def test_scales_and_back(elo: float, sigma: float) -> None:
    assert score_to_elo(elo_to_score(elo)) == pytest.approx(elo, abs=1e-8)
    assert elo_to_score(elo) == pytest.approx(1 / (1 + 10 ** (-elo / 400)), abs=1e-15)
    assert nelo_to_elo(elo_to_nelo(elo, sigma), sigma) == pytest.approx(elo, abs=1e-8)


@given(st.floats(-300, 300), st.floats(0, 600), st.lists(st.floats(-300, 300), min_size=1, max_size=3))
def test_bayeselo_and_back(bayeselo: float, drawelo: float, biases: list[float]) -> None:
    assert elo_to_bayeselo(bayeselo_to_elo(bayeselo, drawelo, biases), drawelo, biases) == pytest.approx(
        bayeselo, abs=1e-6
    )


@given(st.floats(-100, 100), st.floats(0, 600))
def test_bayeselo_of_nelo_and_of_frequencies(bayeselo: float, drawelo: float) -> None:
    assert nelo_to_bayeselo(bayeselo_to_nelo(bayeselo, drawelo), drawelo) == pytest.approx(bayeselo, abs=1e-6)
    fitted = fit_bayeselo(bayeselo_outcome(bayeselo, drawelo))
    assert fitted == pytest.approx((bayeselo, drawelo), abs=1e-6)


@given(st.floats(-300, 300), st.floats(0, 600), st.floats(-400, 400))
def test_pairs_are_two_games_with_sides_swapped(bayeselo: float, drawelo: float, bias: float) -> None:
    first, second = (bayeselo_outcome(bayeselo, drawelo, b) for b in (bias, -bias))
    pair = pair_outcome(bayeselo, drawelo, [bias])
    assert pair == pytest.approx(naive.pair_outcome(*first, second=second))
    assert sum(pair) == pytest.approx(1)
    assert moments(pair).score == pytest.approx(moments(game_outcome(bayeselo, drawelo, [bias])).score)


def test_biased_openings_make_pairs_steadier_than_games() -> None:
    pairs, games = pair_outcome(0, 200, [300]), game_outcome(0, 200, [300])
    assert variance_ratio(pairs, games) < 0.6
    assert variance_ratio(pair_outcome(0, 200), game_outcome(0, 200)) == pytest.approx(1)


def test_openings_favour_nobody_unless_a_bias_is_given() -> None:
    assert pair_outcome(80, 200) == pair_outcome(80, 200, [0.0])
    assert bayeselo_to_elo(80, 200) == bayeselo_to_elo(80, 200, [0.0])
    assert elo_to_bayeselo(60, 200) == elo_to_bayeselo(60, 200, [0.0])


def test_draw_rates() -> None:
    assert draw_rate((1, 2, 1)) == 0.5
    assert draw_rate((1, 2, 5, 1, 1)) == 0.5
    assert drawelo_of_draw_rate(0) == 0
    assert draw_rate((0, 0, 0)) == 0
    assert bayeselo_outcome(0, drawelo_of_draw_rate(0.3))[1] == pytest.approx(0.3)


def test_counts_keep_their_kind() -> None:
    assert check_counts([1.0, 2, 0.5]) == (1, 2, 0.5)
    assert json.dumps(estimate([1.0, 2.0, 1.0]).games) == "4"
    assert spread((0, 4, 0)) == pytest.approx((0.5 * 0.25 * 2) / 5.5)
    assert sigma_per_game((1, 0, 1)) == 0.5


def test_dirichlet_score_is_reproducible_and_signed_for_the_first_player() -> None:
    assert dirichlet_score((0, 0, 0, 0, 5)) == dirichlet_score((0, 0, 0, 0, 5))
    assert dirichlet_score((0, 0, 0, 0, 5))[0] == pytest.approx(-dirichlet_score((5, 0, 0, 0, 0))[0])
    assert dirichlet_score((0, 0, 20, 0, 0))[1] < dirichlet_score((0, 0, 1, 0, 0))[1]


def test_normal_tails() -> None:
    assert normal_cdf(-40) == pytest.approx(3.655893540915029e-350, abs=1e-300)
    assert normal_cdf(1.959963985) == pytest.approx(0.975)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: estimate((1, 2)), "3 counts (L D W) or 5 (LL LD DD+WL WD WW), found [1, 2]"),
        (lambda: estimate((1, -2, 3)), "not negative, found [1, -2, 3]"),
        (lambda: estimate((1, math.nan, 3)), "finite and not negative, found [1, nan, 3]"),
        (lambda: estimate(("a", 1, 2)), "counts must be numbers, found ('a', 1, 2)"),  # type: ignore[arg-type]
        (lambda: estimate((1, 2, 3), level=1), "level must lie strictly between 0 and 1, found 1"),
        (lambda: games_needed((1, 2, 3), power=0), "power must lie strictly between 0 and 1, found 0"),
        (lambda: student_half_width((0, 0, 1)), "needs two games or pairs, found [0, 0, 1]"),
        (lambda: score_to_elo(0.0), "strictly between 0 and 1 has an Elo, found 0.0"),
        (lambda: score_to_elo(1.0), "strictly between 0 and 1 has an Elo, found 1.0"),
        (lambda: score_to_nelo(0.6, 0), "standard deviation of a game must be positive, found 0"),
        (lambda: variance_ratio((1, 2, 3, 4, 5), (0, 3, 0)), "the games show no spread, found [0, 3, 0]"),
        (lambda: bayeselo_outcome(0, -1), "drawelo must not be negative, found -1"),
        (lambda: pair_outcome(0, 200, []), "at least one opening bias"),
        (lambda: fit_bayeselo((0, 3, 4)), "needs a win and a loss, found L D W = [0, 3, 4]"),
        (lambda: fit_bayeselo((3, 4, 0)), "needs a win and a loss, found L D W = [3, 4, 0]"),
        (lambda: fit_bayeselo((1e20, 0, 0.5)), "needs a win and a loss"),  # half a game of so many is none
        (lambda: fit_bayeselo((0.5, 0, 1e20)), "needs a win and a loss"),
        (lambda: fit_bayeselo((1, 2, 3, 4, 5)), "BayesElo needs 3 counts of single games"),
        (lambda: drawelo_of_draw_rate(1), "a draw rate lies in [0, 1), found 1"),
        (lambda: elo_to_bayeselo(5000, 200), "Elo 5000 is out of reach"),
        (lambda: elo_to_bayeselo(bayeselo_to_elo(-1000, 200) - 0.5, 200), "is out of reach"),
        (lambda: nelo_to_bayeselo(math.nan, 200), "nelo nan is out of reach"),
        (lambda: dirichlet_score((1, 2, 3)), "expected 5 counts of pairs, found [1, 2, 3]"),
    ],
)
def test_wrong_input_is_refused_with_its_value(call: object, message: str) -> None:
    assert callable(call)
    with pytest.raises(InputError) as caught:
        call()
    assert message in str(caught.value)


def test_games_show_normalised_elo_to_681_by_their_root() -> None:
    """The rule of thumb of the field, at 95 %; without games nothing is known, and the score is even."""
    assert nelo_half_width(100) == pytest.approx(68.1, abs=0.01)
    assert nelo_half_width(400) == pytest.approx(34.05, abs=0.01)
    assert NormalDist().inv_cdf(0.975) == pytest.approx(Z95, abs=1e-12)
    assert moments((0, 0, 0)) == moments((0, 0, 0, 0, 0)) == Moments(0, 0.5, 0.0)
