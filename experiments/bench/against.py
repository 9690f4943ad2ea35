"""Speed beside another commit of this repository, in one run.

`python -m tunesmith.experiments.bench --against COMMIT --out experiments/results/speed.json` prints and writes it.
Each figure is measured by two processes, one with the code of each commit, that work in turns and count CPU time;
the ratio is that of the middle times. Both run code that a process before them compiled and kept: what a process has
compiled itself is slower by up to a tenth. Both must come to the same answer: the value of a solved board, the features
of a position, the score of a search. Features that only one of them has are not computed and have no weight."""

import contextlib
import functools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from tunesmith import games
from tunesmith.experiments.bench.agents import tree_of
from tunesmith.experiments.bench.race import MismatchError

SOLVED = "kalah:seeds=3"
SOLVE, EVALUATE, SEARCH = "solve", "evaluate", "search"
UNITS = {SOLVE: "s", EVALUATE: "positions/s", SEARCH: "nodes/s"}
N_EVALUATIONS, N_NODES = 100_000, 100_000

# What each process runs: a line in, the work done, the CPU seconds it took and the answer out. Commits of before the
# packages had names of their own are imported from the folders.
WORKER = """
import importlib, json, sys, time
import numpy as np

what, spec, root = sys.argv[1:4]
n_evaluations, n_nodes = map(int, sys.argv[4:6])
shared = json.loads(sys.argv[6])

def named(*names):
    for name in names:
        try:
            return importlib.import_module(root + name)
        except ModuleNotFoundError:
            pass
    raise SystemExit("none of " + ", ".join(names))

game = named("games").load(spec)
names = list(game.feature_names)
if what == "names":
    print(json.dumps(names))
    raise SystemExit
places = [names.index(name) for name in shared]
wanted = -1 if len(places) == len(names) else sum(1 << place for place in places)
if what == "solve":
    solver = named("engine.search.solve", "engine.solve").Solver
    def work():
        found = solver(game).solve(game.initial())
        return 1, found.value
else:
    bench = named("tuning.play.bench", "tuning.bench")
    bind = named("engine.compile.bind", "engine.bind").bind
if what == "evaluate":
    run = bind(bench.evaluate_games, game, wanted)
    values, shares = np.zeros(max(1, game.n_features)), np.zeros(game.n_stages)
    def work():
        return int(run(n_evaluations, values, shares)), [*values[places].tolist(), *shares.tolist()]
elif what == "search":
    searchers = named("engine.searcher")
    table = np.zeros((game.n_stages, game.n_features))
    table[:, places] = [1 + 0.1 * (at % 7) for at in range(len(places))]
    searcher = bench._searcher(game, table, n_nodes)
    run = bind(named("engine.search.deepening", "engine.deepening").think_once, game, wanted)
    keys, counters = np.zeros(searchers.MAX_PLY + 2, np.int64), searcher.memory["counters"][0]
    def work():
        counters[searchers.GENERATION] += 1
        run(*searcher, game.initial(), keys, 1, 0)
        return int(counters[searchers.NODES]), int(counters[searchers.SCORE])
work()
for line in sys.stdin:
    began = time.process_time()
    done, answer = work()
    print(json.dumps([done, time.process_time() - began, answer]), flush=True)
"""


class Side:
    """A process that measures one figure with the code of one commit."""

    def __init__(
        self, what: str, spec: str, path: Path | None, root: str, features: Sequence[str] = ()
    ) -> None:
        environment = {**os.environ, **({"PYTHONPATH": str(path)} if path else {})}
        sizes = [str(N_EVALUATIONS), str(N_NODES), json.dumps(features)]
        call = [sys.executable, "-P", "-c", WORKER, what, spec, root, *sizes]
        self._process = subprocess.Popen(
            call, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def once(self) -> tuple[float, Any]:
        """Return CPU seconds a piece of work, and the answer."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        done, seconds, answer = json.loads(self._process.stdout.readline() or "[1, 0, null]")
        if answer is None:
            raise MismatchError(f"expected an answer of {self._process.args!r}, the process ended")
        return seconds / done, answer

    def names(self) -> list[str]:
        """Return the features of a game, of a process that was asked for `names`."""
        return [str(name) for name in json.loads(self._process.communicate()[0] or "[]")]

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()


def figures(chosen: Sequence[str]) -> list[tuple[str, str]]:
    """Return what is measured, of which game: the solved board, then each game's evaluation and search."""
    of_games = [(what, name) for name in chosen for what in (EVALUATE, SEARCH)]
    return [(SOLVE, SOLVED), *of_games] if "kalah" in chosen else of_games


@functools.cache
def shared_features(spec: str, path: Path, root: str) -> list[str]:
    """Return the features of a game that both trees have, in the order of the earlier one."""
    of_now = Side("names", spec, None, "tunesmith.").names()
    return [name for name in Side("names", spec, path, root).names() if name in of_now]


def compiled(what: str, spec: str, path: Path | None, root: str, features: Sequence[str]) -> Side:
    """Return a process whose code one before it has compiled and kept."""
    first = Side(what, spec, path, root, features)
    try:
        first.once()
    finally:
        first.close()
    return Side(what, spec, path, root, features)


def race(what: str, spec: str, path: Path, root: str, rounds: int) -> dict[str, Any]:
    """Return one row: both speeds, how many times as fast this tree is, and the range over the rounds."""
    features = shared_features(spec, path, root) if what != SOLVE else ()
    with contextlib.ExitStack() as stack:
        then = compiled(what, spec, path, root, features)
        stack.callback(then.close)
        now = compiled(what, spec, None, "tunesmith.", features)
        stack.callback(now.close)
        pairs = []
        for _ in range(rounds):
            (before, expected), (after, found) = then.once(), now.once()
            if found != expected:
                raise MismatchError(f"{what} {spec}: expected {expected}, found {found}")
            pairs.append((before, after))
    before, after = (median(times) for times in zip(*pairs, strict=True))
    ratios = sorted(one / other for one, other in pairs)
    speeds = (before, after) if what == SOLVE else (1 / before, 1 / after)
    return {
        "what": what,
        "game": spec,
        "unit": UNITS[what],
        "then": speeds[0],
        "now": speeds[1],
        "times as fast": before / after,
        "from": ratios[0],
        "to": ratios[-1],
    }


def compare(commit: str, chosen: Sequence[str] = (), rounds: int = 5) -> Iterator[dict[str, Any]]:
    """Give the rows, each when it is measured.

    Raises
    ------
    InputError
        No such commit.
    MismatchError
        The two trees come to different answers.
    """
    with tempfile.TemporaryDirectory() as scratch:
        path, root = tree_of(commit, Path(scratch)), "tunesmith."
        if not (Path(scratch) / "tree/tuning/front").is_dir():
            path, root = Path(scratch) / "tree", ""
        for what, spec in figures(chosen or games.names()):
            yield race(what, spec, path, root, rounds)


def lines(commit: str, rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return the table, in Markdown."""
    table = [f"| what | {commit} | now | times as fast (range) |", "| --- | --: | --: | --: |"]
    for row in rows:
        form = "{:.3f}" if row["unit"] == "s" else "{:,.0f}"
        then, now = (f"{form.format(row[side])} {row['unit']}" for side in ("then", "now"))
        times = f"**{row['times as fast']:.2f}** ({row['from']:.2f} to {row['to']:.2f})"
        table.append(f"| {row['what']} `{row['game']}` | {then} | {now} | {times} |")
    return table
