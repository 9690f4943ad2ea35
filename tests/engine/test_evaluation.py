"""The evaluation is the plain sum of share x weight x feature, rounded into hundredths of an Elo."""

import random

import numpy as np
import pytest

from tests.naive import minimax
from tests.support.searching import random_board, weights
from tests.support.toys import piles
from tunesmith.engine.compile.bind import uncompiled
from tunesmith.engine.evaluation import ALL_FEATURES, EVALUATION_MAX, to_score, wanted_features, weighted_sum


@pytest.mark.parametrize("stages", [("all",), ("full", "empty")])
def test_the_sum_is_that_of_its_definition(stages: tuple[str, ...]) -> None:
    of_two = {} if len(stages) == 2 else {"stages": None}
    game, rng = piles(stage_names=stages, **of_two), random.Random(2)
    total = uncompiled(weighted_sum, game)
    for seed in range(20):
        table, state = weights(game, seed), random_board(game, rng, 2).state
        found = total(state, table, np.arange(3), 3, np.zeros(3), np.zeros(len(stages)))
        assert to_score(found, 0.7) == minimax.evaluation(game, table, 0.7, state)


def test_a_feature_without_weight_is_left_out() -> None:
    game = piles(stage_names=("all",))
    found = uncompiled(weighted_sum, game)
    values = np.zeros(3)
    assert found((4, 2, 0, 0), np.array([[5.0, 7.0, 9.0]]), np.array([0, 2]), 2, values, np.zeros(1)) == 23.0


def test_a_stage_without_a_share_adds_nothing() -> None:
    found = uncompiled(weighted_sum, piles(stage_names=("full", "empty")))
    table = np.array([[5.0, 7.0, 9.0], [np.inf, np.inf, np.inf]])
    assert found((5, 4, 0, 0), table, np.arange(3), 3, np.zeros(3), np.zeros(2)) == 14.0


@pytest.mark.parametrize(
    ("value", "score"), [(1.0, 100), (0.125, 12), (0.135, 14), (-0.125, -12), (1e300, EVALUATION_MAX)]
)
def test_scores_are_hundredths_rounded_half_to_even_and_never_wins(value: float, score: int) -> None:
    assert to_score(value, 1.0) == score


def test_cheap_features_are_computed_alone_where_they_are_enough() -> None:
    first, last = np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]), np.array([[0.0, 0.0, 1.0]])
    assert wanted_features(piles(), first) == 1
    assert wanted_features(piles(), last) == wanted_features(piles(), first, last[[0, 0]]) == ALL_FEATURES
    assert wanted_features(piles(cheap_features=()), first) == ALL_FEATURES
