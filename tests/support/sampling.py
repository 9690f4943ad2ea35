"""Samplers on artificial landscapes: made, run for some games, and how far from the best they end."""

from collections.abc import Callable
from typing import Any

import numpy as np
import optuna
from optuna.distributions import FloatDistribution

from tunesmith.experiments.clop_problems import Problem
from tunesmith.tuning.search.samplers import CLOPSampler, SPSASampler

MAKERS: dict[str, Callable[[int], Any]] = {
    "spsa": lambda seed: SPSASampler(1000, games_per_trial=10, seed=seed),
    "clop": lambda seed: CLOPSampler(games_per_trial=10, seed=seed),
}


def tune(sampler: Any, hill: Problem, games: int, per_trial: int, seed: int) -> tuple[Any, optuna.Study]:
    rng = np.random.default_rng([seed, 99])
    study = optuna.create_study(direction="maximize", sampler=sampler)
    space = {f"x{j}": FloatDistribution(-1, 1) for j in range(hill.n)}
    for _ in range(games // per_trial):
        trial = study.ask(space)
        x = [trial.params[name] for name in space]
        study.tell(trial, rng.binomial(per_trial, hill.win_rate(x)) / per_trial)
    return sampler.recommend(study), study


def regret(hill: Problem, params: dict[str, float]) -> float:
    return float(hill.regret([params[f"x{j}"] for j in range(hill.n)]))
