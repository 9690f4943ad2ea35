"""Slow twin of tuning.stats.ratings: every game's likelihood written out, maximised by a general optimiser."""

import math

import numpy as np
from scipy.optimize import minimize

LOGIT = 400 / math.log(10)


def chances(x: float, nu: float | None) -> tuple[float, float, float]:
    """Return the chances of loss, draw and win of a player ahead by x (natural units); half wins without nu."""
    if nu is None:
        won = 1 / (1 + math.exp(-x))
        return 1 - won, 0.0, won
    total = math.exp(x / 2) + math.exp(-x / 2) + nu
    return math.exp(-x / 2) / total, nu / total, math.exp(x / 2) / total


def fit(games: np.ndarray, davidson: bool = False) -> tuple[np.ndarray, float, float | None]:
    """Return ratings (mean 0), first-move advantage, both in Elo, and nu."""
    n = len(games)

    def loss(at: np.ndarray) -> float:
        nu = math.exp(at[n + 1]) if davidson else None
        total = at[:n].sum() ** 2
        for i in range(n):
            for j in range(n):
                lost, drawn, won = games[i, j]
                if lost + drawn + won == 0:
                    continue
                a, b, c = chances(at[i] - at[j] + at[n], nu)
                if nu is None:
                    total -= (lost + drawn / 2) * math.log(a) + (won + drawn / 2) * math.log(c)
                else:
                    total -= lost * math.log(a) + drawn * math.log(b) + won * math.log(c)
        return total

    found = minimize(loss, np.zeros(n + 1 + davidson), method="BFGS", options={"gtol": 1e-8}).x
    nu = math.exp(found[n + 1]) if davidson else None
    unit = LOGIT * 2 / (2 + (nu or 0))
    return unit * (found[:n] - found[:n].mean()), unit * found[n], nu
