"""What do boosted trees predict, and how much better than a weighted sum?

Newton boosting of the cross-entropy on histograms, a tree of 16 leaves a round.

Each round adds a small tree to the logits (Friedman 2001, with the Newton steps and gains of XGBoost, Chen & Guestrin
2016): a split is chosen among at most `BINS` places of each feature by how far the loss would fall, to second order.
Labels may be soft. Codes of features are (n, F) uint8; the nodes of a tree are numbered level by level, node k has
the children 2k + 1 and 2k + 2, and its 16 leaves follow. The same rows give the same bits.

The same features go to trees that are kept to one feature each (the sum may bend) and to free ones (features may
interact): what they predict better than the weights on the same held-out pairs bounds what another form of evaluation
could bring. Which features bend and belong together, `shape` says."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from tunesmith.tuning.fit.loss import LOGITS_PER_ELO, cross_entropy, scores
from tunesmith.tuning.fit.out_of_core import at_most
from tunesmith.tuning.fit.rows import Floats, Ints, Rows, features_of, some_games
from tunesmith.tuning.fit.solve import in_one_thread
from tunesmith.tuning.fit.sparse import Sparse, compiled
from tunesmith.tuning.fit.split import split

BINS = 64
DEPTH = 4
RATE = 0.1  # of a tree's step that is taken
PATIENCE = 15  # rounds without a better loss after which no better one is expected
LEAST = 5.0  # curvature of a leaf: 20 rows of mean weight and even chances
FEWEST_ROWS = 1000  # below, boosted trees learn the rows by heart
MOST_ROWS = 50_000  # of the training rows; a bound does not need more
MOST_JUDGED = 500_000  # of the held-out rows
_MOST_DENSE, _MOST_NUMBERS = 1 << 24, 1 << 23  # of the rows that trees see, and where most are zero
_ROUNDS = 100
SALT = 0x626F6F7374  # of many rows, those that are seen
_RIDGE = 1e-3  # on a leaf's step, in curvature

Codes = npt.NDArray[np.uint8]


class Binning(NamedTuple):
    """Where the bins of each column end; a value is in the first bin whose end is not below it."""

    ends: tuple[Floats, ...]

    @staticmethod
    def of(x: Floats) -> Binning:
        """Put ends between different values (n, F): between all of them, or `BINS` - 1 by rank if there are more."""
        return Binning(tuple(_ends(column) for column in x.T))

    def codes(self, x: Floats) -> Codes:
        """Return the bins (n, F) of some rows (n, F)."""
        found = np.empty(x.shape, np.uint8)
        for at, ends in enumerate(self.ends):
            found[:, at] = np.searchsorted(ends, x[:, at])
        return found


def _ends(column: Floats) -> Floats:
    values = np.unique(column)
    if len(values) > BINS:
        ranks = np.linspace(0, len(column) - 1, BINS + 1)[1:-1]
        return np.unique(np.sort(column)[ranks.astype(np.int64)])
    return (values[:-1] + values[1:]) / 2


class Tree(NamedTuple):
    """A complete tree: feature and last bin to the left of each inner node, and the step of each leaf, in logits."""

    feature: Ints
    last: Ints
    step: Floats

    def steps(self, codes: Codes) -> Floats:
        """Return what the tree adds to each row."""
        node, rows = np.zeros(len(codes), np.int64), np.arange(len(codes))
        for _ in range(DEPTH):
            node = 2 * node + 1 + (codes[rows, self.feature[node]] > self.last[node])
        return self.step[node - len(self.feature)]


class Boosted(NamedTuple):
    """Trees on top of the logit of the mean label."""

    binning: Binning
    base: float
    trees: list[Tree]

    def logits(self, x: Floats) -> Floats:
        """Return the logits of rows (n, F)."""
        codes = self.binning.codes(x)
        return np.asarray(sum((tree.steps(codes) for tree in self.trees), np.full(len(x), self.base)))


def boost(x: Floats, labels: Floats, weight: Floats, rounds: int, *, bends_only: bool = False) -> Boosted:
    """Grow trees on rows (n, F), labels in [0, 1]; `bends_only` keeps every tree to one feature."""
    grower = Grower(x, labels, weight, bends_only)
    return Boosted(grower.binning, grower.base, [grower.grow() for _ in range(rounds)])


class Grower:
    """Grows one tree after the other; knows the logits of its rows."""

    def __init__(self, x: Floats, labels: Floats, weight: Floats, bends_only: bool) -> None:
        self.binning = Binning.of(x)
        self._codes = self.binning.codes(x)
        self._labels, self._weight, self._bends_only = labels, weight / weight.mean(), bends_only
        mean = np.clip(np.average(labels, weights=weight), 1e-6, 1 - 1e-6)
        self.base = float(np.log(mean / (1 - mean)))
        self._logits = np.full(len(labels), self.base)

    def grow(self) -> Tree:
        """Grow a tree on what is missing, and take its steps."""
        chance = expit(self._logits)
        slope, bend = self._weight * (self._labels - chance), self._weight * chance * (1 - chance)
        tree, node = _grown(self._codes, np.column_stack([slope, bend]), self._bends_only)
        self._logits += tree.step[node]
        return tree


def _grown(codes: Codes, sums: Floats, bends_only: bool) -> tuple[Tree, Ints]:
    """Return a tree and each row's leaf; `sums` (n, 2) are slope and curvature of the rows."""
    n_inner = 2**DEPTH - 1
    feature, last = np.zeros(n_inner, np.int64), np.full(n_inner, BINS)
    rows, used, asked = np.arange(len(codes)), np.arange(codes.shape[1]), codes
    node = np.zeros(len(codes), np.int64)
    found = _histograms(asked, sums, node, rows, 1)
    for level in range(DEPTH):
        nodes = slice(2**level - 1, 2 ** (level + 1) - 1)
        chosen, last[nodes] = _best_splits(found)
        feature[nodes] = used[chosen]
        if bends_only and level == 0:
            used = used[chosen]
            asked, found = np.ascontiguousarray(codes[:, used]), found[:, :, chosen]
        right = codes[rows, feature[nodes][node]] > last[nodes][node]
        node = 2 * node + right
        if level < DEPTH - 1:
            found = _of_children(asked, sums, node, found)
    total = np.array([np.bincount(node, own, 2**DEPTH) for own in sums.T])
    return Tree(feature, last, RATE * total[0] / (total[1] + _RIDGE)), node


