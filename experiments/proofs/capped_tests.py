"""How do sequential tests with a limit of pairs end, and is it as foretold?

Tests between normalised bounds are played with made-up pairs, lopsided openings among them, and cut at several
limits; beside the shares that accepted and rejected by then stand the probabilities of `stats.sprt.ends_within`. The
exit code is 1 if a share is off by more than 2 % and chance (3 standard errors): a ratio moves in steps, and
oversteps its bound a little late.

    python -m tunesmith.experiments.proofs.capped_tests --tests 4000 --seed 1
"""

import argparse
import math
import sys
from collections.abc import Sequence

import numpy as np

from tunesmith.experiments.proofs._made_up_pairs import World, play_tests
from tunesmith.tuning.stats.sprt import Ends, Sprt, ends_within, pairs_to_resolve

OFF = 0.02


def simulated(
    test: Sprt, elo: float, limits: Sequence[int], tests: int, seed: int, world: World | None = None
) -> list[Ends]:
    """Return the shares of tests that had accepted or rejected by each limit, for a true difference."""
    shares = (world or World()).shares(test.model, elo)
    ends = [end for (end,) in play_tests(test, shares, tests, seed)]
    pairs, passed = np.array([end.pairs for end in ends]), np.array([end.passed for end in ends])
    made = []
    for limit in limits:
        accepted, rejected = (float((ok & (pairs <= limit)).mean()) for ok in (passed, ~passed))
        made.append(Ends(elo, accepted, rejected, 1 - accepted - rejected))
    return made


def is_as_foretold(share: float, chance: float, tests: int) -> bool:
    """Whether a share is a probability's, up to 2 % and 3 standard errors."""
    return abs(share - chance) <= OFF + 3 * math.sqrt(max(chance * (1 - chance), 1 / tests) / tests)


def report(test: Sprt, gains: Sequence[float], limits: Sequence[int], tests: int, seed: int) -> bool:
    """Print a line for every gain and limit; return whether all are as foretold."""
    print(
        f"{test.model} [{test.elo0:g}, {test.elo1:g}], {tests:,} tests a gain, seed {seed}; foretold in brackets"
    )
    print(f"{'gain':>5} {'limit':>6}  {'accepted':>16}  {'rejected':>16}")
    good = True
    for gain in gains:
        for limit, seen in zip(limits, simulated(test, gain, limits, tests, seed), strict=True):
            told = ends_within(test, limit, gain)
            cells = ((seen.accepted, told.accepted), (seen.rejected, told.rejected))
            good = good and all(is_as_foretold(*cell, tests) for cell in cells)
            print(
                f"{gain:5.0f} {limit:6,d}  " + "  ".join(f"{s:7.2%} ({c:6.2%})" for s, c in cells), flush=True
            )
    print(f"a limit of {pairs_to_resolve(test):,} pairs accepts a gain of {test.elo1:g} in 90 % of tests")
    return good


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="How sequential tests with a limit end.")
    parser.add_argument("--tests", type=int, default=1000, help="tests of each gain (default 1000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bounds", type=float, nargs=2, default=(0.0, 20.0), metavar=("ELO0", "ELO1"))
    parser.add_argument("--gains", type=float, nargs="+", default=(0.0, 10.0, 20.0, 30.0))
    parser.add_argument("--limits", type=int, nargs="+", default=(250, 500, 1000, 2000))
    options = parser.parse_args(arguments)
    test = Sprt(*options.bounds)
    return 0 if report(test, options.gains, options.limits, options.tests, options.seed) else 1


if __name__ == "__main__":
    sys.exit(main())
