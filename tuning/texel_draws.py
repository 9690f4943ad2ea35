"""How wide is a draw, and what are the weights when results are three ordered outcomes?

A draw is an outcome of its own, the likelier the closer the score is to 0: loss, draw and win split one scale
at -margin and +margin (`texel_rows.Ordered`). Margin and weights are fitted in turn until neither moves; both
steps lower the same convex loss. The fitted weights are then brought to Elo, the unit in which the expected
result is 1 / (1 + 10 ** (-score / 400)), by the scale that predicts the results best.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar

from games.errors import InputError
from tuning.texel import Fit, fit
from tuning.texel_rows import LOGITS_PER_ELO, Floats, Ordered, Rows, scores

_STILL = 1e-8  # change of ln(margin) that ends the turns
_TURNS = 60


class DrawFit(NamedTuple):
    """A fit with draws as outcomes; `fit` is in logits' Elo, `scale` brings its scores to expected results."""

    fit: Fit
    margin: float  # Elo, in the unit of `fit`


def fit_with_draws(rows: Rows, prior: Floats, **options: Any) -> DrawFit:
    """Fit weights and margin; options are those of `texel.fit`, but for `loss`. Labels: 0, 1/2 or 1."""
    margin = _first_margin(rows.used())
    found = fit(rows, prior, loss=Ordered(margin), **options)
    for _ in range(_TURNS):
        better = _best_margin(rows, found.weights)
        moved = abs(math.log(better / margin))
        margin = better
        found = fit(rows, prior, **{**options, "loss": Ordered(margin), "start": found.weights})
        if moved < _STILL:
            return DrawFit(found, margin / LOGITS_PER_ELO)
    raise InputError("draws: margin and weights did not settle; use a stronger ridge")


def _first_margin(rows: Rows) -> float:
    """Give the margin at which even positions draw as often as positions do on average."""
    odd = ~np.isin(rows.labels, (0.0, 0.5, 1.0))
    if odd.any():
        found = rows.labels[odd][0]
        raise InputError(
            f"draws: expected results 0, 1/2 and 1 (no blend, nothing merged), found {found:.4g}"
        )
    drawn = float(rows.weight @ (rows.labels == 0.5) / rows.weight.sum())
    if not 0 < drawn < 1:
        raise InputError(f"draws: expected some draws and some other results, found {drawn:.0%} draws")
    return 2 * math.atanh(min(drawn, 0.99))


def _best_margin(rows: Rows, weights: Floats) -> float:
    logits = LOGITS_PER_ELO * scores(rows, weights)

    def loss(log_margin: float) -> float:
        return float(rows.weight @ Ordered(math.exp(log_margin))(logits, rows.labels).value)

    found = minimize_scalar(
        loss, bounds=(math.log(1e-4), math.log(50.0)), method="bounded", options={"xatol": 1e-10}
    )
    return math.exp(float(found.x))


def in_elo(found: Fit, scale: float) -> Fit:
    """Give a fit in another unit: weights, prior and errors times `scale`."""
    return replace(
        found,
        weights=found.weights * scale,
        prior=found.prior * scale,
        errors=found.errors * abs(scale),
        covariance=found.covariance * scale**2,
    )
