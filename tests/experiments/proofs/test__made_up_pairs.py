"""Made-up pairs are as strong as they should be, and many tests at once are single walks."""

import numpy as np
import pytest

from tunesmith.experiments.proofs._made_up_pairs import World, play_tests
from tunesmith.tuning.stats.likelihood import MODELS, Model, llr
from tunesmith.tuning.stats.sprt import (
    Sprt,
    walk,
)

WIDE = Sprt(0, 100)


def test_many_tests_at_once_are_single_walks() -> None:
    shares = World().shares("normalized", 50)
    for number, ends in enumerate(play_tests(WIDE, shares, 30, 3, (False, True))):
        stream = np.random.Generator(np.random.Philox(key=(3, number)))
        results = np.searchsorted(np.cumsum(shares)[:-1], stream.random(1000), side="right").tolist()
        for end, overshoot in zip(ends, (False, True), strict=True):
            found = walk(WIDE, results, overshoot=overshoot)
            assert (found.stop, found.counts) == (end.pairs, end.counts)
            assert end.passed == (found.decision.decision == "H1")


@pytest.mark.parametrize("model", MODELS)
def test_made_up_pairs_are_as_strong_as_they_should_be(model: Model) -> None:
    for world in (World(), World(0.8, (0.0,))):
        counts = [1e6 * share for share in world.shares(model, 30)]
        assert llr(counts, 29, 31, model) == pytest.approx(0, abs=2)
        assert llr(counts, 25, 30, model) > 10
