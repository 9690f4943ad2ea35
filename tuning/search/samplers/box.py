"""What samplers read from Optuna: the box of numerical parameters, and the results of finished trials.

Inside a sampler every parameter lives on [-1, 1]. Integers and stepped reals own half a step beyond their ends,
so that the end values are drawn as often as others. Results are (wins, draws, losses) of the trial's setting."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from optuna.distributions import BaseDistribution, FloatDistribution, IntDistribution
from optuna.study import Study, StudyDirection
from optuna.trial import FrozenTrial, TrialState

from .axis import Axis

WDL = "wdl"  # user attribute of a trial: [wins, draws, losses]

Array = npt.NDArray[np.float64]


def axis(distribution: BaseDistribution) -> Axis:
    """Return the axis of a numerical distribution, with the half steps beyond its ends."""
    if isinstance(distribution, IntDistribution | FloatDistribution):
        return Axis(
            float(distribution.low),
            float(distribution.high),
            float(distribution.step or 0.0),
            isinstance(distribution, IntDistribution),
            distribution.log,
            margin=0.5,
        )
    raise TypeError(f"expected a numerical distribution, found {distribution}")


class Box:
    """The numerical parameters of a search space, in the order of their names."""

    def __init__(self, space: Mapping[str, BaseDistribution]) -> None:
        self.space = dict(sorted(space.items()))
        self.axes = [axis(distribution) for distribution in self.space.values()]
        self.n = len(self.axes)

    def units(self, params: Mapping[str, Any]) -> Array:
        """Return a setting as places on [-1, 1]."""
        return np.array([a.unit(params[name]) for name, a in zip(self.space, self.axes, strict=True)])

    def params(
        self, units: Sequence[float] | Array, chances: Sequence[float] | None = None
    ) -> dict[str, float]:
        """Return the setting nearest to places on [-1, 1], or rounded by chance."""
        luck = [0.5] * self.n if chances is None else chances
        rows = zip(self.space, self.axes, units, luck, strict=True)
        return {name: a.value(float(unit), chance) for name, a, unit, chance in rows}

    def holds(self, trial: FrozenTrial) -> bool:
        """Whether a trial has a value within this box for each parameter."""
        return all(
            name in trial.params and a.first <= trial.params[name] <= a.last
            for name, a in zip(self.space, self.axes, strict=True)
        )


def results(trial: FrozenTrial, direction: StudyDirection, games: float) -> tuple[float, float, float] | None:
    """Return (wins, draws, losses) of a finished trial, None if it has none.

    Parameters
    ----------
    games
        Number of games behind the value of a trial that does not carry its results.
    """
    if trial.state not in (TrialState.COMPLETE, TrialState.PRUNED):
        return None
    counts = trial.user_attrs.get(WDL)
    if counts is not None:
        wins, draws, losses = (float(count) for count in counts)
        return (wins, draws, losses) if wins + draws + losses > 0 else None
    if trial.state == TrialState.PRUNED or trial.value is None or not math.isfinite(trial.value):
        return None
    score = trial.value if direction == StudyDirection.MAXIMIZE else 1 - trial.value
    score = min(max(score, 0.0), 1.0)
    return games * score, 0.0, games * (1 - score)


class Reader:
    """Hands out each finished trial of a study once, however many workers finish them in whatever order."""

    def __init__(self) -> None:
        self._read = 0
        self._open: list[int] = []

    def new(self, study: Study) -> list[FrozenTrial]:
        """Return the trials that have finished since the last call, by number."""
        trials = study.get_trials(deepcopy=False)
        waiting = [*self._open, *range(self._read, len(trials))]
        finished = [trials[at] for at in waiting if trials[at].state.is_finished()]
        self._open = [at for at in waiting if not trials[at].state.is_finished()]
        self._read = len(trials)
        return finished
