"""The sampler that a study names (they are registered in `tuning.search.samplers`), and an eye kept on it.

Samplers draw what they have no use for (choices, spaces of one dimension) at random, most of them in silence;
`WatchedSampler` notes for each trial which parameters that were, says so once, and counts."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from optuna.samplers import BaseSampler

from tunesmith.games.errors import InputError
from tunesmith.tuning.config import Search
from tunesmith.tuning.search.samplers import SAMPLERS, Sampler, Terms
from tunesmith.tuning.search.space import Space

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution
    from optuna.study import Study
    from optuna.trial import FrozenTrial, TrialState

logger = logging.getLogger("tunesmith.tuning")


def sampler_named(name: str) -> Sampler:
    """Return what is known of a sampler.

    Raises
    ------
    InputError
        There is none of this name.
    """
    if name not in SAMPLERS:
        raise InputError(f"search.sampler: expected one of {', '.join(SAMPLERS)}, found {name!r}")
    return SAMPLERS[name]


def make_sampler(settings: Search, space: Space[Any], seed: int) -> WatchedSampler:
    """Return the sampler that a study asks for.

    Raises
    ------
    InputError
        There is none of this name, or what it needs is not installed.
    """
    games = 2 * settings.pairs * len(settings.opponents)
    own = sampler_named(settings.sampler)
    made = own.make(Terms(games, settings.trials, space.params(space.start), seed))
    return WatchedSampler(settings.sampler, own, made)


class WatchedSampler(BaseSampler):
    """A sampler that another one does the work of; it knows what was drawn at random in each trial."""

    def __init__(self, name: str, facts: Sampler, own: BaseSampler) -> None:
        self._name, self._facts, self._own = name, facts, own
        self._at_random: dict[int, list[str]] = {}
        self._has_told = False

    def at_random(self, number: int) -> list[str]:
        """Return the parameters of a trial that were drawn at random for want of a use; asked once a trial."""
        return self._at_random.pop(number, [])

    def reseed_rng(self) -> None:
        """Start another stream of random numbers."""
        self._own.reseed_rng()

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        """See Optuna."""
        return self._own.infer_relative_search_space(study, trial)

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, float]:
        """See Optuna."""
        return self._own.sample_relative(study, trial, search_space)

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        """See Optuna; what comes here, the method itself did not choose."""
        if not self._facts.is_independent and trial.number > self._facts.beginning:
            self._at_random.setdefault(trial.number, []).append(param_name)
            if not (self._has_told or hasattr(self._own, "n_fallbacks")):  # ours say it themselves
                logger.warning("%s has no use for %s: drawn at random", self._name, param_name)
                self._has_told = True
        return self._own.sample_independent(study, trial, param_name, param_distribution)

    def before_trial(self, study: Study, trial: FrozenTrial) -> None:
        """See Optuna."""
        self._own.before_trial(study, trial)

    def after_trial(
        self, study: Study, trial: FrozenTrial, state: TrialState, values: Sequence[float] | None
    ) -> None:
        """See Optuna."""
        self._own.after_trial(study, trial, state, values)
