"""Counts of games and results of pairs, on games written by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.games_by_hand import Row, even, games_of
from tunesmith.engine.match import NO_RESULT
from tunesmith.tuning.play.summary import pair_results, summarise
from tunesmith.tuning.stats.elo import Z95


@pytest.mark.parametrize(
    ("first_game", "second_game", "expected"),
    [
        (-1, 1, 0),  # lost as first, lost as second
        (-1, 0, 1),
        (0, 1, 1),
        (0, 0, 2),
        (1, 1, 2),  # won and lost
        (-1, -1, 2),
        (1, 0, 3),
        (0, -1, 3),
        (1, -1, 4),
    ],
)
def test_pairs_are_counted_from_the_first_named_player(
    first_game: int, second_game: int, expected: int
) -> None:
    found = pair_results(games_of([(5, 0, first_game, "over", [1]), (5, 1, second_game, "over", [2])]))
    assert found.pair.tolist() == [5]
    assert found.classes.tolist() == [expected]
    assert found.counts[expected] == 1
    assert found.get(5) == found[5] == expected
    assert found.get(4) is None


def test_pairs_without_two_results_are_left_out_and_counted() -> None:
    rows = [
        *even(4),
        (4, 0, NO_RESULT, "capped", [9]),
        (4, 1, 1, "over", [8]),
        (5, 0, NO_RESULT, "fault:x", [1]),
    ]
    found = pair_results(games_of(rows))
    assert found.pair.tolist() == [0, 1, 2, 3]
    assert found.left_out == 2
    with pytest.raises(KeyError):
        found[4]


@given(st.lists(st.tuples(st.sampled_from([1, 0, -1]), st.sampled_from([1, 0, -1])), min_size=1, max_size=30))
def test_points_of_pairs_are_those_of_their_games(results: list[tuple[int, int]]) -> None:
    rows = [
        (pair, game, row[game], "over", [pair, game]) for pair, row in enumerate(results) for game in (0, 1)
    ]
    found = pair_results(games_of(rows))
    points = [(first + 1) / 2 + (1 - second) / 2 for first, second in results]
    assert (found.classes / 2).tolist() == points
    assert sum(found.counts) == len(results)


def test_summary_counts_everything_once() -> None:
    rows = [*even(3, 1), (3, 0, 0, "drawn", [7, 7, 7, 7]), (3, 1, -1, "over", [7])]
    rows += [(4, 0, NO_RESULT, "capped", [5, 5, 5]), (4, 1, NO_RESULT, "fault:boom", [5])]
    found = summarise(games_of(rows))
    assert (found.games, found.pairs, found.capped, found.faults) == (10, 5, 1, 1)
    assert found.results == {"first": 6, "draw": 1, "second": 1}
    assert found.result_shares == {"first": 0.75, "draw": 0.125, "second": 0.125}
    assert found.first_player_share == pytest.approx(6.5 / 8)
    assert found.ends == {"capped": 1, "drawn": 1, "fault:boom": 1, "over": 7}
    assert found.mean_length == pytest.approx((6 * 2 + 4 + 1) / 8)
    assert found.distinct_games == 9  # a fault is no game
    assert found.warnings == []


def test_the_first_players_share_has_an_interval_that_counts_pairs_and_not_games() -> None:
    rng = np.random.default_rng(4)
    results = rng.integers(-1, 2, 30).repeat(2).tolist()  # both games of a pair end alike
    rows: list[Row] = [(at // 2, at % 2, result, "over", [at]) for at, result in enumerate(results)]
    means = (np.array(results[::2]) + 1) / 2
    found = summarise(games_of(rows))
    assert found.first_player_share == pytest.approx(means.mean())
    assert found.first_player_half_width == pytest.approx(Z95 * means.std(ddof=1) / np.sqrt(30))
    assert summarise(games_of(even(1))).first_player_half_width is None


def test_summary_of_some_pairs_and_of_nothing() -> None:
    assert summarise(games_of(even(9)), 4).games == 8
    empty = summarise(games_of([]))
    assert empty.games == 0
    assert empty.first_player_share is None
    assert empty.mean_length is None


def test_repeated_games_are_counted_once_and_warned_of() -> None:
    # Two deterministic players: lengths alternate 133, 194, 133, 194.
    lengths = {0: 133, 1: 194}
    rows: list[Row] = [(p, g, 1 - 2 * g, "over", [1] * lengths[g]) for p in range(20) for g in (0, 1)]
    found = summarise(games_of(rows))
    assert found.distinct_games == 2
    assert "only 2 of 40 games are distinct (5%)" in found.warnings[0]


@pytest.mark.parametrize(
    ("result", "what"), [(0, "drawn"), (1, "won by the first"), (-1, "won by the second")]
)
def test_one_sided_results_are_warned_of_with_a_remedy(result: int, what: str) -> None:
    (warning,) = summarise(games_of(even(20, result))).warnings
    assert what in warning
    assert "openings" in warning
