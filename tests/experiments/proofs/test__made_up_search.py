"""Made-up searches: true scores, luck in common as asked for, and the product's samplers."""

import numpy as np
import pytest

from tunesmith.experiments.proofs._made_up_search import Luck, MadeUpSearch

OPENINGS = np.arange(40_000)


@pytest.mark.parametrize("correlation", [0.0, 0.17, 0.35])
def test_equal_settings_share_luck_as_told(correlation):
    luck = Luck(correlation)
    a, b = (luck.classes(key, 0.5, OPENINGS, 1) for key in (b"a", b"b"))
    assert np.corrcoef(a, b)[0, 1] == pytest.approx(correlation, abs=0.02)


@pytest.mark.parametrize(("score", "draws"), [(0.5, 0.5), (0.7, 0.2), (0.1, 0.0)])
def test_the_mean_score_is_the_true_one(score, draws):
    classes = Luck(0.35, draws).classes(b"a", score, OPENINGS, 1)
    assert classes.mean() / 4 == pytest.approx(score, abs=0.01)
    drawn = np.mean(classes % 2)  # a draw and a game that is decided
    assert (drawn > 0) == (draws > 0)


def test_a_result_depends_on_seed_setting_and_opening_alone():
    luck = Luck()
    whole = luck.classes(b"a", 0.5, OPENINGS, 1)
    assert np.array_equal(luck.classes(b"a", 0.5, OPENINGS[100:200], 1), whole[100:200])
    assert not np.array_equal(luck.classes(b"a", 0.5, OPENINGS, 2), whole)


@pytest.mark.parametrize("sampler", ["clop", None])
def test_trials_play_openings_of_their_own_while_there_are_any(sampler):
    search = MadeUpSearch(lambda x: 0.5, (0.0, 0.0), 8, 10, sampler, openings=60)
    seen = search.play(3)
    assert len(seen) == 8 and seen[0].is_known and not seen[1].is_known
    assert [one.openings[0] for one in seen] == [0, 10, 20, 30, 40, 50, 0, 10]
    assert [one.setting for one in search.play(3)] == [one.setting for one in seen]