def _histograms(codes: Codes, sums: Floats, node: Ints, rows: Ints, n_nodes: int) -> Floats:
    """Return the sums (n, 2) of some rows by node, feature and bin, (2, nodes, features, bins)."""
    n_features = codes.shape[1]
    add = compiled(_add_to_histograms)
    if add is not None:
        both = np.zeros((n_nodes, n_features, BINS, 2))
        add(codes, sums, node, rows, both)
        return np.ascontiguousarray(np.moveaxis(both, -1, 0))
    found, first = np.empty((2, n_nodes, n_features, BINS)), node[rows] * BINS
    for at in range(n_features):
        place = first + codes[rows, at]
        for own, into in zip(sums.T, found, strict=True):
            into[:, at] = np.bincount(place, own[rows], n_nodes * BINS).reshape(n_nodes, BINS)
    return found


def _add_to_histograms(codes: Codes, sums: Floats, node: Ints, rows: Ints, found: Floats) -> None:
    """Add the sums (n, 2) of rows to found (nodes, F, bins, 2), row after row: each feature waits for no other."""
    for row in rows:
        slope, bend = sums[row, 0], sums[row, 1]
        own, into = codes[row], found[node[row]]
        for feature in range(len(own)):
            place = np.uint64(own[feature])
            into[feature, place, 0] += slope
            into[feature, place, 1] += bend


