"""What all trials together say: a Gaussian process over settings, with the noise that games are known to have.

Settings are points of [-1, 1]^n. Their scores (0 to 1) have a known noise, each of its own (standard errors) or with a
covariance. The level of the landscape is unknown; length scales, one a parameter, and its height have a weak prior
(lengths near 0.7; no hill at all with probability `FLAT`, else all orders of magnitude alike). It is smooth
(Matern-5/2) or has edges (Matern-1/2), as the scores tell. `fit_landscape` takes the most probable smooth one;
`believe` keeps those that are nearly as probable, too, so that errors do not pretend that the shape is known.
`Belief.summits` draws where the best of many settings may lie. That best one is lucky among its equals:
`Belief.optimism` says by how much."""

from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.optimize import minimize
from scipy.special import ndtr

Array = npt.NDArray[np.float64]

ROOT5 = 5**0.5
MOST = 128  # settings, pooled with their neighbours, that decide lengths and height
LEVEL = 0.25  # standard deviation of the landscape's level, before any game
LENGTH, HEIGHT = 0.7, 0.3  # what lengths are near before any game, and what heights rarely exceed
FLAT = 0.8  # probability, before any game, that no setting is better than another
HEIGHTS = np.geomspace(0.003, 0.5, 10)  # that `believe` looks at
STRETCHES = (0.4, 0.63, 1.0, 1.6, 2.5)  # of the most probable lengths, that it looks at
NEGLIGIBLE = 0.01  # probability below which a shape is left out
HILLS = 8  # shapes of hills that are kept in any case, the most probable ones
CONTENDING = 1.28  # standard errors behind the best setting: beyond, a chance below 0.1 to be better than it
DRAWS = 64  # of noise, for the winner's curse
# Of the variance of the winner's curse, beside that of the winner's own score (searches from seed 5,000 on: without it
# 90 to 95 % of the intervals hold the truth, with all of it 98 %).
BESIDE = 0.5
SUMMITS = 128  # landscapes whose best places are looked for
TINY = 1e-7  # variance that keeps the covariance of neighbours invertible


class Shape(NamedTuple):
    """What a landscape looks like: a length for each parameter, its height, and whether it has edges."""

    lengths: Array
    height: float
    has_edges: bool = False

    def covariance(self, a: Array, b: Array) -> Array:
        """Return the covariance of the scores of each row of `a` with each row of `b`, the level's included."""
        return self.height**2 * matern(a, b, self.lengths, self.has_edges) + LEVEL**2


def matern(a: Array, b: Array, lengths: Array, has_edges: bool = False) -> Array:
    """Return the correlation of each row of `a` with each row of `b`: Matern-5/2, with edges Matern-1/2."""
    d = _distance(a, b, lengths)
    found: Array = np.exp(-d / ROOT5) if has_edges else (1 + d + d * d / 3) * np.exp(-d)
    return found


def _distance(a: Array, b: Array, lengths: Array) -> Array:
    x, y = a / lengths, b / lengths
    squared = (x * x).sum(1)[:, None] + (y * y).sum(1)[None, :] - 2 * x @ y.T
    found: Array = ROOT5 * np.sqrt(np.maximum(squared, 0))
    return found


def _unlikely(shape: Shape) -> float:
    """Return minus the logarithm of a shape's density before any game, up to a constant."""
    return float((np.log(shape.lengths / LENGTH) ** 2 / 2).sum() + (shape.height / HEIGHT) ** 2 / 2)


