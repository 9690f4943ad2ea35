"""Do 95 % intervals hold the truth 95 times in a hundred?

Matches of fixed length are drawn from worlds of several shares of draws and kinds of openings (balanced, or so
lopsided that the two games of a pair pull apart), and the Elo and normalised Elo of `stats.estimate` are
compared with the truth. Sequential tests are played to their end, and the interval of `tuning.stats.stopped_test` is
compared, beside the plain one of the same games. The exit code is 1 if an interval that should hold leaves
93 to 97 %.

    python -m tunesmith.experiments.proofs.interval_coverage --matches 5000 --tests 1000 --seed 1
"""

import argparse
import math
import sys
from collections.abc import Sequence

import numpy as np

from tunesmith.experiments.proofs._made_up_pairs import World, play_tests
from tunesmith.tuning.stats.elo import estimate, moments, normalized_elo, score_to_elo
from tunesmith.tuning.stats.sprt import Sprt
from tunesmith.tuning.stats.stopped_test import estimate_stopped

WORLDS = [
    World(draws, biases)
    for draws in (0.1, 0.5, 0.9)
    for biases in ((0.0,), (-90.0, 0.0, 200.0), (-400.0, 400.0))
]
GAINS = (0.0, 30.0)  # logistic Elo


def fixed_length(world: World, elo: float, pairs: int, matches: int, seed: int) -> tuple[float, float]:
    """Return the shares of matches whose Elo and whose normalised Elo interval hold the truth."""
    shares = world.shares("logistic", elo)
    true_elo, true_nelo = score_to_elo(moments(shares).score), normalized_elo(shares)
    rng = np.random.default_rng([seed, pairs, round(elo), round(100 * world.draws), len(world.biases)])
    held = np.zeros(2)
    for counts in rng.multinomial(pairs, shares, size=matches).tolist():
        found = estimate(counts)
        held += (
            found.elo_low <= true_elo <= found.elo_high,
            abs(found.nelo - true_nelo) <= found.nelo_half_width,
        )
    return float(held[0] / matches), float(held[1] / matches)


def after_stopping(test: Sprt, world: World, elo: float, tests: int, seed: int) -> tuple[float, float, float]:
    """Return how often the interval after the test, and the plain one, hold the truth, and the medians' bias.

    The last is the share of tests whose estimate after the test lies above the truth: one half without bias.
    """
    shares = world.shares(test.model, elo)
    true = score_to_elo(moments(shares).score)
    held = np.zeros(3)
    for (end,) in play_tests(test, shares, tests, seed):
        found, plain = estimate_stopped(test, end.counts), estimate(end.counts)
        held += (
            found.elo_low <= true <= found.elo_high,
            plain.elo_low <= true <= plain.elo_high,
            found.elo > true,
        )
    return float(held[0] / tests), float(held[1] / tests), float(held[2] / tests)


def is_good(share: float, of: int) -> bool:
    """Whether a coverage is 93 to 97 %, give or take 3 standard errors of so many trials."""
    slack = 3 * math.sqrt(0.95 * 0.05 / of)
    return bool(0.93 - slack <= share <= 0.97 + slack)


def report(pairs: int, matches: int, tests: int, seed: int, top: float = 20.0) -> bool:
    """Print both tables; return whether all intervals hold."""
    good = True
    print(
        f"fixed length: {matches} matches of {pairs} pairs a line, seed {seed}; share of 95 % intervals that hold"
    )
    print(f"{'draws':>6} {'biases':<22} {'gain':>5} {'Elo':>7} {'nElo':>7}")
    for world in WORLDS:
        for elo in GAINS:
            found = fixed_length(world, elo, pairs, matches, seed)
            good = good and all(is_good(share, matches) for share in found)
            name = ", ".join(f"{bias:g}" for bias in world.biases)
            print(f"{world.draws:6.2f} {name:<22} {elo:5.0f} {found[0]:7.2%} {found[1]:7.2%}", flush=True)
    test = Sprt(0, top, model="logistic")
    print(
        f"\nafter a test [0, {top:g}] logistic, {tests} tests a line: intervals that hold, estimates above the truth"
    )
    print(f"{'gain':>5} {'after the test':>15} {'plain':>7} {'above':>7}")
    for elo in (0.0, top / 2, top):
        held, plain, above = after_stopping(test, World(), elo, tests, seed)
        good = good and is_good(held, tests)
        print(f"{elo:5.0f} {held:15.2%} {plain:7.2%} {above:7.2%}", flush=True)
    return good


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="How often 95 % intervals hold the truth.")
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--matches", type=int, default=2000, help="matches for each line (default 2000)")
    parser.add_argument("--tests", type=int, default=500, help="sequential tests for each line (default 500)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--top", type=float, default=20.0, help="H1 of the sequential tests, Elo")
    options = parser.parse_args(arguments)
    return 0 if report(options.pairs, options.matches, options.tests, options.seed, options.top) else 1


if __name__ == "__main__":
    sys.exit(main())
