"""Which numbers a fit moves, in what unit, and which weights keep their prior."""

import numpy as np
import pytest

from tests.support.simulated import fit, positions
from tests.tuning.fit.test_checks import MINE, YOURS
from tests.tuning.fit.test_texel import one_stage
from tunesmith.games.errors import InputError
from tunesmith.tuning.fit.loss import derivatives
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