@dataclass(frozen=True)
class Landscape:
    """A fitted process: mean and standard error of the score anywhere."""

    x: Array
    mean: float
    shape: Shape
    factor: tuple[Array, bool]
    alpha: Array

    def expected(self, at: Array) -> Array:
        """Return the expected score of settings, one a row."""
        found: Array = self.mean + self.shape.covariance(at, self.x) @ self.alpha
        return found

    def score(self, at: Array) -> tuple[Array, Array]:
        """Return expected score and standard error of settings, one a row."""
        k = self.shape.covariance(at, self.x)
        variance = self.shape.height**2 + LEVEL**2 - (k * cho_solve(self.factor, k.T).T).sum(1)
        return self.mean + k @ self.alpha, np.sqrt(np.maximum(variance, 0))

    def difference(self, one: Array, other: Array) -> tuple[float, float]:
        """Return by how much the score of `one` is above that of `other`, and the standard error of that."""
        at = np.stack([one, other])
        k = self.shape.covariance(at, self.x)
        c = self.shape.covariance(at, at) - k @ cho_solve(self.factor, k.T)
        mean = k @ self.alpha
        variance = c[0, 0] + c[1, 1] - 2 * c[0, 1]
        return float(mean[0] - mean[1]), float(np.sqrt(max(variance, 0.0)))

    def against(self, at: Array, best: int, noise: Array) -> tuple[Array, Array, Array]:
        """Return what noise alone would make of settings, by how much each is behind one of them, and the variance."""
        k = self.shape.covariance(at, self.x)
        weights = cho_solve(self.factor, k.T)
        own = self.shape.height**2 + LEVEL**2 - (k * weights.T).sum(1)
        common = self.shape.covariance(at, at[[best]])[:, 0] - weights.T @ k[best]
        mean = k @ self.alpha
        return weights.T @ noise, mean[best] - mean, np.maximum(own + own[best] - 2 * common, 0)

    def drawn(self, at: Array, draws: int, rng: np.random.Generator) -> Array:
        """Return scores that settings (rows) may have together, as many columns as draws."""
        k = self.shape.covariance(at, self.x)
        c = self.shape.covariance(at, at) - k @ cho_solve(self.factor, k.T)
        root = np.linalg.cholesky(c + TINY * np.eye(len(at)))
        found: Array = (self.mean + k @ self.alpha)[:, None] + root @ rng.normal(size=(len(at), draws))
        return found


@dataclass(frozen=True)
class Belief:
    """Landscapes of several shapes, each with its probability, and the covariance of the scores' noise."""

    landscapes: tuple[Landscape, ...]
    chances: Array
    noise: Array

    @property
    def smooth(self) -> float:
        """The probability that the landscape has no edges, if it is not flat."""
        hilly = self.chances * [one.shape.height > 0 for one in self.landscapes]
        return float(hilly @ [not one.shape.has_edges for one in self.landscapes] / hilly.sum())

    def expected(self, at: Array) -> Array:
        """Return the expected score of settings, one a row: many times quicker than with its error."""
        found: Array = self.chances @ np.array([one.expected(at) for one in self.landscapes])
        return found

    def score(self, at: Array) -> tuple[Array, Array]:
        """Return expected score and standard error of settings, one a row."""
        found = [one.score(at) for one in self.landscapes]
        means, errors = (np.array([pair[part] for pair in found]) for part in (0, 1))
        mean = self.chances @ means
        return mean, np.sqrt(self.chances @ (errors**2 + (means - mean) ** 2))

    def difference(
        self, one: Array, other: Array, less: float = 0.0, unsure: float = 0.0
    ) -> tuple[float, float, float]:
        """Return by how much `one` scores more than `other`, `less` taken off; its error; the chance that it does.

        `unsure` is the standard error of `less`.
        """
        gains, errors = np.array([hill.difference(one, other) for hill in self.landscapes]).T
        gains, errors = gains - less, np.hypot(errors, unsure)
        gain = float(self.chances @ gains)
        error = float(np.sqrt(self.chances @ (errors**2 + (gains - gain) ** 2)))
        better = float(self.chances @ ndtr(gains / np.maximum(errors, 1e-12)))
        return gain, error, better

    def summits(self, at: Array, rng: np.random.Generator, draws: int = SUMMITS) -> Array:
        """Return which of several settings are the best of landscapes as they may be; no flat one among them."""
        hills = [number for number, one in enumerate(self.landscapes) if one.shape.height]
        chances = self.chances[hills] / self.chances[hills].sum()
        counts = rng.multinomial(draws, chances)
        rows = zip(hills, counts, strict=True)
        found = [
            self.landscapes[hill].drawn(at, int(count), rng).argmax(axis=0) for hill, count in rows if count
        ]
        return np.concatenate(found)

    def optimism(self, at: Array, best: int, rng: np.random.Generator) -> tuple[float, float]:
        """Return how much luck there is in the expected score of the best of several settings: the winner's curse.

        It is what the best of them would seem to gain by noise alone if all that may well be the best were equal: its
        mean, and by how much that is unsure beside the error of the best one's own score (a standard deviation). Of
        its variance from noise to noise `BESIDE` counts: a best one that has luck itself leaves less to the others,
        so the two errors partly cancel.
        """
        noise = np.linalg.cholesky(self.noise) @ rng.normal(size=(len(self.noise), DRAWS))
        fields, behind, squares = np.zeros((len(at), DRAWS)), np.zeros(len(at)), np.zeros(len(at))
        for chance, hill in zip(self.chances, self.landscapes, strict=True):
            seeming, lag, variance = hill.against(at, best, noise)
            fields += chance * seeming
            behind += chance * lag
            squares += chance * (variance + lag**2)
        error = np.sqrt(np.maximum(squares - behind**2, 0))
        contenders = behind <= CONTENDING * error
        contenders[best] = True
        luck = fields[contenders].max(axis=0) - fields[best]
        return float(luck.mean()), float(np.sqrt(BESIDE) * luck.std())


