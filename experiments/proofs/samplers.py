"""Which sampler loses least? CLOP's artificial problems, the same number of games for each sampler.

A study gets all games at once, split into trials of equal length; regret is the win rate that the recommended
setting loses against the best one. Optuna's samplers recommend `study.best_params`, what their user gets; ours
recommend from all trials. Intervals are 95 % of the mean over repetitions (Student's t); repetition k has seed k.
Regrets are added to a JSON file, cell by cell, so a long comparison may be made in pieces; the page is made anew
from that file.

    python -m tunesmith.experiments.proofs.samplers --repetitions 20 --games 1000 10000 \\
        --out experiments/results/samplers.json
"""

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

from tunesmith.experiments.clop_problems import PROBLEMS, Problem
from tunesmith.experiments.proofs._cells import add_out, store, stored
from tunesmith.tuning.search.samplers import CLOPSampler, SPSASampler
from tunesmith.tuning.stats.elo import judge

COMMAND = (
    "python -m tunesmith.experiments.proofs.samplers --repetitions 20 --games 1000 10000 "
    "--out experiments/results/samplers.json"
)


@dataclass(frozen=True)
class Entry:
    """One sampler: how it is made for (games, games a trial, seed), its split of the games, its rule."""

    make: Callable[[int, int, int], Any]
    split: Callable[[int], int]
    rule: str


