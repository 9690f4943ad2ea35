"""Who proposes the next setting? Optuna samplers, for settings that are judged by noisy games.

`SAMPLERS` holds every sampler that a study may name, Optuna's own and ours; what is heavy is imported when one is
made. `chosen` says which of them `auto` means. Ours are usable without the rest of Tunesmith: nothing but Optuna,
numpy and scipy is imported. A trial's value is its score (0 to 1, maximised). Better, the trial carries its results
as the user attribute `wdl` = [wins, draws, losses]; then trials may differ in length, and pruned trials count for what
they played.

- `axis`: Where does a value lie on [-1, 1], and which value lies there?
- `base`: What ours share: which parameters they take, a random value for the others, one history at a time
- `box`: Where a setting lies in [-1, 1]^n, and what was won there
- `clop`: Confident local optimisation after CLOP: settings are drawn where a local quadratic model lets them live
- `gaussian_process`: What do noisy results say about the landscape, if it is no quadratic?
- `quadratic`: The local quadratic model of CLOP
- `spsa`: Simultaneous perturbation: two settings a step, moved towards the one that wins
- `spsa_gains`: How large should its steps be, and what may be expected of them?

To add a sampler: write it in a file here (a class below `base.GameSampler`, or any Optuna sampler), enter it in
`SAMPLERS`, and give its name to `SamplerName` in `tuning/config.py`, the words that a study file may hold. A
test compares the two lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tunesmith.tuning.extras import extra

if TYPE_CHECKING:
    from optuna.samplers import BaseSampler

    from .box import WDL
    from .clop import CLOPSampler
    from .spsa import SPSASampler
    from .spsa_gains import expected_loss, gains_for_precision


@dataclass(frozen=True)
class Terms:
    """What a search knows before its first trial: games a trial, trials, the start in Optuna's values, the seed."""

    games_per_trial: int
    trials: int
    start: dict[str, bool | int | float | str]
    seed: int


@dataclass(frozen=True)
class Sampler:
    """A sampler that a study may name.

    Attributes
    ----------
    in_numbers
        It knows nothing but numbers, so choices of two are 0 and 1 to it.
    is_independent
        It draws values one by one by its own method: that is no drawing at random for want of a use.
    beginning
        Number of the last trial that it draws at random by design, before it has a model.
    """

    make: Callable[[Terms], BaseSampler]
    in_numbers: bool = False
    is_independent: bool = False
    beginning: int = 0


def _random(terms: Terms) -> BaseSampler:
    from optuna.samplers import RandomSampler

    return RandomSampler(seed=terms.seed)


def _qmc(terms: Terms) -> BaseSampler:
    from optuna.samplers import QMCSampler

    return QMCSampler(seed=terms.seed, scramble=True, warn_independent_sampling=False)


def _tpe(terms: Terms) -> BaseSampler:
    from optuna.samplers import TPESampler

    # Trials that are being played count as bad ones: otherwise it asks for the same place again.
    return TPESampler(seed=terms.seed, multivariate=True, constant_liar=True)


def _cma_es(terms: Terms) -> BaseSampler:
    from optuna.samplers import CmaEsSampler

    return CmaEsSampler(seed=terms.seed, warn_independent_sampling=False)


def _gp(terms: Terms) -> BaseSampler:
    from optuna.samplers import GPSampler

    with extra("gp", "search.sampler gp"):
        import_module("torch")
    return GPSampler(seed=terms.seed, n_startup_trials=_GP_BEGINNING)


def _spsa(terms: Terms) -> BaseSampler:
    from .spsa import SPSASampler

    total = max(2, terms.games_per_trial * terms.trials)
    return SPSASampler(total, games_per_trial=terms.games_per_trial, start=terms.start, seed=terms.seed)


def _clop(terms: Terms) -> BaseSampler:
    from .clop import CLOPSampler

    return CLOPSampler(games_per_trial=terms.games_per_trial, seed=terms.seed)


_GP_BEGINNING = 10

SAMPLERS: dict[str, Sampler] = {
    "random": Sampler(_random, is_independent=True),
    "qmc": Sampler(_qmc),
    "tpe": Sampler(_tpe, is_independent=True),
    "cma-es": Sampler(_cma_es, beginning=1),
    "gp": Sampler(_gp, beginning=_GP_BEGINNING),
    "spsa": Sampler(_spsa, in_numbers=True),
    "clop": Sampler(_clop, in_numbers=True),
}

AUTO = "auto"


TRIALS_A_COEFFICIENT = (
    3  # of CLOP's quadratic; with fewer trials TPE loses less (on tuning instances of search_regret)
)


def chosen(word: str, words: Sequence[int], trials: int) -> str:
    """Return the sampler that a study's word means; `auto`: what has to be searched, and how many trials there are.

    Parameters
    ----------
    words
        For each parameter how many words it may be, 0 for a number: ours know nothing but numbers and switches.
    """
    if word != AUTO:
        return word
    return "clop" if max(words, default=0) <= 2 and trials >= enough_trials(len(words)) else "tpe"


def enough_trials(parameters: int) -> int:
    """Return how many trials CLOP's quadratic needs, of so many parameters."""
    return TRIALS_A_COEFFICIENT * (parameters + 1) * (parameters + 2) // 2


_HOMES = {
    "WDL": "box",
    "CLOPSampler": "clop",
    "SPSASampler": "spsa",
    "expected_loss": "spsa_gains",
    "gains_for_precision": "spsa_gains",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)


__all__ = [
    "AUTO",
    "SAMPLERS",
    "WDL",
    "CLOPSampler",
    "SPSASampler",
    "Sampler",
    "Terms",
    "chosen",
    "enough_trials",
    "expected_loss",
    "gains_for_precision",
]
