"""How badly do given weights predict the results, and which way is down?

A row is one position as plain numbers, all seen by the side to move: features, shares of the stages (sum
1), label = its result (win 1, draw 1/2, loss 0, or a blend with a search score), weight, and the number of
its pair. Its score is the sum over stages s and features f of share_s * weight_sf * feature_f in Elo; the
expected result is 1 / (1 + 10 ** (-score / 400)). Losses are weighted means over rows, in nats. Flat
vectors are stage-major: column s * F + f belongs to stage s, feature f. Sums run over blocks of rows in
their order, so memory stays bounded and equal rows give equal sums. Formulas: P. Österlund, Texel's tuning
method; A. Grant, Evaluation & Tuning in Chess Engines (2020).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.errors import InputError
from tuning.packed import Packed

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Named = Literal["cross-entropy", "squared-error"]

LOGITS_PER_ELO = math.log(10.0) / 400.0
SHARE_TOLERANCE = 1e-6  # shares may come from float32 tables
_BLOCK = 4096  # rows at a time: with 40 features a block stays in the second-level cache


@dataclass(frozen=True, eq=False)
class Rows:
    """Positions to fit on. Arrays are converted to float64 (int64 for `group`) and checked once, here.

    features: (n, F). stages: (n, S) shares that sum to 1 in each row, or None for a single stage.
    labels: (n,) in [0, 1]. weight: (n,) not negative. group: (n,) number of the pair a row comes from.
    Features and shares may be `Packed`, out of memory: then they were checked before and are read in blocks.
    """

    features: Floats | Packed
    stages: Floats | Packed | None
    labels: Floats
    weight: Floats
    group: Ints

    def __post_init__(self) -> None:
        for name in ("features", "stages", "labels", "weight"):
            given = getattr(self, name)
            if given is not None and not isinstance(given, Packed) and not is_repeated(given):
                object.__setattr__(self, name, np.ascontiguousarray(given, dtype=np.float64))
        object.__setattr__(self, "group", _whole_numbers(self.group))
        _check_shapes(self)
        _check_values(self)

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.labels)

    @property
    def shape(self) -> tuple[int, int]:
        """(S, F): the shape of a set of weights."""
        return (1 if self.stages is None else self.stages.shape[1]), self.features.shape[1]

    def used(self) -> Rows:
        """Leave out rows of weight 0."""
        has_weight = self.weight > 0
        return self if has_weight.all() else self.take(has_weight)

    def take(self, chosen: Bools | Ints) -> Rows:
        """Choose rows by a mask or by their numbers: copies, but for what is packed."""
        stages = None if self.stages is None else _taken(self.stages, chosen)
        labels, weight, group = self.labels[chosen], _taken(self.weight, chosen), self.group[chosen]
        return Rows(_taken(self.features, chosen), stages, labels, weight, group)

    def loaded(self) -> Rows:
        """Bring packed rows into memory."""
        if not isinstance(self.features, Packed):
            return self
        stages = self.stages.loaded() if isinstance(self.stages, Packed) else self.stages
        return Rows(self.features.loaded(), stages, self.labels, self.weight, self.group)

    @cached_property
    def n_groups(self) -> int:
        """Number of pairs."""
        return count_different(self.group)

    @cached_property
    def order(self) -> Ints | None:
        """An order in which the rows of each pair stand together; None if they do."""
        runs = 1 + int(np.count_nonzero(self.group[1:] != self.group[:-1]))
        return None if runs == self.n_groups else np.argsort(self.group, kind="stable")


def features_of(rows: Rows) -> Floats:
    """Give the features in memory."""
    return rows.features.loaded() if isinstance(rows.features, Packed) else rows.features


def with_ones(rows: Rows) -> Floats | Packed:
    """Give the features and a column of ones."""
    if isinstance(rows.features, Packed):
        return rows.features.with_ones()
    return np.column_stack([rows.features, np.ones(rows.n)])


def stage_share(rows: Rows, stage: int | None) -> Floats:
    """Give the share of one stage in each row; all of it for None."""
    if rows.stages is None or stage is None:
        return np.ones(rows.n)
    return np.concatenate([rows.stages[at][:, stage] for at in blocks(rows.n)])


def constant_features(rows: Rows) -> Bools:
    """Mark the features that are the same number, and not 0, in every row."""
    first = rows.features[0]
    same = np.asarray(first != 0, dtype=np.bool_)
    for at in blocks(rows.n):
        if not same.any():
            break
        same &= (rows.features[at] == first).all(axis=0)
    return same


def count_different(values: NDArray[Any]) -> int:
    """Count the different values; sorting beats numpy's hash table."""
    ordered = np.sort(values)
    return min(len(values), 1) + int(np.count_nonzero(ordered[1:] != ordered[:-1]))


