"""How badly do given weights predict the results, and which way is down: loss, gradient, Hessian?

The score of a row (`fit_rows`) is the sum over stages s and features f of share_s * weight_sf * feature_f in Elo; the
expected result is 1 / (1 + 10 ** (-score / 400)). Losses are weighted means over rows, in nats. Flat
vectors are stage-major: column s * F + f belongs to stage s, feature f. Formulas: P. Österlund, Texel's tuning
method; A. Grant, Evaluation & Tuning in Chess Engines (2020).
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tunesmith.tuning.fit.rows import Floats, Ints, Rows, blocks
from tunesmith.tuning.fit.sparse import Sparse
from tunesmith.tuning.threads import side_by_side

Named = Literal["cross-entropy", "squared-error"]

Numbers = NDArray[Any]

LOGITS_PER_ELO = math.log(10.0) / 400.0


def block_scores(rows: Rows, weights: Floats, at: slice) -> Floats:
    """Score a block of rows in Elo; weights (S, F)."""
    if isinstance(rows.features, Sparse):
        return rows.features.dot(weights[0], at)
    return _scores(rows.features[at], None if rows.stages is None else rows.stages[at], weights)


def _scores(x: Floats, stages: Floats | None, weights: Floats) -> Floats:
    if stages is None:
        return np.asarray(x @ weights[0], dtype=np.float64)
    found = stages[:, 0] * (x @ weights[0])
    for s in range(1, len(weights)):
        found += stages[:, s] * (x @ weights[s])
    return np.asarray(found, dtype=np.float64)


def scores(rows: Rows, weights: Floats) -> Floats:
    """Score every row in Elo for the side to move; weights (S, F)."""
    if isinstance(rows.features, Sparse):
        return rows.features.scores(weights[0])
    found = np.empty(rows.n)
    for at in blocks(rows.n):
        found[at] = block_scores(rows, weights, at)
    return found


def expected_result(score: Floats) -> Floats:
    """Give the expected result (0 to 1) of the side to move for scores in Elo."""
    return _logistic(score * LOGITS_PER_ELO)[0]


def _logistic(logits: Floats) -> tuple[Floats, Floats, Floats]:
    """Give p, ln(1 + e^z) and p(1 - p), without overflow at either end."""
    small = np.exp(-np.abs(logits))
    other = small / (1 + small)  # min(p, 1 - p)
    chance = np.where(logits >= 0, 1 - other, other)
    return chance, np.maximum(logits, 0) + np.log1p(small), other / (1 + small)


class Bend(NamedTuple):
    """Loss of each row and its first two derivatives by the logit z = ln(10) / 400 * score."""

    value: Floats
    slope: Floats
    curvature: Floats


def cross_entropy(logits: Floats, labels: Floats) -> Bend:
    """-R ln p - (1 - R) ln(1 - p): convex."""
    chance, softplus, spread = _logistic(logits)
    return Bend(softplus - labels * logits, chance - labels, spread)


def squared_error(logits: Floats, labels: Floats) -> Bend:
    """(p - R)^2. The curvature is Gauss and Newton's 2 (p(1 - p))^2: never negative, exact where p = R."""
    chance, _, spread = _logistic(logits)
    miss = chance - labels
    return Bend(miss * miss, 2 * miss * spread, 2 * spread * spread)


@dataclass(frozen=True)
class Ordered:
    """Loss, draw and win as three ordered outcomes, -ln of the chance of what happened: convex.

    A win has chance s(uz - margin), a loss s(-uz - margin), s the logistic function; the margin is in its logits, and
    the unit u keeps scores in Elo: one logit of the expected result is u of them. Labels must be 0, 1/2 or 1 (P. Rao
    & L. Kupper, 1967).
    """

    margin: float
    unit: float = 1.0

    def __call__(self, logits: Floats, labels: Floats) -> Bend:
        """Give loss, slope and curvature of each row."""
        above, below = self.unit * logits + self.margin, self.unit * logits - self.margin
        (s_up, soft_up, spread_up), (s_down, soft_down, spread_down) = _logistic(above), _logistic(below)
        drawn = soft_up + soft_down - below - math.log(math.expm1(2 * self.margin))
        value = np.select([labels == 1, labels == 0], [soft_down - below, soft_up], drawn)
        slope = np.select([labels == 1, labels == 0], [s_down - 1, s_up], s_up + s_down - 1)
        bend = np.select([labels == 1, labels == 0], [spread_down, spread_up], spread_up + spread_down)
        return Bend(value, self.unit * slope, self.unit**2 * bend)


