"""Are games, weights and verdicts still the numbers that were recorded? For changes that must change none of them.

Small studies of the five games (two generations, with checks; Kalah's with a search), searches by six samplers,
a gauntlet, a ladder, fits of a table, agents that play themselves and plain exports, all through the command
line. Recorded are digests of the games' columns and of weight files, counts, decisions and figures to nine
digits, the same for any number of workers; no sentence, path, time or digest of code. Other processors and other
versions of libraries may round a fit differently. Exit code 1 if a number differs, each named with both values.

    python -m tunesmith.experiments.proofs.same_numbers                     all parts, three minutes on two cores
    python -m tunesmith.experiments.proofs.same_numbers pentago search      these alone
    python -m tunesmith.experiments.proofs.same_numbers --write   record what is found: say in the commit why"""

import argparse
import contextlib
import csv
import hashlib
import io
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from tunesmith.tuning.cli import run

RECORD = Path(__file__).parents[1] / "results" / "same-numbers.json"
COLUMNS = ["pair", "game", "opening", "n_opening", "first_weights", "second_weights", "moves", "scores", "result",
           "end_reason", "seed"]  # fmt: skip

STUDY = """
name = "study"
game = "{game}"
seed = {seed}
openings = {{ plies = 6, max_score = 400.0 }}
play = {{ limit = "nodes:60", pairs = 70, generations = 2, check_pairs = 12 }}
fit = {{ positions_per_game = 8 }}
[verify]
limit = "nodes:60"
elo1 = 60.0
max_pairs = 40
measure_pairs = 20
second_limit = "nodes:120"
second_pairs = 6
opponents = ["{opponent}"]
opponent_pairs = 6
"""
SEARCH = """
[search]
trials = 8
start = "{start}"
sampler = "{sampler}"
limit = "nodes:60"
pairs = 16
pilot = 8
space = {{ quiescence = {{ low = 0, high = 6 }}, reductions = {{ low = 0, high = 8 }}, pvs = {{}}, scale = {{}} }}
"""
LADDER = """
game = "kalah"
weights = "hand"
pairs = 4
limits = ["nodes:60"]
openings.plies = 6
rung = [
    { name = "plain", options = { deepening = true } },
    { name = "hints", options = { hints = true, killers = true } },
    { name = "table", options = { table = true, pvs = true } },
]
"""
# Game: an opponent of the proof, a seed with which the last generation is kept, or none is.
STUDIES = {
    "kalah": ("hand-1", 1),
    "pentago": ("lines", 1),
    "fanorona": ("material", 1),
    "expendibots": ("necho", 1),
    "ropasci360": ("lich", 1),
}
SAMPLERS = ("clop", "spsa", "tpe", "cma-es", "qmc", "random")
CONTESTANTS = ("hand", "hand-1", "hand-5@reductions=3", "hand@algorithm=uct,limit=simulations:30", "greedy")
TRUE = {"pawns": 90, "bishops": 310, "rooks": 480, "shelter": 18, "trapped": -60}  # Elo
WISHES = ["--draws", "--bound", "pawns=:80", "--order", "bishops<=rooks", "--tie=shelter=tempo", "--round=5"]
EXPORTS = ("json", "csv", "python")
AGENT_PLIES = 16

Facts = dict[str, Any]


# --- what is recorded of what lies in a folder


def tunesmith(*words: str | Path | int) -> str:
    """Run a command; return its standard output."""
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        code = run([str(word) for word in words])
    if code:
        raise SystemExit(f"tunesmith {' '.join(map(str, words))}: exit code {code}\n{errors.getvalue()}")
    return out.getvalue()


def digest(value: Any) -> str:
    """Return a digest of values as JSON, to the last bit."""
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]


def games_of(folder: Path) -> str:
    """Return a digest of all games below a folder: their columns, whatever the files and folders are called."""
    tables = [pq.read_table(path, columns=COLUMNS).to_pylist() for path in folder.rglob("*.parquet")]
    rows = sorted(json.dumps([row[name] for name in COLUMNS]) for rows in tables for row in rows)
    if not rows:
        raise SystemExit(f"{folder}: no games")
    return digest(rows)


def numbers(value: Any, *names: str) -> Any:
    """Return these fields of an object, or a plain value, with nine digits of each float."""
    if names:
        return {name: numbers(value[name]) for name in names}
    if isinstance(value, dict):
        return {name: numbers(each) for name, each in value.items()}
    if isinstance(value, list):
        return [numbers(each) for each in value]
    return float(f"{value:.9g}") if isinstance(value, float) else value


def read(path: Path) -> Any:
    """Return a JSON document."""
    return json.loads(path.read_text(encoding="utf-8"))


# --- the parts


def settings(game: str, more: str = "") -> str:
    """Return the text of a study file."""
    opponent, seed = STUDIES[game]
    return STUDY.format(game=game, opponent=opponent, seed=seed) + more


