"""Positions a second of written-out agents beside those that another commit writes.

`python -m tunesmith.experiments.bench.agents --against dd24076` exports the agents of the five games twice, from this
tree and from the commit's, lets both choose moves in the same positions under the same limit of nodes, in turns, and
counts CPU time. Both must choose the same moves after the same number of positions, else the run ends with an error."""

import argparse
import io
import os
import random
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from time import process_time
from typing import Any

from tunesmith import games
from tunesmith.engine.searcher import NODES
from tunesmith.games.errors import InputError, TunesmithError
from tunesmith.tuning.files import write_json

PACKAGES = ("games", "engine", "tuning", "experiments")
PLIES = (2, 6, 10, 16, 24, 4)  # of the random games that lead to the positions


def tree_of(commit: str, folder: Path) -> Path:
    """Unpack a commit; return the folder from which its `tunesmith` is imported."""
    archive = subprocess.run(["git", "archive", commit], capture_output=True, check=False)
    if archive.returncode:
        raise InputError(f"--against: expected a commit of this repository, found {commit!r}")
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as file:
        file.extractall(folder / "tree", filter="data")
    package = folder / "path" / "tunesmith"
    package.mkdir(parents=True)
    (package / "__init__.py").symlink_to(folder / "tree/tuning/front/__init__.py")
    for name in PACKAGES:
        (package / name).symlink_to(folder / "tree" / name)
    return package.parent


def export(name: str, weights: str, nodes: int, out: Path, path: Path | None) -> dict[str, Any]:
    """Write an agent with the code at `path` (None: this one); return its names."""
    call = [sys.executable, "-m", "tunesmith.tuning.cli", "agent", name, "--weights", weights]
    call += ["--out", str(out), "--limit", f"nodes:{nodes}"]
    environment = {**os.environ, "TUNESMITH_NUMBA": "0", **({"PYTHONPATH": str(path)} if path else {})}
    done = subprocess.run(call, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise InputError(f"agent of {name}: {done.stderr.strip()[-300:]}")
    module: dict[str, Any] = {"__name__": "agent", "__file__": str(out / "player.py")}
    exec(compile((out / "player.py").read_text(encoding="utf-8"), str(out / "player.py"), "exec"), module)
    return module


def positions(module: dict[str, Any], seed: int) -> list[list[int]]:
    """Return the moves that lead to some unfinished positions of random games."""
    rng = random.Random(seed)
    found: list[list[int]] = []
    while len(found) < len(PLIES):
        game, moves = module["Game"](), []
        for _ in range(PLIES[len(found)]):
            legal = game.legal()
            if not legal:
                break
            moves.append(rng.choice(legal))
            game.play(moves[-1])
        if not game.is_over():
            found.append(moves)
    return found


def race(modules: list[dict[str, Any]], seed: int, rounds: int) -> list[float]:
    """Return positions a second of agents that search the same positions in turns."""
    seconds, nodes = [0.0] * len(modules), [0] * len(modules)
    for moves in positions(modules[0], seed) * rounds:
        answers = []
        for at, module in enumerate(modules):
            game, thinker = module["Game"](), module["Thinker"](module["load_weights"]())
            for move in moves:
                game.play(move)
            began = process_time()
            move = thinker.choose(game)
            seconds[at] += process_time() - began
            nodes[at] += thinker.memory.counters[NODES]
            answers.append((move, thinker.memory.counters[NODES]))
        if len(set(answers)) > 1:
            raise TunesmithError(f"after {moves}: expected the same move and positions, found {answers}")
    return [n / spent for n, spent in zip(nodes, seconds, strict=True)]


def main() -> None:
    """Measure, print the table, and write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", required=True, help="a commit of this repository")
    parser.add_argument("--games", nargs="+", default=games.names())
    parser.add_argument("--weights", default="tuned")
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    rows: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as scratch:
        path = tree_of(given.against, Path(scratch))
        for name in given.games:
            sides = [("then", path), ("now", None)]
            folders = {side: Path(scratch) / f"{side}_{name}" for side, _ in sides}
            modules = [
                export(name, given.weights, given.nodes, folders[side], where) for side, where in sides
            ]
            then, now = race(modules, given.seed, given.rounds)
            rows[name] = {"then": round(then), "now": round(now), "ratio": round(now / then, 2)}
            print(f"{name:12} {then:10,.0f} {now:10,.0f} positions a second, x {now / then:.2f}", flush=True)
    if given.out:
        facts = {"command": " ".join(["python -m tunesmith.experiments.bench.agents", *sys.argv[1:]])}
        write_json(given.out, {**facts, "against": given.against, "agents": rows}, stands_alone=True)


if __name__ == "__main__":
    try:
        main()
    except TunesmithError as error:
        sys.exit(f"error: {error}")
