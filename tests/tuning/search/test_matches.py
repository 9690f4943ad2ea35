"""Settings that play real games of Kalah: every pair once, common openings, no game against oneself."""

from dataclasses import replace

import numpy as np
import pytest

from tests.support.small_matches import hand, openings, trial_matches
from tunesmith.engine.weights import with_options


@pytest.fixture(name="matches")
def _matches(tmp_path):
    return trial_matches(tmp_path, 1)


def test_counts_and_results_tell_of_the_same_games(matches):
    outcome = matches.play(hand("hand-2"), 12)
    wins, draws, losses = outcome.results()
    assert wins + draws + losses == 2 * 12 * 2
    assert outcome.score == pytest.approx((wins + draws / 2) / 48)
    assert sum(outcome.counts()) == 24
    assert list(outcome.by_opponent()) == ["hand", "hand-1"]
    assert np.add(*outcome.by_opponent().values()).tolist() == outcome.counts()


def test_games_are_played_once_and_more_are_added(matches, tmp_path):
    first = matches.play(hand("hand-2"), 8)
    files = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")}
    again = matches.play(hand("hand-2"), 8)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")} == files
    assert again.moves == first.moves
    more = matches.play(hand("hand-2"), 12)
    assert np.array_equal(more.scores[:, :8], first.scores)
    assert more.since(8).pairs == 4


def test_an_opponent_is_not_played_against_itself(matches, tmp_path):
    outcome = matches.play(hand(), 6)
    assert outcome.scores[0].tolist() == [0.5] * 6
    assert len(list(tmp_path.rglob("*.parquet"))) == 1  # against hand-1 only


def test_equal_play_gives_equal_moves(matches):
    """What a pilot calls dead: the scale does not matter to a search without margins in Elo."""
    plain = with_options(hand("hand-2"), {"aspiration": 0})
    scaled = replace(plain, scale=plain.scale * 1.0001)
    assert matches.play(plain, 6).moves == matches.play(scaled, 6).moves
    assert matches.play(hand("hand-3"), 6).moves != matches.play(plain, 6).moves


def test_a_short_list_of_openings_ends_a_trial(matches):
    short = replace(matches, openings=lambda count: openings()[: min(count, 5)])
    assert short.play(hand("hand-2"), 9).pairs == 5
