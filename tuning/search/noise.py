"""How sure are the scores of a search's settings, and how far do they share their luck?

A setting's score is its mean over openings, all opponents together; the unit of luck is the opening. Every trial plays
openings of its own, so errors of scores are independent, with variance `spread * p * (1 - p) / n` for an expected
score p on n openings; `spread` is what all trials show together. Where there are fewer openings than the search
needs they come again. Then settings on the same opening have luck in common, with the correlation that the openings
which came again show (it starts from `USUAL_LUCK`, which counts as `LUCK_FACTS` of them), and a setting on
the same opening plays the same games again, which tells nothing new. A setting that is its own opponent scores one half
for sure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

Array = npt.NDArray[np.float64]

USUAL = 0.06  # variance of a pair's score between equals
FEW = 6.0  # openings' worth of it added to what the trials show
USUAL_LUCK = 0.2  # correlation of two settings' scores on one opening
LUCK_FACTS = 44  # 1 / 0.15**2: from 0 to 0.47 was measured between weights of one game
KNOWN = 1e-4  # standard error of a score that is known for sure
EDGE = 0.02  # no expected score counts as nearer to 0 or 1
PRIOR = 10.0  # average scores added to each setting's own, for a first guess at what it expects


@dataclass(frozen=True, eq=False)
class Luck:
    """Scores of settings, one a row, and what their errors are made of.

    Parameters
    ----------
    openings, scores
        For each setting the numbers of the openings it met, and its score on each (0 to 1).
    known
        Which settings played no game, since they are their only opponent.
    """

    openings: Sequence[npt.NDArray[np.int64]]
    scores: Sequence[Array]
    known: npt.NDArray[np.bool_]

    @cached_property
    def n(self) -> Array:
        """Openings of each setting."""
        return np.array([len(own) for own in self.scores], float)

    @cached_property
    def score(self) -> Array:
        """Mean score of each setting."""
        return np.array([own.mean() for own in self.scores])

    @cached_property
    def spread(self) -> float:
        """Variance of an opening's score as a share of p (1 - p), within settings, all of them together."""
        n, score = self.n[~self.known], self.score[~self.known]
        inside = sum(float(((own - own.mean()) ** 2).sum()) for own in self._played)
        variance = (inside + FEW * USUAL) / (max(0.0, float((n - 1).sum())) + FEW)
        most = float((n * score * (1 - score)).sum() + n.size * variance + FEW / 4) / (float(n.sum()) + FEW)
        return min(1.0, variance / most)

    @cached_property
    def comes_again(self) -> bool:
        """Whether an opening was played twice."""
        numbers = np.concatenate([np.zeros(0, np.int64), *self._met])
        return len(np.unique(numbers)) < len(numbers)

    @property
    def guess(self) -> Array:
        """A first guess at the expected scores."""
        mean = np.average(self.score, weights=self.n)
        found: Array = (self.n * self.score + PRIOR * mean) / (self.n + PRIOR)
        return np.where(self.known, self.score, found)

    def covariance(self, expected: Array) -> Array:
        """Return the covariance of the errors of all scores, if these are the expected ones."""
        p = np.clip(expected, EDGE, 1 - EDGE)
        size = np.where(self.known, 0.0, np.sqrt(self.spread * p * (1 - p)))
        certain = np.where(self.known, KNOWN**2, 0.0)
        if not self.comes_again:
            return np.diag(size**2 / self.n + certain)
        met = self._meetings / self.n[:, None]
        shared: Array = (met @ met.T).toarray()
        common: Array = self.correlation * np.outer(size, size) * shared
        np.fill_diagonal(common, size**2 * shared.diagonal() + certain)
        return common

    @cached_property
    def correlation(self) -> float:
        """Correlation of two settings' scores on one opening."""
        place = np.unique(np.concatenate(list(self._met)), return_inverse=True)[1]
        owner = np.repeat(np.arange(len(self._met)), [len(own) for own in self._met])
        apart = np.concatenate([_standard(own) for own in self._played])
        # A game that is played again is none.
        once = np.unique(np.stack([owner, place]), axis=1, return_index=True)[1]
        place, owner, apart = place[once], owner[once], apart[once]
        total, squares = (np.bincount(place, weights=what) for what in (apart, apart**2))
        products = float(((total**2 - squares) / 2).sum())
        facts = _facts(csr_array((np.ones(len(place)), (owner, place))), 1 / self.n[~self.known])
        return min(max((products + LUCK_FACTS * USUAL_LUCK) / (facts + LUCK_FACTS), 0.0), 0.95)

    @property
    def _met(self) -> list[npt.NDArray[np.int64]]:
        return [own for own, known in zip(self.openings, self.known, strict=True) if not known]

    @property
    def _played(self) -> list[Array]:
        return [own for own, known in zip(self.scores, self.known, strict=True) if not known]

    @property
    def _meetings(self) -> csr_array:
        """How often each setting (row) met each opening."""
        numbers = [
            own if not known else own[:0] for own, known in zip(self.openings, self.known, strict=True)
        ]
        rows = np.repeat(np.arange(len(numbers)), [len(own) for own in numbers])
        columns = np.unique(np.concatenate(numbers), return_inverse=True)[1]
        shape = len(numbers), int(columns.max(initial=0)) + 1
        found = csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)
        found.sum_duplicates()
        return found


def _standard(scores: Array) -> Array:
    """Return scores as deviations from their mean, of variance 1 (of a few, nearer to the usual one)."""
    apart = scores - scores.mean()
    variance = (float(apart @ apart) + FEW * USUAL) / (max(0, len(scores) - 1) + FEW)
    found: Array = apart / variance**0.5
    return found


def _facts(met: csr_array, share: Array) -> float:
    """Return how often two settings met on an opening, less what the deviations from their own means hide of it.

    met: 1 where a setting (row) met an opening; share: of one opening in each setting's mean. Two settings that meet on
    k openings show k - k / n - k / m + k * k / (n * m) times their correlation.
    """
    meetings = (met @ met.T).toarray()
    shown = meetings * (1 - share[:, None] - share[None, :]) + meetings**2 * np.outer(share, share)
    return float(np.triu(shown, 1).sum())
