"""Which numbers a fit moves, in what unit, and which weights keep their prior."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.support.simulated import fit, positions, table
from tests.tuning.fit.test_checks import MINE, YOURS
from tests.tuning.fit.test_texel import one_stage
from tunesmith.games.errors import InputError
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.fit.constraints import Constraints
from tunesmith.tuning.fit.loss import derivatives
from tunesmith.tuning.fit.parameters import Parameters, pose, turned
from tunesmith.tuning.fit.rows import Rows

WEIGHTS = np.array([[120.0, -45.0, 0.0], [30.0, 80.0, -60.0]])


NOTHING = np.zeros_like(WEIGHTS)


ROWS = positions(WEIGHTS, 1500)


def changed(rows: Rows, **changes: np.ndarray | None) -> Rows:
    """Replace some columns of a table."""
    columns = {name: getattr(rows, name) for name in ("features", "stages", "labels", "weight", "group")}
    return Rows(**{**columns, **changes})


def test_nothing_free_is_no_error() -> None:
    found = fit(ROWS, WEIGHTS, ridge=1e-3, fixed=np.ones(WEIGHTS.shape, dtype=bool))
    assert (found.weights == WEIGHTS).all()
    assert found.n_fitted == found.iterations == 0
    assert found.prior_scale == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize("members", [[0, 3, 1], [0, 3, 1, 3], [2, 2, 2]], ids=["alone", "tied", "one"])
def test_products_of_columns_turn_to_those_of_parameters(members: list[int]) -> None:
    """Five columns, some without a parameter; where none is tied, to the last bit those of the two products."""
    rng = np.random.default_rng(4)
    spread = np.zeros((5, len(set(members))))
    spread[np.arange(len(members)), np.unique(members, return_inverse=True)[1]] = rng.uniform(
        1, 9, len(members)
    )
    half = rng.normal(size=(5, 5))
    products = half + half.T
    found = turned(products, spread)
    assert found == pytest.approx(spread.T @ products @ spread, rel=1e-14)
    naive = [
        [sum(a[i] * products[i, j] * b[j] for i in range(5) for j in range(5)) for b in spread.T]
        for a in spread.T
    ]
    assert found == pytest.approx(np.array(naive), rel=1e-12)


def test_penalty_is_that_of_its_definition() -> None:
    """The gradient of the loss balances ridge * change * (logits where present)^2."""
    features = ROWS.features.copy()
    features[::2, 1] = 0
    rows, ridge = changed(ROWS, features=features), 0.02
    found = fit(rows, NOTHING, ridge=ridge)
    columns = rows.stages[:, :, None] * features[:, None, :]  # type: ignore[index]
    present = (columns**2).sum(axis=0) / (columns != 0).sum(axis=0)
    assert found.size == pytest.approx(np.sqrt(present))
    pull = ridge * found.weights * present * (np.log(10) / 400) ** 2
    assert derivatives(rows, found.weights).gradient == pytest.approx(-pull.ravel(), abs=1e-11)


SMALL = positions(WEIGHTS, 80, seed=9)


def test_orders_in_a_circle_are_refused() -> None:
    with pytest.raises(InputError, match="orders: columns (0 <= 4 <= 0|4 <= 0 <= 4) are a circle"):
        fit(SMALL, NOTHING, ridge=1e-3, orders=((0, 4), (4, 0)))


def test_fixed_column_takes_the_blame_from_nobody() -> None:
    """Of two equal columns one is fixed: the other's weight is known."""
    rows = one_stage(np.column_stack([MINE - 2, MINE - 2]), [20, 20])
    found = fit(rows, np.zeros((1, 2)), ridge=0, fixed=np.array([[True, False]]))
    assert found.dependencies == () and found.status.tolist() == [["fixed", "fitted"]]
    assert found.weights[0, 1] == pytest.approx(40, abs=3 * found.errors[0, 1])


def test_tied_columns_that_cancel_are_silent() -> None:
    rows = one_stage(np.column_stack([MINE, -MINE, YOURS]), [0, 0, 10])
    found = fit(rows, np.zeros((1, 3)), ridge=0, ties=np.array([[0, 0, -1]]))
    assert found.status.tolist() == [["silent", "silent", "fitted"]]


# --- the parameters of small tables, by hand

LOGIT = 400 / np.log(10)
INF = np.inf


