"""What a pilot says of parameters, and what all trials together recommend: never the luckiest, with an interval."""

from dataclasses import replace

import numpy as np

from tests.support.made_up import HAND, MadeUpMatches, space
from tunesmith.tuning.config import Range
from tunesmith.tuning.search.pilot import pilot, pilot_line
from tunesmith.tuning.search.recommend import Seen, recommend


def test_a_pilot_names_dead_parameters_and_shows_effects():
    class Deaf(MadeUpMatches):
        """Games do not depend on the scale."""

        def play(self, weights, pairs, mirrors=False):
            return super().play(replace(weights, scale=HAND.scale), pairs, mirrors)

    own = space(aspiration=Range(low=0, high=200), scale=Range())
    said: list[str] = []
    rows = pilot(own, Deaf(slope=0.9), 64, said.append)
    by_name = {row.name: row for row in rows}
    assert by_name["scale"].dead
    assert not by_name["aspiration"].dead
    _, end = by_name["aspiration"].ends
    assert end.value == 200
    assert end.elo_high < 0
    assert "scale: dead" in "\n".join(said)
    assert pilot_line(by_name["aspiration"]) in said


def test_a_pilot_stands_alone(tmp_path):
    assert pilot(space(), MadeUpMatches(), 16, lambda line: None)[0].name == "aspiration"


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
