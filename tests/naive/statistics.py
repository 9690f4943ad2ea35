"""Slow twins of tuning.stats.elo, likelihood, sprt and stopped_test, written from the definitions.

Counts are spelled out as lists of points, likelihoods maximised by a general optimiser, sequences judged one
result at a time, and Brownian motion walked on a lattice.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax


def spelled_out(counts: Sequence[int]) -> list[Fraction]:
    """List the score of every game or pair, worst first."""
    return [Fraction(i, len(counts) - 1) for i, n in enumerate(counts) for _ in range(n)]


def score(counts: Sequence[int]) -> Fraction:
    results = spelled_out(counts)
    return sum(results, Fraction(0)) / len(results)


def variance(counts: Sequence[int]) -> Fraction:
    results, mean = spelled_out(counts), score(counts)
    return sum(((x - mean) ** 2 for x in results), Fraction(0)) / len(results)


def pair_outcome(loss: float, draw: float, win: float, second: tuple[float, float, float]) -> list[float]:
    """Convolve the outcome of a game with that of its return."""
    cells = [0.0] * 5
    for (i, p), (j, q) in product(enumerate((loss, draw, win)), enumerate(second)):
        cells[i + j] += p * q
    return cells


def closest(counts: Sequence[float], bound: float, model: str) -> np.ndarray:
    """Return the distribution under which the counts are likeliest, among those that obey the hypothesis.

    Unknowns are logits, so that probabilities stay positive; the hypothesis is the optimiser's constraint.
    It starts twice and keeps the better end, because it can get lost where cells are nearly empty.
    """
    n = np.array([count or 0.001 for count in counts])
    p, values = n / n.sum(), np.linspace(0, 1, len(n))

    def excess(x: np.ndarray) -> float:
        q = softmax(x)
        mean = q @ values
        if model == "logistic":
            return float(mean - 1 / (1 + 10 ** (-bound / 400)))
        games = 2 if len(n) == 5 else 1
        wanted = bound * math.log(10) / 800 * math.sqrt(games)
        return float(mean - 0.5 - wanted * math.sqrt(q @ (values - mean) ** 2))

    found = [
        minimize(
            lambda x: -float(p @ log_softmax(x)),
            start,
            method="SLSQP",
            constraints=[{"type": "eq", "fun": excess}],
            options={"ftol": 1e-15, "maxiter": 1000},
        )
        for start in (np.log(p), np.zeros(len(p)))
    ]
    return np.asarray(softmax(min(found, key=lambda result: (abs(excess(result.x)) > 1e-9, result.fun)).x))


def llr(counts: Sequence[float], low: float, high: float, model: str) -> float:
    n = np.array([count or 0.001 for count in counts])
    q0, q1 = (closest(counts, bound, model) for bound in (low, high))
    return float(n @ np.log(q1 / q0))


def ladder(path: Sequence[float]) -> tuple[float, float]:
    """Return the mean overshoot beyond the lower and the upper bound, from the steps beyond the records."""
    lowest = highest = sum0 = squares0 = sum1 = squares1 = 0.0
    for value in path:
        if value < lowest:
            sum0, squares0, lowest = sum0 + value - lowest, squares0 + (value - lowest) ** 2, value
        if value > highest:
            sum1, squares1, highest = sum1 + value - highest, squares1 + (value - highest) ** 2, value
    return (-squares0 / sum0 / 2 if sum0 else 0.0), (squares1 / sum1 / 2 if sum1 else 0.0)


def leave(
    drift: float, variance: float, lower: float, upper: float, steps: int = 1000
) -> tuple[float, float]:
    """Solve variance / 2 u'' + drift u' = 0 (chance of the upper wall) and = -1 (mean time) by differences."""
    h = (upper - lower) / steps
    up, down = variance / (2 * h * h) + drift / (2 * h), variance / (2 * h * h) - drift / (2 * h)
    n = steps - 1
    matrix = -(up + down) * np.eye(n) + up * np.eye(n, k=1) + down * np.eye(n, k=-1)
    met, waits = np.zeros(n), -np.ones(n)
    met[-1] = -up
    places = lower + h * np.arange(1, steps)
    return tuple(float(np.interp(0.0, places, np.linalg.solve(matrix, side))) for side in (met, waits))


def worse_outcome(
    time: float, at: float, drift: float, variance: float, lower: float, upper: float, steps: int = 4000
) -> float:
    """Walk a lattice: in each small step up or down by one standard deviation, absorbed at the walls."""
    h = math.sqrt(variance * time / steps)
    up = (1 + drift * time / steps / h) / 2
    below, above = round(-lower / h), round(upper / h)
    mass = np.zeros(below + above + 1)
    mass[below] = 1
    for _ in range(steps):
        inside = mass[1:-1].copy()
        mass[1:-1] = 0
        mass[2:] += up * inside
        mass[:-2] += (1 - up) * inside
    place = (np.arange(len(mass)) - below) * h
    if at >= upper:
        return float(mass[:-1].sum())
    # a lattice point at the limit belongs half to either side
    weight = np.clip((at - place) / (2 * h) + 0.5, 0, 1)
    weight[0], weight[-1] = 1, 0
    return float(mass @ weight)
