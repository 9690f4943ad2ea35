"""Settings that play real games of Kalah: every pair once, each with its opening, no game against oneself."""

from dataclasses import replace

import numpy as np
import pytest

from tests.support.small_matches import hand, openings, trial_matches
from tunesmith.engine.weights import with_options


@pytest.fixture(name="matches")
def _matches(tmp_path):
    return trial_matches(tmp_path, 1)


def test_counts_and_results_tell_of_the_same_games(matches):
    outcome = matches.play(hand("hand-2"), range(12))
    wins, draws, losses = outcome.results()
    assert wins + draws + losses == 2 * 12 * 2
    assert outcome.score == pytest.approx((wins + draws / 2) / 48)
    assert sum(outcome.counts()) == 24
    assert list(outcome.by_opponent()) == ["hand", "hand-1"]
    assert np.add(*outcome.by_opponent().values()).tolist() == outcome.counts()


def test_games_are_played_once_and_further_pairs_lie_beside_them(matches, tmp_path):
    first = matches.play(hand("hand-2"), range(8))
    files = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")}
    again = matches.play(hand("hand-2"), range(8))
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")} == files
    assert again.moves == first.moves
    more = matches.play(hand("hand-2"), range(8, 12))
    assert more.pairs == 4 and more.openings.tolist() == [8, 9, 10, 11]
    assert len(list(tmp_path.rglob("*.parquet"))) == 2 * len(files)


def test_an_opponent_is_not_played_against_itself(matches, tmp_path):
    outcome = matches.play(hand(), range(6))
    assert outcome.scores[0].tolist() == [0.5] * 6
    assert len(list(tmp_path.rglob("*.parquet"))) == 1  # against hand-1 only


def test_equal_play_gives_equal_moves(matches):
    """What a pilot calls dead: the scale does not matter to a search without margins in Elo."""
    plain = with_options(hand("hand-2"), {"aspiration": 0})
    scaled = replace(plain, scale=plain.scale * 1.0001)
    assert matches.play(plain, range(6)).moves == matches.play(scaled, range(6)).moves
    assert matches.play(hand("hand-3"), range(6)).moves != matches.play(plain, range(6)).moves


def test_once_there_are_no_further_openings_the_first_come_again(matches):
    short = replace(matches, openings=openings()[:5])
    again = short.play(hand("hand-2"), range(3, 7))
    assert again.openings.tolist() == [3, 4, 0, 1]
    assert np.array_equal(again.scores[:, 2:], short.play(hand("hand-2"), range(2)).scores)
