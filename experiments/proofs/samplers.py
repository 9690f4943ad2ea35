"""Which sampler loses least? CLOP's artificial problems, the same number of games for each sampler.

A study gets all games at once, split into trials of equal length; regret is the win rate that the recommended
setting loses against the best one. Optuna's samplers recommend `study.best_params`, what their user gets; ours
recommend from all trials. Intervals are 95 % of the mean over repetitions (Student's t).

    python -m experiments.proofs.samplers --repetitions 20 --games 1000 10000
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import optuna
from optuna.distributions import BaseDistribution, FloatDistribution
from scipy.stats import t as student

from tuning.problems import PROBLEMS, Problem
from tuning.samplers import CLOPSampler, SPSASampler


@dataclass(frozen=True)
class Entry:
    """One sampler: how it is made for (games, games a trial, seed), its split of the games, its rule."""

    make: Callable[[int, int, int], Any]
    split: Callable[[int], int]
    rule: str


def _few(games: int) -> int:
    """Return the games of a trial that make 100 trials: Optuna's samplers are lost with single games."""
    return max(1, games // 100)


def _many(games: int) -> int:
    return 10 if games <= 1000 else 25


def entries() -> dict[str, Entry]:
    """Return the samplers by name; Optuna's GP only where torch is installed."""
    of = optuna.samplers
    found = {
        "random": Entry(lambda games, each, seed: of.RandomSampler(seed=seed), _few, "best trial"),
        "QMC": Entry(lambda games, each, seed: of.QMCSampler(seed=seed, scramble=True), _few, "best trial"),
        "TPE": Entry(lambda games, each, seed: of.TPESampler(seed=seed), _few, "best trial"),
        "CMA-ES": Entry(lambda games, each, seed: of.CmaEsSampler(seed=seed), _few, "best trial"),
        "SPSA": Entry(
            lambda games, each, seed: SPSASampler(games, games_per_trial=each, seed=seed),
            _many,
            "second half",
        ),
        "CLOP": Entry(
            lambda games, each, seed: CLOPSampler(games_per_trial=each, seed=seed), _many, "weighted mean"
        ),
    }
    if importlib.util.find_spec("torch") is not None:
        found["GP"] = Entry(lambda games, each, seed: of.GPSampler(seed=seed), _few, "best trial")
    return found


def regret(entry: Entry, hill: Problem, games: int, seed: int) -> float:
    """Return what one study of `games` games loses; its games depend on the settings asked for and the seed."""
    each = entry.split(games)
    rng = np.random.default_rng([seed, games])
    sampler = entry.make(games, each, seed)
    study = optuna.create_study(direction="maximize", sampler=sampler)
    space: dict[str, BaseDistribution] = {f"x{j}": FloatDistribution(-1, 1) for j in range(hill.n)}
    for _ in range(games // each):
        trial = study.ask(space)
        chance = hill.win_rate([trial.params[name] for name in space])
        study.tell(trial, float(rng.binomial(each, chance)) / each)
    best = sampler.recommend(study) if hasattr(sampler, "recommend") else study.best_params
    return float(hill.regret([best[name] for name in space]))


def half_width(values: Sequence[float]) -> float:
    """Return half the 95 % interval of a mean."""
    n = len(values)
    return float(student.ppf(0.975, n - 1) * np.std(values, ddof=1) / n**0.5)


def measure(
    samplers: Mapping[str, Entry], hills: Sequence[Problem], games: int, repetitions: int
) -> dict[str, dict[str, list[float]]]:
    """Return regrets by problem and sampler."""
    return {
        hill.name: {
            name: [regret(entry, hill, games, seed) for seed in range(repetitions)]
            for name, entry in samplers.items()
        }
        for hill in hills
    }


def table(found: Mapping[str, Mapping[str, Sequence[float]]]) -> list[str]:
    """Return a Markdown table of mean regrets and 95 % half widths; the smallest mean of a row is bold."""
    names = list(next(iter(found.values())))
    lines = [f"| problem | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    for problem, row in found.items():
        means = {name: float(np.mean(values)) for name, values in row.items()}
        cells = [f"{means[name]:.4f} ± {half_width(row[name]):.4f}" for name in names]
        least = min(means.values())
        cells = [f"**{c}**" if means[n] == least else c for n, c in zip(names, cells, strict=True)]
        lines.append(f"| {problem} | {' | '.join(cells)} |")
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Regret of samplers on CLOP's artificial problems.")
    parser.add_argument("--repetitions", type=int, default=5, help="studies for each cell (default 5)")
    parser.add_argument("--games", type=int, nargs="+", default=[1000], metavar="N")
    parser.add_argument("--problems", nargs="+", metavar="NAME", help='such as "LOG 1" (default: all)')
    options = parser.parse_args(arguments)
    if options.repetitions < 2 or min(options.games) < 100:
        parser.error("expected at least 2 repetitions and 100 games")
    hills = [hill for hill in PROBLEMS if not options.problems or hill.name in options.problems]
    if not hills:
        parser.error(f"no such problem; known: {', '.join(hill.name for hill in PROBLEMS)}")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
    samplers = entries()
    for games in options.games:
        print(f"Regret in win rate after {games:,} games, mean of {options.repetitions} studies ± 95 %\n")
        started = time.process_time()
        print("\n".join(table(measure(samplers, hills, games, options.repetitions))))
        splits = ", ".join(f"{name} {e.split(games)} ({e.rule})" for name, e in samplers.items())
        print(
            f"\nGames a trial (and what is recommended): {splits}. {time.process_time() - started:.0f} s.\n"
        )
    if "GP" not in samplers:
        print("Optuna's GP sampler is left out: it needs torch, which is not installed.")
    print("In one dimension Optuna's CMA-ES draws at random, as it says itself.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
