"""Which generation is taken: by matches and held-out loss together, and never dropped for bad luck."""

import numpy as np
import pytest
from scipy.stats import norm

from tunesmith.tuning.stats.elo import estimate
from tunesmith.tuning.stats.generations import USUAL, Step, left, rating, step, strongest

FIRST = estimate((5, 10, 30, 30, 25))
UNCLEAR = estimate((18, 22, 30, 18, 12))  # 100 pairs, -35 Elo or so
WORSE = estimate((60, 20, 20, 0, 0))


def test_a_check_below_half_that_shows_nothing_does_not_drop_weights() -> None:
    assert UNCLEAR.elo < -20 and not step(1, UNCLEAR, 0.001, 0.0005).is_worse
    assert step(1, WORSE, 0.001, 0.0005).is_worse
    assert strongest([step(0, FIRST, None, None), step(1, WORSE, 1.0, 0.1)]) == 1


def test_a_step_lies_between_what_the_match_and_what_the_loss_say() -> None:
    by_match = UNCLEAR.elo
    better, unknown, worse = (step(1, UNCLEAR, fall, 0.001).elo for fall in (0.004, 0.0, -0.004))
    assert by_match < worse < unknown < better < USUAL
    assert step(1, UNCLEAR, None, None).elo == pytest.approx(unknown)
    assert step(1, UNCLEAR, 0.004, None) == step(
        1, UNCLEAR, None, None
    )  # a loss without its error says nothing


def test_many_pairs_speak_louder_than_the_loss() -> None:
    few, many = estimate((0, 2, 6, 2, 0)), estimate((0, 2000, 6000, 2000, 0))
    assert step(1, few, 0.004, 0.001).elo > 10
    assert abs(step(1, many, 0.004, 0.001).elo) < 2


def test_the_first_step_is_taken_as_it_was_measured() -> None:
    assert step(0, FIRST, None, None).elo == FIRST.elo


def test_ratings_add_up_along_the_steps() -> None:
    steps = [Step(0, 50.0, 10.0, False), Step(1, -4.0, 8.0, False), Step(1, 6.0, 8.0, False)]
    assert strongest(steps) == 3 and strongest(steps[:2]) == 1
    assert [rating(steps, number) for number in range(4)] == [0, 50, 46, 56]


def test_what_was_made_from_weights_that_are_worse_is_out_and_if_all_are_the_last_is_taken() -> None:
    worse = Step(0, -60.0, 10.0, True)
    assert strongest([worse, Step(1, 90.0, 10.0, False), Step(0, 1.0, 9.0, False)]) == 3
    assert strongest([worse, worse]) == 2


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_a_step_is_what_bayes_rule_makes_of_what_is_usual_and_of_the_match(level: float) -> None:
    """Multiplied out on a grid; at whatever level the match gives its interval."""
    check = estimate((500, 1000, 3000, 1100, 500), level)
    error = estimate((500, 1000, 3000, 1100, 500)).elo_half_width / norm.ppf(0.975)
    assert step(0, check, None, None).error == pytest.approx(error, rel=1e-3)
    grid = np.linspace(-100, 100, 20001)
    share = norm.pdf(grid, USUAL * (2 * norm.cdf(1.5) - 1), USUAL) * norm.pdf(grid, check.elo, error)
    mean = np.average(grid, weights=share)
    found = step(1, check, 0.003, 0.002)
    assert found.elo == pytest.approx(mean, rel=1e-3)
    assert found.error == pytest.approx(np.sqrt(np.average((grid - mean) ** 2, weights=share)), rel=1e-3)


def test_games_to_come_bring_their_share_of_what_is_left_in_elo_a_nat_so_far() -> None:
    """150 Elo came with 0.05 nats; of 0.004 nats as many games again bring half."""
    assert left(0.004, 1, 1, 150.0, 0.05, 0.01) == pytest.approx(6.0)
    assert left(0.004, 300, 900, 150.0, 0.05, 0.01) == pytest.approx(9.0)


def test_what_is_left_cannot_be_told_where_no_gain_is_shown() -> None:
    assert left(0.004, 1, 1, 0.0, 0.05, 0.01) is None
    assert left(0.004, 1, 1, 150.0, 0.02, 0.01) is None
    assert left(0.004, 1, 1, 150.0, None, None) is None