def _of_children(codes: Codes, sums: Floats, node: Ints, parents: Floats) -> Floats:
    """Return the histograms of the next level: the smaller child's are summed, its sibling has the rest."""
    sizes = np.bincount(node, minlength=2 * parents.shape[1])
    is_smaller = sizes < sizes.reshape(-1, 2)[:, ::-1].ravel()
    is_smaller[1::2] |= sizes[::2] == sizes[1::2]
    small = _histograms(codes, sums, node // 2, np.flatnonzero(is_smaller[node]), parents.shape[1])
    found = np.empty((2, 2 * parents.shape[1], *parents.shape[2:]))
    children = found.reshape(2, parents.shape[1], 2, *parents.shape[2:])
    is_right = is_smaller[1::2][:, None, None]
    children[:, :, 0], children[:, :, 1] = (
        np.where(is_right, parents - small, small),
        np.where(is_right, small, parents - small),
    )
    return found


def _best_splits(found: Floats) -> tuple[Ints, Ints]:
    """Return each node's best feature (its place) and last bin to the left; `BINS` where no split gains."""
    left = np.cumsum(found, axis=-1)[..., :-1]
    whole = found.sum(axis=-1)[..., None]
    right = whole - left
    gain = _gain(left) + _gain(right) - _gain(whole)
    gain[(left[1] < LEAST) | (right[1] < LEAST)] = 0.0
    flat = gain.reshape(len(gain), -1)
    best = np.argmax(flat, axis=1)
    is_gain = flat[np.arange(len(flat)), best] > 1e-9
    return np.where(is_gain, best // (BINS - 1), 0), np.where(is_gain, best % (BINS - 1), BINS)


def _gain(sums: Floats) -> Floats:
    return np.asarray(sums[0] ** 2 / (np.maximum(sums[1], 0.0) + _RIDGE))


# --- beside a weighted sum


class Comparison(NamedTuple):
    """Held-out cross-entropy: weighted sum, sum of bent features, free trees; and the fall from sum to best."""

    linear: float
    additive: float
    boosted: float
    fall: float
    error: float  # standard error of `fall`, clustered by pair
    rows: int


@in_one_thread
def compare(training: Rows, judging: Rows, weights: Floats) -> Comparison | None:
    """Compare weights (S, F) with boosted trees on held-out rows; None where there are too few rows."""
    if training.n < FEWEST_ROWS or not judging.n:
        return None
    is_sparse, columns = isinstance(training.features, Sparse), training.shape[1]
    most = at_most(
        MOST_ROWS, _MOST_NUMBERS if is_sparse else _MOST_DENSE, columns
    )  # trees want the zeros too
    most_judged = at_most(MOST_JUDGED, _MOST_NUMBERS if is_sparse else 2 * _MOST_DENSE, columns)
    known = some_games(training, most, SALT).loaded()
    judging = some_games(judging, most_judged, SALT).loaded()
    linear = _loss(scores(judging, weights) * LOGITS_PER_ELO, judging)
    additive, boosted = (_loss(_boosted(known, judging, bends), judging) for bends in (True, False))
    share = judging.weight / judging.weight.sum()
    means = [float(share @ value) for value in (linear, additive, boosted)]
    best = additive if means[1] < means[2] else boosted
    return Comparison(means[0], means[1], means[2], *fall_of(judging, linear - best), known.n)


def fall_of(rows: Rows, fall: Floats) -> tuple[float, float]:
    """Return the mean fall of the loss (n,), and its standard error, clustered by pair."""
    share = rows.weight / rows.weight.sum()
    mean = float(share @ fall)
    number = np.unique(rows.group, return_inverse=True)[1]
    return mean, float(np.sqrt((np.bincount(number, share * (fall - mean)) ** 2).sum()))


def _loss(logits: Floats, rows: Rows) -> Floats:
    return cross_entropy(logits, rows.labels).value


def _columns(rows: Rows) -> Floats:
    own = rows.loaded()
    x = features_of(own)
    return x if own.stages is None else np.column_stack([x, own.stages[:][:, 1:]])


def _boosted(training: Rows, judging: Rows, bends_only: bool) -> Floats:
    """Return logits of the judging rows; pairs set aside choose the number of rounds."""
    aside = split(training.group, 0.25, SALT + 1)
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
