"""What all trials together say: a Gaussian process over settings, with the noise that games are known to have.

Settings are points of [-1, 1]^n. A trial's score (0 to 1) has the noise its own results show. Length scales,
one a parameter, and the height of the landscape are those of the largest marginal likelihood with a
weak prior (lengths near 0.7, heights near 0.1)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize

Array = npt.NDArray[np.float64]

ROOT5 = 5**0.5
MOST = 300  # settings, those with most games, that decide lengths and height


def matern(a: Array, b: Array, lengths: Array) -> Array:
    """Return the Matern-5/2 correlation of each row of `a` with each row of `b`."""
    x, y = a / lengths, b / lengths
    squared = (x * x).sum(1)[:, None] + (y * y).sum(1)[None, :] - 2 * x @ y.T
    d = ROOT5 * np.sqrt(np.maximum(squared, 0))
    found: Array = (1 + d + d * d / 3) * np.exp(-d)
    return found


@dataclass(frozen=True)
class Landscape:
    """A fitted process: mean and standard error of the score anywhere."""

    x: Array
    mean: float
    height: float
    lengths: Array
    factor: tuple[Array, bool]
    alpha: Array

    def score(self, at: Array) -> tuple[Array, Array]:
        """Return expected score and standard error of settings, one a row."""
        k = self.height**2 * matern(at, self.x, self.lengths)
        variance = self.height**2 - (k * cho_solve(self.factor, k.T).T).sum(1)
        return self.mean + k @ self.alpha, np.sqrt(np.maximum(variance, 0))

    def difference(self, one: Array, other: Array) -> tuple[float, float]:
        """Return by how much the score of `one` is above that of `other`, and the standard error of that."""
        at = np.stack([one, other])
        k = self.height**2 * matern(at, self.x, self.lengths)
        c = self.height**2 * matern(at, at, self.lengths) - k @ cho_solve(self.factor, k.T)
        mean = k @ self.alpha
        variance = c[0, 0] + c[1, 1] - 2 * c[0, 1]
        return float(mean[0] - mean[1]), float(np.sqrt(max(variance, 0.0)))


def fit_landscape(x: Array, score: Array, noise: Array, most: int = MOST) -> Landscape:
    """Fit to scores of settings (rows of `x`) with the standard errors `noise`; `most` decide its shape."""
    n = x.shape[1]
    mean = float(np.average(score, weights=noise**-2))

    def parts(theta: Array, rows: Any) -> tuple[tuple[Array, bool], Array]:
        k = np.exp(2 * theta[-1]) * matern(x[rows], x[rows], np.exp(theta[:-1]))
        factor = cho_factor(k + np.diag(noise[rows] ** 2), lower=True)
        return factor, cho_solve(factor, score[rows] - mean)

    sample = np.sort(np.argsort(noise, kind="stable")[:most])

    def cost(theta: Array) -> float:
        factor, alpha = parts(theta, sample)
        fit = 0.5 * (score[sample] - mean) @ alpha + np.log(factor[0].diagonal()).sum()
        prior = ((theta[:-1] - np.log(0.7)) ** 2 / 2).sum() + (theta[-1] - np.log(0.1)) ** 2 / 2
        return float(fit + prior)

    start = np.append(np.full(n, np.log(0.7)), np.log(0.1))
    bounds = [(np.log(0.05), np.log(5))] * n + [(np.log(0.003), np.log(0.5))]
    theta = minimize(cost, start, method="L-BFGS-B", bounds=bounds, options={"maxiter": 30}).x
    factor, alpha = parts(theta, slice(None))
    return Landscape(x, mean, float(np.exp(theta[-1])), np.exp(theta[:-1]), factor, alpha)