def posed(features: Any, prior: Any = None, stages: Any = None, **allowed: Any) -> Parameters:
    """Return the parameters of a table, each feature of which may be rare and nearly the result."""
    rows = table(np.array(features, dtype=np.float64), stages, labels=np.arange(len(features)) % 2 * 1.0)
    before = np.zeros(rows.shape) if prior is None else np.array([prior])
    options = FitOptions(min_rows=allowed.pop("min_rows", 1), keep_near_labels=True)
    given = {name: np.array([value]) if name != "orders" else value for name, value in allowed.items()}
    firmness = given.pop("firmness", None)
    return pose(
        rows, before, options, replace(Constraints.of(rows.shape, **given), firmness=firmness)
    ).parameters


TWO = [[2, 1], [2, 1], [0, 1], [0, -1]]  # mean squares 2 and 1; where present 4 and 1


def test_a_parameter_counts_in_logits_of_the_usual_effect_of_its_feature() -> None:
    made = posed(TWO, prior=[3.0, -1.0], lower=[1.0, -1.0], upper=[INF, 4.0])
    usual = np.sqrt([2.0, 1.0])
    assert made.spread == pytest.approx(np.diag(LOGIT / usual))
    assert made.size.tolist() == [[2, 1]]
    assert made.penalty == pytest.approx([2, 1])  # a feature that is there half the time counts as if always
    assert made.lower == pytest.approx([-2 * usual[0] / LOGIT, 0]) and made.upper == pytest.approx(
        [INF, 5 / LOGIT]
    )
    assert made.gram == pytest.approx(np.array([[1, 1 / usual[0]], [1 / usual[0], 1]]))
    assert made.weights(np.array([0.5, 0.25])) == pytest.approx(np.array([[3 + LOGIT / usual[0] / 2, 4.0]]))
    assert made.is_bounded and not posed(TWO).is_bounded
    assert posed(TWO, lower=[-1.0, -INF]).is_bounded and posed(TWO, upper=[INF, 7.0]).is_bounded


def test_firmness_multiplies_the_penalty_of_each_weight_of_a_parameter() -> None:
    made = posed(TWO, firmness=[3.0, 0.5], ties=[0, 0])
    # The sum of the columns is 3, 3, 1, -1: mean square 5.
    assert made.spread == pytest.approx(np.full((2, 1), LOGIT / np.sqrt(5)))
    assert made.penalty == pytest.approx([(3 * 4 + 0.5 * 1) / 5])


def test_a_weight_at_its_bound_is_the_bound_to_the_last_bit() -> None:
    rng = np.random.default_rng(1)
    bounds = rng.uniform(0.1, 1, 40)
    made = posed(rng.normal(size=(200, 40)), prior=rng.uniform(-0.05, 0.05, 40), lower=-bounds, upper=bounds)
    assert (made.weights(made.upper) == bounds).all() and (made.weights(made.lower) == -bounds).all()
    above = made.weights(np.where(np.arange(40) == 3, made.upper, 0.0))
    assert above[0, 3] == bounds[3] and (np.delete(above, 3) == np.delete(made.prior, 3)).all()


def test_tied_weights_are_one_parameter_named_by_its_first_column() -> None:
    """Ties are numbered by the caller; what is tied to nothing stays apart from tie 0."""
    features = np.random.default_rng(2).normal(size=(50, 5))
    made = posed(features, ties=[-1, 0, 7, -1, 7])
    assert made.columns.tolist() == [0, 1, 2, 3]
    assert (made.spread != 0).tolist() == np.eye(4, dtype=bool)[[0, 1, 2, 3, 2]].tolist()
    assert made.moved_by(np.array([False, False, True, False])).tolist() == [
        [False, False, True, False, True]
    ]


def test_the_place_of_weights_is_where_they_come_from_within_the_bounds() -> None:
    features = np.random.default_rng(2).normal(size=(50, 4)) * [1, 1e4, 1e-3, 1]
    made = posed(features, prior=[5.0, 0.1, 3.0, 0.1], ties=[-1, 3, -1, 3], upper=[6.0, INF, INF, INF])
    place = np.array([-0.2, 0.3, 0.7])
    assert made.place(made.weights(place)) == pytest.approx(place)
    assert made.place(made.weights(place) + [[1e3, 0, 0, 0]]) == pytest.approx([made.upper[0], 0.3, 0.7])
    apart = made.weights(place) + np.array([[0, 1e-3, 0, -1e-3]])  # what is tied meets in the middle
    assert made.place(apart) == pytest.approx(place)