def _few(games: int) -> int:
    """Return the games of a trial that make 100 trials: Optuna's samplers are lost with single games."""
    return max(1, games // 100)


def _fewest(games: int) -> int:
    """Return the games of a trial that make 50 trials: Optuna's GP takes a tenth of a second for each."""
    return max(1, games // 50)


def _many(games: int) -> int:
    return 10 if games <= 1000 else 25


def entries() -> dict[str, Entry]:
    """Return the samplers by name, whether they can be made here or not."""
    of = optuna.samplers
    return {
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
            lambda games, each, seed: CLOPSampler(games_per_trial=each, seed=seed),
            _many,
            "weighted mean or smoother",
        ),
        "GP": Entry(lambda games, each, seed: of.GPSampler(seed=seed), _fewest, "best trial"),
    }


def _has_torch() -> bool:
    return importlib.util.find_spec("torch") is not None


@dataclass(frozen=True)
class Cell:
    """What one sampler lost on one problem: a regret a study, and the sampler's own time in ms a game."""

    regrets: tuple[float, ...]
    cost: float

    @property
    def mean(self) -> float:
        """Mean regret."""
        return float(np.mean(self.regrets))


def regret(entry: Entry, hill: Problem, games: int, seed: int) -> tuple[float, float]:
    """Return what one study of `games` games loses, and the seconds it took beside the games.

    Its games depend on the settings asked for and the seed.
    """
    each = entry.split(games)
    rng = np.random.default_rng([seed, games])
    sampler = entry.make(games, each, seed)
    study = optuna.create_study(direction="maximize", sampler=sampler)
    space: dict[str, BaseDistribution] = {f"x{j}": FloatDistribution(-1, 1) for j in range(hill.n)}
    started = time.process_time()
    for _ in range(games // each):
        trial = study.ask(space)
        chance = hill.win_rate([trial.params[name] for name in space])
        study.tell(trial, float(rng.binomial(each, chance)) / each)
    best = sampler.recommend(study) if hasattr(sampler, "recommend") else study.best_params
    return float(hill.regret([best[name] for name in space])), time.process_time() - started


def half_width(values: Sequence[float]) -> float:
    """Return half the 95 % interval of a mean."""
    n = len(values)
    return float(student.ppf(0.975, n - 1) * np.std(values, ddof=1) / n**0.5)


def measure(entry: Entry, hill: Problem, games: int, repetitions: int) -> Cell:
    """Return what studies with seeds 0, 1, ... lose."""
    studies = [regret(entry, hill, games, seed) for seed in range(repetitions)]
    return Cell(
        tuple(lost for lost, _ in studies),
        1000 * sum(seconds for _, seconds in studies) / (games * repetitions),
    )


def table(found: Mapping[str, Mapping[str, Cell]]) -> list[str]:
    """Return a Markdown table of mean regrets and 95 % half widths; the smallest mean of a row is bold."""
    known = list(dict.fromkeys(name for row in found.values() for name in row))
    names = [name for name in entries() if name in known]
    lines = [f"| problem | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    for problem, row in found.items():
        least = min(cell.mean for cell in row.values())
        cells = [_shown(row.get(name), least) for name in names]
        lines.append(f"| {problem} | {' | '.join(cells)} |")
    costs = [[row[name].cost for row in found.values() if name in row] for name in names]
    lines.append(f"| *ms a game* | {' | '.join(f'{np.mean(cost):.3f}' for cost in costs)} |")
    return lines


def _shown(cell: Cell | None, least: float) -> str:
    if cell is None:
        return ""
    text = f"{cell.mean:.4f} ± {half_width(cell.regrets):.4f}"
    return f"**{text}**" if cell.mean == least else text


def _rows(problems: Mapping[str, Any]) -> dict[str, dict[str, Cell]]:
    """Return the cells of a JSON file after one number of games: by problem and sampler."""
    return {
        hill.name: {
            name: Cell(tuple(cell["regrets"]), cell["cost"]) for name, cell in problems[hill.name].items()
        }
        for hill in PROBLEMS
        if hill.name in problems
    }


def claims(cells: Mapping[str, Any]) -> list[str]:
    """Return where our samplers are shown to lose less than Optuna's, more, or neither, as a list in Markdown.

    Studies of one seed are compared; each comparison by itself has a 95 % interval (Student's t).
    """
    return [
        f"- After {int(games):,} games {_claim(_rows(problems), ours, theirs)}."
        for games, problems in sorted(cells.items(), key=lambda item: int(item[0]))
        for ours in ("CLOP", "SPSA")
        for theirs in ("TPE", "CMA-ES")
    ]


def _claim(rows: Mapping[str, Mapping[str, Cell]], ours: str, theirs: str) -> str:
    found: dict[str, list[str]] = {"weaker": [], "stronger": [], "not shown": []}
    for problem, row in rows.items():
        if ours in row and theirs in row:
            less = [a - b for a, b in zip(row[ours].regrets, row[theirs].regrets, strict=True)]
            mean, half = float(np.mean(less)), half_width(less)
            found[judge(mean - half, mean + half)].append(problem)
    fewer, more, open_ = (", ".join(names) or "no problem" for names in found.values())
    return f"{ours} loses less than {theirs} on {fewer}; more on {more}; neither is shown on {open_}"


def page(cells: Mapping[str, Any], command: str) -> str:
    """Return the Markdown page of a JSON file's cells."""
    lines = ["# Samplers on CLOP's artificial problems", "", f"    {command}", "", *claims(cells), ""]
    for games, problems in sorted(cells.items(), key=lambda item: int(item[0])):
        rows = _rows(problems)
        lines += [
            f"Regret in win rate after {int(games):,} games: mean over studies ± 95 %",
            "",
            *table(rows),
        ]
        lines += ["", f"{_splits(rows, int(games))} Studies: {_studies(rows)}.", ""]
    return "\n".join([*lines, *_NOTES]) + "\n"


_NOTES = (
    "Seeds 0, 1, ... The time a game is all that sampler and Optuna need beside the games, on one core, beside other "
    "work.",
)


def _splits(rows: Mapping[str, Mapping[str, Cell]], games: int) -> str:
    names = {name for row in rows.values() for name in row}
    shown = [f"{name} {e.split(games)} ({e.rule})" for name, e in entries().items() if name in names]
    return f"Games a trial (and what is recommended): {', '.join(shown)}."


def _studies(rows: Mapping[str, Mapping[str, Cell]]) -> str:
    counts = {name: len(cell.regrets) for row in rows.values() for name, cell in row.items()}
    return ", ".join(f"{name} {counts[name]}" for name in entries() if name in counts)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Regret of samplers on CLOP's artificial problems.")
    parser.add_argument("--repetitions", type=int, default=5, help="studies for each cell (default 5)")
    parser.add_argument("--games", type=int, nargs="+", default=[1000], metavar="N")
    parser.add_argument("--problems", nargs="+", metavar="NAME", help='such as "LOG 1" (default: all)')
    parser.add_argument("--samplers", nargs="+", metavar="NAME", help="such as TPE (default: all)")
    add_out(parser)
    options = parser.parse_args(arguments)
    if options.repetitions < 2 or min(options.games) < 100:
        parser.error("expected at least 2 repetitions and 100 games")
    hills = [hill for hill in PROBLEMS if not options.problems or hill.name in options.problems]
    if not hills:
        parser.error(f"no such problem; known: {', '.join(hill.name for hill in PROBLEMS)}")
    known = {name: one for name, one in entries().items() if name != "GP" or _has_torch()}
    samplers = {n: e for n, e in known.items() if not options.samplers or n in options.samplers}
    if not samplers:
        parser.error(f"no such sampler; known: {', '.join(known)}")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
    cells = stored(options.out)
    for games in options.games:
        for hill in hills:
            for name, entry in samplers.items():
                cell = measure(entry, hill, games, options.repetitions)
                row = cells.setdefault(str(games), {}).setdefault(hill.name, {})
                row[name] = {"regrets": list(cell.regrets), "cost": cell.cost}
                store(options.out, cells, page(cells, COMMAND))
    print(page(cells, COMMAND))
    return 0


if __name__ == "__main__":
    sys.exit(main())
