"""Glicko-2: against its slow twin, finite at the extremes, and true to players that change.

Glickman's own example stands in tests/golden/statistics.md."""

import math
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from games.errors import InputError
from tests.naive import glicko as naive
from tuning.glicko import Glicko, glicko2

ratings = st.floats(500, 2500)
deviations = st.floats(20, 400)
scores = st.sampled_from([0.0, 0.5, 1.0])
games = st.lists(st.tuples(ratings, deviations, scores), min_size=1, max_size=8)


@settings(max_examples=60, deadline=None)
@given(ratings, deviations, st.floats(0.02, 0.3), games, st.floats(0.3, 1.2))
def test_it_is_what_the_slow_twin_finds(
    rating: float,
    deviation: float,
    volatility: float,
    played: list[tuple[float, float, float]],
    tau: float,
) -> None:
    opponents = [Glicko(r, d) for r, d, _ in played]
    found = glicko2(Glicko(rating, deviation, volatility), opponents, [s for *_, s in played], tau=tau)
    wanted = naive.glicko2((rating, deviation, volatility), played, tau)
    assume(wanted is not None)
    assert (found.rating, found.deviation) == pytest.approx(wanted[:2], abs=0.01)
    assert found.volatility == pytest.approx(wanted[2], rel=1e-3)


def test_who_does_not_play_is_less_well_known() -> None:
    """Only the deviation grows, by the volatility."""
    found = glicko2(Glicko(1600, 50, 0.06), [], [])
    assert (found.rating, found.volatility) == (1600, 0.06)
    assert found.deviation == pytest.approx(math.hypot(50, 0.06 * 400 / math.log(10)))


@given(st.floats(-1e6, 1e6), st.floats(1e-9, 1e9), st.floats(1e-9, 1e9), scores)
def test_no_result_leaves_the_numbers(
    rating: float, deviation: float, volatility: float, score: float
) -> None:
    found = glicko2(Glicko(rating, deviation, volatility), [Glicko(0, 1e-9), Glicko()], [score, 1.0])
    assert math.isfinite(found.rating) and found.deviation > 0 and found.volatility > 0


def season(start: Glicko, growth: float) -> Glicko:
    """Let a player that starts at 1500 play twenty periods of thirty games with average results."""
    player, opponents = start, [Glicko(1500, 30)] * 30
    for period in range(20):
        chance = 1 / (1 + 10 ** (-period * growth / 400))
        player = glicko2(player, opponents, [chance] * 30)
    return player


def test_a_player_that_grows_is_followed_and_its_volatility_tells() -> None:
    steady = season(Glicko(1500, 100), 0)
    assert steady.rating == pytest.approx(1500) and steady.volatility < 0.06
    slow, usual, quick = (season(Glicko(1500, 100, volatility), 10) for volatility in (0.01, 0.06, 0.3))
    assert slow.rating < usual.rating < quick.rating == pytest.approx(1500 + 19 * 10, abs=20)
    assert slow.deviation < usual.deviation < quick.deviation
    assert season(Glicko(1500, 100), 30).volatility > 0.06


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"rating": math.nan}, "rating: expected a number, found nan"),
        ({"deviation": 0}, "deviation: expected a positive number, found 0"),
        ({"volatility": math.inf}, "volatility: expected a positive number, found inf"),
    ],
)
def test_what_is_no_player_is_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Glicko(**values)


def test_scores_that_are_none_are_refused() -> None:
    with pytest.raises(InputError, match="scores: expected one for each of 1 opponents, found 2"):
        glicko2(Glicko(), [Glicko()], [1, 0])
    with pytest.raises(InputError, match="scores: expected numbers from 0 to 1, found 3"):
        glicko2(Glicko(), [Glicko()], [3])
    with pytest.raises(InputError, match="tau: expected a positive number, found 0"):
        glicko2(Glicko(), [Glicko()], [1], tau=0)
