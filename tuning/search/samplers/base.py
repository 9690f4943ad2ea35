"""What the samplers share: which parameters they take, a random value for the others, one history at a time."""

import logging
import threading
from typing import Any

import numpy as np
from optuna.distributions import BaseDistribution, CategoricalDistribution
from optuna.samplers import BaseSampler
from optuna.search_space import IntersectionSearchSpace
from optuna.study import Study, StudyDirection
from optuna.trial import FrozenTrial

from tunesmith.tuning.optuna_private import storage_of

from .box import Box, Reader, axis

logger = logging.getLogger("tunesmith.tuning.search.samplers")

# Threads of one study share its sampler. One lock for all of them keeps samplers free to be copied and stored.
_ONE_AT_A_TIME = threading.RLock()


class GameSampler(BaseSampler):
    """A sampler of numerical parameters; choices are drawn at random, which is told once and counted.

    Attributes
    ----------
    n_fallbacks
        Values drawn at random because the method has no use for their parameter.
    """

    def __init__(self, games_per_trial: float, seed: int | None) -> None:
        if not games_per_trial > 0:
            raise ValueError(f"games_per_trial: expected a positive number, found {games_per_trial}")
        self.n_fallbacks = 0
        self._games = float(games_per_trial)
        self._rng = np.random.default_rng(seed)
        self._intersection = IntersectionSearchSpace()
        self._key: object = None
        self._box = Box({})
        self._reader = Reader()

    def reseed_rng(self) -> None:
        """Start another stream of random numbers."""
        self._rng = np.random.default_rng()

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        """Return the numerical parameters with more than one value that all trials have in common."""
        if self._key_of(study) != self._key:
            self._intersection = IntersectionSearchSpace()
        common = self._intersection.calculate(study)
        return {
            name: distribution
            for name, distribution in common.items()
            if not isinstance(distribution, CategoricalDistribution) and not distribution.single()
        }

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        """Return a random value: for choices, and for what not all trials have."""
        if isinstance(param_distribution, CategoricalDistribution):
            self._fall_back(param_name)
            return param_distribution.choices[int(self._rng.integers(len(param_distribution.choices)))]
        return axis(param_distribution).value(self._first_unit())

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, float]:
        """Return values for the numerical parameters, from all trials that have finished."""
        if not search_space:
            return {}
        with _ONE_AT_A_TIME:
            self._learn(study, search_space)
            return self._next(study, trial)

    def recommend(self, study: Study) -> dict[str, float]:
        """Return the setting that all trials together speak for; numerical parameters only, by name."""
        trials = study.get_trials(deepcopy=False)
        space = self.infer_relative_search_space(study, trials[-1]) if trials else {}
        if not space:
            return {}
        with _ONE_AT_A_TIME:
            self._learn(study, space)
            return self._recommended()

    def _learn(self, study: Study, space: dict[str, BaseDistribution]) -> None:
        raise NotImplementedError

    def _next(self, study: Study, trial: FrozenTrial) -> dict[str, float]:
        raise NotImplementedError

    def _recommended(self) -> dict[str, float]:
        raise NotImplementedError

    def _first_unit(self) -> float:
        return float(self._rng.uniform(-1, 1))

    def _fall_back(self, name: str) -> None:
        if not self.n_fallbacks:
            logger.warning("%s: %s is a choice and is drawn at random", type(self).__name__, name)
        self.n_fallbacks += 1

    def _follow(self, study: Study, space: dict[str, BaseDistribution]) -> list[FrozenTrial]:
        """Return the trials that are news; forget everything if study or space have changed."""
        self._raise_error_if_multi_objective(study)
        key = self._key_of(study)
        if key != self._key or Box(space).space != self._box.space:
            self._key, self._box, self._reader = key, Box(space), Reader()
            self._forget()
        return [trial for trial in self._reader.new(study) if self._box.holds(trial)]

    def _forget(self) -> None:
        raise NotImplementedError

    @staticmethod
    def _key_of(study: Study) -> tuple[str, int, StudyDirection]:
        return study.study_name, id(storage_of(study)), study.directions[0]
