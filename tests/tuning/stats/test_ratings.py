"""Ratings: against a general optimiser and published figures, finite at the extremes, honest intervals, circles."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.naive import ratings as naive
from tests.naive.formulas import from_points, pair_counts
from tunesmith.games.errors import InputError
from tunesmith.tuning.stats import elo, ratings
from tunesmith.tuning.stats.ratings import Draws, cycles, fit, games_of, rate, resample

LL, WW, WL, LW, DD = (0, 0), (2, 2), (2, 0), (0, 2), (1, 1)


def cells(n: int, **pairs: dict[tuple[int, int], int]) -> np.ndarray:
    """Build cells from `p01={WW: 3}`: pairs of players 0 and 1."""
    made = np.zeros((n, n, 3, 3))
    for name, counts in pairs.items():
        for (a, b), count in counts.items():
            made[int(name[1]), int(name[2]), a, b] = count
    return made


def simulate(
    strengths: list[float], first_move: float, pairs: int, seed: int, draws: float = 0.3
) -> np.ndarray:
    """Draw a round robin: expected scores are those of the ratings, the share of draws shrinks with the lead."""
    rng, n = np.random.default_rng(seed), len(strengths)
    made = np.zeros((n, n, 3, 3))
    for i, j in combinations(range(n), 2):
        for sign, axis in ((1, 0), (-1, 1)):
            score = elo.elo_to_score(strengths[i] - strengths[j] + sign * first_move)
            drawn = draws * 2 * min(score, 1 - score)
            shares = [1 - score - drawn / 2, drawn, score - drawn / 2]
            if axis == 0:
                first = rng.choice(3, pairs, p=shares)
            else:
                np.add.at(made[i, j], (first, rng.choice(3, pairs, p=shares)), 1)
    return made


# Published


def test_players_of_the_published_table_come_out_as_there() -> None:
    """OpenSpiel's elo_test (VasE paper): 1 and 3 alike, 2 lower; recomputed 0, -147.19, 0."""
    found = fit(from_points([[0, 4, 2], [1, 0, 2], [3, 3, 0]])).ratings
    assert found - found[0] == pytest.approx([0, -147.19, 0], abs=0.005)


def test_two_to_one_is_120_elo_and_a_draw_narrows_it() -> None:
    assert np.ptp(fit(from_points([[0, 2], [1, 0]])).ratings) == pytest.approx(120.412, abs=0.0005)
    assert np.ptp(fit(from_points([[0, 2.5], [1.5, 0]])).ratings) == pytest.approx(88.739, abs=0.0005)


def test_davidson_says_nearly_the_same_near_equality() -> None:
    games = np.zeros((2, 2, 3))
    games[0, 1], games[1, 0] = (0.5, 0.5, 1), (1, 0.5, 0.5)  # two to one and a draw
    found = fit(games, "davidson")
    assert found.nu == pytest.approx(1 / math.sqrt(2))
    assert np.ptp(found.ratings) == pytest.approx(120.412 * 2 / (2 + found.nu), abs=0.001)
    assert np.ptp(found.ratings) == pytest.approx(88.739, abs=0.5)


# The maximum


@pytest.mark.parametrize("model", ratings.DRAWS)
@pytest.mark.parametrize("seed", range(3))
def test_it_is_what_a_general_optimiser_finds(model: Draws, seed: int) -> None:
    games = games_of(simulate([0, 60, -150, 30], 40, 25, seed))
    expected, first_move, nu = naive.fit(games, model == "davidson")
    found = fit(games, model)
    assert found.ratings == pytest.approx(expected, abs=0.02)
    assert found.first_move == pytest.approx(first_move, abs=0.02)
    assert (found.nu is None) == (nu is None)
    assert nu is None or found.nu == pytest.approx(nu, rel=1e-4)