Loss = Named | Ordered

LOSSES: dict[Named, Callable[[Floats, Floats], Bend]] = {
    "cross-entropy": cross_entropy,
    "squared-error": squared_error,
}


def bend_of(loss: Loss) -> Callable[[Floats, Floats], Bend]:
    """Give the function behind a loss."""
    return loss if isinstance(loss, Ordered) else LOSSES[loss]


def most_curvature(loss: Loss) -> float:
    """Give the largest curvature that a row can have: p(1 - p) is at most a quarter."""
    if isinstance(loss, Ordered):
        return loss.unit**2 / 2
    return {"cross-entropy": 1 / 4, "squared-error": 1 / 8}[loss]


def mean_loss(rows: Rows, weights: Floats, loss: Loss = "cross-entropy") -> float:
    """Give the weighted mean loss of weights (S, F) in nats (squared-error: in squared results)."""
    if isinstance(rows.features, Sparse):
        return loss_of_scores(rows, scores(rows, weights), loss)  # blocks of them would be copies
    return _mean_loss(rows, lambda at: block_scores(rows, weights, at), loss)


def loss_of_scores(rows: Rows, score: Floats, loss: Loss) -> float:
    """Give the same of scores (n,)."""
    return _mean_loss(rows, lambda at: score[at], loss)


def _mean_loss(rows: Rows, score: Callable[[slice], Floats], loss: Loss) -> float:
    total = 0.0
    for at in blocks(rows.n):
        logits = LOGITS_PER_ELO * score(at)
        total += float(rows.weight[at] @ bend_of(loss)(logits, rows.labels[at]).value)
    return total / float(rows.weight.sum())


class Derivatives(NamedTuple):
    """Value, gradient (P,) and Hessian (P, P) at one point."""

    value: float
    gradient: Floats
    hessian: Floats


def derivatives(rows: Rows, weights: Floats, loss: Loss = "cross-entropy") -> Derivatives:
    """Differentiate the mean loss by the flat weights (per Elo); exact, but see `squared_error`."""
    if isinstance(rows.features, Sparse):
        return _sparse_derivatives(rows, rows.features, weights, loss)
    n_stages, n_features = rows.shape
    value, gradient = 0.0, np.zeros((n_stages, n_features))
    hessian = np.zeros((n_stages, n_features, n_stages, n_features))
    for at in blocks(rows.n):
        x, weight = rows.features[at], rows.weight[at]
        stages = None if rows.stages is None else rows.stages[at]
        bend = bend_of(loss)(LOGITS_PER_ELO * _scores(x, stages, weights), rows.labels[at])
        value += float(weight @ bend.value)
        _add_sums(gradient, x, stages, weight * bend.slope)
        add_gram(hessian, x, stages, weight * bend.curvature)
    total, size = float(rows.weight.sum()), n_stages * n_features
    gradient *= LOGITS_PER_ELO / total
    hessian *= LOGITS_PER_ELO**2 / total
    return Derivatives(value / total, gradient.ravel(), hessian.reshape(size, size))


def gradient_of(rows: Rows, weights: Floats, loss: Loss = "cross-entropy") -> tuple[float, Floats]:
    """Give the mean loss and its derivative by the flat weights (per Elo)."""
    if isinstance(rows.features, Sparse):
        mean, slope, _ = _sparse_slope(rows, rows.features, weights, loss)
        return mean, slope
    value, gradient = 0.0, np.zeros(rows.shape)
    for at in blocks(rows.n):
        x, weight = rows.features[at], rows.weight[at]
        stages = None if rows.stages is None else rows.stages[at]
        bend = bend_of(loss)(LOGITS_PER_ELO * _scores(x, stages, weights), rows.labels[at])
        value += float(weight @ bend.value)
        _add_sums(gradient, x, stages, weight * bend.slope)
    total = float(rows.weight.sum())
    return value / total, (gradient * (LOGITS_PER_ELO / total)).ravel()


