"""How wide is a draw, and what are the weights when results are three ordered outcomes?

A draw is an outcome of its own, the likelier the closer the score is to 0: loss, draw and win split one scale
at -margin and +margin (`loss.Ordered`). Margin and weights are fitted in turn until neither moves; both
steps lower the same convex loss. Scores stay in Elo, the unit in which the expected result is
1 / (1 + 10 ** (-score / 400)): how many logits of the three outcomes that is is found on the prior's scores, which
are in Elo already, or for a prior of zeros on the fitted ones.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar

from tunesmith.games.errors import InputError
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.fit.constraints import Constraints
from tunesmith.tuning.fit.loss import LOGITS_PER_ELO, Ordered, mean_loss, scores
from tunesmith.tuning.fit.rows import Floats, Rows
from tunesmith.tuning.fit.scale import fit_scale
from tunesmith.tuning.fit.texel import Fit, fit

_STILL = 1e-8  # change of ln(margin) that ends the turns
_TURNS = 60


class DrawFit(NamedTuple):
    """A fit with draws as outcomes, and the score (Elo) from which on a win is likelier than the rest together."""

    fit: Fit
    margin: float


def fit_with_draws(
    rows: Rows,
    prior: Floats,
    options: FitOptions,
    constraints: Constraints | None = None,
    *,
    start: Floats | None = None,
    judging: Rows | None = None,
) -> DrawFit:
    """Fit weights and margin as `texel.fit` does; its loss is `Ordered`. Labels: 0, 1/2 or 1."""

    def once(loss: Ordered, near: Floats | None) -> Fit:
        return fit(rows, prior, options, constraints, loss=loss, start=near, judging=judging)

    used = rows.used()
    first = _first_margin(used)
    before = scores(used, prior)
    if before.any():
        found, loss = _in_turn(rows, once, Ordered(first, _unit(used, before)), start)
    else:
        found, loss = _in_turn(rows, once, Ordered(first), start)
        scale = fit_scale(scores(used, found.weights), used.labels, used.weight)
        if scale > 0:
            found, loss = _in_turn(rows, once, Ordered(loss.margin, 1 / scale), found.weights * scale)
    return DrawFit(found, loss.margin / (loss.unit * LOGITS_PER_ELO))


def _in_turn(
    rows: Rows, once: Callable[[Ordered, Floats | None], Fit], loss: Ordered, start: Floats | None
) -> tuple[Fit, Ordered]:
    """Fit weights and margin in turn, the unit kept."""
    found = once(loss, start)
    for _ in range(_TURNS):
        better = Ordered(_best_margin(rows, found.weights, loss.unit), loss.unit)
        moved = abs(math.log(better.margin / loss.margin))
        loss = better
        found = once(loss, found.weights)
        if moved < _STILL:
            return found, loss
    raise InputError("draws: margin and weights did not converge; use a stronger ridge")


def _unit(rows: Rows, before: Floats) -> float:
    """Find the logits of the three outcomes in one logit of the expected result, on scores in Elo."""
    alone = Rows(before[:, None], None, rows.labels, rows.weight, rows.group)
    one = np.ones((1, 1))

    def loss(log_unit: float) -> float:
        margin = _best_margin(alone, one, math.exp(log_unit))
        return mean_loss(alone, one, Ordered(margin, math.exp(log_unit)))

    found = minimize_scalar(loss, bounds=(math.log(0.1), math.log(10.0)), method="bounded")
    return math.exp(float(found.x))


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


def _best_margin(rows: Rows, weights: Floats, unit: float) -> float:
    logits = LOGITS_PER_ELO * scores(rows, weights)

    def loss(log_margin: float) -> float:
        return float(rows.weight @ Ordered(math.exp(log_margin), unit)(logits, rows.labels).value)

    found = minimize_scalar(
        loss, bounds=(math.log(1e-4), math.log(50.0)), method="bounded", options={"xatol": 1e-10}
    )
    return math.exp(float(found.x))