def test_expected_points_are_the_real_ones() -> None:
    games = games_of(simulate([0, 80, -120, 40, 10], 25, 30, 5))
    found = fit(games)
    ahead = found.ratings[:, None] - found.ratings[None, :] + found.first_move
    expected = games.sum(axis=2) * np.vectorize(elo.elo_to_score)(ahead)
    real = games[:, :, 2] + games[:, :, 1] / 2
    own = real.sum(axis=1) + (games.sum(axis=2) - real).sum(axis=0)
    assert expected.sum(axis=1) + (games.sum(axis=2) - expected).sum(axis=0) == pytest.approx(own, abs=1e-5)
    assert expected.sum() == pytest.approx(real.sum(), abs=1e-5)  # of whoever moved first


@pytest.mark.parametrize("counts", [(2, 4, 9, 6, 3), (0, 0, 0, 0, 10), (0, 0, 4, 0, 0)])
def test_two_players_differ_by_the_elo_of_their_match(counts: tuple[int, ...]) -> None:
    """Also where one of them took every point: a quarter of a point short, as in `stats.estimate`."""
    lost, below, middle, above, won = counts
    halves = {(0, 1): below // 2, (1, 0): below // 2, (1, 2): above // 2, (2, 1): above // 2}
    one = cells(2, p01={LL: lost, **halves, DD: middle, WW: won})
    assert pair_counts(one, 0, 1) == list(counts) and pair_counts(one, 1, 0) == list(counts[::-1])
    found = fit(games_of(one)).ratings
    assert found[0] - found[1] == pytest.approx(elo.estimate(counts).elo, abs=0.5)


def test_the_first_move_is_told_apart_from_strength() -> None:
    found = fit(games_of(simulate([100, -100], 150, 20_000, 2)))
    assert found.ratings == pytest.approx([100, -100], abs=6)
    assert found.first_move == pytest.approx(150, abs=6)


# Extremes

cell = st.lists(st.integers(0, 4), min_size=9, max_size=9)


@settings(max_examples=40)
@given(st.lists(cell, min_size=6, max_size=6), st.sampled_from(ratings.DRAWS), st.data())
def test_everything_is_finite(rows: list[list[int]], model: Draws, data: st.DataObject) -> None:
    made = np.zeros((4, 4, 3, 3))
    for (i, j), row in zip(combinations(range(4), 2), rows, strict=True):
        if data.draw(st.booleans()):
            keep = data.draw(st.sampled_from([range(9), (0,), (4,), (8,), (2,), (6,)]))
            made[i, j] = np.array([n if at in keep else 0 for at, n in enumerate(row)]).reshape(3, 3)
    found = fit(games_of(made), model)
    assert np.isfinite(found.ratings).all() and math.isfinite(found.first_move)
    for group in set(found.groups):
        inside = found.ratings[np.array(found.groups) == group]
        assert inside.mean() == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("model", ratings.DRAWS)
def test_who_took_every_point_is_named_and_its_lead_is_open_upwards(model: Draws) -> None:
    found = rate(cells(2, p01={WW: 20}), draws=200, model=model)
    assert found.fit.one_sided == ((0, 1),)
    lead, low = found.ratings[0] - found.ratings[1], found.low[0] - found.high[1]
    assert lead == pytest.approx(elo.estimate([0, 0, 0, 0, 20]).elo, abs=1)
    assert 100 < low < lead  # twenty pairs do not exclude some points


def test_all_draws_are_equality_not_certainty() -> None:
    found = rate(cells(3, p01={DD: 12}, p02={DD: 12}, p12={DD: 12}), draws=300)
    assert found.ratings == pytest.approx([0, 0, 0], abs=1e-6)
    assert (found.high - found.low > 10).all() and (found.high - found.low < 200).all()
    assert found.superior[0, 1] == pytest.approx(0.5, abs=0.15)
    drawn = fit(games_of(cells(2, p01={DD: 5})), "davidson")
    assert drawn.nu == math.inf and drawn.first_move == 0 and drawn.ratings.tolist() == [0, 0]


def test_without_draws_both_models_are_one() -> None:
    games = games_of(cells(3, p01={WW: 4, LL: 3}, p02={WL: 5, LW: 2}, p12={WW: 1, LL: 6}))
    half, davidson = fit(games), fit(games, "davidson")
    assert davidson.nu == 0 and half.nu is None
    assert davidson.ratings == pytest.approx(half.ratings) and davidson.first_move == pytest.approx(
        half.first_move
    )


def test_draws_hold_a_difference_only_where_they_are_half_wins() -> None:
    """One pair is enough to connect two players, and a draw to say that the other is not out of reach."""
    games = games_of(cells(2, p01={(2, 1): 1}))
    assert fit(games).groups == (0, 0)
    assert fit(games).one_sided == () and fit(games, "davidson").one_sided == ((0, 1),)
    assert fit(games_of(cells(2, p01={(0, 1): 1})), "davidson").one_sided == ((1, 0),)


def test_where_only_the_first_move_counts_players_are_equal() -> None:
    found = fit(games_of(cells(3, p01={WL: 10}, p02={WL: 5}, p12={WL: 9})))
    assert found.ratings == pytest.approx([0, 0, 0], abs=1e-6)
    assert found.first_move == pytest.approx(elo.score_to_elo(1 - 0.25 / 48))  # a quarter of a point short
    assert fit(games_of(cells(2, p01={LW: 3}))).first_move == pytest.approx(elo.score_to_elo(0.25 / 6))


def test_a_chain_of_one_sided_pairings_has_an_order() -> None:
    found = fit(games_of(cells(3, p01={WW: 9}, p12={WW: 9})))
    assert found.ratings[0] - found.ratings[1] == pytest.approx(found.ratings[1] - found.ratings[2])
    assert found.ratings[0] > found.ratings[1] > found.ratings[2]


def test_players_whom_nothing_connects_have_zeros_of_their_own() -> None:
    made = cells(5, p01={WW: 4, LL: 2}, p23={WL: 3, WW: 3})
    found = rate(made, draws=50, anchor=(1, 1000.0))
    assert found.fit.groups == (0, 0, 1, 1, 2)
    assert found.ratings[1] == 1000 and found.ratings[2] == pytest.approx(-found.ratings[3])
    assert math.isnan(found.superior[0, 2]) and found.superior[0, 1] > 0.5
    assert found.ratings[4] == found.low[4] == found.high[4] == 0


# Intervals


def test_intervals_follow_from_the_seed_and_narrow_with_pairs() -> None:
    few, many = (simulate([50, 0, -50], 20, n, 3) for n in (20, 320))
    assert rate(few, draws=100, seed=4).low.tolist() == rate(few, draws=100, seed=4).low.tolist()
    assert rate(few, draws=100, seed=4).low.tolist() != rate(few, draws=100, seed=5).low.tolist()
    widths = [np.subtract(r.high, r.low).mean() for r in (rate(few, draws=200), rate(many, draws=200))]
    assert widths[0] / widths[1] == pytest.approx(4, rel=0.3)


def test_intervals_are_quantiles_of_tournaments_whose_pairs_are_drawn_anew() -> None:
    made = simulate([50, 0, -50], 20, 20, 3)
    found, rng = rate(made, draws=40, seed=4, level=0.8), np.random.default_rng(4)
    again = [fit(games_of(resample(made, rng))) for _ in range(40)]
    drawn = np.array([one.ratings for one in again])
    low, high = np.quantile(drawn, [0.1, 0.9], axis=0)
    assert found.low == pytest.approx(low, abs=1e-3) and found.high == pytest.approx(high, abs=1e-3)
    first = np.quantile([one.first_move for one in again], [0.1, 0.9])
    assert found.first_move == pytest.approx((fit(games_of(made)).first_move, *first), abs=1e-3)
    for i, j in combinations(range(3), 2):
        apart = drawn[:, i] - drawn[:, j]  # where the two come out equal, rounding says who is ahead
        assert np.mean(apart > 1e-3) <= found.superior[i, j] <= np.mean(apart > -1e-3)
        assert found.superior[i, j] == pytest.approx(1 - found.superior[j, i])
    assert np.diag(found.superior).tolist() == [0.5] * 3
    usual = rate(cells(2, p01={WW: 3, LL: 2}))
    assert (usual.level, usual.draws, usual.seed) == (0.95, 1000, 0)


def test_a_rating_lies_within_its_own_interval() -> None:
    """Where every pair came out alike, tournaments drawn anew are mostly worse."""
    found = rate(cells(2, p01={WW: 2}), draws=50, level=0.05)
    assert (found.low <= found.ratings).all() and (found.ratings <= found.high).all()


def test_pairs_are_drawn_anew_as_often_as_they_were_played() -> None:
    made = cells(3, p01={WW: 30, LL: 10, DD: 20}, p12={WL: 1})
    drawn = [resample(made, np.random.default_rng(seed)) for seed in range(200)]
    assert {(one[0, 1].sum(), one[1, 2].sum(), one.sum()) for one in drawn} == {(60.0, 1.0, 61.0)}
    assert np.mean([one[0, 1, 2, 2] for one in drawn]) == pytest.approx(30, abs=0.8)
    assert np.mean([one[0, 1, 0, 0] for one in drawn]) == pytest.approx(10, abs=0.7)
    assert all(one[0, 1, 2, 0] == 0 for one in drawn)  # what never happened beside others


def test_only_cells_of_the_first_named_player_are_read() -> None:
    made = cells(3, p01={WW: 3, LL: 2}, p12={WL: 4})
    other = made + cells(3, p10={LL: 9}, p11={WW: 5}, p20={DD: 1})
    assert (
        resample(other, np.random.default_rng(1)).tolist()
        == resample(made, np.random.default_rng(1)).tolist()
    )
    assert fit(games_of(other)).ratings.tolist() == fit(games_of(made)).ratings.tolist()


def test_pairs_that_came_out_alike_are_drawn_by_jeffreys_prior() -> None:
    """Of n alike the share of others is Beta(1/2, n + 1/2): 1 in 2 (n + 1) on average, over the eight others."""
    made = cells(2, p01={WW: 9})
    drawn = sum(resample(made, np.random.default_rng(seed)) for seed in range(4000))[0, 1]  # type: ignore[index]
    others = 1 - drawn[2, 2] / drawn.sum()
    assert others == pytest.approx(1 / 20, abs=0.004)
    spread = np.delete(drawn.ravel(), 8) / drawn.sum()
    assert spread == pytest.approx(np.full(8, others / 8), abs=0.0025)


def test_the_share_of_others_is_drawn_once_for_a_pairing_and_split_among_them() -> None:
    """With the same seed: Beta(1/2, 9 + 1/2) over eight others; two different results are their own shares."""
    other = np.random.default_rng(6).beta(0.5, 9.5)
    counts = np.array([0.0, 0, 0, 0, 9, 0, 0, 0, 0])
    found = ratings._chances(counts, np.random.default_rng(6))
    assert found == pytest.approx(np.where(counts > 0, 1 - other, other / 8))
    single = ratings._chances(np.array([0.0, 1, 0]), np.random.default_rng(6))
    assert single[1] == pytest.approx(
        1 - np.random.default_rng(6).beta(0.5, 1.5)
    ) and single.sum() == pytest.approx(1)
    assert ratings._chances(np.array([1.0, 0, 1, 0]), np.random.default_rng(6)).tolist() == [0.5, 0, 0.5, 0]


def test_ties_of_tournaments_drawn_anew_count_half() -> None:
    """A player that met nobody's equal: two who met only draws are never ahead of one another but by drawn others."""
    drawn = np.array([[0.0, 0.0], [3.0, -3.0], [1.0, -1.0], [-2.0, 2.0]])
    assert ratings._superior(drawn, (0, 0))[0, 1] == pytest.approx((0.5 + 2) / 4)


@pytest.mark.slow
def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    """A small form of experiments/proofs/interval_coverage.py: 40 tournaments of three players."""
    truth = np.array([60.0, 0.0, -60.0])
    inside = 0
    for seed in range(40):
        found = rate(simulate(truth.tolist(), 30, 60, seed), draws=100, seed=seed)
        inside += int(((found.low <= truth) & (truth <= found.high)).sum())
    assert 0.85 < inside / 120 < 1


def test_an_anchor_moves_all_ratings_and_no_difference() -> None:
    made = simulate([50, 0, -50], 20, 40, 3)
    free, held = rate(made, draws=50), rate(made, draws=50, anchor=(2, 500.0))
    assert np.diff(free.ratings) == pytest.approx(np.diff(held.ratings))
    assert held.ratings[2] == held.low[2] == held.high[2] == 500
    assert free.superior == pytest.approx(held.superior)


# Circles


def test_circles_are_found_and_each_once() -> None:
    assert cycles([(0, 1), (1, 2), (2, 0)]) == [[0, 1, 2]]
    assert cycles([(0, 1), (1, 2), (0, 2)]) == []
    assert cycles([(3, 1), (1, 2), (2, 0), (0, 3)]) == [[0, 3, 1, 2]]
    assert cycles([]) == []


def test_no_more_circles_are_told_than_asked_for() -> None:
    """Everybody beats the next of 30 triples; twenty are told."""
    shown = [edge for at in range(0, 90, 3) for edge in ((at, at + 1), (at + 1, at + 2), (at + 2, at))]
    assert cycles(shown) == [[at, at + 1, at + 2] for at in range(0, 60, 3)]
    assert cycles(shown, 2) == [[0, 1, 2], [3, 4, 5]]


def test_the_shortest_circles_come_first() -> None:
    shown = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 4)]
    assert [len(circle) for circle in cycles(shown)] == [3, 4]


