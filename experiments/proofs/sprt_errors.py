"""Does the sequential test keep its error rates, and do its lengths come out as foretold?

Tests are played with made-up pairs: biased openings, BayesElo model, a true difference at either bound and
between them. Each runs through `tuning.sprt.walk`, once with plain and once with corrected bounds. The
plain rates must not lie above the stated ones: the ratio oversteps its bounds, which errs on the safe side
and costs games. Corrected bounds give part of these games back. The exit code is 1 if a rate at a bound is
above the stated one by more than chance allows.

    python -m experiments.proofs.sprt_errors --tests 10000 --seed 1
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tuning.sprt import Sprt, expected_length, walk, worst_length
from tuning.stats import drawelo_of_draw_rate, nelo_to_bayeselo, pair_outcome

DRAWELO = drawelo_of_draw_rate(0.5)
BIASES = (-90.0, 0.0, 200.0)


@dataclass(frozen=True)
class Rates:
    """How `tests` tests ended for a true difference of `nelo`."""

    nelo: float
    overshoot: bool
    tests: int
    passes: int
    mean_games: float

    @property
    def pass_rate(self) -> float:
        """Share of tests that ended with H1."""
        return self.passes / self.tests


def simulate(
    test: Sprt, nelo: float, tests: int, seed: int, overshoot: bool = False, biases: Sequence[float] = BIASES
) -> Rates:
    """Play that many tests of a true difference; test number i depends on (seed, i) only."""
    bayeselo = nelo_to_bayeselo(nelo, DRAWELO, biases)
    steps = np.cumsum(pair_outcome(bayeselo, DRAWELO, biases))[:-1]
    block = max(64, int(worst_length(test).expected_games / 2))
    passes = pairs = 0
    for number in range(tests):
        rng = np.random.default_rng([seed, number])
        length, passed = _one(test, steps, block, rng, overshoot)
        passes += passed
        pairs += length
    return Rates(nelo, overshoot, tests, passes, 2 * pairs / tests)


def _one(
    test: Sprt, steps: np.ndarray, block: int, rng: np.random.Generator, overshoot: bool
) -> tuple[int, bool]:
    """Return (pairs, passed) of one test, fed with ever longer sequences until it stops."""
    results: list[int | None] = []
    while True:
        results += np.searchsorted(steps, rng.random(max(block, len(results))), side="right").tolist()
        end = walk(test, results, overshoot=overshoot)
        if end.stop is not None:
            return end.stop, end.decision.decision == "H1"


def errors_above(test: Sprt, rates: Rates) -> float:
    """Return by how many standard errors the error rate lies above the stated one; 0 between the bounds."""
    stated, errors = 0.0, 0.0
    if rates.nelo <= test.elo0:
        stated, errors = test.alpha, rates.pass_rate
    elif rates.nelo >= test.elo1:
        stated, errors = test.beta, 1 - rates.pass_rate
    return (errors - stated) / math.sqrt(stated * (1 - stated) / rates.tests) if stated else 0.0


def report(test: Sprt, tests: int, seed: int) -> bool:
    """Print the table; return whether all error rates were kept."""
    rates_of = f"alpha {test.alpha}, beta {test.beta}, {tests} tests, seed {seed}"
    print(f"normalised Elo [{test.elo0:g}, {test.elo1:g}], {rates_of}")
    print(f"{'true':>6} {'bounds':>10} {'passed':>8} {'theory':>8} {'games':>8} {'theory':>8}")
    kept = True
    for share in (-0.5, 0.0, 0.5, 1.0, 1.5):
        nelo = test.elo0 + share * (test.elo1 - test.elo0)
        theory = expected_length(test, nelo)
        for overshoot in (False, True):
            rates = simulate(test, nelo, tests, seed, overshoot)
            is_above = errors_above(test, rates) > 3
            kept = kept and not is_above
            print(
                f"{nelo:6.1f} {'corrected' if overshoot else 'plain':>10} {rates.pass_rate:8.4f} "
                f"{theory.pass_probability:8.4f} {rates.mean_games:8.0f} {theory.expected_games:8.0f}"
                f"{'  ABOVE THE STATED RATE' if is_above else ''}",
                flush=True,
            )
    return kept


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Error rates and lengths of simulated sequential tests.")
    parser.add_argument("--tests", type=int, default=2000, help="tests for each line (default 2000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bounds", type=float, nargs=2, default=(0.0, 30.0), metavar=("ELO0", "ELO1"))
    options = parser.parse_args(arguments)
    return 0 if report(Sprt(*options.bounds), options.tests, options.seed) else 1


if __name__ == "__main__":
    sys.exit(main())