class _Data:
    """Scores with their noise, and what a shape (logarithms of lengths, then of the height) costs."""

    def __init__(self, x: Array, score: Array, noise: Array) -> None:
        self.x, self.noise = x, noise if noise.ndim == 2 else np.diag(noise**2)
        self.mean = float(np.average(score, weights=1 / self.noise.diagonal()))
        self.y = score - self.mean

    def pooled(self, most: int) -> Self:
        """Return settings pooled with their neighbours, until there are no more than so many."""
        if len(self.x) <= most:
            return self
        groups = _neighbours(self.x, most)
        share = np.zeros((len(groups), len(self.x)))
        for row, group in enumerate(groups):
            sureness = 1 / self.noise.diagonal()[group]
            share[row, group] = sureness / sureness.sum()
        return type(self)(share @ self.x, share @ (self.y + self.mean), share @ self.noise @ share.T)

    def solve(self, shape: Shape) -> tuple[tuple[Array, bool], Array]:
        """Return the factor of the scores' covariance, and its inverse times the scores."""
        k = shape.covariance(self.x, self.x) + self.noise
        factor = cho_factor(k, lower=True, check_finite=False)
        return factor, cho_solve(factor, self.y, check_finite=False)

    def misfit(self, shape: Shape) -> float:
        """Return minus the logarithm of the scores' density under a shape, up to a constant."""
        return self._misfit(shape.covariance(self.x, self.x) + self.noise)

    def _misfit(self, k: Array) -> float:
        try:
            factor = cho_factor(k, lower=True, check_finite=False)
        except LinAlgError:
            return 1e10
        alpha = cho_solve(factor, self.y, check_finite=False)
        return float(0.5 * self.y @ alpha + np.log(factor[0].diagonal()).sum())

    def cost(self, shape: Shape) -> float:
        """Return minus the logarithm of a shape's posterior density (in logarithms of sizes), up to a constant."""
        return self.misfit(shape) + _unlikely(shape)

    def costs(self, shape: Shape) -> list[float]:
        """Return what a shape costs at each of `HEIGHTS`."""
        alike = matern(self.x, self.x, shape.lengths, shape.has_edges)
        found = []
        for height in HEIGHTS:
            k = height**2 * alike + LEVEL**2 + self.noise
            found.append(self._misfit(k) + _unlikely(shape._replace(height=height)))
        return found

    def cost_and_slope(self, shape: Shape) -> tuple[float, Array]:
        """Return the cost of a shape, and its derivatives by the logarithms of lengths and height."""
        square = shape.height**2
        d = _distance(self.x, self.x, shape.lengths)
        own = square * matern(self.x, self.x, shape.lengths, shape.has_edges)
        try:
            factor = cho_factor(own + LEVEL**2 + self.noise, lower=True, check_finite=False)
        except LinAlgError:
            return 1e10, np.zeros(len(shape.lengths) + 1)
        inverse = cho_solve(factor, np.eye(len(self.y)), check_finite=False)
        alpha = inverse @ self.y
        pull = inverse - np.outer(alpha, alpha)
        # of the covariance by the square of a distance along one parameter, times -2
        steep = (
            own / np.maximum(d / ROOT5, 1e-6) if shape.has_edges else square * 5 / 3 * (1 + d) * np.exp(-d)
        )
        bent = pull * steep
        apart = 2 * (self.x**2 * bent.sum(1)[:, None]).sum(0) - 2 * (self.x * (bent @ self.x)).sum(0)
        slope = np.append(apart / shape.lengths**2 / 2, float((pull * own).sum()))
        slope[:-1] += np.log(shape.lengths / LENGTH)
        slope[-1] += square / HEIGHT**2
        value = float(0.5 * self.y @ alpha + np.log(factor[0].diagonal()).sum())
        return value + _unlikely(shape), slope

    def best(self, has_edges: bool = False) -> Shape:
        """Return the most probable shape, with edges or without."""
        n = self.x.shape[1]
        start = np.append(np.full(n, np.log(LENGTH)), np.log(0.1))
        bounds = [(np.log(0.05), np.log(5))] * n + [(np.log(HEIGHTS[0]), np.log(HEIGHTS[-1]))]

        def cost(sizes: Array) -> Any:
            return self.cost_and_slope(_shape(sizes, has_edges))

        made = minimize(cost, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 30})
        return _shape(made.x, has_edges)

    def landscape(self, shape: Shape) -> Landscape:
        """Return the landscape of a shape."""
        factor, alpha = self.solve(shape)
        return Landscape(self.x, self.mean, shape, factor, alpha)


