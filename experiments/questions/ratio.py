"""What share of another search's cost does a search take, and how sure is that? From the same positions, searched
by both in several rounds.

The share is that of the totals. Its interval holds what other positions of the kind would come to (Student's, of the
logarithm of a ratio of sums: Cochran, Sampling Techniques, 6.3), and what differs from round to round, which is the
machine's."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.stats import t as student


class Ratio(NamedTuple):
    """A share with its 95 % interval; its ends are None where one position says nothing of others."""

    value: float
    low: float | None
    high: float | None


def of_totals(ours: Sequence[Sequence[float]], theirs: Sequence[Sequence[float]]) -> Ratio:
    """Return the ratio of two costs, each a row a round and a column a position."""
    own, other = np.asarray(ours, float), np.asarray(theirs, float)
    n_rounds, n_positions = own.shape
    value = float(own.sum() / other.sum())
    if n_positions < 2:
        return Ratio(value, None, None)
    residuals = own.mean(axis=0) - value * other.mean(axis=0)
    error = np.sqrt(n_positions / (n_positions - 1) * (residuals**2).sum()) / other.mean(axis=0).sum()
    freedom = n_positions - 1
    by_round = own.sum(axis=1) / other.sum(axis=1)
    if n_rounds > 1 and np.ptp(by_round) > 0:
        error = np.hypot(error, by_round.std(ddof=1) / np.sqrt(n_rounds))
        freedom = min(freedom, n_rounds - 1)
    factor = math.exp(student.ppf(0.975, freedom) * error / value)
    return Ratio(value, value / factor, value * factor)
