"""Positions whose true weights are known, for the tests of the fit."""

from typing import Any

import numpy as np

from tests.naive import texel as naive
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.data.table.gather import Table
from tunesmith.tuning.fit import texel
from tunesmith.tuning.fit.constraints import Constraints
from tunesmith.tuning.fit.loss import expected_result, scores
from tunesmith.tuning.fit.rows import Floats, Rows
from tunesmith.tuning.pipeline.fit_table import TableFit, fit_table


def positions(
    weights: Floats, n_pairs: int, per_pair: int = 4, seed: int = 1, draws: float = 0.3, copies: bool = False
) -> Rows:
    """Draw features, shares and results; `copies` makes all positions of a pair the same."""
    rng = np.random.default_rng(seed)
    n, (n_stages, n_features) = n_pairs * per_pair, weights.shape
    drawn = n_pairs if copies else n
    features = rng.normal(size=(drawn, n_features)).round(2)
    stages = rng.dirichlet(np.ones(n_stages), size=drawn)
    chance = expected_result(scores(table(features, stages), weights))
    half = draws * np.minimum(chance, 1 - chance)  # so that win + draw / 2 is the expected result
    luck = rng.random(drawn)
    labels = np.where(luck < chance - half, 1.0, np.where(luck < chance + half, 0.5, 0.0))
    each = per_pair if copies else 1
    group = np.arange(n) // per_pair
    return table(features.repeat(each, 0), stages.repeat(each, 0), labels.repeat(each), group=group)


def table(
    features: Floats,
    stages: Floats | None = None,
    labels: Floats | None = None,
    weight: Floats | None = None,
    group: np.ndarray | None = None,
) -> Rows:
    """Build rows from what a test cares about: draws of weight 1, each a pair of its own."""
    n = len(features)
    return Rows(
        np.asarray(features, dtype=np.float64),
        stages,
        np.full(n, 0.5) if labels is None else labels,
        np.ones(n) if weight is None else weight,
        np.arange(n) if group is None else group,
    )


def as_naive(rows: Rows) -> list[naive.Position]:
    """Unpack rows for the naive twin."""
    stages = np.ones((rows.n, 1)) if rows.stages is None else rows.stages
    columns = (rows.features.tolist(), stages.tolist(), rows.labels.tolist(), rows.weight.tolist())
    return [naive.Position(*row) for row in zip(*columns, rows.group.tolist(), strict=True)]


def fit(rows: Rows, prior: Floats, **wishes: Any) -> texel.Fit:
    """Fit under constraints, options and arguments of `texel.fit`, told apart by their names."""
    allowed = {
        name: wishes.pop(name) for name in ("fixed", "ties", "lower", "upper", "orders") if name in wishes
    }
    options = _options(wishes)
    return texel.fit(rows, prior, options, Constraints.of(rows.shape, **allowed), **wishes)


def fit_a_table(table: Table, **wishes: Any) -> TableFit:
    """Fit a table under options and arguments of `fit_table`, told apart by their names."""
    options = _options(wishes)
    return fit_table(table, options, **wishes)


def _options(wishes: dict[str, Any]) -> FitOptions:
    return FitOptions(**{name: wishes.pop(name) for name in FitOptions.model_fields if name in wishes})