def is_repeated(array: Any) -> bool:
    """Tell whether a vector is one number, said once: weights of 1 need no memory."""
    return isinstance(array, np.ndarray) and array.dtype == np.float64 and array.strides == (0,)


def _taken(array: Any, chosen: Bools | Ints) -> Any:
    if isinstance(array, Packed):
        return array.take(chosen)
    if is_repeated(array):
        n = int(np.count_nonzero(chosen)) if chosen.dtype == np.bool_ else len(chosen)
        return np.broadcast_to(array[0], (n,))
    return array[chosen]


def _whole_numbers(group: NDArray[np.generic]) -> Ints:
    """Refuse groups that are not integers: rounding would merge pairs silently."""
    group = np.asarray(group)
    if group.dtype.kind not in "iu":
        raise InputError(f"group: expected whole numbers of pairs, found {group.dtype}")
    return np.ascontiguousarray(group, dtype=np.int64)


def _check_shapes(rows: Rows) -> None:
    if rows.labels.ndim != 1 or not rows.labels.size:
        raise InputError(f"labels: expected one number for each row, found shape {rows.labels.shape}")
    for name, ndim in (("features", 2), ("stages", 2), ("weight", 1), ("group", 1)):
        array = getattr(rows, name)
        if array is None:
            continue
        if array.ndim != ndim or len(array) != rows.n or 0 in array.shape:
            what = "a row of numbers" if ndim == 2 else "one number"
            raise InputError(
                f"{name}: expected {what} for each of {rows.n} labels, found shape {array.shape}"
            )


def _check_values(rows: Rows) -> None:
    if not isinstance(rows.features, Packed):
        _refuse("features", rows.features, ~np.isfinite(rows.features), "a finite number")
    _refuse("labels", rows.labels, ~((rows.labels >= 0) & (rows.labels <= 1)), "a result from 0 to 1")
    bad = ~((rows.weight >= 0) & np.isfinite(rows.weight))
    _refuse("weight", rows.weight, bad, "a finite number that is not negative")
    if not rows.weight.any():
        raise InputError("weight: every row has weight 0, so there is nothing to fit on")
    if rows.stages is not None and not isinstance(rows.stages, Packed):
        _refuse(
            "stages", rows.stages, ~((rows.stages >= 0) & np.isfinite(rows.stages)), "a share from 0 to 1"
        )
        total = rows.stages.sum(axis=1)
        _refuse("stages", total, np.abs(total - 1) > SHARE_TOLERANCE, "shares that sum to 1")


def _refuse(name: str, values: Floats, bad: Bools, expected: str) -> None:
    """Raise for the first bad value, naming its row (and column)."""
    if bad.any():
        place = np.argwhere(bad)[0]
        column = f", column {place[1]}" if len(place) == 2 else ""
        raise InputError(f"{name}: row {place[0]}{column}: expected {expected}, found {values[tuple(place)]}")


# --- scores and losses -----------------------------------------------------------------------------------


def blocks(n: int) -> Iterator[slice]:
    """Cut n rows into slices, always the same way."""
    return (slice(start, min(start + _BLOCK, n)) for start in range(0, n, _BLOCK))


def block_scores(rows: Rows, weights: Floats, at: slice) -> Floats:
    """Score a block of rows in Elo; weights (S, F)."""
    return _scores(rows.features[at], None if rows.stages is None else rows.stages[at], weights)


