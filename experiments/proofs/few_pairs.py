"""Do intervals hold the truth, and are claims of equal players rare, from the first pair on?

For every number of pairs, matches of many worlds (shares of draws, openings, gains, and a few hand-made ones whose
pairs are all alike or all decided) are judged by `stats.elo.estimate`. Up to 20 pairs all possible counts are
enumerated, beyond that matches are drawn. Told are the least coverage of the 95 % interval over all worlds, and the
greatest chance that one of two equal players is called stronger. The exit code is 1 where a coverage is below 94 %
or such a chance above 5 % (3 standard errors beyond, where matches are drawn).

    python -m tunesmith.experiments.proofs.few_pairs --matches 20000 --seed 1
"""

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy.stats import multinomial

from tunesmith.experiments.proofs._made_up_pairs import World
from tunesmith.tuning.stats.elo import estimate, judge, moments, score_to_elo

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

DRAWS = (0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 0.99)
OPENINGS = ((0.0,), (-90.0, 0.0, 200.0), (-400.0, 400.0))
GAINS = (0.0, 20.0, 50.0, 100.0, 200.0, 400.0, 600.0)  # logistic Elo
HAND_MADE = (
    (0.5, 0.0, 0.0, 0.0, 0.5),
    (0.18, 0.07, 0.5, 0.07, 0.18),
    (0.3, 0.05, 0.3, 0.05, 0.3),
    (0.05, 0.2, 0.5, 0.2, 0.05),
    (0.0, 0.0, 0.98, 0.0, 0.02),
    (0.0, 0.0, 0.95, 0.0, 0.05),
    (0.0, 0.0, 0.9, 0.05, 0.05),
)
ENUMERATED = 20
PAIRS = (*range(1, 17), 20, 25, 30, 36, 45, 56, 70, 90, 120, 175, 300, 1000)


@dataclass(frozen=True)
class Row:
    """What came of a number of pairs: least coverage and where, greatest chance of a false claim and where."""

    pairs: int
    coverage: float
    where: str
    false_claims: float
    whose: str
    slack: tuple[float, float]

    @property
    def is_good(self) -> bool:
        """Whether coverage and false claims keep what is promised."""
        return self.coverage >= 0.94 - self.slack[0] and self.false_claims <= 0.05 + self.slack[1]


def worlds(
    draws: Sequence[float] = DRAWS, gains: Sequence[float] = GAINS
) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Yield the name of every world and the shares of its pairs; gains that its draws do not allow are left out."""
    for draw in draws:
        for biases in OPENINGS:
            for gain in gains:
                try:
                    shares = World(draw, biases).shares("logistic", gain)
                except ValueError:
                    continue
                yield f"draws {draw:g}, openings {'/'.join(f'{b:g}' for b in biases)}, gain {gain:g}", shares
    for shares in HAND_MADE:
        yield f"pairs {' '.join(f'{share:g}' for share in shares)}", shares


def all_counts(pairs: int) -> Counts:
    """Return the counts of every match of so many pairs, one a row."""
    bars = np.array(list(combinations(range(pairs + 4), 4)), dtype=np.int64)
    edges = np.column_stack([np.full(len(bars), -1), bars, np.full(len(bars), pairs + 4)])
    return np.diff(edges, axis=1) - 1


def row(pairs: int, named: Sequence[tuple[str, tuple[float, ...]]], matches: int, seed: int) -> Row:
    """Judge all matches of so many pairs, or as many as asked for in every world."""
    rng = np.random.default_rng([seed, pairs])
    is_whole = pairs <= ENUMERATED
    known: dict[tuple[int, ...], tuple[float, float, bool]] = {}
    least, most = (1.0, ""), (0.0, "")
    if is_whole:
        counts = all_counts(pairs)
        low, high, claims = _judged(counts, known)
    for name, shares in named:
        if is_whole:
            weight: Floats = np.asarray(multinomial.pmf(counts, pairs, shares))
        else:
            counts, times = np.unique(
                rng.multinomial(pairs, shares, size=matches), axis=0, return_counts=True
            )
            low, high, claims = _judged(counts, known)
            weight = times / matches
        true = score_to_elo(moments(shares).score)
        least = min(least, (float(weight[(low <= true + 1e-9) & (true - 1e-9 <= high)].sum()), name))
        if abs(true) < 1e-9:
            most = max(most, (float(weight[claims].sum()), name))
    slack = (
        (0.0, 0.0)
        if is_whole
        else (3 * math.sqrt(0.94 * 0.06 / matches), 3 * math.sqrt(0.05 * 0.95 / matches))
    )
    return Row(pairs, *least, *most, slack)


def _judged(
    counts: Counts, known: dict[tuple[int, ...], tuple[float, float, bool]]
) -> tuple[Floats, Floats, npt.NDArray[np.bool_]]:
    """Return the ends of the interval (Elo) of each row of counts, and whether it calls a player stronger."""
    for one in map(tuple, counts.tolist()):
        if one not in known:
            found = estimate(one)
            ends = found.elo_low, found.elo_high
            known[one] = *ends, judge(*ends) != "not shown"
    low, high, claims = zip(*(known[one] for one in map(tuple, counts.tolist())), strict=True)
    return np.array(low), np.array(high), np.array(claims)


def report(pairs: Sequence[int], matches: int, seed: int) -> bool:
    """Print a line for every number of pairs; return whether all keep what is promised."""
    named = list(worlds())
    print(
        f"{len(named)} worlds; up to {ENUMERATED} pairs enumerated, beyond {matches:,} matches each, seed {seed}"
    )
    print(f"{'pairs':>5}  {'coverage':>8}  {'false':>6}  least coverage in")
    good = True
    for n in pairs:
        found = row(n, named, matches, seed)
        good = good and found.is_good
        print(f"{n:5d}  {found.coverage:8.2%}  {found.false_claims:6.2%}  {found.where}", flush=True)
    return good


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Intervals and claims from the first pair on.")
    parser.add_argument("--pairs", type=int, nargs="+", default=PAIRS)
    parser.add_argument("--matches", type=int, default=20_000, help="matches in each world (default 20,000)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    return 0 if report(options.pairs, options.matches, options.seed) else 1


if __name__ == "__main__":
    sys.exit(main())