# Refusals


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rate(np.zeros((2, 2, 3))), "counts of shape (players, players, 3, 3), found (2, 2, 3)"),
        (lambda: rate(np.zeros((1, 1, 3, 3))), "found (1, 1, 3, 3)"),
        (lambda: rate(np.zeros((2, 3, 3, 3))), "found (2, 3, 3, 3)"),
        (lambda: rate(np.zeros((2, 2, 3, 3, 1))), "found (2, 2, 3, 3, 1)"),
        (lambda: rate(cells(2, p01={WW: -1})), "finite and not negative"),
        (lambda: rate(cells(2), level=1), "level: expected a number between 0 and 1, found 1"),
        (lambda: rate(cells(2), level=0), "level: expected a number between 0 and 1, found 0"),
        (lambda: rate(cells(2), draws=9), "draws: expected 10 or more, found 9"),
        (lambda: rate(cells(2), anchor=(2, 0.0)), "anchor: expected a player from 0 to 1, found 2"),
        (lambda: rate(cells(2), anchor=(-1, 0.0)), "anchor: expected a player from 0 to 1, found -1"),
        (lambda: rate(cells(2), model="rao"), "draws: expected one of half, davidson, found 'rao'"),  # type: ignore[arg-type]
    ],
)
def test_wrong_input_is_refused_with_its_value(call: object, message: str) -> None:
    assert callable(call)
    with pytest.raises(InputError) as caught:
        call()
    assert message in str(caught.value)


def test_the_least_that_is_accepted() -> None:
    found = rate(cells(2, p01={WW: 1}), draws=10, anchor=(0, 100.0))
    assert found.ratings[0] == 100 and found.fit.one_sided == ((0, 1),)
    assert rate(cells(2), draws=10).ratings.tolist() == [0, 0]  # nobody played
