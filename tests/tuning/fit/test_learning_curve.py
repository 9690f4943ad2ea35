"""What more games would bring: nested parts of the pairs, judged on the same unseen pairs, and games without end."""

from dataclasses import replace

import numpy as np
import pytest

from tests.support.simulated import fit, positions
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.fit.calibration import gain
from tunesmith.tuning.fit.constraints import Constraints
from tunesmith.tuning.fit.learning_curve import SHARES, LearningCurve, learning_curve, unlearnt
from tunesmith.tuning.fit.loss import expected_result, mean_loss, scores
from tunesmith.tuning.fit.run import run_fit
from tunesmith.tuning.fit.split import split

WEIGHTS = np.array([[120.0, -45.0, 30.0, 10.0]])
ROWS = positions(WEIGHTS, 1000)
NOTHING = 0 * WEIGHTS
FREE = Constraints.of(WEIGHTS.shape)
HELD = split(ROWS.group, 0.3)
JUDGING = ROWS.take(HELD)


SALT = 0x6C6561726E  # of the parts


def curve(pairs: int) -> LearningCurve:
    training = ROWS.take(~HELD & (ROWS.group < pairs))
    found = fit(training, NOTHING, ridge=1e-4)
    return learning_curve(training, JUDGING, found, found.weights, FitOptions(), FREE)


def test_parts_grow_and_their_loss_falls_to_that_of_all() -> None:
    found = curve(1000)
    pairs = [part.pairs for part in found.parts]
    n = int(np.unique(ROWS.group[~HELD]).size)
    assert pairs[-1] == n
    assert pairs[:-1] == pytest.approx([share * n for share in SHARES], rel=0.25)
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
    few, many = (split(np.arange(n), 1 - SHARES[0], SALT) for n in (200, 1000))
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


def test_parts_are_an_eighth_a_quarter_and_half_of_the_pairs_with_a_prior_as_certain_as_for_all() -> None:
    training, ridge = ROWS.take(~HELD), 0.01
    found = fit(training, NOTHING, ridge=ridge)
    made = learning_curve(training, JUDGING, found, found.weights, FitOptions(), FREE)
    for share, part in zip((1 / 8, 1 / 4, 1 / 2), made.parts, strict=False):
        rows = training.take(~split(training.group, 1 - share, SALT))
        assert part.pairs == rows.n_groups
        own = fit(rows, NOTHING, ridge=ridge * training.n_groups / rows.n_groups).weights
        assert part.loss == pytest.approx(mean_loss(JUDGING, own), rel=1e-9)
        assert part.error == pytest.approx(gain(JUDGING, own, found.weights).error, rel=1e-6)


def test_parts_of_twenty_pairs_are_the_smallest() -> None:
    sizes = set()
    for pairs in (60, 61, 103, 104):
        rows = ROWS.take(~HELD & (ROWS.group < pairs))
        counts = [rows.take(~split(rows.group, 1 - share, SALT)).n_groups for share in (1 / 8, 1 / 4, 1 / 2)]
        sizes |= set(counts)
        found = [part.pairs for part in curve(pairs).parts]
        assert found == [*(n for n in counts if n >= 20), rows.n_groups]
    assert sizes >= {19, 20}


def test_what_games_without_end_would_bring_is_the_loss_above_that_of_the_true_weights() -> None:
    """On average of 30 fits to 80 pairs each, judged by the true chances."""
    options, above, told = FitOptions(ridge=1e-3, blend=1.0), [], []
    chances = replace(ROWS, labels=expected_result(scores(ROWS, WEIGHTS)))
    for seed in range(30):
        training = positions(WEIGHTS, 80, seed=100 + seed)
        ran = run_fit(training, None, NOTHING, options, FREE)
        above.append(mean_loss(chances, ran.fit.weights) - mean_loss(chances, WEIGHTS))
        told.append(unlearnt(ran))
    assert np.mean(told) == pytest.approx(np.mean(above), rel=0.25)


def test_calm_labels_leave_as_much_to_learn_as_results() -> None:
    """What a search expects has less noise than results; what is not known of results stays."""
    options = FitOptions(ridge=1e-3, blend=0.1)
    rows = replace(ROWS, expected=expected_result(0.8 * scores(ROWS, WEIGHTS)))
    calm, plain = run_fit(rows, None, NOTHING, options, FREE), run_fit(ROWS, None, NOTHING, options, FREE)
    assert np.trace(calm.fit.covariance) < np.trace(plain.fit.covariance) / 10
    assert unlearnt(calm) == pytest.approx(unlearnt(plain), rel=1e-6)
