"""Does the sequential test keep its error rates, and do its lengths come out as foretold?

Tests are played with made-up pairs, lopsided openings among them, for each model of the bounds: the true
difference lies at either bound and between. Each test stops as `tuning.stats.sprt.walk` does, with plain bounds or
with corrected ones. A ratio oversteps a plain bound, which errs on the safe side and costs games; corrected
bounds give part of these back. The exit code is 1 if a rate at a bound lies above the stated one by more than
chance allows (3 standard errors), or a mean length is off the formula's by more than 5 % (and 3 standard errors).

    python -m tunesmith.experiments.proofs.sprt_errors --tests 10000 --seed 1
"""

import argparse
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tunesmith.experiments.proofs._made_up_pairs import World, play_tests
from tunesmith.tuning.stats.likelihood import MODELS, Model
from tunesmith.tuning.stats.sprt import Length, Sprt, expected_length

WORLD = World()
OFF = 0.05  # most that a mean length may be off, relative


@dataclass(frozen=True)
class Rates:
    """How `tests` tests ended for a true difference of `elo`, in the unit of their model."""

    elo: float
    overshoot: bool
    tests: int
    passes: int
    mean_games: float
    error: float

    @property
    def pass_rate(self) -> float:
        """Share of tests that ended with H1."""
        return self.passes / self.tests


def simulate(
    test: Sprt,
    elo: float,
    tests: int,
    seed: int,
    overshoots: Sequence[bool] = (False, True),
    world: World = WORLD,
) -> list[Rates]:
    """Play that many tests of a true difference, with plain or corrected bounds on the same results.

    `error` is the standard error of the mean length.
    """
    played = list(play_tests(test, world.shares(test.model, elo), tests, seed, overshoots))
    made = []
    for way, overshoot in enumerate(overshoots):
        games = 2.0 * np.array([ends[way].pairs for ends in played])
        passes = sum(ends[way].passed for ends in played)
        error = float(games.std() / math.sqrt(tests))
        made.append(Rates(elo, overshoot, tests, passes, float(games.mean()), error))
    return made


def theory(test: Sprt, elo: float, world: World = WORLD) -> Length:
    """Return what `tunesmith stats length` says."""
    return expected_length(test, elo, None if test.model == "normalized" else world.drawelo())


def errors_above(test: Sprt, rates: Rates) -> float:
    """Return by how many standard errors the error rate lies above the stated one; 0 between the bounds."""
    stated, errors = 0.0, 0.0
    if rates.elo <= test.elo0:
        stated, errors = test.alpha, rates.pass_rate
    elif rates.elo >= test.elo1:
        stated, errors = test.beta, 1 - rates.pass_rate
    return (errors - stated) / math.sqrt(stated * (1 - stated) / rates.tests) if stated else 0.0


def length_off(rates: Rates, foretold: float) -> float:
    """Return how far the mean length is off, relative to what was foretold, chance (3 errors) taken off."""
    return max(0.0, abs(rates.mean_games - foretold) - 3 * rates.error) / foretold


def report(test: Sprt, tests: int, seed: int, shares: Sequence[float], overshoots: Sequence[bool]) -> bool:
    """Print the table; return whether all error rates and lengths were kept."""
    print(
        f"{test.model} [{test.elo0:g}, {test.elo1:g}], alpha {test.alpha}, beta {test.beta}, "
        f"{tests} tests a line, seed {seed}; draws {WORLD.draws:g}, biases {WORLD.biases}"
    )
    print(f"{'true':>6} {'bounds':>10} {'passed':>8} {'theory':>8} {'games':>8} {'theory':>8} {'off':>7}")
    kept = True
    for share in shares:
        elo = test.elo0 + share * (test.elo1 - test.elo0)
        foretold = theory(test, elo)
        for rates in simulate(test, elo, tests, seed, overshoots):
            is_above = errors_above(test, rates) > 3
            is_off = length_off(rates, foretold.expected_games) > OFF
            kept = kept and not is_above and not is_off
            print(
                f"{elo:6.1f} {'corrected' if rates.overshoot else 'plain':>10} {rates.pass_rate:8.4f} "
                f"{foretold.pass_probability:8.4f} {rates.mean_games:8.0f} {foretold.expected_games:8.0f} "
                f"{rates.mean_games / foretold.expected_games - 1:+7.1%}"
                f"{'  RATE ABOVE THE STATED ONE' if is_above else ''}{'  LENGTH OFF' if is_off else ''}",
                flush=True,
            )
    return kept


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Error rates and lengths of simulated sequential tests.")
    parser.add_argument("--tests", type=int, default=2000, help="tests for each line (default 2000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bounds", type=float, nargs=2, default=(0.0, 20.0), metavar=("ELO0", "ELO1"))
    parser.add_argument("--model", choices=MODELS, help="default: all models")
    parser.add_argument("--true", type=float, nargs="+", default=(0.0, 0.5, 1.0), help="shares of the way")
    parser.add_argument("--bounds-as", choices=("plain", "corrected", "both"), default="both")
    options = parser.parse_args(arguments)
    models: Sequence[Model] = MODELS if options.model is None else (options.model,)
    ways = {"plain": (False,), "corrected": (True,), "both": (False, True)}[options.bounds_as]
    kept = [
        report(
            Sprt(options.bounds[0], options.bounds[1], model=model),
            options.tests,
            options.seed,
            options.true,
            ways,
        )
        for model in models
    ]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
