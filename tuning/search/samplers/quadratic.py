"""Local quadratic logistic regression of game results (Coulom, CLOP: Confident Local Optimization, 2011).

q(x) is a quadratic in the log-odds of a game; P(win) = s(q - delta), P(loss) = s(-q - delta), s logistic, delta
from the share of draws, so that a draw counts as a win and a loss of half strength. The first fit weighs all
settings alike. Settings that it holds confidently worse than the mean m (standard error e of its log-odds) get
the weight exp((q(x) - m) / (H e)) < 1, the next fit uses these weights, and so on until little changes. The
result depends on the set of results alone, not on the order in which they came."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.special import expit

from .box import Array

H = 3.0  # standard errors of the mean that cost a setting a factor e
PRIOR = 1e-2  # precision of the coefficients
STABLE = 0.98  # of the total weight must remain in the last round
ROUNDS = 60


def terms(x: Array) -> Array:
    """Return 1, x_j and x_j x_k (j <= k) for each row."""
    n = x.shape[1]
    j, k = np.triu_indices(n)
    return np.hstack([np.ones((len(x), 1)), x, x[:, j] * x[:, k]])


@dataclass(frozen=True)
class Local:
    """What a local regression has found.

    Attributes
    ----------
    weights
        Of each row of the data, 0 to 1.
    chain
        Coefficients of the rounds' quadratics less the mean, divided by H standard errors: the weight of x is
        exp(min(0, smallest of chain @ terms(x))).
    coefficients, covariance
        Of the last quadratic, in log-odds.
    delta
        Half the width of the draw zone, in log-odds.
    """

    weights: Array
    chain: Array
    coefficients: Array
    covariance: Array
    delta: float

    def weight(self, x: Array) -> Array:
        """Return the weight of settings, one a row."""
        found: Array = np.exp(self.log_weight(x))
        return found

    def log_weight(self, x: Array) -> Array:
        """Return the logarithm of the weight of settings, one a row."""
        if not len(self.chain):
            return np.zeros(len(x))
        found: Array = np.minimum(0.0, (terms(x) @ self.chain.T).min(axis=1))
        return found

    def score(self, x: Array) -> tuple[Array, Array]:
        """Return the expected score of settings and its standard error."""
        rows = terms(x)
        q = rows @ self.coefficients
        win, loss = expit(q - self.delta), expit(-q - self.delta)
        slope = win * (1 - win) + loss * (1 - loss)
        error = np.sqrt(np.einsum("ij,jk,ik->i", rows, self.covariance, rows))
        return (1 + win - loss) / 2, slope / 2 * error


def fit_local(x: Array, wdl: Array, h: float = H) -> Local:
    """Fit to settings (rows of `x`) and their results (rows of wins, draws, losses)."""
    rows = terms(x)
    weights = np.ones(len(x))
    beta = np.zeros(rows.shape[1])
    chain: list[Array] = []
    for _ in range(ROUNDS):
        delta = draw_width(weights @ wdl)
        live = weights > 1e-4
        beta, covariance = _regress(rows[live], wdl[live] * weights[live, None], delta, beta)
        mean, error = _constant(weights @ wdl, delta)
        link = beta.copy()
        link[0] -= mean
        link /= h * error
        chain.append(link)
        before = weights.sum()
        weights = np.minimum(weights, np.exp(np.minimum(0.0, rows @ link)))
        if weights.sum() >= STABLE * before:
            break
    return Local(weights, np.array(chain), beta, covariance, delta)


def draw_width(totals: Array) -> float:
    """Return delta for total wins, draws and losses."""
    wins, draws, losses = np.maximum(totals, 0) + np.array([0.5, 0.0, 0.5])
    if draws <= 0:
        return 0.0
    n = wins + draws + losses
    return float(max(0.0, 0.5 * math.log((n - wins) / wins * (n - losses) / losses)))


def _constant(totals: Array, delta: float) -> tuple[float, float]:
    """Return the log-odds that all results together have, and their standard error."""
    beta, covariance = _regress(np.ones((1, 1)), totals[None, :], delta, np.zeros(1))
    return float(beta[0]), math.sqrt(float(covariance[0, 0]))


def _regress(rows: Array, wdl: Array, delta: float, start: Array) -> tuple[Array, Array]:
    """Return coefficients of largest posterior and their covariance (Newton with halved steps)."""
    # Log-likelihood up to a constant: (W + D) ln s(q - delta) + (D + L) ln s(-q - delta), D halved where there
    # is no zone of draws for them: half a win and half a loss.
    share = 1.0 if delta > 0 else 0.5
    up, down = wdl[:, 0] + share * wdl[:, 1], wdl[:, 2] + share * wdl[:, 1]
    beta, value = start, _value(rows, up, down, delta, start)
    for _ in range(30):
        q = rows @ beta
        win, loss = expit(q - delta), expit(-q - delta)
        gradient = rows.T @ (up * (1 - win) - down * (1 - loss)) - PRIOR * beta
        curve = up * win * (1 - win) + down * loss * (1 - loss)
        factor = cho_factor((rows * curve[:, None]).T @ rows + PRIOR * np.eye(len(beta)))
        step = cho_solve(factor, gradient)
        gain = float(gradient @ step)
        length = 1.0
        while True:
            new = beta + length * step
            new_value = _value(rows, up, down, delta, new)
            if new_value >= value or length < 1e-3:
                break
            length /= 2
        if new_value < value:
            break
        beta, value = new, new_value
        if gain < 1e-2:  # log-likelihood: a hundredth is far below what results can tell
            break
    return beta, cho_solve(factor, np.eye(len(beta)))


def _value(rows: Array, up: Array, down: Array, delta: float, beta: Array) -> float:
    q = rows @ beta
    likelihood = up @ np.logaddexp(0, delta - q) + down @ np.logaddexp(0, q + delta)
    return float(-likelihood - PRIOR / 2 * (beta @ beta))
