"""Confident local optimisation after CLOP: settings are drawn where a local quadratic model lets them live.

After every tenth more results the model of `quadratic.py` is fitted anew; settings are drawn from its weight as a
density, by Metropolis moves that start at settings already played. One in ten is drawn from the whole box: a
quadratic may take a plateau or a cliff for the slope of a hill, and would never look there again.

The recommendation is the weighted mean of the settings played, as in CLOP. On an edge or a plateau that is the
wrong place, so all settings are smoothed as well, by a process that knows no quadratics (`gaussian_process`):
where that holds its own best place better than the mean by more than two standard errors of the difference, that is
recommended. Everything depends on the trials alone, so a study continues where it was."""

import numpy as np
from optuna.distributions import BaseDistribution
from optuna.study import Study
from optuna.trial import FrozenTrial

from .base import GameSampler
from .box import Array, results
from .gaussian_process import Landscape, fit_landscape
from .quadratic import H, Local, fit_local

REFRESH = 0.1  # share of new games after which the model is fitted again: more rarely, and it lags behind
FEW = 8  # trials before which there is no model
EXPLORE = 0.1  # share of settings drawn from the whole box
SURE = 2.0  # standard errors by which the smoother has to contradict the weighted mean
SHAPE = 100  # settings that decide the smoother's shape: it has to be quick
BATCH = 64  # settings drawn at a time
MOVES = 40  # Metropolis moves behind each


class CLOPSampler(GameSampler):
    """Optuna sampler after CLOP.

    Parameters
    ----------
    games_per_trial
        Games behind a trial's value; trials that carry their results (`wdl`) say it themselves.
    h
        How slowly settings are given up: standard errors of the mean that cost a factor e.
    """

    def __init__(self, *, games_per_trial: float = 1.0, h: float = H, seed: int | None = None) -> None:
        super().__init__(games_per_trial, seed)
        if not h > 0:
            raise ValueError(f"h: expected a positive number, found {h}")
        self._h = h
        self._forget()

    def _next(self, study: Study, trial: FrozenTrial) -> dict[str, float]:
        """Return a setting drawn from the weight of the model."""
        if len(self._rows) >= FEW and self._n_games >= (1 + REFRESH) * self._n_fitted:
            self._refit()
        if not self._waiting:
            self._waiting.extend(self._draw(BATCH))
        return self._box.params(self._waiting.pop())

    def _recommended(self) -> dict[str, float]:
        """Return the weighted mean of the settings played, or what the smoother holds better for sure."""
        if not self._rows:
            return {}
        x, wdl = np.array(self._rows), np.array(self._counts)
        order = np.lexsort(np.hstack([x, wdl]).T)  # of arrival must not matter
        x, wdl = x[order], wdl[order]
        local = fit_local(x, wdl, self._h)
        mean = np.average(x, axis=0, weights=local.weights * wdl.sum(axis=1))
        if len(x) < FEW:
            return self._box.params(mean)
        hill = _smooth(x, wdl)
        best = _summit(hill, x)
        gain, error = hill.difference(best, mean)
        return self._box.params(best if gain > SURE * error else mean)

    def _forget(self) -> None:
        n = max(1, self._box.n)
        self._rows: list[Array] = []
        self._counts: list[tuple[float, float, float]] = []
        self._x, self._wdl = np.zeros((0, n)), np.zeros((0, 3))
        self._local: Local | None = None
        self._n_games = self._n_fitted = 0.0
        self._waiting: list[Array] = []

    def _learn(self, study: Study, space: dict[str, BaseDistribution]) -> None:
        for trial in self._follow(study, space):
            found = results(trial, study.directions[0], self._games)
            if found is not None:
                self._rows.append(self._box.units(trial.params))
                self._counts.append(found)
                self._n_games += sum(found)

    def _refit(self) -> None:
        self._x, self._wdl = np.array(self._rows), np.array(self._counts)
        self._local = fit_local(self._x, self._wdl, self._h)
        self._n_fitted = self._n_games
        self._waiting = []

    def _draw(self, count: int) -> Array:
        if self._local is None:
            return self._rng.uniform(-1, 1, (count, self._box.n))
        chance = self._local.weights * self._wdl.sum(axis=1)
        starts = self._x[self._rng.choice(len(self._x), count, p=chance / chance.sum())]
        drawn = _walk(self._local, starts, np.cov(self._x.T, aweights=chance, bias=True), self._rng)
        anywhere = self._rng.uniform(-1, 1, drawn.shape)
        return np.where(self._rng.random((count, 1)) < EXPLORE, anywhere, drawn)


def _smooth(x: Array, wdl: Array) -> Landscape:
    """Return the smoothed scores of settings; few results may all be alike, so each has four average ones added."""
    games = wdl.sum(axis=1)
    points = wdl @ np.array([1.0, 0.5, 0.0])
    usual = points.sum() / games.sum()
    near = (points + 4 * usual) / (games + 4)
    decided = 1 - wdl[:, 1].sum() / games.sum()  # draws narrow the spread
    spread = np.maximum(near * (1 - near) * decided, 0.01)
    return fit_landscape(x, points / games, np.sqrt(spread / games), SHAPE)


def _summit(hill: Landscape, x: Array) -> Array:
    """Return the place with the best expected score, among the settings played, then ever nearer to the best."""
    rng = np.random.default_rng(
        len(x)
    )  # of its own: a recommendation must not depend on when it is asked for
    wide = rng.uniform(-1, 1, (200, x.shape[1]))
    best = _best(hill, np.vstack([x, wide]))
    for reach in (0.3, 0.1, 0.03, 0.01):
        around = best + reach * rng.normal(size=wide.shape)
        best = _best(hill, np.clip(np.vstack([best[None, :], around]), -1, 1))
    return best


def _best(hill: Landscape, places: Array) -> Array:
    found: Array = places[int(np.argmax(hill.expected(places)))]
    return found


def _walk(local: Local, x: Array, covariance: Array, rng: np.random.Generator) -> Array:
    """Move settings about so that they follow the weight's density; half the moves are wide, half are local."""
    n = x.shape[1]
    spread = np.sqrt(np.maximum(np.atleast_2d(covariance).diagonal(), 1e-8))
    at = local.log_weight(x)
    for move in range(MOVES):
        if move % 2:
            new = x + rng.normal(size=x.shape) * spread * (2.4 / n**0.5)
        else:
            new = x.copy()
            column = rng.integers(n, size=len(x))
            new[np.arange(len(x)), column] = rng.uniform(-1, 1, len(x))
        inside = (np.abs(new) <= 1).all(axis=1)
        there = local.log_weight(new)
        taken = inside & (np.log(rng.random(len(x))) < there - at)
        x = np.where(taken[:, None], new, x)
        at = np.where(taken, there, at)
    return x
