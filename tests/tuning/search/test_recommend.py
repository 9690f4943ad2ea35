"""What all trials together recommend: never the luckiest, and with an interval."""

import numpy as np

from tests.support.made_up import MadeUpMatches, space
from tunesmith.tuning.search.recommend import Seen, recommend


def equal_settings(rng: np.random.Generator, n: int, pairs: int) -> list[Seen]:
    return [
        Seen({"aspiration": 10 * at}, tuple(np.bincount(rng.binomial(4, 0.5, pairs), minlength=5)), (at,))
        for at in range(n)
    ]


def test_the_luckiest_of_equals_is_not_believed():
    """Twenty equal settings: the best observed looks good, the recommended one is estimated near nothing."""
    rng = np.random.default_rng(2)
    lucky, believed = [], []
    for _ in range(10):
        found = recommend(space(), equal_settings(rng, 20, 32), 1)
        lucky.append(found.observed_best.elo)
        believed.append(found.estimate.elo)
    assert np.mean(lucky) > 50
    assert abs(np.mean(believed)) < 0.4 * np.mean(lucky)


def test_a_recommendation_names_values_at_the_end_of_a_range():
    """FIELD E10."""
    seen = [
        Seen(
            {"aspiration": a},
            tuple(np.bincount(np.random.default_rng(a).binomial(4, 0.3 + a / 500, 400), minlength=5)),
        )
        for a in range(0, 201, 20)
    ]
    assert recommend(space(), seen, 1).at_bound == ["aspiration"]


def test_the_interval_of_the_recommendation_holds_the_truth():
    matches = MadeUpMatches()
    own = space()
    hits = 0
    for at in range(20):
        rng = np.random.default_rng(at)
        seen = []
        for a in range(0, 201, 20):
            score = matches.score(own.apply({"aspiration": a}))
            seen.append(Seen({"aspiration": a}, tuple(np.bincount(rng.binomial(4, score, 100), minlength=5))))
        found = recommend(own, seen, 1)
        truth = matches.score(own.apply(found.setting))
        hits += abs(found.estimate.score - truth) < 1.96 * found.estimate.error
    assert hits >= 16
