"""Simultaneous perturbation (SPSA) with fishtest's schedule: all parameters move at once, by games alone.

Two trials make an iteration: the current point plus and minus a perturbation of random signs. With N games for
each side over the whole search, iteration at game k has c_k = c / k^gamma and R_k = a / (A + k)^alpha / c_k^2,
scaled so that c_k = c_end and R_k = r_end at k = N. The point moves by R_k c_k d Delta, where d is the
difference of the sides' wins minus losses. Fishtest lets the two sides meet; here both meet the study's own
opponent, so d has half the mean at the same noise. No step goes further than c_k. On integers the settings are
rounded by chance."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from optuna.distributions import BaseDistribution
from optuna.study import Study
from optuna.trial import FrozenTrial, TrialState

from tunesmith.tuning.optuna_private import id_of, storage_of

from .base import GameSampler
from .box import Array, results
from .spsa_gains import ALPHA, GAMMA, move, schedule

SIDE = "spsa:side"  # system attribute: [iteration, game number k, 1 or -1, signs of the perturbation]
WAY = 1.5  # of the default gain; see default_gain


class SPSASampler(GameSampler):
    """Optuna sampler for SPSA.

    Parameters
    ----------
    games
        Games of the whole search, both sides together. The gains are scaled to it, so a study must not be
        continued with another number.
    games_per_trial
        Games behind a trial's value; trials that carry their results (`wdl`) say it themselves.
    c_end, r_end
        Perturbation at the end as a share of half a parameter's range, and gain at the end. The perturbation
        of a parameter with steps is never below half a step.
    alpha, gamma
        How both fall to their ends (see `spsa_gains.schedule`); with alpha = gamma = 0 they are constant.
    start
        Where to start, by name (default: the middle of each range).
    """

    def __init__(
        self,
        games: int,
        *,
        games_per_trial: float = 1.0,
        c_end: float = 0.2,
        r_end: float | None = None,
        alpha: float = ALPHA,
        gamma: float = GAMMA,
        start: Mapping[str, Any] | None = None,
        seed: int | None = None,
    ) -> None:
        super().__init__(games_per_trial, seed)
        if r_end is None:
            r_end = default_gain(games, c_end) if games and c_end else 1.0  # zeros are refused below
        self._gains = schedule(games, c_end, r_end, alpha=alpha, gamma=gamma)
        self._start = dict(start or {})
        self._forget()

    def gains(self, k: float) -> tuple[float, float]:
        """Return (c_k, R_k) at game k of each side, counted from 1."""
        return self._gains.at(k)

    def _next(self, study: Study, trial: FrozenTrial) -> dict[str, float]:
        """Return one side of an iteration; the other is the next one asked for."""
        if not self._sides:
            self._begin()
        side, units, chances = self._sides.pop(0)
        storage_of(study).set_trial_system_attr(id_of(trial), SIDE, side)
        return self._box.params(units, chances)

    def _recommended(self) -> dict[str, float]:
        """Return the mean of the second half of the way."""
        tail = self._way[len(self._way) // 2 :] or [self._point]
        return self._box.params(np.mean(tail, axis=0))

    def _first_unit(self) -> float:
        return 0.0  # the first trial of all stands in the middle; the space is known from the second on

    def _forget(self) -> None:
        self._point: Array = np.array(
            [a.unit(self._start.get(name, a.position(0.0))) for name, a in self._axes()]
        )
        self._way: list[Array] = []
        self._halves: dict[int, dict[int, tuple[float, float]]] = {}
        self._k, self._iteration = 0.0, 0
        self._sides: list[tuple[list[Any], Array, list[float]]] = []

    def _axes(self) -> Any:
        return zip(self._box.space, self._box.axes, strict=True)

    def _learn(self, study: Study, space: dict[str, BaseDistribution]) -> None:
        for trial in self._follow(study, space):
            side = trial.system_attrs.get(SIDE)
            if side is None or len(side[3]) != self._box.n:
                continue
            self._iteration = max(self._iteration, side[0] + 1)
            found = results(trial, study.directions[0], self._games)
            if found is None or trial.state == TrialState.FAIL:
                continue
            self._games = sum(found)  # the best guess for the next trial's length
            self._k = max(self._k, side[1] - 1 + self._games)
            self._take(side, found)

    def _take(self, side: list[Any], found: tuple[float, float, float]) -> None:
        """Move the point as soon as both sides of an iteration are known."""
        iteration, k, sign, signs = side
        wins, _, losses = found
        halves = self._halves.setdefault(iteration, {})
        halves[sign] = (wins - losses) / sum(found), sum(found)
        if len(halves) < 2:
            return
        del self._halves[iteration]
        games = min(halves[1][1], halves[-1][1])
        c, r = self.gains(k)
        furthest = (
            1 / r
        )  # no further than c, what was tried: beyond, few iterations of many games are a throw of dice
        lead = min(max(games * (halves[1][0] - halves[-1][0]), -furthest), furthest)
        self._point = move(self._point, signs, lead, c=c, r=r)
        self._way.append(self._point)

    def _begin(self) -> None:
        """Prepare both sides of the next iteration, from one point and with the same luck in rounding."""
        signs = [1 if sign else -1 for sign in self._rng.integers(2, size=self._box.n)]
        chances = self._rng.random(self._box.n).tolist()
        k = 1 + self._k
        smallest = [a.half_step(unit) for a, unit in zip(self._box.axes, self._point, strict=True)]
        reach = np.maximum(self.gains(k)[0], smallest) * np.array(signs, float)
        for sign in (1, -1):
            units = np.clip(self._point + sign * reach, -1, 1)
            self._sides.append(([self._iteration, k, sign, signs], units, chances))
        self._iteration += 1
        self._k += self._games


def default_gain(games: int, c_end: float) -> float:
    """Return r_end such that N r_end c_end^2 = WAY: a slope of one game in `2 / WAY` per range moves the point by it.

    Found by trial on the artificial problems at 1,000 and 10,000 games (WAY 1 to 8, c_end 0.1 to 0.35): below,
    many parameters do not arrive in time; above, 1,000 games are all noise.
    """
    return WAY / (games / 2 * c_end**2)
