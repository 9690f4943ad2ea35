"""Which features bend, where, and which belong together: what does a weighted sum not say of the results?

What the sum gets wrong is asked, to second order, whether one more feature would explain it (a score test: Rao 1948;
only what is new of that feature counts, and slopes are summed by pair of games). Such features are hinges,
max(0, f - k), for knots k of a feature f (and mirrored ones, where f takes both signs), and products of two features.
Of so many hinges the best one always looks good, so a bend is named only if the best of all hinges has so large a |z|
by luck in `LEVEL` of all cases at most: luck is what the slopes of pairs give with signs drawn at random (wild
bootstrap of the largest statistic: Hansen 1996, Econometrica 64; Romano & Wolf 2005). So where nothing bends, one fit
in twenty names something. A bend that is named becomes a feature, and the others are asked again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from tunesmith.tuning.fit.boosting import FEWEST_ROWS, SALT, fall_of
from tunesmith.tuning.fit.loss import LOGITS_PER_ELO, cross_entropy, design, expected_result, scores
from tunesmith.tuning.fit.rows import Floats, Ints, Rows, blocks, features_of, some_games
from tunesmith.tuning.fit.solve import in_one_thread

MOST_ROWS = 30_000  # of the training rows
MOST_JUDGED = 100_000  # of the held-out rows
MOST_COLUMNS = 200  # above, there are too many hinges and products to try
LEVEL = 0.05
KNOTS = 12  # of a feature and side, at most, at equal shares of its values that are not 0
_DRAWS = 999
_MOST_CLUSTERS = 2000  # for the draws; several pairs together are as independent of others as one
_TRACE = 1e-9  # part of the mean curvature that keeps the columns apart
_NEW = 1e-6  # part of a column's size below which it is a sum of the others


class Interaction(NamedTuple):
    """Features `first` and `second` (numbers), the loss their product would save, and its z."""

    first: int
    second: int
    fall: float
    z: float


class Hinge(NamedTuple):
    """max(0, f - knot) of a feature (its number); `odd`: minus the same of -f."""

    feature: int
    knot: float
    odd: bool

    def of(self, x: Floats) -> Floats:
        """Return its values for those of the feature."""
        above = np.maximum(x - self.knot, 0.0)
        return above - np.maximum(-x - self.knot, 0.0) if self.odd else above


class Bend(NamedTuple):
    """A hinge that the weighted sum lacks, and what it brings.

    before, after: Elo of one more of the feature on this side of the knot, and beyond (mean of the stages, by rows).
    chance: of a |z| as large if nothing bent. fall: of the held-out loss, by this bend on top of those before, and its
    standard error, clustered by pair.
    """

    hinge: Hinge
    before: float
    after: float
    chance: float
    fall: float
    error: float


@dataclass(eq=False)
class _Sum:
    """Logits (n,) of rows under a weighted sum, and its columns (n, P), to which bends are added."""

    rows: Rows
    logits: Floats
    columns: Floats

    @staticmethod
    def of(rows: Rows, weights: Floats) -> _Sum:
        columns = np.concatenate([design(rows, at) for at in blocks(rows.n)])
        return _Sum(rows, LOGITS_PER_ELO * scores(rows, weights), columns)

    def with_bend(self, column: Floats, slope: float, share: Floats) -> _Sum:
        """Take a step along what is new of a column, share (P,) of the others being known."""
        logits = self.logits + slope * (column - self.columns @ share)
        return _Sum(self.rows, logits, np.column_stack([self.columns, column]))

    @property
    def losses(self) -> Floats:
        """Loss of each row (n,)."""
        return cross_entropy(self.logits, self.rows.labels).value


class Tested(NamedTuple):
    """Columns that were asked: slope and curvature of what is new of each (K,), sums of slopes (G, K), shares (P, K).

    Where `is_new` is false a column says nothing that others do not.
    """

    slope: Floats
    curvature: Floats
    sums: Floats
    share: Floats
    is_new: Floats

    @property
    def noise(self) -> Floats:
        """Standard error of each slope, clustered by pair; 1 where nothing is new."""
        noise = np.sqrt((self.sums**2).sum(axis=0))
        return np.where(self.is_new & (noise > 0), noise, 1.0)

    @property
    def z(self) -> Floats:
        """Slopes in standard errors; 0 where nothing is new."""
        return np.where(self.is_new, self.slope, 0.0) / self.noise


class ScoreTest:
    """Asks what columns would explain that a weighted sum gets wrong."""

    def __init__(self, known: _Sum) -> None:
        rows, self._columns = known.rows, known.columns
        chance = expected_result(known.logits / LOGITS_PER_ELO)
        self._spread, self._miss = rows.weight * chance * (1 - chance), rows.weight * (rows.labels - chance)
        gram = self._columns.T @ (self._spread[:, None] * self._columns)
        gram[np.diag_indices_from(gram)] += _TRACE * max(float(np.trace(gram)) / len(gram), 1e-300)
        self._factor = cho_factor(gram)
        number = np.unique(rows.group, return_inverse=True)[1]
        self._order = np.argsort(number, kind="stable")
        self._starts = np.flatnonzero(np.diff(number[self._order], prepend=-1))
        self._known = self._by_pair(self._columns)

    def ask(self, columns: Floats) -> Tested:
        """Ask columns (n, K)."""
        weighed = self._spread[:, None] * columns
        both = self._columns.T @ weighed
        share = cho_solve(self._factor, both)
        size = np.einsum("nk,nk->k", columns, weighed)
        curvature = size - np.einsum("pk,pk->k", both, share)
        sums = self._by_pair(columns) - self._known @ share
        is_new = curvature > _NEW * np.maximum(size, 1e-300)
        return Tested(sums.sum(axis=0), curvature, sums, share, is_new)

    def _by_pair(self, columns: Floats) -> Floats:
        sums = np.add.reduceat((self._miss[:, None] * columns)[self._order], self._starts, axis=0)
        return np.asarray(sums)


@in_one_thread
def interactions(rows: Rows, weights: Floats, most: int = 6, most_rows: int = MOST_ROWS) -> list[Interaction]:
    """Rank products of two features by what they would save; z counts pairs of games, falls count nats a row."""
    if rows.shape[1] > MOST_COLUMNS:
        return []
    rows = some_games(rows, most_rows, SALT).loaded()
    if rows.n < FEWEST_ROWS:
        return []
    features, test = features_of(rows), ScoreTest(_Sum.of(rows, weights))
    found: list[Interaction] = []
    for first in range(rows.shape[1] - 1):
        tested = test.ask(features[:, first : first + 1] * features[:, first + 1 :])
        falls = tested.slope**2 / (2 * np.where(tested.is_new, tested.curvature, 1.0) * rows.weight.sum())
        found += [
            Interaction(first, first + 1 + int(at), float(falls[at]), float(tested.z[at]))
            for at in np.flatnonzero(tested.z)
        ]
    return sorted(found, key=lambda pair: -pair.fall)[:most]


@in_one_thread
def bends(training: Rows, judging: Rows, weights: Floats, most: int = 5) -> list[Bend]:
    """Name the bends of features, the surest first, `most` at most; held-out rows say what each brings."""
    if training.shape[1] > MOST_COLUMNS or not judging.n:
        return []
    known = some_games(training, MOST_ROWS, SALT).loaded()
    if known.n < FEWEST_ROWS:
        return []
    held_out = some_games(judging, MOST_JUDGED, SALT).loaded()
    x, of_judging = features_of(known), features_of(held_out)
    own, judged = _Sum.of(known, weights), _Sum.of(held_out, weights)
    sides = _slopes(known, weights)
    hinges = [hinge for feature in range(x.shape[1]) for hinge in _hinges(feature, x[:, feature])]
    found: list[Bend] = []
    while hinges and len(found) < most:
        hinge, chance, step, share = _best(own, x, hinges)
        if chance > LEVEL:
            break
        own = own.with_bend(hinge.of(x[:, hinge.feature]), step, share)
        better = judged.with_bend(hinge.of(of_judging[:, hinge.feature]), step, share)
        fall, error = fall_of(held_out, judged.losses - better.losses)
        judged = better
        moved = share[: weights.size].reshape(weights.shape) * step / LOGITS_PER_ELO
        sides = sides - _slopes(known, moved)
        more = step / LOGITS_PER_ELO
        before = float(sides[hinge.feature])
        found.append(Bend(hinge, before, before + more, chance, fall, error))
        hinges = [other for other in hinges if other.feature != hinge.feature]
    return found


def _slopes(rows: Rows, weights: Floats) -> Floats:
    """Return Elo of one more of each feature (F,), in the mean of the stages."""
    shares = np.ones(1) if rows.stages is None else np.average(rows.stages[:], axis=0, weights=rows.weight)
    return np.asarray(shares @ weights)


def _hinges(feature: int, x: Floats) -> list[Hinge]:
    """Return the hinges of a feature: at most `KNOTS`, of each kind, between its least value and its largest."""
    is_signed = x.min() < 0 < x.max()
    found = [Hinge(feature, float(knot), False) for knot in _knots(x[x != 0], x.min(), x.max())]
    if is_signed:
        size = np.abs(x)
        found += [Hinge(feature, float(knot), True) for knot in _knots(size[size > 0], 0.0, size.max())]
    return found


def _knots(values: Floats, low: float, high: float) -> Floats:
    """Return values at equal shares, each once, between the ends."""
    if not len(values):
        return values
    knots = np.unique(np.sort(values)[np.linspace(0, len(values) - 1, KNOTS + 2)[1:-1].astype(np.int64)])
    return knots[(knots > low) & (knots < high)]


def _best(own: _Sum, x: Floats, hinges: list[Hinge]) -> tuple[Hinge, float, float, Floats]:
    """Return the hinge with the largest |z|, the chance of such a one, its slope in logits, and shares (P,)."""
    test = ScoreTest(own)
    luck, best, found = np.zeros(_DRAWS), 0.0, (hinges[0], 0.0, np.zeros(own.columns.shape[1]))
    signs: Floats = np.zeros((0, 0))
    for feature in sorted({hinge.feature for hinge in hinges}):
        its = [hinge for hinge in hinges if hinge.feature == feature]
        tested = test.ask(np.column_stack([hinge.of(x[:, feature]) for hinge in its]))
        clusters = _clustered(tested.sums * (tested.is_new / tested.noise))
        if not signs.size:
            signs = np.random.default_rng(SALT).choice([-1.0, 1.0], (_DRAWS, len(clusters)))
        luck = np.maximum(luck, np.abs(signs @ clusters).max(axis=1))
        at = int(np.argmax(np.abs(tested.z)))
        if abs(tested.z[at]) > best:
            best = float(abs(tested.z[at]))
            found = its[at], float(tested.slope[at] / tested.curvature[at]), tested.share[:, at]
    chance = (1 + int((luck >= best).sum())) / (1 + _DRAWS)
    return found[0], chance, found[1], found[2]


def _clustered(sums: Floats) -> Floats:
    """Add up pairs until at most `_MOST_CLUSTERS` are left."""
    if len(sums) <= _MOST_CLUSTERS:
        return sums
    places: Ints = np.arange(0, len(sums), -(-len(sums) // _MOST_CLUSTERS))
    return np.asarray(np.add.reduceat(sums, places, axis=0))
