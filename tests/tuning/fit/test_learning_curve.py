"""What more games would bring: nested parts of the pairs, judged on the same unseen pairs."""

import numpy as np
import pytest

from tests.support.simulated import fit, positions
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.fit.calibration import gain
from tunesmith.tuning.fit.constraints import Constraints
from tunesmith.tuning.fit.learning_curve import SHARES, LearningCurve, learning_curve
from tunesmith.tuning.fit.loss import mean_loss
from tunesmith.tuning.fit.split import split

WEIGHTS = np.array([[120.0, -45.0, 30.0, 10.0]])
ROWS = positions(WEIGHTS, 1000)
NOTHING = 0 * WEIGHTS
FREE = Constraints.of(WEIGHTS.shape)
HELD = split(ROWS.group, 0.3)
JUDGING = ROWS.take(HELD)


def curve(pairs: int) -> LearningCurve:
    training = ROWS.take(~HELD & (ROWS.group < pairs))
    found = fit(training, NOTHING, ridge=1e-4)
    return learning_curve(training, JUDGING, found, found.weights, FitOptions(), FREE)


def test_parts_grow_and_their_loss_falls_to_that_of_all() -> None:
    found = curve(1000)
    pairs = [part.pairs for part in found.parts]
    n = int(np.unique(ROWS.group[~HELD]).size)
    assert pairs[-1] == n
    assert pairs[:-1] == pytest.approx([share * n for share in SHARES[:-1]], rel=0.25)
    assert found.parts[0].loss > found.parts[-1].loss
    own = fit(ROWS.take(~HELD), NOTHING, ridge=1e-4).weights
    assert found.parts[-1].loss == pytest.approx(mean_loss(JUDGING, own))


def test_twice_the_pairs_bring_half_of_what_the_last_doubling_brought() -> None:
    found = curve(1000)
    assert found.doubling == pytest.approx((found.parts[-2].loss - found.parts[-1].loss) / 2, rel=1e-6)
    assert 0 < found.error < 0.01
    better = gain(JUDGING, NOTHING, fit(ROWS.take(~HELD), NOTHING, ridge=1e-4).weights, "cross-entropy")
    assert found.doubling < better.mean


def test_the_error_of_a_part_is_that_of_its_distance_to_all_pairs() -> None:
    found = curve(1000)
    assert found.parts[-1].error == 0
    assert found.parts[-2].error == pytest.approx(2 * found.error)
    assert found.parts[0].error > found.parts[-2].error > 0


def test_parts_are_nested_when_games_are_added() -> None:
    """The part of more pairs holds that of fewer: chosen by each pair's number alone."""
    few, many = (split(np.arange(n), 1 - SHARES[0], 0x6C6561726E) for n in (200, 1000))
    assert (few == many[:200]).all()


def test_too_few_pairs_foretell_nothing() -> None:
    found = curve(40)
    assert len(found.parts) == 1 and np.isnan(found.doubling) and np.isnan(found.error)
    assert found.facts.doubling is None or np.isnan(found.facts.doubling)


def test_a_file_holds_the_parts() -> None:
    found = curve(1000)
    facts = found.facts
    assert [(part.pairs, part.loss, part.error) for part in facts.parts] == list(found.parts)
    assert (facts.doubling, facts.error) == (found.doubling, found.error)


@pytest.mark.parametrize("pairs", range(5, 13))
def test_parts_without_a_row_are_passed_over(pairs: int) -> None:
    found = curve(pairs)
    assert [part.pairs for part in found.parts] == [
        int((~HELD[np.unique(ROWS.group, return_index=True)[1]])[:pairs].sum())
    ]