def _scores(x: Floats, stages: Floats | None, weights: Floats) -> Floats:
    if stages is None:
        return np.asarray(x @ weights[0], dtype=np.float64)
    return np.asarray(np.einsum("ns,ns->n", x @ weights.T, stages), dtype=np.float64)


def scores(rows: Rows, weights: Floats) -> Floats:
    """Score every row in Elo for the side to move; weights (S, F)."""
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


def mean_loss(rows: Rows, weights: Floats, loss: Loss = "cross-entropy") -> float:
    """Give the weighted mean loss of weights (S, F) in nats (squared-error: in squared results)."""
    total = 0.0
    for at in blocks(rows.n):
        logits = LOGITS_PER_ELO * block_scores(rows, weights, at)
        total += float(rows.weight[at] @ bend_of(loss)(logits, rows.labels[at]).value)
    return total / float(rows.weight.sum())


class Derivatives(NamedTuple):
    """Value, gradient (P,) and Hessian (P, P) at one point."""

    value: float
    gradient: Floats
    hessian: Floats


def derivatives(rows: Rows, weights: Floats, loss: Loss = "cross-entropy") -> Derivatives:
    """Differentiate the mean loss by the flat weights (per Elo); exact, but see `squared_error`."""
    n_stages, n_features = rows.shape
    value, gradient = 0.0, np.zeros((n_stages, n_features))
    hessian = np.zeros((n_stages, n_features, n_stages, n_features))
    for at in blocks(rows.n):
        x, weight = rows.features[at], rows.weight[at]
        stages = None if rows.stages is None else rows.stages[at]
        bend = bend_of(loss)(LOGITS_PER_ELO * _scores(x, stages, weights), rows.labels[at])
        value += float(weight @ bend.value)
        gradient += _shared(stages, weight * bend.slope).T @ x
        add_gram(hessian, x, stages, weight * bend.curvature)
    total, size = float(rows.weight.sum()), n_stages * n_features
    gradient *= LOGITS_PER_ELO / total
    hessian *= LOGITS_PER_ELO**2 / total
    return Derivatives(value / total, gradient.ravel(), hessian.reshape(size, size))


def gradient_of(rows: Rows, weights: Floats, loss: Loss = "cross-entropy") -> tuple[float, Floats]:
    """Give the mean loss and its derivative by the flat weights (per Elo)."""
    value, gradient = 0.0, np.zeros(rows.shape)
    for at in blocks(rows.n):
        x, weight = rows.features[at], rows.weight[at]
        stages = None if rows.stages is None else rows.stages[at]
        bend = bend_of(loss)(LOGITS_PER_ELO * _scores(x, stages, weights), rows.labels[at])
        value += float(weight @ bend.value)
        gradient += _shared(stages, weight * bend.slope).T @ x
    total = float(rows.weight.sum())
    return value / total, (gradient * (LOGITS_PER_ELO / total)).ravel()


def _shared(stages: Floats | None, factor: Floats) -> Floats:
    """Multiply the stage shares of a block (n, S) by a factor of each row."""
    return factor[:, None] if stages is None else factor[:, None] * stages


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


def group_sums(rows: Rows, contribution: Callable[[slice | Ints], Floats]) -> Iterator[Floats]:
    """Sum contributions (n, Q) of rows over each group; yields (some groups, Q) until every group is out.

    A group may lie across blocks: what the last group of a block has so far is carried into the next.
    """
    order = rows.order
    carried: Floats | None = None
    last = 0
    for at in blocks(rows.n):
        chosen: slice | Ints = at if order is None else order[at]
        group = rows.group[chosen]
        starts = np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1]]))
        sums: Floats = np.add.reduceat(contribution(chosen), starts, axis=0)
        if carried is not None and group[0] == last:
            sums[0] += carried[0]
        elif carried is not None:
            yield carried
        yield sums[:-1]
        carried, last = sums[-1:], int(group[-1])
    if carried is not None:
        yield carried
