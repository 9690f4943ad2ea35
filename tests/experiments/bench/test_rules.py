"""The rules in both: the same counts, the same kind of random games."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.experiments.test_bench import pyspiel
from tunesmith import games
from tunesmith.engine.perft import perft
from tunesmith.experiments.bench import rules
from tunesmith.experiments.bench.race import (
    MismatchError,
)
from tunesmith.experiments.bench.spiel import random_positions, twin


@pytest.fixture(params=["kalah", "pentago"])
def pair(request):
    return twin(request.param, pyspiel)


@pytest.mark.parametrize("name", ["kalah", "pentago"])
@given(seed=st.integers(0, 1 << 30))
@settings(max_examples=3)
def test_counts_of_move_sequences_are_the_same_anywhere(name, seed):
    pair = twin(name, pyspiel)
    for both in random_positions(pair, (0, 3, 9), seed):
        for depth in (1, 2):
            assert perft(pair.game, depth, both.board.text) == rules.count_leaves(both.state, depth)


def test_random_games_of_another_kind_have_another_mean():
    with pytest.raises(MismatchError, match="mean result"):
        rules._same_mean(np.array([100, 0, 900]), [0.0, 0.1], 1000)
    assert "standard error" in rules._same_mean(np.array([450, 0, 550]), [0.0, 0.1], 1000)


def test_random_games_are_played_to_the_end():
    tally = np.zeros(3, np.int64)
    n_plies = rules.bind(rules.play_randomly, games.load("pentago:variant=classic-after"))(200, 7, tally)
    assert tally.sum() == 200
    assert 200 * 9 <= n_plies <= 200 * 36  # a fifth stone of one colour is the ninth of the game
