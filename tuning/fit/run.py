"""How is one fit run under a person's wishes, whether its rows came from self-play or from a table?

Ridge by cross-validation unless it is given, constraints kept, draws as an outcome of their own on request, weights
rounded at the end. Weights, bounds and steps are in Elo here."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tunesmith.games.errors import InputError
from tunesmith.tuning.fit import texel
from tunesmith.tuning.fit.constraints import Constraints, Names, Spelling
from tunesmith.tuning.fit.draws import fit_with_draws
from tunesmith.tuning.fit.rounding import Rounded, round_weights
from tunesmith.tuning.fit.rows import Floats, Rows

_SLACK = 1e-9  # of a bound, in parts of its size: units are multiplied in


class Wishes(NamedTuple):
    """What a fit is to be; ridge None: by cross-validation. hold_near_labels, min_rows: see `texel.fit`."""

    loss: texel.Loss = "cross-entropy"
    draws: bool = False
    ridge: float | None = None
    min_rows: int = texel.MIN_ROWS
    hold_near_labels: bool = True


class Ran(NamedTuple):
    """A fit, the options that another one of its kind needs, the way to the ridge, and the margin of draws (Elo)."""

    fit: texel.Fit
    options: dict[str, Any]
    ridge_path: dict[str, Any]
    margin: float | None


def run_fit(
    training: Rows,
    judging: Rows,
    prior: Floats,
    limits: Constraints,
    wishes: Wishes,
    start: Floats | None = None,
) -> Ran:
    """Choose the ridge and fit; `judging` rows only judge."""
    options: dict[str, Any] = {
        "fixed": limits.fixed, "ties": limits.ties, "orders": limits.orders, "min_rows": wishes.min_rows,
        "lower": limits.lower if limits.is_bounded else None,
        "upper": limits.upper if limits.is_bounded else None,
        "hold_near_labels": wishes.hold_near_labels,
    }  # fmt: skip
    path: dict[str, Any] = {"grid": [], "losses": []}
    ridge = wishes.ridge
    if ridge is None:
        choice = texel.choose_ridge(training, prior, loss=wishes.loss, **options)
        ridge = choice.ridge
        path = {
            name: list(map(float, getattr(choice, name))) for name in ("grid", "losses", "errors", "evidence")
        }
        path["rows"] = choice.rows
    how = {"ridge": ridge, "held_out": judging, "start": start, **options}
    if wishes.draws:
        drawn = fit_with_draws(training, prior, **how)
        return Ran(drawn.fit, options, path, drawn.margin)
    return Ran(texel.fit(training, prior, loss=wishes.loss, **how), options, path, None)


def check_prior(
    names: Names, prior: Floats, limits: Constraints, spelling: Spelling, unit: float = 1.0
) -> None:
    """Refuse bounds, orders and ties that the old weights break: a fit starts from them. `unit`: Elo of a unit."""
    flat = prior.ravel()
    slack = _SLACK * (1 + np.abs(flat))
    low, high = limits.lower.ravel(), limits.upper.ravel()
    for at in np.flatnonzero((flat < low - slack) | (flat > high + slack)):
        raise InputError(
            f"{spelling.bounds}: expected the old weight of {names.full[at]} from {low[at] / unit:.6g} to "
            f"{high[at] / unit:.6g}, found {flat[at] / unit:.6g}"
        )
    for a, b in limits.orders:
        if flat[a] > flat[b] + slack[b]:
            raise InputError(
                f"{spelling.orders}: expected the old weights to keep {names.full[a]} <= {names.full[b]}, "
                f"found {flat[a] / unit:.6g} and {flat[b] / unit:.6g}"
            )
    for tied in limits.tied:
        if np.ptp(flat[tied]) > slack[tied].max():
            found = ", ".join(f"{names.full[at]} {flat[at] / unit:.6g}" for at in tied)
            raise InputError(f"{spelling.ties}: expected equal old weights, found {found}")


def rounded(training: Rows, found: texel.Fit, limits: Constraints, step: float | None) -> Rounded | None:
    """Round the weights of a fit to multiples of `step` Elo, if there is one."""
    if step is None:
        return None
    return round_weights(
        training, found, step, ties=limits.ties, lower=limits.lower, upper=limits.upper, orders=limits.orders
    )


def rounding_facts(names: Names, made: Rounded | None, step: float | None) -> dict[str, Any] | None:
    """Return what is written down about rounding; `step` in the unit of the written weights."""
    if made is None:
        return None
    before, plain, after = made.loss
    return {
        "step": step,
        "loss": {"before": before, "rounded": plain, "repaired": after},
        "repaired": [names.full[at] for at in made.repaired],
        "vanished": [names.full[at] for at in made.vanished],
    }


def ridge_notes(path: dict[str, Any], training: Rows) -> list[str]:
    """Say so if only some of the rows chose the ridge."""
    used = int(np.count_nonzero(training.weight))
    asked = path.get("rows", used)
    return [f"the ridge was chosen on {asked:,} of {used:,} rows, whole games"] if asked < used else []


def rounding_notes(names: Names, made: Rounded | None) -> list[str]:
    """Name the weights whose change rounding undid."""
    if made is None or not made.vanished:
        return []
    told = ", ".join(names.full[at] for at in made.vanished)
    return [f"the step is larger than the change of {told}: rounding brought back the old number"]


__all__ = ["Ran", "Wishes", "check_prior", "rounded", "rounding_facts", "rounding_notes", "run_fit"]