def study(game: str, folder: Path, jobs: int) -> Facts:
    """Run a game's study; Kalah's searches too."""
    search_too = SEARCH.format(start="fit", sampler="clop") if game == "kalah" else ""
    (folder / "study.toml").write_text(settings(game, search_too), encoding="utf-8")
    tunesmith("run", folder / "study.toml", "--out", folder / "out", "--jobs", jobs)
    return told_by_study(folder / "out")


def told_by_study(root: Path) -> Facts:
    """Return what a finished study has found."""
    verdict, path = read(root / "verdict.json"), read(root / "generations.json")["path"]
    found: Facts = {"verdict": numbers(verdict, "outcome", "decision", "candidate")}
    found["chosen"] = read(root / "generations.json")["chosen"]
    found["gain"] = numbers(verdict["gain"], "elo", "elo_low", "elo_high", "nelo", "games")
    for number, step in enumerate(path, 1):
        fit = read(root / "fit" / f"gen-{number}.json")
        check = step["check"]
        found |= {
            f"games of generation {number}": games_of(root / "games" / f"gen-{number}"),
            f"fit {number}": numbers(fit, "games", "rows", "ridge", "loss"),
            f"weights {number}": read(root / "weights" / f"gen-{number}.json")["digest"],
            f"games of check {number}": games_of(root / "check" / f"gen-{number}"),
            f"check {number}": numbers(check, "counts", "estimate") | {"kept": step["is_kept"]},
        }
    for one in verdict["runs"]:
        found[f"games of {one['name']}"] = games_of(root / "verify" / one["name"])
        found[one["name"]] = numbers(one, "counts", "elo", "half_width", "decision")
        if test := one["after_test"]:
            found[f"{one['name']} after the test"] = numbers(test, "elo", "elo_low", "elo_high", "los")
    return found | (told_by_search(root) if (root / "search").is_dir() else {})


def told_by_search(root: Path) -> Facts:
    """Return what a search by playing has found: its trials, and what it recommends."""
    lines = (root / "search" / "trials.jsonl").read_text(encoding="utf-8").splitlines()
    result = read(root / "search" / "result.json")
    return {
        "trials": [numbers(json.loads(line), "state", "setting", "counts") for line in lines],
        "games of trials": games_of(root / "search"),
        "recommended": numbers(result, "setting", "estimate", "gain"),
        "recommended weights": read(root / "weights" / "search.json")["digest"],
    }


def search(folder: Path, jobs: int) -> Facts:
    """Search Kalah's options with each sampler."""
    found: Facts = {}
    for sampler in SAMPLERS:
        path, out = folder / f"{sampler}.toml", folder / sampler
        path.write_text(settings("kalah", SEARCH.format(start="baseline", sampler=sampler)), encoding="utf-8")
        tunesmith("search", path, "--out", out, "--jobs", jobs)
        found |= {f"{sampler}: {name}": value for name, value in told_by_search(out).items()}
    return found


def gauntlet(folder: Path, jobs: int) -> Facts:
    """Rate five players of Kalah."""
    words = (
        "--pairs",
        4,
        "--plies",
        8,
        "--limit",
        "nodes:30",
        "--resamples",
        200,
        "--jobs",
        jobs,
        "--out",
        folder,
        "--json",
    )
    told = json.loads(tunesmith("gauntlet", "kalah", *CONTESTANTS, *words))
    fields = ("digest", "elo", "low", "high", "games", "score")
    players = {one["name"]: numbers(one, *fields) for one in told["players"]}
    counts = {f"{one['first']} - {one['second']}": one["counts"] for one in told["pairings"]}
    return players | counts | {"games": games_of(folder)}


def ladder(folder: Path, jobs: int) -> Facts:
    """Climb three rungs in Kalah."""
    path, out = folder / "ladder.toml", folder / "out"
    path.write_text(LADDER, encoding="utf-8")
    told = json.loads(tunesmith("ladder", path, "--out", out, "--jobs", jobs, "--json"))
    fields = ("elo", "elo_low", "elo_high", "nelo")
    rows = {one["rung"]: numbers(one, "counts") | numbers(one["estimate"], *fields) for one in told["rows"]}
    return rows | {"games": games_of(out)}


