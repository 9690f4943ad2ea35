"""How is one fit run as its options say, whether its rows came from self-play or from a table?

Blend and ridge by cross-validation unless they are given, constraints kept, draws as an outcome of their own on
request, weights rounded at the end. Weights, bounds and steps are in Elo here."""

from typing import NamedTuple

import numpy as np

from tunesmith.games.errors import InputError
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.documents.fit import BlendPath, RidgePath, Rounding, RoundingLoss, Shrinkage
from tunesmith.tuning.fit.blend import choose_blend
from tunesmith.tuning.fit.constraints import Constraints, Names, Spelling
from tunesmith.tuning.fit.draws import fit_with_draws
from tunesmith.tuning.fit.ridge import choose_ridge
from tunesmith.tuning.fit.rounding import Rounded, round_weights
from tunesmith.tuning.fit.rows import Floats, Rows
from tunesmith.tuning.fit.texel import MOST_ITERATIONS, Fit, fit

LOSS, DRAW, WIN = 0.0, 0.5, 1.0
_SLACK = 1e-9  # of a bound, in parts of its size: units are multiplied in


class FitResult(NamedTuple):
    """A fit, what another one of its kind is asked, the ways to ridge and blend, and what was fitted.

    margin: of draws (Elo), None without. rows: the training rows, labels blended.
    """

    fit: Fit
    options: FitOptions
    constraints: Constraints
    ridge_path: RidgePath
    blend_path: BlendPath
    margin: float | None
    rows: Rows


def run_fit(
    training: Rows,
    judging: Rows | None,
    prior: Floats,
    options: FitOptions,
    constraints: Constraints,
    start: Floats | None = None,
    max_iterations: int = MOST_ITERATIONS,
) -> FitResult:
    """Choose blend and ridge unless they are given, and fit; `judging` rows only judge, by their results.

    Studies, tables (`tunesmith fit`) and the estimator of scikit-learn all come to this.
    """
    path, blends = RidgePath(grid=[], losses=[]), BlendPath(grid=[], losses=[], errors=[])
    blend = options.blend
    if blend == "auto":
        chosen = choose_blend(training, prior, options, constraints)
        blend, blends = chosen.blend, chosen.facts
    options, training = options.model_copy(update={"blend": blend}), training.blended(blend)
    if options.ridge == "auto":
        choice = choose_ridge(training, prior, options, constraints)
        options, constraints = choice.applied(options, constraints, training.shape)
        path = RidgePath(
            grid=list(choice.grid),
            losses=list(choice.losses),
            errors=list(choice.errors),
            evidence=list(choice.evidence),
            rows=choice.rows,
            kinds=[Shrinkage(name=kind.name, loss=kind.loss, error=kind.error) for kind in choice.kinds],
            kind=choice.kind.name,
        )
    if options.draws:
        drawn = fit_with_draws(training, prior, options, constraints, start=start, judging=judging)
        return FitResult(drawn.fit, options, constraints, path, blends, drawn.margin, training)
    found = fit(
        training, prior, options, constraints, start=start, judging=judging, max_iterations=max_iterations
    )
    return FitResult(found, options, constraints, path, blends, None, training)


def require_results(rows: Rows) -> None:
    """Refuse rows that all end alike: wins alone ask for weights without end, draws alone for none."""
    labels = rows.labels[rows.weight > 0]
    if not len(labels) or np.ptp(labels) > 0:
        return
    if labels[0] == DRAW:
        raise InputError("results: every one is a draw: there is nothing to learn from them")
    if labels[0] in (LOSS, WIN):
        word = "win" if labels[0] == WIN else "loss"
        raise InputError(
            f"results: every one is a {word}: expected wins and losses, for weights follow from what sets them apart"
        )


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


def rounded(training: Rows, found: Fit, limits: Constraints, step: float) -> Rounded | None:
    """Round the weights of a fit to multiples of `step` Elo; 0: not at all."""
    return round_weights(training, found, step, limits) if step else None


def rounding_facts(names: Names, made: Rounded | None, step: float) -> Rounding | None:
    """Return what is written down about rounding; `step` in the unit of the written weights."""
    if made is None:
        return None
    before, plain, after = made.loss
    return Rounding(
        step=step,
        loss=RoundingLoss(before=before, rounded=plain, repaired=after),
        repaired=[names.full[at] for at in made.repaired],
        vanished=[names.full[at] for at in made.vanished],
    )


def rounding_notes(names: Names, made: Rounded | None) -> list[str]:
    """Name the weights whose change rounding undid."""
    if made is None or not made.vanished:
        return []
    told = ", ".join(names.full[at] for at in made.vanished)
    return [f"the step is larger than the change of {told}: rounding brought back the old number"]
