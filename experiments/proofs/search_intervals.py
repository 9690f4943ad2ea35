"""Do the intervals of a search hold the truth, and does it say "better" of nothing?

Whole searches of made-up settings (`_made_up_search`) whose results share luck by opening, as real ones do: trials
play openings of their own, and the model of the product recommends. Two problems: settings that are all equal, asked
for at random, and a smooth hill (LOG of CLOP, two parameters, at Elo relative to the start), asked for by the sampler
of a study. Cells differ in the correlation of results on one opening, in whether there are openings for all trials or
for a quarter of them, and in whether the start is the opponent (its score is known) or plays like any other setting.
Search k has seed k. The exit code is 1 if a 95 % interval holds the truth in fewer than 93 or more than 97 % of
searches, give or take 3 standard errors, or if more than 5 % say "better with probability above 0.95" of what is not.
Where all are equal and the start is the opponent, 100 % are no fault: that nothing is better than the start, whose
score is known, is what a search believes before any game, and there it is so.

    python -m tunesmith.experiments.proofs.search_intervals --searches 1000 --cells 2 3 \\
        --out experiments/results/search-intervals.json
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tunesmith.experiments.clop_problems import problem
from tunesmith.experiments.proofs._cells import add_out, command_of, store, stored
from tunesmith.experiments.proofs._made_up_search import Array, Luck, MadeUpSearch, hushed, point, point_space
from tunesmith.tuning.config import DEFAULTS
from tunesmith.tuning.search.recommend import recommend
from tunesmith.tuning.search.samplers import AUTO
from tunesmith.tuning.stats.elo import score_to_elo

START = (0.0, 0.0)
SURE = 0.95


@dataclass(frozen=True)
class Cell:
    """What all searches of a cell have in common; `share`: openings there are, as a share of those needed."""

    problem: str
    correlation: float
    share: float = 1.0
    start_is_opponent: bool = False

    @property
    def name(self) -> str:
        """The cell in words."""
        openings = "own openings" if self.share == 1 else f"openings for {self.share:.0%} of the trials"
        start = "the opponent" if self.start_is_opponent else "a setting like others"
        return f"{self.problem}, correlation {self.correlation:g}, {openings}, the start is {start}"

    @property
    def is_known(self) -> bool:
        """Whether the truth is what a search believes before any game."""
        return self.problem == "equal" and self.start_is_opponent


CELLS = (
    *(Cell(hill, correlation) for correlation in (0.0, 0.17, 0.35) for hill in ("equal", "LOG")),
    *(Cell(hill, correlation, share=0.25) for correlation in (0.0, 0.17, 0.35) for hill in ("equal", "LOG")),
    *(Cell(hill, 0.17, start_is_opponent=True) for hill in ("equal", "LOG")),
)


@dataclass(frozen=True)
class Found:
    """What came of the searches of a cell.

    Attributes
    ----------
    held
        Whether the interval of the recommended setting holds its true Elo.
    gained
        Whether that of the gain does.
    false
        Whether "better" is said with more than 95 % of a setting that is not.
    better
        Whether it is said at all.
    off
        By how much the expected score is too high.
    """

    held: tuple[bool, ...]
    gained: tuple[bool, ...]
    false: tuple[bool, ...]
    better: tuple[bool, ...]
    off: tuple[float, ...]

    def is_good(self, most: float = 0.97) -> bool:
        """Whether the cell keeps what intervals promise; `most`: share of the intervals that may hold."""
        slack = 3 * math.sqrt(0.95 * 0.05 / len(self.held))
        covers = 0.93 - slack <= np.mean(self.held) <= most + slack
        return bool(covers and np.mean(self.false) <= 0.05 + slack)


def true_score(name: str) -> Any:
    """Return the true score of a point of a problem."""
    if name == "equal":
        return lambda x: 0.5
    hill = problem(name, len(START))
    level = float(hill.log_odds(np.array(START)))

    def score(x: Array) -> float:
        return float(1 / (1 + np.exp(level - hill.log_odds(x))))

    return score


def measure(cell: Cell, searches: int, trials: int = 60, pairs: int = 64) -> Found:
    """Play searches 0, 1, ... of a cell."""
    return Found(*(tuple(column) for column in zip(*_judged(cell, searches, trials, pairs), strict=True)))


def _judged(
    cell: Cell, searches: int, trials: int, pairs: int
) -> Iterator[tuple[bool, bool, bool, bool, float]]:
    score, space = true_score(cell.problem), point_space(START)
    search = MadeUpSearch(
        score,
        START,
        trials,
        pairs,
        None if cell.problem == "equal" else AUTO,
        luck=Luck(cell.correlation),
        openings=None if cell.share == 1 else round(cell.share * trials * pairs),
        start_is_opponent=cell.start_is_opponent,
    )
    for seed in range(searches):
        found = recommend(space, search.play(seed), seed)
        truth, at, gain = score(point(found.setting)), found.estimate, found.gain
        true_gain = truth - score(np.array(START))
        says = gain.better > SURE
        yield (
            at.elo_low <= score_to_elo(truth) <= at.elo_high,
            abs(gain.score - true_gain) <= 1.96 * gain.error + 1e-9,
            says and true_gain <= 0,
            says,
            at.score - truth,
        )


def page(cells: Mapping[str, Any], command: str) -> str:
    """Return the Markdown page of a JSON file's cells."""
    lines = [
        "# Intervals of a search",
        "",
        f"    {command}",
        "",
        "Share of searches whose 95 % interval holds the truth, of the recommended setting and of its gain over the",
        'start; that say "better" with a probability above 0.95, and that say it falsely; mean excess of the expected',
        "score.",
        "",
        "| cell | searches | interval holds | gain's holds | better | falsely | excess | CPU s a search |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, cell in cells.items():
        lines.append(_line(name, cell))
    lines += [
        "",
        "Searches 0, 1, ...; search k has seed k. Where all settings are equal and the start is the opponent, the",
        "truth is what a search believes before any game: there the interval holds always.",
    ]
    missing = [name for name in (_named(cell, DEFAULTS.search.pairs) for cell in CELLS) if name not in cells]
    if missing:
        lines += [
            "",
            "Not measured yet:",
            "",
            *(f"- {name}" for name in missing),
        ]
    return "\n".join(lines) + "\n"


def _named(cell: Cell, pairs: int) -> str:
    return f"{cell.name}, {pairs} pairs a trial"


def _line(name: str, cell: Mapping[str, Any]) -> str:
    return (
        f"| {name} | {cell['searches']} | {cell['held']:.1%} | {cell['gained']:.1%} | {cell['better']:.1%} | "
        f"{cell['false']:.1%} | {cell['off']:+z.4f} | {cell['seconds']:.2f} |"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="How often the intervals of a search hold the truth.")
    parser.add_argument("--searches", type=int, default=100, help="for each cell (default 100)")
    parser.add_argument("--trials", type=int, help="of a search (default: 7,680 games)")
    parser.add_argument(
        "--pairs", type=int, default=DEFAULTS.search.pairs, help="of a trial (default: a study's)"
    )
    parser.add_argument(
        "--cells", type=int, nargs="+", metavar="N", help="by place in the list (default: all)"
    )
    add_out(parser)
    options = parser.parse_args(arguments)
    command, cells = command_of("search_intervals", arguments), stored(options.out)
    trials, good = options.trials or 3840 // options.pairs, True
    for at in options.cells if options.cells is not None else range(len(CELLS)):
        begun = time.process_time()
        with hushed():
            found = measure(CELLS[at], options.searches, trials, options.pairs)
        good = good and found.is_good(1.0 if CELLS[at].is_known else 0.97)
        name = _named(CELLS[at], options.pairs)
        cells[name] = {
            "searches": options.searches,
            "trials": trials,
            "pairs": options.pairs,
            **{name: float(np.mean(getattr(found, name))) for name in Found.__dataclass_fields__},
            "seconds": (time.process_time() - begun) / options.searches,
        }
        print(_line(name, cells[name]), flush=True)
        store(options.out, cells, page(cells, command))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
