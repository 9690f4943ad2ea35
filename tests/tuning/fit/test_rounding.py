"""Whole numbers: what they cost, and which are better rounded the other way."""

import itertools

import numpy as np
import pytest

from tests.support.simulated import fit, positions, table
from tunesmith.games.errors import InputError
from tunesmith.tuning.fit.constraints import Constraints
from tunesmith.tuning.fit.loss import expected_result, mean_loss
from tunesmith.tuning.fit.rounding import round_weights
from tunesmith.tuning.fit.rows import Rows

WEIGHTS = np.array([[32.0, -17.0, 4.0]])
ROWS = positions(WEIGHTS, 300)
FREE = Constraints.of(WEIGHTS.shape)


def close(seed: int) -> Rows:
    """Make columns that nearly say the same, so that rounding errors add up."""
    rng = np.random.default_rng(seed)
    base = rng.normal(size=800) * 4
    features = np.column_stack([base, base + 0.05 * rng.normal(size=800), rng.normal(size=800)])
    return table(
        features, labels=expected_result(features @ rng.uniform(-20, 20, 3)), group=np.arange(800) // 4
    )


@pytest.mark.parametrize("seed", range(6))
def test_the_repair_is_as_good_as_the_best_of_all_neighbours(seed: int) -> None:
    """Against every rounding of three weights up or down; single and paired moves may even find a better one."""
    rows, step = close(seed), 5.0
    found = fit(rows, np.zeros((1, 3)), ridge=1e-9, keep_near_labels=True)
    made = round_weights(rows, found, step, FREE)
    floor = np.floor(found.weights / step)
    every = [mean_loss(rows, (floor + np.array([up])) * step) for up in itertools.product((0, 1), repeat=3)]
    plain = np.rint(found.weights / step) * step
    assert made.loss == pytest.approx([mean_loss(rows, w) for w in (found.weights, plain, made.weights)])
    assert (made.weights % step == 0).all() and made.loss[0] <= made.loss[2] <= made.loss[1]
    assert made.loss[2] <= min(every) * (1 + 1e-6)
    assert made.repaired == tuple(np.flatnonzero(made.weights != plain))


def test_fixed_weights_are_not_rounded() -> None:
    fixed = np.array([[False, True, False]])
    found = fit(ROWS, np.array([[0.0, -17.3, 0.0]]), ridge=1e-6, fixed=fixed)
    made = round_weights(ROWS, found, 10.0, Constraints.of(WEIGHTS.shape, fixed=fixed))
    assert made.weights[0, 1] == -17.3 and (made.weights[0, [0, 2]] % 10 == 0).all()


def test_bounds_orders_and_ties_are_kept() -> None:
    upper = np.array([[27.0, np.inf, np.inf]])
    made = round_weights(
        ROWS, fit(ROWS, 0 * WEIGHTS, ridge=1e-6, upper=upper), 10.0, Constraints.of((1, 3), upper=upper)
    )
    assert made.weights[0, 0] == 20
    orders = ((0, 2),)
    found = fit(ROWS, 0 * WEIGHTS, ridge=1e-6, orders=orders)
    made = round_weights(ROWS, found, 7.0, Constraints.of((1, 3), orders=orders))
    assert made.weights[0, 0] <= made.weights[0, 2]
    ties = np.array([[0, -1, 0]])
    found = fit(ROWS, 0 * WEIGHTS, ridge=1e-6, ties=ties)
    made = round_weights(ROWS, found, 7.0, Constraints.of((1, 3), ties=ties))
    assert made.weights[0, 0] == made.weights[0, 2]


def test_a_change_that_rounding_undoes_is_named() -> None:
    found = fit(ROWS, np.array([[30.0, 0.0, 0.0]]), ridge=1e-6)
    made = round_weights(ROWS, found, 1000.0, FREE)
    assert made.vanished == (0, 1, 2) and not made.weights.any()


def test_steps_that_cannot_be_are_refused() -> None:
    found = fit(ROWS, 0 * WEIGHTS, ridge=1e-6)
    with pytest.raises(InputError, match="step: expected a positive number, found 0"):
        round_weights(ROWS, found, 0.0, FREE)
    narrow = Constraints.of((1, 3), lower=np.full((1, 3), 1.0), upper=np.full((1, 3), 9.0))
    with pytest.raises(InputError, match="no multiple of 10.0 lies within the bounds of stage 0, feature 0"):
        round_weights(ROWS, found, 10.0, narrow)
