"""What the gains of SPSA promise, held against simulated games.

The published figures stand in tests/golden/statistics.md."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tunesmith.tuning.search.samplers import SPSASampler
from tunesmith.tuning.search.samplers.spsa_gains import expected_loss, gains_for_precision, schedule

Theory = Callable[..., Any]


def simulate(elo: list[float], start: float, games: int, r: float, c: float, meeting: bool) -> np.ndarray:
    """Play 400 searches of decisive games with constant gains; return what each loses at its end."""
    rng, height = np.random.default_rng(1), np.array(elo)
    point = np.full((400, len(elo)), start)
    for _ in range(games if meeting else games // 2):
        signs = rng.choice([-1.0, 1.0], point.shape)
        losses = [((point + side * c * signs) ** 2) @ height for side in (1, -1)]
        if meeting:
            lead = np.where(rng.random(400) < 1 / (1 + 10 ** ((losses[0] - losses[1]) / 400)), 1, -1)
        else:
            wins = [np.where(rng.random(400) < 1 / (1 + 10 ** (loss / 400)), 1, -1) for loss in losses]
            lead = wins[0] - wins[1]
        point = point + r * c * lead[:, None] * signs
    return np.asarray((point**2) @ height)


@pytest.mark.parametrize("meeting", [True, False])
def test_gains_for_a_precision_keep_it(meeting: bool) -> None:
    """A parabola: after the games foretold the loss is within the precision as often as asked for."""
    gains = gains_for_precision([40.0], 5.0, confidence=0.95, meeting=meeting)
    loss = simulate([40.0], 0.8, gains.games, gains.r_end, 0.2, meeting)
    assert np.mean(loss < 5.0) == pytest.approx(0.95, abs=0.04)


@pytest.mark.parametrize("meeting", [True, False])
def test_the_loss_foretold_is_the_mean_of_searches(meeting: bool) -> None:
    """Two parameters, one ten times as important, in the middle of the way: the start still counts."""
    games = 1200 if meeting else 4800
    r = 0.03 if meeting else 0.015
    foretold = expected_loss([60.0, 6.0], [0.7, 0.7], games, r_end=r, c_end=0.25, meeting=meeting)
    loss = simulate([60.0, 6.0], 0.7, games, r, 0.25, meeting)
    assert foretold.start > 0.1 * foretold.mean
    assert foretold.mean == pytest.approx(loss.mean(), rel=0.12)


def test_a_common_opponent_costs_four_times_the_games() -> None:
    far, near = (gains_for_precision([3.0, 2.0], 0.5, meeting=meeting) for meeting in (False, True))
    assert near.r_end == pytest.approx(2 * far.r_end)
    assert far.half_lives == pytest.approx([4 * games for games in near.half_lives])
    assert far.games == pytest.approx(4 * near.games, abs=2)


def test_what_is_lost_goes_from_the_start_to_what_lasts() -> None:
    begun, later, at_last = (
        expected_loss([4.0, 2.0], [1.0, -0.5], games, r_end=0.01) for games in (0, 5_000, 1e9)
    )
    assert begun.mean == begun.start == pytest.approx(4.5)
    assert later.start < 4.5
    assert at_last.mean == pytest.approx(at_last.lasting) and at_last.start == 0
    shares = [at_last.lasting_quantile(share) for share in (0.1, 0.5, 0.9)]
    assert shares == sorted(shares)
    half = expected_loss([4.0], [1.0], begun.half_lives[0], r_end=0.01)
    assert half.start == pytest.approx(2.0)


def test_gains_can_be_constant() -> None:
    sampler = SPSASampler(1000, c_end=0.25, r_end=0.01, alpha=0, gamma=0)
    assert [sampler.gains(k) for k in (1, 20, 500)] == [pytest.approx((0.25, 0.01))] * 3


@pytest.mark.parametrize(
    ("call", "wrong"),
    [
        (schedule, {"games": 1, "c_end": 1, "r_end": 1}),
        (schedule, {"games": 10, "c_end": 1, "r_end": float("nan")}),
        (schedule, {"games": 10, "c_end": 1, "r_end": 1, "alpha": -1}),
        (schedule, {"games": 10, "c_end": 1, "r_end": 1, "a_ratio": float("inf")}),
        (gains_for_precision, {"elo": [], "precision": 1}),
        (gains_for_precision, {"elo": [1, 0], "precision": 1}),
        (gains_for_precision, {"elo": [1], "precision": 0}),
        (gains_for_precision, {"elo": [1], "precision": 1, "confidence": 1}),
        (gains_for_precision, {"elo": [1], "precision": 1, "draw_rate": 1}),
        (gains_for_precision, {"elo": [1], "precision": 1, "c_end": 0}),
        (expected_loss, {"elo": [1], "start": [1, 1], "games": 1, "r_end": 1}),
        (expected_loss, {"elo": [1], "start": [1], "games": -1, "r_end": 1}),
        (expected_loss(elo=[1], start=[1], games=1, r_end=1).lasting_quantile, {"share": 1}),
    ],
)
def test_what_makes_no_sense_is_refused(call: Theory, wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected"):
        call(**wrong)
