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
from tunesmith.tuning.search.samplers import AUTO, SAMPLERS, Sampler, Terms, chosen
from tunesmith.tuning.search.space import Space
from tunesmith.tuning.stats import elo

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution
    from optuna.study import Study
    from optuna.trial import FrozenTrial, TrialState

logger = logging.getLogger("tunesmith.tuning")

FEW_STEPS = 100  # of SPSA; with fewer it loses several times what CLOP loses (search-regret)


def sampler_of(settings: Search, space: Space[Any]) -> str:
    """Return the name of the sampler that proposes settings: what a study asks for, or what `auto` means for it.

    Raises
    ------
    InputError
        There is none of this name.
    """
    if settings.sampler not in (AUTO, *SAMPLERS):
        names = ", ".join((AUTO, *SAMPLERS))
        raise InputError(f"search.sampler: expected one of {names}, found {settings.sampler!r}")
    return chosen(
        settings.sampler, [len(parameter.choices) for parameter in space.parameters], settings.trials
    )


def make_sampler(settings: Search, space: Space[Any], seed: int) -> WatchedSampler:
    """Return the sampler that a study asks for.

    Raises
    ------
    InputError
        There is none of this name, or what it needs is not installed.
    """
    games = 2 * settings.pairs * len(settings.opponents)
    name = sampler_of(settings, space)
    own = SAMPLERS[name]
    made = own.make(Terms(games, settings.trials, space.params(space.start), seed))
    return WatchedSampler(name, own, made)


def budget(search: Search, space: Space[Any]) -> str:
    """Return in words who searches, and what so many games can show."""
    sampler = sampler_of(search, space)
    games = 2 * search.pairs * len(search.opponents)
    alone, together = elo.nelo_half_width(games), elo.nelo_half_width(games * search.trials)
    told = (
        f"search: {search.trials} trials of {games} games ({sampler}); one trial measures a setting to "
        f"± {alone:.0f} normalised Elo, all games together to ± {together:.0f}"
    )
    if sampler == "spsa" and search.trials < 2 * FEW_STEPS:
        told += (
            f". spsa takes one step every two trials, and {search.trials // 2} steps are few: shorter trials "
            "(search.pairs) make more of the same games, or take search.sampler=auto"
        )
    return told


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
