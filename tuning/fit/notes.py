"""What should a person know before trusting a fit?

One sentence for each finding, with the names of features and stages; an empty list means nothing to say. The
figures themselves are in `Fit`.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from tunesmith.games.errors import InputError
from tunesmith.tuning.fit.checks import redundancy_words
from tunesmith.tuning.fit.loss import LOGITS_PER_ELO
from tunesmith.tuning.fit.parameters import AT_BOUND, FITTED, RARE, SILENT
from tunesmith.tuning.fit.rows import Rows, constant_features
from tunesmith.tuning.fit.texel import MIN_GROUPS, Fit

BIG_MOVE = 100.0  # Elo of usual effect
PAIRS_PER_WEIGHT = 20  # of all pairs for each fitted weight
FEW_PAIRS = 50  # below, even the errors are guesses: they rest on as many independent numbers
TEMPO = "tempo"  # a feature of this name is meant to be constant
WEAK = 0.7  # of the prior's own error: the games halved the doubt at best


def notes(
    fit: Fit,
    features: Sequence[str],
    stages: Sequence[str],
    rows: Rows | None = None,
    groups: str = "pairs",
) -> list[str]:
    """Say what is odd about a fit (and its rows), most serious first; names in the order of the weights.

    groups: what rows that share their luck come from, pairs or games.
    """
    if (len(stages), len(features)) != fit.weights.shape:
        raise InputError(
            f"names: expected {fit.weights.shape} stages and features, found {(len(stages), len(features))}"
        )
    names = [
        feature if len(stages) == 1 else f"{stage}.{feature}" for stage in stages for feature in features
    ]
    parts = (
        _near_labels(fit, features),
        _dependencies(fit, names),
        (redundancy_words(names, found) for found in fit.redundant),
        _unfitted(fit, names),
        _constant(rows, features),
        _amount(fit, names, groups),
        _weak(fit, names),
        _undetermined(fit, names),
    )
    return [note for part in (*parts, _moves(fit, names)) for note in part]


def _near_labels(fit: Fit, features: Sequence[str]) -> Iterator[str]:
    for feature, correlation in fit.near_labels:
        yield (
            f"{features[feature]} is nearly the result (correlation {correlation:.2f}): "
            "it keeps its prior; take positions further from the end, or leave it out"
        )


def _dependencies(fit: Fit, names: list[str]) -> Iterator[str]:
    for d in fit.dependencies:
        parts = zip(d.coefficients, d.others, strict=True)
        text = " ".join(f"{value:+z.4g}*{names[other]}" for value, other in parts)
        if d.is_frozen:
            yield f"{names[d.column]} = {text} in these data: their weights can be traded; it keeps its prior"
        else:
            yield f"{names[d.column]} is nearly {text} ({d.unexplained:.1e} unexplained): errors are large"


def _unfitted(fit: Fit, names: list[str]) -> Iterator[str]:
    texts = {
        SILENT: "{} is zero in every position: it keeps its prior",
        RARE: f"{{}} is not zero in only {{}} positions (floor {fit.min_rows}): it keeps its prior",
        AT_BOUND: "{} stopped at its bound",
    }
    # A dependent weight has its sentence already, a fixed one is the user's wish.
    for name, status, n_rows in zip(names, fit.status.flat, fit.rows_per_weight.flat, strict=True):
        if status in texts:
            yield texts[str(status)].format(name, n_rows)


def _amount(fit: Fit, names: list[str], groups: str) -> Iterator[str]:
    """Say where there are too few pairs or games."""
    n_fitted = fit.n_fitted
    if fit.n_groups < FEW_PAIRS:
        yield f"only {fit.n_groups} {groups}: neither weights nor errors can be trusted"
    if fit.n_groups < PAIRS_PER_WEIGHT * n_fitted:
        yield f"{fit.n_groups} {groups} for {n_fitted} weights: expected at least {PAIRS_PER_WEIGHT} for each"
    for column in np.flatnonzero(fit.is_scarce):
        found = fit.groups_per_weight.flat[column]
        yield f"{names[column]} is not zero in only {found} {groups} (floor {MIN_GROUPS}): few for a weight"


def _constant(rows: Rows | None, features: Sequence[str]) -> Iterator[str]:
    """Name features that are the same number everywhere."""
    if rows is None:
        return
    first = rows.features[0]
    for f in np.flatnonzero(constant_features(rows)).tolist():
        if features[f] != TEMPO:
            yield f"{features[f]} is {first[f]:g} in every position: its weight is the worth of the move, no more"


def _weak(fit: Fit, names: list[str]) -> Iterator[str]:
    """Name the weights that the ridge holds rather than the games."""
    held = fit.ridge * fit.n_effective
    if not held > 0:  # NaN for a single pair
        return
    certain = held * np.minimum(fit.firmness, 1.0)  # firm by the games' own word is no doubt
    doubt = 1 / (LOGITS_PER_ELO * np.sqrt(certain))  # of the prior, Elo of usual effect
    found = (fit.status == FITTED) & (fit.errors * fit.size > WEAK * doubt)
    told = [f"{names[at]} (error {fit.errors.flat[at]:.3g})" for at in np.flatnonzero(found)]
    if told:
        yield f"the games say little about {', '.join(told)}: held near the prior"


def _undetermined(fit: Fit, names: list[str]) -> Iterator[str]:
    """Name the weights about which the data alone say nothing."""
    found = [names[at] for at in np.flatnonzero(np.isinf(fit.data_errors))]
    if found:
        yield f"the data alone do not determine {', '.join(found)}: errors are those of the prior"


def _moves(fit: Fit, names: list[str]) -> Iterator[str]:
    """Point at changes of sign beyond two errors, and at big changes of usual effect."""
    columns = zip(names, fit.prior.flat, fit.weights.flat, fit.errors.flat, fit.size.flat, strict=True)
    for name, before, after, error, size in columns:
        if before * after < 0 and abs(after) > 2 * error:
            yield f"{name} changed its sign: {before:.4g} to {after:.4g} (error {error:.2g})"
        elif abs(after - before) * size > BIG_MOVE:
            effect = abs(after - before) * size
            yield f"{name} moved far: {before:.4g} to {after:.4g}, {effect:.0f} Elo in effect"
