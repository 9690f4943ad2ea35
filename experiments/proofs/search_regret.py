"""What does a search of the product lose, with which sampler and trials of which length?

The same number of games for each, on the product's path: trials of pairs on openings of their own, with an opening's
luck in common and draws (`_made_up_search`), asked for by a sampler of the product, recommended by its model; the start
is the opponent. Regret is the score, against that start, which the recommended setting loses against the best one. The
problems are those of CLOP in instances that nothing was tuned on: the hill is moved by up to 0.3 in each parameter and
turned by a random rotation (about the best point, which stays inside); repetition k is instance k of `--first`
onwards, for all samplers alike. Intervals are 95 % of the mean over repetitions (Student's t). Results are added to a
JSON file, cell by cell, from which the page is made.

    python -m tunesmith.experiments.proofs.search_regret --repetitions 100 --pairs 10 16 64 \\
        --out experiments/results/search-regret.json
"""

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tunesmith.experiments.clop_problems import PROBLEMS, Problem
from tunesmith.experiments.proofs._cells import add_out, command_of, store, stored
from tunesmith.experiments.proofs._made_up_search import Array, Luck, MadeUpSearch, hushed, point, point_space
from tunesmith.experiments.proofs.samplers import half_width
from tunesmith.experiments.questions.page import markdown
from tunesmith.tuning.search.recommend import recommend
from tunesmith.tuning.search.samplers import SAMPLERS

GAMES = 7680
MOVED = 0.3
FIRST = 90_000  # seeds below it may have been looked at while samplers were made


@dataclass(frozen=True)
class Instance:
    """A problem moved and turned: `place` of a setting in the problem's own box."""

    problem: Problem
    rotation: Array
    shift: Array

    @classmethod
    def drawn(cls, problem: Problem, seed: int) -> "Instance":
        """Return the instance of a seed."""
        rng = np.random.default_rng([seed, problem.n])
        rotation, upper = np.linalg.qr(rng.normal(size=(problem.n, problem.n)))
        best = np.array(problem.best)
        shift = np.clip(rng.uniform(-MOVED, MOVED, problem.n), -0.95 - best, 0.95 - best)
        return cls(problem, rotation * np.sign(upper.diagonal()), shift)

    @property
    def best(self) -> Array:
        """The best setting."""
        found: Array = np.array(self.problem.best) + self.shift
        return found

    def log_odds(self, x: Array) -> float:
        """Return the log-odds of a setting."""
        place = np.array(self.problem.best) + self.rotation @ (x - self.best)
        return float(self.problem.log_odds(np.clip(place, -1, 1)))

    def score(self, x: Array) -> float:
        """Return the score of a setting against the start, the middle of all ranges."""
        return float(1 / (1 + np.exp(self.log_odds(np.zeros(self.problem.n)) - self.log_odds(x))))


def regret(sampler: str, problem: Problem, pairs: int, seed: int, games: int = GAMES) -> float:
    """Return what one search loses."""
    one = Instance.drawn(problem, seed)
    start = (0.0,) * problem.n
    search = MadeUpSearch(one.score, start, games // (2 * pairs), pairs, sampler, Luck())
    found = recommend(point_space(start), search.play(seed), seed)
    return one.score(one.best) - one.score(point(found.setting))


def page(cells: Mapping[str, Any], command: str) -> str:
    """Return the Markdown page of a JSON file's cells: a row a problem, a column a sampler and length."""
    names = list(dict.fromkeys(name for row in cells.values() for name in row))
    lines = [
        "# What a search loses",
        "",
        f"    {command}",
        "",
        f"Regret in score after {GAMES:,} games: mean ± 95 % (searches). A column is a sampler with trials of so many",
        "pairs.",
        "",
        *markdown(
            ["problem", *names],
            [[problem, *(_shown(row.get(name)) for name in names)] for problem, row in cells.items()],
        ),
    ]
    missing = [hill.name for hill in PROBLEMS if hill.name not in cells]
    if missing:
        lines += ["", f"Not measured yet: {', '.join(missing)}."]
    others = [name for name in SAMPLERS if not any(column.startswith(f"{name},") for column in names)]
    if others:
        lines += ["", f"Samplers not measured yet: {', '.join(others)}; CLOP's own code neither."]
    return "\n".join(lines) + "\n"


def _shown(regrets: Sequence[float] | None) -> str:
    if not regrets:
        return ""
    return f"{np.mean(regrets):.4f} ± {half_width(regrets):.4f} ({len(regrets)})"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        description="Regret of the product's searches on CLOP's problems, moved."
    )
    parser.add_argument("--repetitions", type=int, default=5, help="searches for each cell (default 5)")
    parser.add_argument("--first", type=int, default=FIRST, help=f"first instance (default {FIRST})")
    parser.add_argument("--games", type=int, default=GAMES, help=f"of a search (default {GAMES})")
    parser.add_argument("--pairs", type=int, nargs="+", default=[16, 64], help="of a trial (default 16 64)")
    parser.add_argument("--problems", nargs="+", metavar="NAME", help='such as "LOG 2" (default: all)')
    parser.add_argument("--samplers", nargs="+", default=["clop", "spsa"], choices=[*SAMPLERS])
    add_out(parser)
    given = parser.parse_args(arguments)
    hills = [hill for hill in PROBLEMS if not given.problems or hill.name in given.problems]
    if given.repetitions < 2 or not hills:
        parser.error(f"expected 2 repetitions or more, of {', '.join(hill.name for hill in PROBLEMS)}")
    command, cells = command_of("search_regret", arguments), stored(given.out)
    for hill in hills:
        for pairs in given.pairs:
            for sampler in given.samplers:
                begun = time.process_time()
                seeds = range(given.first, given.first + given.repetitions)
                with hushed():
                    lost = [regret(sampler, hill, pairs, seed, given.games) for seed in seeds]
                cells.setdefault(hill.name, {})[f"{sampler}, {pairs}"] = lost
                seconds = (time.process_time() - begun) / len(lost)
                print(
                    f"{hill.name}: {sampler}, {pairs} pairs: {_shown(lost)}, {seconds:.2f} s each", flush=True
                )
                store(given.out, cells, page(cells, command))
    return 0


if __name__ == "__main__":
    sys.exit(main())
