"""Who asks for settings: the sampler that a study names, under the eye of a witness.

Samplers draw what they have no use for (choices, spaces of one dimension) at random, most of them in silence;
the witness notes for each trial which parameters that were, says so once, and counts."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from optuna.samplers import BaseSampler

from tunesmith.games.errors import InputError
from tunesmith.tuning.config import Tune
from tunesmith.tuning.search.space import Space

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution
    from optuna.study import Study
    from optuna.trial import FrozenTrial, TrialState

logger = logging.getLogger("tunesmith.tuning")

BOUND_TO_BUDGET = ("spsa",)  # whose steps are laid out for a number of games
INDEPENDENT = ("random", "tpe")  # which draw values one by one by their own method
BEGINNING = {"gp": 10, "cma-es": 1}  # trials that are drawn at random by design, before there is a model


def make_sampler(settings: Tune, space: Space, seed: int) -> Witness:
    """Return the sampler that a study asks for."""
    return Witness(settings.sampler, _sampler(settings, space, seed))


def _sampler(settings: Tune, space: Space, seed: int) -> BaseSampler:
    from optuna import samplers as of

    from tunesmith.tuning.search.samplers import CLOPSampler, SPSASampler

    games = 2 * settings.pairs * len(settings.opponents)
    match settings.sampler:
        case "random":
            return of.RandomSampler(seed=seed)
        case "qmc":
            return of.QMCSampler(seed=seed, scramble=True, warn_independent_sampling=False)
        case "tpe":
            # Trials that are being played count as bad ones: otherwise it asks for the same place again.
            return of.TPESampler(seed=seed, multivariate=True, constant_liar=True)
        case "cma-es":
            return of.CmaEsSampler(seed=seed, warn_independent_sampling=False)
        case "gp":
            return _gp(seed)
        case "spsa":
            total = max(2, games * settings.trials)
            return SPSASampler(total, games_per_trial=games, start=space.params(space.start), seed=seed)
        case _:
            return CLOPSampler(games_per_trial=games, seed=seed)


def _gp(seed: int) -> BaseSampler:
    from optuna import samplers as of

    try:
        import torch  # type: ignore[import-not-found, unused-ignore]  # noqa: F401
    except ImportError:
        raise InputError("tune.sampler: gp needs torch (pip install 'tunesmith[gp]')") from None
    return of.GPSampler(seed=seed, n_startup_trials=BEGINNING["gp"])


class Witness(BaseSampler):
    """A sampler that another one does the work of; it knows what was drawn at random in each trial."""

    def __init__(self, name: str, own: BaseSampler) -> None:
        self._name, self._own = name, own
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
    ) -> dict[str, Any]:
        """See Optuna."""
        return self._own.sample_relative(study, trial, search_space)

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        """See Optuna; what comes here, the method itself did not choose."""
        if self._name not in INDEPENDENT and trial.number > BEGINNING.get(self._name, 0):
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


__all__ = ["BOUND_TO_BUDGET", "Witness", "make_sampler"]