def test_limits_leave_the_room_of_orders_and_bounds() -> None:
    """Orders first, in Elo; then for each parameter the bound below and the one above, in logits."""
    made = posed(TWO, prior=[3.0, 5.0], lower=[1.0, -INF], upper=[4.0, 60.0])
    limits = made.limits(((0, 1), (1, 0)))
    place = np.array([-0.004, 0.02])
    weight = made.weights(place)[0]
    assert weight[0] < weight[1]
    assert limits.room(place)[:2] == pytest.approx([weight[1] - weight[0], weight[0] - weight[1]])
    expected = [place[0] - made.lower[0], made.upper[0] - place[0], made.upper[1] - place[1]]
    assert limits.room(place)[2:] == pytest.approx(expected, rel=1e-12)
    assert made.limits(()).matrix.shape == (3, 2)


# --- which weights keep their prior


def test_features_that_are_never_there_cancel_or_are_rare_keep_their_prior() -> None:
    rng = np.random.default_rng(3)
    large = 1e3 * rng.normal(size=100)
    columns = [
        rng.normal(size=100),
        0 * large,
        large,
        -large * (1 + 1e-8),
        np.arange(100) < 7,
        np.arange(100) < 6,
    ]
    made = posed(np.column_stack(columns), ties=[-1, -1, 0, 0, -1, -1], min_rows=7)
    assert made.status.tolist() == [["fitted", "silent", "silent", "silent", "fitted", "rare"]]


def test_dependencies_name_columns_of_all_weights() -> None:
    rng = np.random.default_rng(3)
    own, other = rng.normal(size=(2, 100))
    made = posed(np.column_stack([own, other, own, 2 * own]), fixed=[True, False, False, False])
    assert made.status.tolist() == [["fixed", "fitted", "fitted", "dependent"]]
    (found,) = made.dependencies
    assert (found.column, found.others) == (3, (2,)) and found.coefficients == pytest.approx((2.0,))


def test_a_prior_on_its_bound_and_orders_that_are_just_kept_are_no_fault() -> None:
    made = posed(TWO, prior=[3.0, 3.0], lower=[3.0, 0.0], upper=[4.0, 3.0], orders=((0, 1), (1, 0))[:1])
    assert made.status.tolist() == [["fitted", "fitted"]]
    assert posed(TWO, prior=[3.0, 3.0], orders=((1, 0),)).status.tolist() == [["fitted", "fitted"]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"orders": ((0, 2),)}, "orders: expected two columns below 2, found 0 and 2"),
        ({"orders": ((2, 1),)}, "orders: expected two columns below 2, found 2 and 1"),
        ({"orders": ((-1, 1),)}, "orders: expected two columns below 2, found -1 and 1"),
        ({"orders": ((1, -1),)}, "orders: expected two columns below 2, found 1 and -1"),
        ({"orders": ((1, 1),)}, "orders: columns 1 <= 1 are a circle"),
        ({"orders": ((1, 0),), "prior": [1.0, 2.0]}, "orders: expected the prior to keep column 1 <= 0, found 2.0 > 1.0"),
        ({"lower": [0.0, 1.0]}, "bounds: stage 0, feature 1: expected the prior 0.0 to lie within 1.0 to inf"),
        ({"upper": [0.0, -1.0]}, "bounds: stage 0, feature 1: expected the prior 0.0 to lie within -inf to -1.0"),
        ({"fixed": [0, 1]}, "fixed: expected true or false for each weight (1, 2), found int64 (1, 2)"),
        ({"fixed": [True]}, "fixed: expected true or false for each weight (1, 2), found bool (1, 1)"),
        ({"ties": [0.0, 0.0]}, "ties: expected a whole number for each weight (1, 2), found float64 (1, 2)"),
        ({"ties": [0, 0, 1]}, "ties: expected a whole number for each weight (1, 2), found int64 (1, 3)"),
        ({"ties": [7, 7], "prior": [1.0, 2.0]}, "ties: weights tied as 7 differ in prior: [1.0, 2.0]"),
    ],
)  # fmt: skip
def test_what_contradicts_itself_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        posed(TWO, **options)
    assert message in str(caught.value)