def products_with(rows: Rows, weights: Floats) -> Floats:
    """Give the weighted mean (P,) of each column times the score of weights (S, F): the gram matrix times them."""
    total, found = float(rows.weight.sum()), np.zeros(rows.shape)
    if isinstance(rows.features, Sparse):
        x = rows.features
        for some in side_by_side(lambda at: x.sums(rows.weight[at] * x.dot(weights[0], at), at), x.parts):
            found[0] += some
        return found.ravel() / total
    for at in blocks(rows.n):
        own, stages = rows.features[at], None if rows.stages is None else rows.stages[at]
        _add_sums(found, own, stages, rows.weight[at] * _scores(own, stages, weights))
    return found.ravel() / total


def _sparse_slope(rows: Rows, x: Sparse, weights: Floats, loss: Loss) -> tuple[float, Floats, Floats]:
    """Give mean loss, gradient, and each row's curvature times its weight; each part of the rows is read once."""
    value, gradient, curvature = 0.0, np.zeros(rows.shape[1]), np.empty(rows.n)

    def look(at: slice) -> tuple[float, Floats]:
        bend, weight = bend_of(loss)(LOGITS_PER_ELO * x.dot(weights[0], at), rows.labels[at]), rows.weight[at]
        curvature[at] = weight * bend.curvature
        return float(weight @ bend.value), x.sums(weight * bend.slope, at)

    for lost, slope in side_by_side(look, x.parts):
        value += lost
        gradient += slope
    total = float(rows.weight.sum())
    return value / total, gradient * (LOGITS_PER_ELO / total), curvature


def _sparse_derivatives(rows: Rows, x: Sparse, weights: Floats, loss: Loss) -> Derivatives:
    value, gradient, curvature = _sparse_slope(rows, x, weights, loss)
    return Derivatives(value, gradient, x.gram(curvature) * (LOGITS_PER_ELO**2 / float(rows.weight.sum())))


def _add_sums(sums: Floats, x: Floats, stages: Floats | None, factor: Floats) -> None:
    """Add sum of factor * share * feature of one block to sums (S, F): vector by vector, or BLAS copies the block."""
    for s in range(len(sums)):
        sums[s] += (factor if stages is None else factor * stages[:, s]) @ x


def add_gram(gram: Floats, x: Floats, stages: Floats | None, factor: Floats) -> None:
    """Add sum of factor * column_i * column_j of one block to gram (S, F, S, F); factors are not negative.

    The design is never built: each pair of stages needs one product of (n, F) matrices, and with the root of
    the factor on both sides numpy calls the symmetric product, half the work and exactly symmetric.
    """
    for s in range(gram.shape[0]):
        for t in range(s, gram.shape[0]):
            both = factor if stages is None else factor * stages[:, s] * stages[:, t]
            rooted = np.sqrt(both)[:, None] * x
            product = rooted.T @ rooted
            gram[s, :, t, :] += product
            if t > s:
                gram[t, :, s, :] += product


def design(rows: Rows, at: slice | Ints) -> Floats:
    """Build the design (n, S * F) of a few rows."""
    x = rows.features[at]
    if rows.stages is None:
        return x
    return (rows.stages[at][:, :, None] * x[:, None, :]).reshape(len(x), -1)


def group_sums(
    rows: Rows, contribution: Callable[[slice | Ints], Numbers], total: np.ufunc = np.add
) -> Iterator[Numbers]:
    """Sum contributions (n, Q) of rows over each group; yields (some groups, Q) until every group is out.

    total: how they are summed. A group may lie across blocks: what the last group of a block has so far is carried into
    the next.
    """
    order = rows.order
    carried: Numbers | None = None
    last = 0
    for at in blocks(rows.n):
        chosen: slice | Ints = at if order is None else order[at]
        group = rows.group[chosen]
        starts = np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1]]))
        sums = contribution(chosen)
        if len(starts) < len(group):
            sums = total.reduceat(sums, starts, axis=0)
        if carried is not None and group[0] == last:
            sums = np.concatenate([total(sums[:1], carried), sums[1:]])  # they may be a view of the rows
        elif carried is not None:
            yield carried
        yield sums[:-1]
        carried, last = sums[-1:], int(group[-1])
    if carried is not None:
        yield carried