def _shape(sizes: Array, has_edges: bool) -> Shape:
    """Return the shape of logarithms: lengths, then the height."""
    return Shape(np.exp(sizes[:-1]), float(np.exp(sizes[-1])), has_edges)


def _neighbours(x: Array, most: int) -> list[npt.NDArray[np.int64]]:
    """Return the rows of `x` in at most so many groups of neighbours: the largest is halved where it is widest."""
    groups = [np.arange(len(x))]
    while len(groups) < most:
        at = max(range(len(groups)), key=lambda n: len(groups[n]))
        group = groups.pop(at)
        wide = int(np.argmax(np.ptp(x[group], axis=0)))
        order = group[np.argsort(x[group, wide], kind="stable")]
        groups += [order[: len(order) // 2], order[len(order) // 2 :]]
    return groups


def fit_landscape(x: Array, score: Array, noise: Array, most: int = MOST) -> Landscape:
    """Fit to scores of settings (rows of `x`) with their noise; pooled to `most`, they decide its shape.

    Parameters
    ----------
    noise
        Standard errors, or their covariance.
    """
    data = _Data(x, score, noise)
    return data.landscape(data.pooled(most).best())


def believe(x: Array, score: Array, noise: Array, most: int = MOST) -> Belief:
    """Return all shapes that scores leave probable; parameters as of `fit_landscape`."""
    data = _Data(x, score, noise)
    few = data.pooled(most)
    best = [few.best(has_edges) for has_edges in (False, True)]
    flat = best[0]._replace(height=0.0)
    rows = [Shape(one.lengths * stretch, 0.0, one.has_edges) for one in best for stretch in STRETCHES]
    shapes = [row._replace(height=height) for row in rows for height in HEIGHTS]
    costs = np.array([few.misfit(flat), *(cost for row in rows for cost in few.costs(row))])
    prior = np.append(FLAT * len(shapes) / (1 - FLAT), np.ones(len(shapes)))
    chances = prior * np.exp(costs.min() - costs)
    likely = chances >= NEGLIGIBLE * chances.sum()
    # However probable it is that there is no hill: what hill there would be is not forgotten.
    likely[1 + np.argsort(-chances[1:])[:HILLS]] = True
    kept = np.flatnonzero(likely)
    landscapes = tuple(data.landscape([flat, *shapes][at]) for at in kept)
    return Belief(landscapes, chances[kept] / chances[kept].sum(), data.noise)
