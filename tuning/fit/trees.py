"""How much does a weighted sum leave on the table, and which features belong together?

The same features go to boosted trees (`boosting`), once with every tree kept to one feature (the sum may
bend) and once free (features may interact): what they predict better on the same held-out pairs bounds what
another form of evaluation could bring. Pairs of features are ranked by a score test: how far the loss would
fall, to second order, if their product were one more feature; z is that product's significance, clustered by
pair of games. A feature with itself means that its effect bends.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from tunesmith.tuning.fit.boosting import PATIENCE, Grower, boost
from tunesmith.tuning.fit.loss import LOGITS_PER_ELO, cross_entropy, design, expected_result, scores
from tunesmith.tuning.fit.out_of_core import at_most
from tunesmith.tuning.fit.rows import Floats, Rows, blocks, features_of, some_games
from tunesmith.tuning.fit.solve import in_one_thread
from tunesmith.tuning.fit.sparse import Sparse
from tunesmith.tuning.fit.split import split

FEWEST_ROWS = 1000  # below, boosted trees learn the rows by heart
MOST_ROWS = 50_000  # of the training rows; a bound does not need more
MOST_JUDGED = 500_000  # of the held-out rows
MOST_COLUMNS = 200  # above, products of two features are too many to try
_MOST_DENSE, _MOST_NUMBERS = 1 << 24, 1 << 23  # of the rows that trees see, and where most are zero
_ROUNDS = 100
_SALT = 0x626F6F7374
_TRACE = 1e-9  # part of the mean curvature that keeps the columns apart


class Comparison(NamedTuple):
    """Held-out cross-entropy: weighted sum, sum of bent features, free trees; and the fall from sum to best."""

    linear: float
    additive: float
    boosted: float
    fall: float
    error: float  # standard error of `fall`, clustered by pair
    rows: int


class Interaction(NamedTuple):
    """Features `first` and `second` (numbers; equal: a bend), the loss their product would save, and its z."""

    first: int
    second: int
    fall: float
    z: float


def compare(training: Rows, judging: Rows, weights: Floats) -> Comparison | None:
    """Compare weights (S, F) with boosted trees on held-out rows; None where there are too few rows."""
    if training.n < FEWEST_ROWS or not judging.n:
        return None
    is_sparse, columns = isinstance(training.features, Sparse), training.shape[1]
    most = at_most(
        MOST_ROWS, _MOST_NUMBERS if is_sparse else _MOST_DENSE, columns
    )  # trees want the zeros too
    most_judged = at_most(MOST_JUDGED, _MOST_NUMBERS if is_sparse else 2 * _MOST_DENSE, columns)
    known = some_games(training, most, _SALT).loaded()
    judging = some_games(judging, most_judged, _SALT).loaded()
    linear = _loss(scores(judging, weights) * LOGITS_PER_ELO, judging)
    additive, boosted = (_loss(_boosted(known, judging, bends), judging) for bends in (True, False))
    share = judging.weight / judging.weight.sum()
    means = [float(share @ value) for value in (linear, additive, boosted)]
    best = additive if means[1] < means[2] else boosted
    fall = float(share @ (linear - best))
    _, number = np.unique(judging.group, return_inverse=True)
    error = float(np.sqrt((np.bincount(number, share * (linear - best - fall)) ** 2).sum()))
    return Comparison(means[0], means[1], means[2], fall, error, known.n)


def _loss(logits: Floats, rows: Rows) -> Floats:
    return cross_entropy(logits, rows.labels).value


def _columns(rows: Rows) -> Floats:
    own = rows.loaded()
    x = features_of(own)
    return x if own.stages is None else np.column_stack([x, own.stages[:][:, 1:]])


def _boosted(training: Rows, judging: Rows, bends_only: bool) -> Floats:
    """Return logits of the judging rows; pairs set aside choose the number of rounds."""
    aside = split(training.group, 0.25, _SALT + 1)
    rounds = _best_rounds(training.take(~aside), training.take(aside), bends_only)
    model = boost(_columns(training), training.labels, training.weight, rounds, bends_only=bends_only)
    return model.logits(_columns(judging))


def _best_rounds(grown: Rows, tested: Rows, bends_only: bool) -> int:
    """Return the number of rounds after which the loss on the tested rows is smallest."""
    grower = Grower(_columns(grown), grown.labels, grown.weight, bends_only)
    codes = grower.binning.codes(_columns(tested))
    logits, losses = np.full(tested.n, grower.base), list[float]()
    for _ in range(_ROUNDS):
        logits += grower.grow().steps(codes)
        losses.append(float(tested.weight @ _loss(logits, tested)))
        if len(losses) - int(np.argmin(losses)) > PATIENCE:
            break
    return int(np.argmin(losses)) + 1


@in_one_thread
def interactions(rows: Rows, weights: Floats, most: int = 6, most_rows: int = 30_000) -> list[Interaction]:
    """Rank products of two features by what they would save; z counts pairs of games, falls count nats a row."""
    if rows.shape[1] > MOST_COLUMNS:
        return []
    rows = some_games(rows, most_rows, _SALT).loaded()
    if rows.n < FEWEST_ROWS:
        return []
    features = features_of(rows)
    chance = expected_result(scores(rows, weights))
    spread, miss = rows.weight * chance * (1 - chance), rows.weight * (rows.labels - chance)
    linear = np.concatenate([design(rows, at) for at in blocks(rows.n)])
    gram = linear.T @ (spread[:, None] * linear)
    gram[np.diag_indices_from(gram)] += _TRACE * max(float(np.trace(gram)) / len(gram), 1e-300)
    factor = cho_factor(gram)
    _, number = np.unique(rows.group, return_inverse=True)
    order = np.argsort(number, kind="stable")
    starts = np.flatnonzero(np.diff(number[order], prepend=-1))
    found: list[Interaction] = []
    for first in range(rows.shape[1]):
        products = features[:, first : first + 1] * features[:, first:]
        own = products - linear @ cho_solve(factor, linear.T @ (spread[:, None] * products))
        slopes = miss @ own
        bend = spread @ (own * own)
        noise = (np.add.reduceat((miss[:, None] * own)[order], starts, axis=0) ** 2).sum(axis=0)
        is_new = bend > 1e-6 * np.maximum(spread @ (products * products), 1e-300)
        for at in np.flatnonzero(is_new & (noise > 0)):
            fall = float(slopes[at] ** 2 / (2 * bend[at] * rows.weight.sum()))
            found.append(Interaction(first, first + int(at), fall, float(slopes[at] / np.sqrt(noise[at]))))
    return sorted(found, key=lambda pair: -pair.fall)[:most]
