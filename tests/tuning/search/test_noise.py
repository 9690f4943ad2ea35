"""The errors of settings' scores: from all trials together, with the luck of openings that come again."""

import numpy as np
import pytest

from tunesmith.experiments.proofs import _made_up_search as made_up
from tunesmith.tuning.search.noise import KNOWN, USUAL_LUCK, Luck


def played(n: int, openings: int, correlation: float, own: bool, score: float = 0.5, seed: int = 5) -> Luck:
    """`n` settings on openings of their own, or all on the same."""
    numbers = [np.arange(openings) + (openings * at if own else 0) for at in range(n)]
    luck = made_up.Luck(correlation)
    scores = [luck.classes(bytes([at]), score, met, seed) / 4 for at, met in enumerate(numbers)]
    return Luck(numbers, scores, np.zeros(n, bool))


def test_openings_of_their_own_leave_errors_independent():
    luck = played(6, 400, 0.35, own=True)
    found = luck.covariance(luck.score)
    assert np.count_nonzero(found - np.diag(found.diagonal())) == 0
    assert found.diagonal() == pytest.approx(0.0625 / 400, rel=0.1)  # a pair's variance between equals


@pytest.mark.parametrize("correlation", [0.0, 0.17, 0.35])
def test_the_luck_of_openings_that_come_again_is_measured(correlation):
    luck = played(20, 200, correlation, own=False)
    assert luck.correlation == pytest.approx(correlation, abs=0.05)
    found = luck.covariance(luck.score)
    assert found[0, 1] / found[0, 0] == pytest.approx(luck.correlation, rel=0.05)


def test_the_luck_of_short_trials_is_not_hidden_by_their_own_means():
    """A trial of ten openings shows deviations from its own mean, in which a part of the luck is."""
    rng, luck, found = np.random.default_rng(3), made_up.Luck(0.35), []
    for seed in range(10):
        met = [rng.permutation(400)[:10] for _ in range(200)]
        scores = [luck.classes(at.to_bytes(2), 0.5, own, seed) / 4 for at, own in enumerate(met)]
        found.append(Luck(met, scores, np.zeros(len(met), bool)).correlation)
    assert np.mean(found) == pytest.approx(0.35, abs=0.02)


def test_of_a_few_openings_the_usual_luck_is_believed():
    assert played(2, 2, 0.0, own=False).correlation == pytest.approx(USUAL_LUCK, abs=0.06)


def test_half_the_openings_in_common_are_half_the_luck():
    numbers = [np.arange(100), np.arange(50, 150)]
    scores = [made_up.Luck(0.35).classes(bytes([at]), 0.5, met, 1) / 4 for at, met in enumerate(numbers)]
    luck = Luck(numbers, scores, np.zeros(2, bool))
    found = luck.covariance(np.full(2, 0.5))
    assert found[0, 1] == pytest.approx(luck.correlation * found[0, 0] / 2)


def test_the_same_setting_on_the_same_opening_tells_nothing_new():
    once, twice = np.arange(50), np.tile(np.arange(50), 2)
    scores = made_up.Luck().classes(b"a", 0.5, once, 1) / 4
    one = Luck([once], [scores], np.zeros(1, bool))
    two = Luck([twice], [np.tile(scores, 2)], np.zeros(1, bool))
    ratio = two.covariance(np.full(1, 0.5)) / one.covariance(np.full(1, 0.5))
    assert ratio == pytest.approx(1, rel=0.05)


def test_a_setting_that_is_its_opponent_is_known():
    luck = played(3, 100, 0.17, own=True)
    with_start = Luck([np.arange(100), *luck.openings], [np.full(100, 0.5), *luck.scores], np.arange(4) == 0)
    assert with_start.covariance(with_start.score)[0, 0] == pytest.approx(KNOWN**2)
    assert with_start.spread == pytest.approx(luck.spread)


def test_near_the_ends_scores_vary_less():
    low, middle = played(4, 200, 0.0, own=True, score=0.1), played(4, 200, 0.0, own=True, score=0.5)
    assert low.covariance(low.score)[0, 0] < 0.6 * middle.covariance(middle.score)[0, 0]
    assert low.spread == pytest.approx(middle.spread, rel=0.2)