def table(folder: Path, jobs: int) -> Facts:
    """Fit a table of made-up positions: as it is, out of core, and with wishes."""
    del jobs  # a fit has no workers
    with (folder / "table.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(positions(random.Random(1)))
    found = {}
    for name, wishes in {"plain": [], "out of core": ["--out-of-core"], "with wishes": WISHES}.items():
        told = json.loads(tunesmith("fit", folder / "table.csv", "--no-compare", *wishes, "--json"))
        rows = {one["feature"]: numbers(one, "after", "error", "status") for one in told["weights"]}
        found[name] = numbers(told, "rows", "games", "ridge", "loss", "unit") | {"weights": rows}
    return found


def positions(luck: random.Random) -> list[list[Any]]:
    """Return a table with its header: 600 games of four positions each, whose weights are TRUE."""
    rows: list[list[Any]] = [["game", *TRUE, "result_mover"]]
    for game in range(600):
        ahead = luck.gauss(0, 0.6)
        for _ in range(4):
            shown = [round(ahead + luck.gauss(0, 0.5)), round(luck.gauss(0, 0.5)), round(luck.gauss(0, 0.4)),
                     luck.randint(-2, 2), int(luck.random() < 0.05)]  # fmt: skip
            elo = 20 + sum(worth * n for worth, n in zip(TRUE.values(), shown, strict=True))
            chance, drawn = 1 / (1 + 10 ** (-elo / 400)), luck.random()
            half = 0.3 * min(chance, 1 - chance)
            rows.append([game, *shown, 1 if drawn < chance - half else 0.5 if drawn < chance + half else 0])
    return rows


def agents(folder: Path, jobs: int) -> Facts:
    """Let the exported agent of each game play itself from the start: all its moves."""
    del jobs  # an agent is one process
    found = {}
    for game in STUDIES:
        tunesmith("agent", game, "--out", folder / game, "--limit", "nodes:30")
        start, moves = json.loads(tunesmith("probe", game, "--json"))["state"], list[str]()
        call = [sys.executable, "-I", "-S", str(folder / game)]
        for _ in range(AGENT_PLIES):
            question = " ".join(["state", start, *(["moves"] if moves else []), *moves])
            answer = subprocess.run(call, input=question, capture_output=True, text=True, check=True).stdout
            if not answer.startswith("move "):  # the game is over
                break
            moves.append(answer.removeprefix("move ").strip())
        found[game] = " ".join(moves)
    return found


def exports(folder: Path, jobs: int) -> Facts:
    """Export hand-made weights plainly: the numbers of JSON and CSV, and what the Python function gives."""
    del jobs
    found: Facts = {}
    for game in STUDIES:
        text = {to: tunesmith("weights", "export", f"{game}/hand", "--to", to) for to in EXPORTS}
        plain: Facts = json.loads(text["json"])
        rows = list(csv.DictReader(io.StringIO(text["csv"])))
        module: Facts = {}
        exec(text["python"], module)
        shares = [1 / len(plain["stages"])] * len(plain["stages"])
        values = [at % 7 - 3 for at in range(len(plain["features"]))]
        found[f"{game}: json"] = digest([plain[name] for name in ("features", "stages", "scale", "weights")])
        found[f"{game}: csv"] = digest([[row["stage"], row["feature"], float(row["weight"])] for row in rows])
        found[f"{game}: python"] = module[f"{game}_evaluate"](values, shares)
    return found


PARTS: dict[str, Callable[[Path, int], Facts]] = {game: partial(study, game) for game in STUDIES}
PARTS |= {part.__name__: part for part in (search, gauntlet, ladder, table, agents, exports)}


# --- then and now


def differences(recorded: Any, now: Any, name: str) -> list[str]:
    """List what differs, a line each: its name, what is recorded, what it is now."""
    if recorded == now:
        return []
    if isinstance(recorded, dict) and isinstance(now, dict):
        keys = [*recorded, *(key for key in now if key not in recorded)]
        parts = [differences(recorded.get(key), now.get(key), f"{name}, {key}") for key in keys]
        return [line for part in parts for line in part]
    return [f"{name}: recorded {json.dumps(recorded)}, now {json.dumps(now)}"]


def main(arguments: list[str] | None = None) -> int:
    """Calculate the parts anew and compare or record them; return the exit code."""
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="record the numbers instead of comparing them")
    parser.add_argument("--record", type=Path, default=RECORD, help="the file of recorded numbers")
    given = parser.parse_args(arguments)
    if unknown := sorted({*given.parts} - {*PARTS}):
        parser.error(f"PART: expected one of {', '.join(PARTS)}, found {', '.join(unknown)}")
    recorded = read(given.record) if given.record.is_file() else {}
    different: list[str] = []
    for name in given.parts or PARTS:
        start = time.perf_counter()
        with tempfile.TemporaryDirectory(prefix="tunesmith-") as folder:
            now = PARTS[name](Path(folder), given.jobs)
        found = differences(recorded.get(name), now, name)
        different += found
        recorded[name] = now
        print(f"{name}: {len(found)} differ of {len(now)}, {time.perf_counter() - start:.0f} s", flush=True)
    print("\n".join(different or ["all numbers are the recorded ones"]))
    if given.write:
        text = json.dumps({name: recorded[name] for name in PARTS if name in recorded}, indent=1)
        given.record.write_text(f"{text}\n", encoding="utf-8")
        return 0
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
