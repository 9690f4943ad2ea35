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
from tunesmith.engine.searcher import NODE_LIMIT, NODES
from tunesmith.experiments.bench import machine
from tunesmith.experiments.questions.page import markdown
from tunesmith.games.errors import InputError, TunesmithError
from tunesmith.tuning.files import write_json

ROOT = Path(__file__).parents[2]
PACKAGES = ("games", "engine", "tuning", "experiments")
# Games that were searched otherwise then: the last commit of slower agents that enters the positions of today.
SEARCHED = {"ropasci360": "c24e6c0"}
# Games with features that agents of then do not know.
UNKNOWN = ("fanorona",)
PLIES = (2, 6, 10, 16, 24, 4)  # of the random games that lead to the positions


def tree_of(commit: str, folder: Path) -> Path:
    """Unpack a commit; return the folder from which its `tunesmith` is imported."""
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=False)
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
    """Write an agent with the code at `path` (None: this one), if it is not there; return its names."""
    call = [sys.executable, "-m", "tunesmith.tuning.cli", "agent", name, "--weights", weights]
    call += ["--out", str(out), "--limit", f"nodes:{nodes}"]
    environment = {**os.environ, "TUNESMITH_NUMBA": "0", **({"PYTHONPATH": str(path)} if path else {})}
    if not (out / "player.py").is_file():
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


def forget(module: dict[str, Any]) -> None:
    """Empty an agent's tables of answers: what a round before has asked is not known."""
    for function in module.values():
        if hasattr(function, "cache_clear"):
            function.cache_clear()


def race(modules: list[dict[str, Any]], seed: int, rounds: int) -> tuple[list[float], list[float]]:
    """Let agents search the same positions in turns.

    Returns
    -------
    tuple
        The positions a second of each, and the ratio of the last one's to the first one's for each position searched.
    """
    seconds, nodes = [0.0] * len(modules), 0
    ratios = []
    for moves in positions(modules[0], seed) * rounds:
        answers, spent = [], []
        for module in modules:
            forget(module)
            game, thinker = module["Game"](), module["Thinker"](module["load_weights"]())
            for move in moves:
                game.play(move)
            began = process_time()
            move = thinker.choose(game)
            spent.append(process_time() - began)
            answers.append((move, thinker.memory.counters[NODES]))
        if len(set(answers)) > 1:
            raise TunesmithError(f"after {moves}: expected the same move and positions, found {answers}")
        nodes += answers[0][1]
        seconds = [total + one for total, one in zip(seconds, spent, strict=True)]
        ratios.append(spent[0] / spent[-1])
    return [nodes / total for total in seconds], ratios


# A process of its own: its memory at most, in MiB, after a search of so many nodes from the start. Linux says it in
# its own words: what `resource` says of a child includes what its parent took.
MEMORY = """
import resource, runpy, sys
module = runpy.run_path(sys.argv[1])
thinker = module["Thinker"](module["load_weights"]())
thinker.memory.counters[int(sys.argv[2])] = int(sys.argv[3])
thinker.choose(module["Game"]())
try:
    most = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
except OSError:
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**10 if sys.platform == "darwin" else 1)
print(most / 2**10)
"""


def memory(folder: Path, nodes: int) -> float:
    """Return the memory that an agent's process takes at most, in MiB, if it searches so many nodes."""
    call = [sys.executable, "-c", MEMORY, str(folder / "player.py"), str(NODE_LIMIT), str(nodes)]
    done = subprocess.run(call, capture_output=True, text=True, check=True)
    return float(done.stdout)


def lines(rows: dict[str, Any]) -> list[str]:
    """Return the table."""
    header = ["game", "then (commit)", "now", "times as fast (range)", "memory"]
    cells = [
        [
            f"`{name}`",
            f"{row['then']:,} ({row['against']})",
            f"{row['now']:,}",
            f"**{row['ratio']:.2f}** ({row['least']:.2f} to {row['most']:.2f})",
            f"{row['memory']} MiB",
        ]
        for name, row in rows.items()
    ]
    return markdown(header, cells)


def measured(name: str, given: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Export an agent twice, where it is not there yet, and measure both."""
    against = SEARCHED.get(name, given.against)
    path = folder / against
    if not path.exists():
        tree_of(against, path)
    weights = given.weights
    if weights == "tuned":  # today's for both
        weights = str(ROOT / "games" / name / "weights" / "tuned.json")
    modules = []
    scratch = given.folder or folder
    for side, where in (("then", path / "path"), ("now", None)):
        modules.append(export(name, weights, given.nodes, scratch / f"{side}_{name}", where))
    (then, now), ratios = race(modules, given.seed, given.rounds)
    return {
        "against": against,
        "then": round(then),
        "now": round(now),
        "ratio": round(now / then, 2),
        "least": round(min(ratios), 2),
        "most": round(max(ratios), 2),
        "memory": round(memory(scratch / f"now_{name}", 10 * given.nodes)),
    }


def main() -> None:
    """Measure, print the table, and write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--against", default="dd24076", help="a commit of this repository (default: %(default)s)"
    )
    parser.add_argument("--games", nargs="+", default=[name for name in games.names() if name not in UNKNOWN])
    parser.add_argument("--weights", default="tuned")
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument(
        "--folder", type=Path, help="keep the agents here, and take those that are here already"
    )
    parser.add_argument("--out", type=Path, help="a JSON file; a page of the same name is written beside it")
    given = parser.parse_args()
    rows: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as made:
        for name in given.games:
            rows[name] = measured(name, given, Path(made))
            shown = lines({name: rows[name]})
            print("\n".join(shown if len(rows) == 1 else shown[-1:]), flush=True)
    if given.out:
        words = [f"--{key} {getattr(given, key)}" for key in ("against", "nodes", "seed", "rounds")]
        where = f"experiments/results/{given.out.name}"
        command = " ".join(["python -m tunesmith.experiments.bench.agents", *words, f"--out {where}"])
        facts: dict[str, Any] = {
            "command": command,
            "commit": machine.commit(),
            "machine": machine.describe(),
        }
        taken = ", with agents of a folder (--folder) that were written before" if given.folder else ""
        facts["is_of_folder"] = given.folder is not None
        write_json(given.out, {**facts, "agents": rows}, stands_alone=True)
        page = [
            "# Speed of agents beside an earlier commit",
            "",
            f"Written by `{command}` (commit {facts['commit']}){taken}.",
            "",
            f"Positions a second in plain Python; memory: the most that one takes ({10 * given.nodes:,} nodes). Not "
            f"measured: {', '.join(UNKNOWN)}, with features that agents of then do not know.",
            "",
            *lines(rows),
            "",
        ]
        given.out.with_suffix(".md").write_text("\n".join(page), encoding="utf-8")


if __name__ == "__main__":
    try:
        main()
    except TunesmithError as error:
        sys.exit(f"error: {error}")
