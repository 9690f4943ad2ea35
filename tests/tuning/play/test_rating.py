"""What the games of several players say together, whoever they are."""

import numpy as np
import pytest

from tests.support.circle import circle
from tunesmith.games.errors import InputError
from tunesmith.tuning.play.rating import Entrant, Met, Scale, check_anchor, conclude, pairings, words

NAMES = ("a", "b", "c")
QUICK = Scale(resamples=50)


def met(first: int, second: int, cells: dict[tuple[int, int], int]) -> Met:
    counts = np.zeros((3, 3), np.int64)
    for at, n in cells.items():
        counts[at] = n
    return Met(first, second, counts, draws=0.1, distinct=2 * int(counts.sum()), faults=0, capped=0)


def test_the_first_against_all_others() -> None:
    assert pairings(4, first_only=True) == [(0, 1), (0, 2), (0, 3)]
    assert len(pairings(4, first_only=False)) == 6


def test_pairs_are_counted_worst_first() -> None:
    assert met(0, 1, {(0, 0): 5, (0, 1): 4, (2, 0): 3, (1, 1): 2, (2, 1): 1, (2, 2): 7}).counts == [
        5,
        4,
        5,
        1,
        7,
    ]


def test_players_come_strongest_first_with_their_games() -> None:
    entrants = [Entrant(name, name * 16, {}, "nodes:9") for name in NAMES]
    played = [
        met(0, 1, {(0, 0): 6, (2, 0): 3, (2, 2): 1}),
        met(0, 2, {(0, 1): 8, (2, 2): 2}),
        met(1, 2, {(1, 1): 4, (2, 2): 5, (0, 0): 1}),
    ]
    found = conclude(entrants, played, QUICK, 1)
    assert [one.name for one in found.players] == ["b", "c", "a"]
    assert sum(one.elo for one in found.players) == pytest.approx(0, abs=1e-6)
    assert all(one.low <= one.elo <= one.high and one.games == 40 for one in found.players)
    assert found.content() == conclude(entrants, played, QUICK, 1).content()


def test_an_anchor_must_play() -> None:
    assert check_anchor(Scale(anchor=("b", 1500.0)), NAMES) == (1, 1500.0)
    with pytest.raises(InputError, match="anchor: expected one of a, b, c, found 'd'"):
        check_anchor(Scale(anchor=("d", 0.0)), NAMES)


def test_circles_are_told_in_lines() -> None:
    lines = words(circle())
    assert lines[0].startswith("first move +12 Elo (-3 .. +30); intervals 95%")
    assert "circle: rock <b> beats scissors beats paper beats rock <b> (each shown at 95%)" in lines
