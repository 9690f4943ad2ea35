"""How firmly the data are held to the prior: unseen pairs and the evidence decide."""

import numpy as np
import pytest

from tests.support.simulated import fit, positions, table
from tunesmith.games.errors import InputError
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.fit.ridge import choose_ridge
from tunesmith.tuning.fit.rows import Rows

WEIGHTS = np.array([[120.0, -45.0, 0.0], [30.0, 80.0, -60.0]])


NOTHING = np.zeros_like(WEIGHTS)


ROWS = positions(WEIGHTS, 1500)


def changed(rows: Rows, **changes: np.ndarray | None) -> Rows:
    """Replace some columns of a table."""
    columns = {name: getattr(rows, name) for name in ("features", "stages", "labels", "weight", "group")}
    return Rows(**{**columns, **changes})


def test_cross_validation_trusts_signal_and_distrusts_noise() -> None:
    """On shuffled results the strongest ridge wins, and what it fits is nothing."""
    real = choose_ridge(ROWS, NOTHING, FitOptions())
    assert real.ridge <= 1e-2
    assert min(real.losses) < real.prior_loss == pytest.approx(np.log(2))
    noise = changed(ROWS, labels=np.random.default_rng(2).permutation(ROWS.labels))
    chosen = choose_ridge(noise, NOTHING, FitOptions())
    assert chosen.ridge == max(chosen.grid) == chosen.grid[0]
    assert min(chosen.losses) > chosen.prior_loss - 1e-3
    found = fit(noise, NOTHING, ridge=chosen.ridge)
    assert (np.abs(found.weights) < 3 * found.errors).all()


def test_cross_validation_keeps_the_positions_of_a_pair_together() -> None:
    """Twenty noise features learn by heart which result each pair had; only whole pairs left out show it."""
    rng = np.random.default_rng(1)
    features = rng.normal(size=(60, 20)).repeat(6, axis=0)
    labels, pairs = rng.integers(0, 2, 60).repeat(6).astype(np.float64), np.arange(60).repeat(6)
    by_pair = choose_ridge(table(features, labels=labels, group=pairs), np.zeros((1, 20)), FitOptions())
    by_row = choose_ridge(table(features, labels=labels), np.zeros((1, 20)), FitOptions())
    assert by_row.ridge < by_pair.ridge


SMALL = positions(WEIGHTS, 80, seed=9)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"grid": ()}, r"grid: expected finite ridges above 0, found \(\)"),
        ({"grid": (0.1, 0.0)}, "grid: expected finite ridges above 0"),
        ({"folds": 1}, "folds: expected at least 2, found 1"),
    ],
)
def test_wrong_grids_and_folds_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        choose_ridge(SMALL, NOTHING, FitOptions(), **options)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="folds: expected pairs in several of 5 folds, found all in one"):
        choose_ridge(SMALL.take(SMALL.group == 3), NOTHING, FitOptions())
