"""Groups of weights, or single ones, are held less firmly than others where the data show that they go further."""

import numpy as np
import pytest

from tests.support.simulated import positions
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.fit.constraints import Constraints, Names, make_constraints
from tunesmith.tuning.fit.loss import expected_result, scores
from tunesmith.tuning.fit.parameters import pose
from tunesmith.tuning.fit.ridge import choose_ridge
from tunesmith.tuning.fit.rows import Floats, Rows
from tunesmith.tuning.fit.run import run_fit
from tunesmith.tuning.fit.shrinkage import GROUPS, ONE, TAILS, groups_of, of_weights

SQUARES = Names(("all",), ("pawn", "knight", "bishop", *(f"pst_{square}" for square in range(1, 13))))


def drawn(weights: Floats, n_pairs: int, seed: int = 1) -> Rows:
    """Positions whose results follow from weights (1, F)."""
    return positions(weights, n_pairs, seed=seed)


def mean_miss(rows: Rows, weights: Floats, truth: Floats) -> float:
    """Give the mean squared error of the expected results."""
    return float(
        np.mean((expected_result(scores(rows, weights)) - expected_result(scores(rows, truth))) ** 2)
    )


def test_many_small_weights_of_one_name_are_held_more_firmly_than_few_large_ones() -> None:
    """Twelve squares that matter little would otherwise be held as loosely as three pieces that matter much."""
    truth = np.array([[150.0, -200.0, 180.0, *([4.0, -4.0] * 6)]])
    rows, fresh = drawn(truth, 150), drawn(truth, 400, seed=2)
    limits = make_constraints(SQUARES, FitOptions())
    choice = choose_ridge(rows, np.zeros_like(truth), FitOptions(), limits)
    assert [kind.name for kind in choice.kinds] == [ONE, GROUPS, TAILS]
    groups = choice.kinds[1].firmness[0]
    assert np.ptp(groups[:3]) == np.ptp(groups[3:]) == 0 and groups[3] > 10 * groups[0]
    assert choice.kind.name != ONE
    one = run_fit(rows, None, np.zeros_like(truth), FitOptions(ridge=choice.ridge), limits).fit.weights
    own = run_fit(rows, None, np.zeros_like(truth), FitOptions(), limits).fit.weights
    assert mean_miss(fresh, own, truth) < 0.7 * mean_miss(fresh, one, truth)


def test_a_single_weight_that_goes_far_is_let_go() -> None:
    """Names say nothing here: one weight of twenty matters."""
    truth = np.zeros((1, 20))
    truth[0, 7] = 250.0
    rows, fresh = drawn(truth, 150), drawn(truth, 400, seed=2)
    choice = choose_ridge(rows, np.zeros_like(truth), FitOptions())
    assert [kind.name for kind in choice.kinds] == [ONE, TAILS] and choice.kind.name == TAILS
    assert choice.kind.firmness.argmin() == 7
    one = run_fit(rows, None, np.zeros_like(truth), FitOptions(ridge=choice.ridge), Constraints.of((1, 20)))
    own = run_fit(rows, None, np.zeros_like(truth), FitOptions(), Constraints.of((1, 20)))
    assert mean_miss(fresh, own.fit.weights, truth) < 0.6 * mean_miss(fresh, one.fit.weights, truth)
    assert own.fit.errors[0, 7] > own.fit.errors[0, :7].max()  # the posterior takes its own ridge at its word


def test_weights_of_one_size_keep_one_ridge() -> None:
    truth = np.array([[60.0, -60.0] * 10])
    choice = choose_ridge(drawn(truth, 200), np.zeros_like(truth), FitOptions())
    assert choice.kind.name == ONE and (choice.kind.firmness == 1).all()


def test_groups_are_stages_and_in_them_features_of_one_name() -> None:
    names = Names(("early", "late"), ("pawn", "pst_1", "pst_2", "pst_3", "height_2", "height_3"))
    assert names.stems == ("", "pst", "pst", "pst", "", "")  # two of a name say too little of a ridge
    rows = positions(np.ones((2, 6)), 60)
    constraints = make_constraints(names, FitOptions(fixed=("late.pawn",)))
    parameters = pose(rows, np.zeros((2, 6)), FitOptions(), constraints).parameters
    groups = groups_of(parameters, constraints.families)
    assert groups.tolist() == [0, 1, 1, 1, 0, 0, 3, 3, 3, 2, 2]
    firmness = of_weights(parameters, 1.0 + groups)
    assert firmness.tolist() == [[1, 2, 2, 2, 1, 1], [1, 4, 4, 4, 3, 3]]


def test_a_weight_of_firmness_two_is_held_as_by_twice_the_ridge() -> None:
    rows = drawn(np.array([[80.0, -50.0]]), 60)
    firm = Constraints(**(vars(Constraints.of((1, 2))) | {"firmness": np.full((1, 2), 2.0)}))
    twice = run_fit(rows, None, np.zeros((1, 2)), FitOptions(ridge=0.02), Constraints.of((1, 2))).fit
    found = run_fit(rows, None, np.zeros((1, 2)), FitOptions(ridge=0.01), firm).fit
    assert found.weights == pytest.approx(twice.weights) and found.errors == pytest.approx(twice.errors)
    assert (found.firmness == 2).all()


def test_bounds_are_kept_where_groups_have_ridges_of_their_own() -> None:
    truth = np.array([[150.0, -200.0, 180.0, *([4.0, -4.0] * 6)]])
    limits = make_constraints(SQUARES, FitOptions(bounds=("pawn=0:40", "pst_1=0:1")))
    found = run_fit(drawn(truth, 150), None, np.zeros_like(truth), FitOptions(), limits)
    assert found.ridge_path.kind != ONE
    assert found.fit.weights[0, 0] == 40.0 and 0 <= found.fit.weights[0, 3] <= 1
