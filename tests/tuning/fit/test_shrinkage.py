"""Groups of weights, or single ones, are held less firmly than others where the data show that they go further."""

from collections.abc import Sequence

import numpy as np
import pytest

from tests.support.simulated import positions
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.fit.constraints import Constraints, Names, make_constraints
from tunesmith.tuning.fit.loss import derivatives, expected_result, scores
from tunesmith.tuning.fit.newton import Minimum, Point
from tunesmith.tuning.fit.parameters import pose
from tunesmith.tuning.fit.ridge import choose_ridge
from tunesmith.tuning.fit.rows import Floats, Rows
from tunesmith.tuning.fit.run import run_fit
from tunesmith.tuning.fit.shrinkage import (
    GROUPS,
    ONE,
    TAILS,
    Case,
    firmness_at,
    groups_of,
    hold,
    kinds_of,
    of_weights,
)
from tunesmith.tuning.fit.solve import solve

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


# --- the ridges that make the data most likely, by a naive twin


def naive_firmness(
    found: Minimum, pull: Sequence[float], groups: Sequence[int], n: float, kind: str, before: Sequence[float]
) -> list[float]:
    """Return the firmness of each weight in loops, of the quadratic model of the loss at a minimum."""
    own = [q for q in range(len(pull)) if found.free[q]]
    loss = found.point.hessian - np.diag(np.array(pull) * before)
    aim = (found.point.hessian @ (found.place * found.free) - found.point.gradient)[own]
    firmness = list(before)
    for _ in range(40):
        held = [[loss[a, b] + (a == b) * pull[a] * firmness[a] for b in own] for a in own]
        there, doubt = np.linalg.solve(held, aim), np.diag(np.linalg.inv(held))
        square = [n * pull[q] * float(found.place[q]) ** 2 for q in range(len(pull))]
        spread = [0.0] * len(pull)
        for at, q in enumerate(own):
            square[q], spread[q] = n * pull[q] * float(there[at]) ** 2, pull[q] * float(doubt[at])
        new = []
        for q, group in enumerate(groups):
            mine = [other for other in range(len(pull)) if groups[other] == group]
            if kind == GROUPS:
                determined = sum(1 - firmness[other] * spread[other] for other in mine)
                one = (determined + 2) / (sum(square[other] for other in mine) + 2)
            else:
                scale = (len(mine) + 2) / (sum(firmness[other] for other in mine) + 2)
                one = (3 + 1) / (3 * scale + square[q] + spread[q])
            new.append(min(max(one, 1e-4), 1e4))
        steps = [abs(float(np.log(a / b))) for a, b in zip(new, firmness, strict=True)]
        firmness = new
        if max(steps) < 0.01:
            break
    return firmness


def made_minimum() -> Minimum:
    """Return a minimum of five weights: a small, a usual, a far, an enormous one, and one that a bound holds."""
    rng = np.random.default_rng(4)
    half = rng.normal(size=(9, 5)) * 0.3
    place = np.array([0.02, 0.3, 2.0, 400.0, 0.5])
    gradient = np.array([1e-3, -2e-3, 0.0, 1e-3, -0.2])
    return Minimum(
        place,
        Point(0.7, gradient, half.T @ half + np.diag([0.02] * 5)),
        np.array([True] * 4 + [False]),
        3,
        0.0,
    )


@pytest.mark.parametrize("kind", [GROUPS, TAILS])
@pytest.mark.parametrize("groups", [[0, 0, 1, 2, 1], [0] * 5])
def test_firmness_is_that_of_the_naive_twin(kind: str, groups: list[int]) -> None:
    pull, n = np.array([0.01, 0.02, 0.005, 0.01, 0.02]), 300.0
    for before in (np.ones(5), np.array([1.0, 2.0, 0.5, 0.2, 3.0])):
        found = firmness_at(made_minimum(), pull, before, np.array(groups), n, kind)
        expected = naive_firmness(made_minimum(), pull.tolist(), groups, n, kind, before.tolist())
        assert found == pytest.approx(np.array(expected), rel=1e-9)
    if groups[3] != groups[0]:
        assert found[3] == 1e-4  # as loosely as a weight may be held


@pytest.mark.parametrize("kind", [GROUPS, TAILS])
def test_weights_and_their_firmness_are_found_in_turn_twice(kind: str) -> None:
    rows = drawn(np.array([[150.0, -200.0, *([10.0, -10.0] * 3)]]), 100)
    features = np.where(np.arange(rows.n)[:, None] % 2 == 0, rows.features[:], 0.0)  # penalties are not 1
    rows = Rows(features, None, rows.labels, rows.weight, rows.group)
    parameters = pose(rows, np.zeros((1, 8)), FitOptions()).parameters
    case = Case(rows, parameters, None, "cross-entropy", 0.02, np.array([0] * 2 + [1] * 6), 250.0)
    first = solve(rows, parameters, 0.02, "cross-entropy", np.zeros(8), (1e-9, 50))
    pull = 0.02 * parameters.penalty
    assert pull == pytest.approx(np.full(8, 0.04), rel=0.02)

    def settled(firmness: Floats, start: Minimum) -> Minimum:
        """Take Newton's steps by hand."""
        place = start.place
        for _ in range(20):
            at = derivatives(rows, parameters.weights(place))
            slope = parameters.spread.T @ at.gradient + pull * firmness * place
            held = parameters.spread.T @ at.hessian @ parameters.spread + np.diag(pull * firmness)
            place = place - np.linalg.solve(held, slope)
        return start._replace(place=place, point=Point(at.value, slope, held))

    one = np.array(naive_firmness(first, pull.tolist(), case.groups.tolist(), case.n, kind, [1.0] * 8))
    two = np.array(
        naive_firmness(settled(one, first), pull.tolist(), case.groups.tolist(), case.n, kind, one.tolist())
    )
    found = hold(case, kind, first)
    assert found.firmness == pytest.approx(two, rel=1e-4)
    assert found.minimum.place == pytest.approx(settled(two, first).place, abs=1e-4)
    assert hold(case, ONE, first).minimum is first and (hold(case, ONE, first).firmness == 1).all()


@pytest.mark.parametrize(
    ("groups", "kinds"), [([0], (ONE,)), ([0, 0], (ONE, TAILS)), ([0, 1], (ONE, GROUPS, TAILS))]
)
def test_ways_to_hold_are_those_that_differ(groups: list[int], kinds: tuple[str, ...]) -> None:
    rows = drawn(np.ones((1, len(groups))), 20)
    parameters = pose(rows, np.zeros((1, len(groups))), FitOptions()).parameters
    assert kinds_of(Case(rows, parameters, None, "cross-entropy", 0.1, np.array(groups), 9.0)) == kinds
