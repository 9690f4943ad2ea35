"""Do the predicted results happen, in every range of scores and in every stage?

Everything is seen by the side to move: `predicted` and `actual` are mean results from 0 to 1, weighted by
the rows' weight times the share of the stage. A row that lies in several stages counts in each by its
share. Errors are standard errors of actual - predicted, clustered by pair; the weights count as given, so
on the rows of the fit itself they are a little too wide.
"""

from typing import NamedTuple

import numpy as np

from tunesmith.games.errors import InputError
from tunesmith.tuning.fit.loss import LOGITS_PER_ELO, Loss, bend_of, expected_result, group_sums, scores
from tunesmith.tuning.fit.rows import Floats, Ints, Rows, stage_share
from tunesmith.tuning.fit.solve import in_one_thread


class Calibration(NamedTuple):
    """Bins of equal width in predicted result, lowest first; means of an empty bin are NaN."""

    edges: Floats  # (bins + 1,) predicted results from 0 to 1
    n: Floats  # (bins,) sum of weights
    score: Floats  # (bins,) mean score in Elo
    predicted: Floats  # (bins,)
    actual: Floats  # (bins,)
    error: Floats  # (bins,) of actual - predicted


class Residuals(NamedTuple):
    """One number for each stage (S,); residual = actual - predicted."""

    n: Floats
    predicted: Floats
    actual: Floats
    residual: Floats
    error: Floats
    loss: Floats


class Gain(NamedTuple):
    """How far the mean loss falls, and the standard error of that, clustered by pair."""

    mean: float
    error: float


@in_one_thread
def calibrate(rows: Rows, weights: Floats, bins: int = 10, stage: int | None = None) -> Calibration:
    """Compare predicted with actual results in bins, over all rows or within one stage."""
    if bins < 1:
        raise InputError(f"bins: expected at least 1, found {bins}")
    score = scores(rows, weights)
    predicted = expected_result(score)
    share = rows.weight * _checked_share(rows, stage)
    number = np.minimum((predicted * bins).astype(np.int64), bins - 1)
    means, n, error = _binned(rows, number, bins, share, (score, predicted, rows.labels))
    return Calibration(np.linspace(0.0, 1.0, bins + 1), n, means[0], means[1], means[2], error)


def _checked_share(rows: Rows, stage: int | None) -> Floats:
    if stage is not None and not 0 <= stage < rows.shape[0]:
        raise InputError(f"stage: expected a number from 0 to {rows.shape[0] - 1}, found {stage}")
    return stage_share(rows, stage)


def _binned(
    rows: Rows, number: Ints, bins: int, share: Floats, values: tuple[Floats, Floats, Floats]
) -> tuple[list[Floats], Floats, Floats]:
    """Average (score, predicted, actual) in bins; give also weight and clustered error of the last two."""
    n = np.bincount(number, share, bins).astype(np.float64)
    scale = np.where(n > 0, n, np.nan)
    means = [np.bincount(number, share * value, bins) / scale for value in values]
    miss = values[2] - values[1] - (means[2] - means[1])[number]
    hot = np.equal.outer(np.arange(bins), number)

    def part(at: slice | Ints) -> Floats:
        return np.asarray(hot[:, at].T * (share * np.nan_to_num(miss))[at][:, None], dtype=np.float64)

    square = sum((sums**2).sum(axis=0) for sums in group_sums(rows, part))
    return means, n, np.sqrt(square) / scale


@in_one_thread
def residuals_by_stage(rows: Rows, weights: Floats, loss: Loss = "cross-entropy") -> Residuals:
    """Compare predicted with actual results, and average the loss, in each stage."""
    score = scores(rows, weights)
    bend = bend_of(loss)(LOGITS_PER_ELO * score, rows.labels)
    found = []
    for stage in range(rows.shape[0]):
        share = rows.weight * _checked_share(rows, stage)
        one_bin = np.zeros(rows.n, dtype=np.int64)
        means, n, error = _binned(rows, one_bin, 1, share, (bend.value, expected_result(score), rows.labels))
        value, predicted, actual = (float(mean[0]) for mean in means)
        found.append((n[0], predicted, actual, actual - predicted, error[0], value))
    return Residuals(*np.array(found).T)


@in_one_thread
def gain(rows: Rows, before: Floats, after: Floats, loss: Loss = "cross-entropy") -> Gain:
    """Measure how much better weights `after` predict the rows than `before`; fair on held-out rows."""
    value = [bend_of(loss)(LOGITS_PER_ELO * scores(rows, w), rows.labels).value for w in (before, after)]
    fall = value[0] - value[1]
    total = rows.weight.sum()
    mean = float(rows.weight @ fall / total)
    spread = rows.weight * (fall - mean) / total
    square, n_groups = 0.0, 0
    for sums in group_sums(rows, lambda at: spread[at][:, None]):
        square += float((sums**2).sum())
        n_groups += len(sums)
    return Gain(mean, float(np.sqrt(square * n_groups / (n_groups - 1))) if n_groups > 1 else float("nan"))


SCORE_EDGES = (-600.0, -300.0, -150.0, -50.0, 50.0, 150.0, 300.0, 600.0)  # Elo


@in_one_thread
def residuals_by_score(
    rows: Rows, weights: Floats, edges: tuple[float, ...] = SCORE_EDGES, loss: Loss = "cross-entropy"
) -> Residuals:
    """Compare predicted with actual results between edges of the score in Elo; NaN where no row is."""
    score = scores(rows, weights)
    number = np.searchsorted(np.array(edges), score, side="right").astype(np.int64)
    value = bend_of(loss)(LOGITS_PER_ELO * score, rows.labels).value
    means, n, error = _binned(
        rows, number, len(edges) + 1, rows.weight, (value, expected_result(score), rows.labels)
    )
    return Residuals(n, means[1], means[2], means[2] - means[1], error, means[0])
