"""What a player brings to compiled code: the memory of a search, and what does not fit together."""

from typing import Any

import numpy as np
import pytest

from tests.support.toys import piles
from tunesmith import games
from tunesmith.engine.limits import Limit, parse_limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.searcher import N_USED, n_entries, new_searcher
from tunesmith.engine.weights import load
from tunesmith.games.errors import InputError


def test_buckets_of_the_table_begin_a_cache_line() -> None:
    for mb in (0, 1, 3):
        options = SearchOptions()
        searcher = new_searcher(piles(), np.zeros((2, 3)), 1.0, options, Limit("depth", 1), mb)
        assert searcher.transposition.ctypes.data % 64 == 0


def test_random_takes_no_equilibrium() -> None:
    game = games.load("ropasci360")
    options = SearchOptions(algorithm="random", joint="matrix")
    with pytest.raises(InputError, match="joint: expected pessimistic with algorithm random"):
        new_searcher(game, load("hand", game).array(game), 1.0, options, parse_limit("nodes:9"))


@pytest.mark.parametrize(
    ("changes", "limit", "words"),
    [
        ({"joint": "matrix"}, "nodes:9", "joint: expected pessimistic, piles has no simultaneous choices"),
        (
            {"algorithm": "uct", "objective": "margin"},
            "nodes:9",
            "objective: expected result, uct knows no margins",
        ),
        (
            {"algorithm": "uct"},
            "depth:3",
            "expected simulations:N, nodes:N or time:SECONDS for uct, found 'depth:3'",
        ),
        (
            {},
            "simulations:9",
            "expected depth:N, nodes:N or time:SECONDS for alphabeta, found 'simulations:9'",
        ),
    ],
)
def test_each_search_has_its_limits_and_its_games(changes: dict[str, Any], limit: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        new_searcher(piles(), np.zeros((2, 3)), 1.0, SearchOptions(**changes), parse_limit(limit))
    assert words in str(caught.value)


def test_weights_must_fit_the_game_and_be_numbers() -> None:
    with pytest.raises(InputError, match=r"expected shape \(2, 3\), found \(1, 3\)"):
        new_searcher(piles(), np.zeros((1, 3)), 1.0, SearchOptions(), parse_limit("depth:1"))
    with pytest.raises(InputError, match="expected finite numbers"):
        new_searcher(piles(), np.full((2, 3), np.nan), 1.0, SearchOptions(), parse_limit("depth:1"))


def test_features_with_a_weight_in_any_stage_are_used() -> None:
    table = np.array([[0.0, 0.0, 2.0], [1.0, 0.0, 0.0]])
    made = new_searcher(piles(), table, 1.0, SearchOptions(), parse_limit("depth:1"), 1)
    assert made.memory["counters"][0][N_USED] == 2
    assert made.memory["used"][0].tolist() == [0, 2, 0]


@pytest.mark.parametrize(("mb", "entries"), [(0, 2), (1, 32768), (3, 65536), (4, 131072)])
def test_a_table_has_the_largest_power_of_two_that_fits(mb: int, entries: int) -> None:
    assert n_entries(mb) == entries
