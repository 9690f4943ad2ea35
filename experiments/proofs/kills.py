"""Does a command that is killed again and again leave what an undisturbed one leaves?

Small jobs of `run`, `search`, `gauntlet` and `uci` are ended so many times each, by kill -9 and other signals, of the
process alone or with all it started, and continued with the same command; on a Dask cluster the workers are killed
while the command goes on. Each end comes at a counted moment, drawn from the seed: after so many files written and so
many functions called. All files have to be the same as those of an undisturbed run, but for locks and pages (which
name the folder); of a search, which asks for other settings after a break, the trials up to the first kill, the games
of settings that both have tried, and the log, which follows Optuna's storage. No process may be left. Exit code 1
otherwise.

    python -m tunesmith.experiments.proofs.kills --kills 20          a quarter of an hour
    python -m tunesmith.experiments.proofs.kills --kills 20 --write     record what was found"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tunesmith.experiments.proofs._dask import cluster
from tunesmith.experiments.proofs._dying import VICTIMS, living, played_for, started
from tunesmith.experiments.proofs.same_numbers import settings

RECORD = Path(__file__).parents[1] / "results" / "kills.json"
ENDS = [  # the signal, and whether the whole group gets it
    (signal.SIGKILL, False),
    (signal.SIGKILL, True),
    (signal.SIGINT, True),
    (signal.SIGKILL, False),
    (signal.SIGTERM, False),
    (signal.SIGKILL, True),
    (signal.SIGHUP, True),
]
CALLS = 400  # of functions in a life's last moments
LONGEST = 900  # seconds that a command may take at the busiest
OTHERS = (
    ".lock",
    ".html",
    ".log",
    ".cut",
)  # files that may differ: they hold process numbers, paths, what was cut

TRIALS = 16
SEARCH = f"""name = "kills"
game = "kalah"
openings = {{ plies = 6, max_score = 400.0 }}
[search]
trials = {TRIALS}
start = "baseline"
sampler = "clop"
limit = "nodes:60"
pairs = 12
pilot = 8
space = {{ quiescence = {{ low = 0, high = 6 }}, reductions = {{ low = 0, high = 8 }}, scale = {{}} }}
"""
ENGINES = """name = "kills"
limit = "depth:1"
move_cap = 60
pairs = 24
openings = {{ plies = 6 }}
[[engine]]
command = '"{python}" engine.py 1'
dir = "."
[[engine]]
command = '"{python}" engine.py 2'
dir = "."
"""
ENGINE = """import sys  # plays legal moves chosen by a hash
import zlib

import chess

board = chess.Board()
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print(f"id name hash {sys.argv[1]}\\nuciok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "position":
        at = words.index("moves") if "moves" in words else len(words)
        board = chess.Board(" ".join(words[2:at]))
        for text in words[at + 1 :]:
            board.push_uci(text)
    elif words[0] == "go":
        key = lambda move: zlib.crc32(f"{sys.argv[1]} {board.fen()} {move}".encode())
        print(f"bestmove {max(board.legal_moves, key=key)}", flush=True)
"""
NEEDED = {"engines": "chess", "dask": "distributed"}  # packages
CONTESTANTS = ("hand", "hand-1", "hand-5", "greedy")


@dataclass
class Found:
    """What came of one kind of command."""

    kills: int = 0
    lives: int = 0
    files: int = 0
    left: int = 0
    faults: list[str] = field(default_factory=list)
    seconds: float = 0.0


@dataclass(frozen=True)
class Job:
    """A command to be killed: its words but for the folder, and how many writes a life may take at most."""

    words: tuple[str, ...]
    writes: int
    compare: Callable[[Path, Path], list[str]]

    def command(self, folder: Path, jobs: int = 2) -> list[str]:
        """Return the whole command line."""
        return [*self.words, "--out", str(folder), *(["--jobs", str(jobs)] if jobs else [])]


# --- what is compared


def digests(folder: Path) -> dict[str, str]:
    """Return a digest of each file below a folder; the order of lines of a growing file says who was faster."""
    found = {}
    for path in sorted(
        path for path in folder.rglob("*") if path.is_file() and not {path.suffix, path.name} & set(OTHERS)
    ):
        content = path.read_bytes()
        if path.name == "games.jsonl":
            content = b"".join(sorted(content.splitlines(keepends=True)))
        found[str(path.relative_to(folder))] = hashlib.sha256(content).hexdigest()
    return found


def differing(undisturbed: Path, killed: Path) -> list[str]:
    """Name the files that are not the same."""
    a, b = digests(undisturbed), digests(killed)
    return sorted(name for name in a.keys() | b.keys() if a.get(name) != b.get(name))


def trials_of(folder: Path) -> list[dict[str, Any]]:
    """Return the trials that a search's log holds; a line that a kill has cut is none."""
    path = folder / "search" / "trials.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.is_file() else []
    return [json.loads(line) for line in lines if line.endswith("\n")]


def search_faults(undisturbed: Path, killed: Path) -> list[str]:
    """Compare the games of settings that both searches have tried, and the log with the storage."""
    import optuna
    from optuna.storages import JournalStorage
    from optuna.storages.journal import JournalFileBackend

    a, b = digests(undisturbed), digests(killed)
    games = [name for name in a.keys() & b.keys() if name.endswith(".parquet")]
    found = [name for name in games if a[name] != b[name]]
    rows = trials_of(killed)
    storage = JournalStorage(JournalFileBackend(str(killed / "search" / "journal.log")))
    (study,) = optuna.get_all_study_names(storage)
    told = [
        (trial.number, trial.state.name, trial.user_attrs.get("counts"))
        for trial in optuna.load_study(study_name=study, storage=storage).trials
        if trial.state.is_finished()
    ]
    if told != sorted((row["number"], row["state"], row.get("counts")) for row in rows):
        found.append("trials.jsonl does not say what the storage says")
    counted = [row for row in rows if not row.get("ghost")]
    if len(counted) != TRIALS:
        found.append(f"{len(counted)} trials count instead of {TRIALS}")
    return found


# --- lives and deaths


def finish(command: list[str]) -> None:
    """Run a command to its end."""
    done = subprocess.run(
        [sys.executable, "-m", "tunesmith.tuning.cli", *command],
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"tunesmith {' '.join(command)}: exit code {done.returncode}\n{done.stderr}")


def die(command: list[str], folder: Path, job: Job, rng: random.Random, at: int) -> tuple[bool, int]:
    """Run a command until it is killed; return whether it was, and how many processes it left behind."""
    number, is_for_all = ENDS[at % len(ENDS)]
    writes, calls = rng.randrange(1, job.writes + 1), rng.randrange(1, CALLS)
    process = started(number, is_for_all, writes, f"{folder}/*", calls, *command)
    out, errors = process.communicate(timeout=LONGEST)
    if process.returncode not in (0, 130, *(-end for end, _ in ENDS)):
        raise SystemExit(f"{command}: exit code {process.returncode}\n{errors}")
    return "workers" in out.split(), left(played_for(out))


def left(processes: list[int]) -> int:
    """Return how many of some processes are still there when they have had time to end."""
    end = time.monotonic() + 60
    while living().keys() & {*processes} and time.monotonic() < end:
        time.sleep(0.05)
    return len(living().keys() & {*processes})


@contextmanager
def beside_undisturbed(job: Job, root: Path) -> Iterator[tuple[Path, Found]]:
    """Run a command to its end; give its folder, and what the block fills in of those that are killed."""
    start, found = time.monotonic(), Found()
    undisturbed = root / "undisturbed"
    finish(job.command(undisturbed))
    found.files = len(digests(undisturbed))
    yield undisturbed, found
    found.faults, found.seconds = list(dict.fromkeys(found.faults)), time.monotonic() - start


def killed(job: Job, root: Path, kills: int, rng: random.Random) -> Found:
    """Kill a command again and again, a folder after the other, and compare each with the undisturbed one."""
    with beside_undisturbed(job, root) as (undisturbed, found):
        while found.kills < kills:
            folder = root / f"killed-{found.lives}"
            is_first = True
            while found.kills < kills:
                found.lives += 1
                was_killed, n_left = die(job.command(folder), folder, job, rng, found.kills)
                found.left += n_left
                if not was_killed:
                    break
                found.kills += 1
                if is_first and job.compare is search_faults:
                    found.faults += differs_early(undisturbed, folder)
                is_first = False
            finish(job.command(folder))
            found.faults += job.compare(undisturbed, folder)
    return found


def differs_early(undisturbed: Path, folder: Path) -> list[str]:
    """Compare the trials up to the first kill."""
    before = trials_of(folder)
    return [] if before == trials_of(undisturbed)[: len(before)] else ["trials up to the first kill"]


def killed_workers(job: Job, root: Path, kills: int, rng: random.Random) -> Found:
    """Kill workers of a Dask cluster while a command plays on it."""
    with beside_undisturbed(job, root) as (undisturbed, found), cluster(root, 2, "--no-nanny") as there:
        while found.kills < kills:
            folder = root / f"killed-{found.lives}"
            found.lives += 1
            command = [*job.command(folder, 0), "--backend", "dask", "--scheduler", there.address]
            writes = rng.randrange(1, job.writes + 1)
            process = started(
                signal.SIGKILL, False, writes, f"{folder}/*", 0, *command, **{VICTIMS: str(there.started)}
            )
            while process.poll() is None:
                found.kills += there.revive()
                time.sleep(0.05)
            if process.returncode:
                raise SystemExit(f"tunesmith {' '.join(command)}: exit code {process.returncode}")
            found.left += left(played_for(process.communicate()[0]))
            found.kills += there.revive()
            found.faults += job.compare(undisturbed, folder)
    return found


# --- the kinds


def jobs_of(root: Path) -> dict[str, Job]:
    """Write what the commands read; return the commands by kind."""
    (root / "study.toml").write_text(settings("kalah"))
    (root / "search.toml").write_text(SEARCH)
    (root / "engines.toml").write_text(ENGINES.format(python=sys.executable))
    (root / "engine.py").write_text(ENGINE)
    quick = ("--limit", "nodes:60", "--plies", "6", "--hash", "1")
    return {
        "run": Job(("run", str(root / "study.toml")), 12, differing),
        "search": Job(("search", str(root / "search.toml")), 40, search_faults),
        "gauntlet": Job(("gauntlet", "kalah", *CONTESTANTS, "--pairs", "40", *quick), 8, differing),
        "engines": Job(("engines", str(root / "engines.toml")), 6, differing),
        "dask": Job(("selfplay", "kalah", "--pairs", "200", *quick), 3, differing),
    }


def prove(kinds: list[str], kills: int, seed: int, is_recorded: bool) -> dict[str, Found]:
    """Kill each kind of command so many times."""
    found = dict[str, Found]()
    for kind in kinds:
        if kind in NEEDED and find_spec(NEEDED[kind]) is None:
            print(f"{kind}: left out: a package is missing")
            continue
        with tempfile.TemporaryDirectory(prefix="tunesmith-kills-") as scratch:
            root = Path(scratch).resolve()
            job, rng = jobs_of(root)[kind], random.Random(f"{seed} {kind}")
            one = found[kind] = (killed_workers if kind == "dask" else killed)(job, root, kills, rng)
            said = "all the same" if not one.faults else f"DIFFERENT: {', '.join(one.faults)}"
            print(
                f"{kind}: {one.kills} kills in {one.lives} lives, {one.files} files {said}; processes left "
                f"{one.left}; {one.seconds:.0f} s",
                flush=True,
            )
            if is_recorded:
                record(kind, one, kills, seed)
    return found


def record(kind: str, one: Found, kills: int, seed: int) -> None:
    """Write what was found beside what was recorded of other kinds."""
    known = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.is_file() else {}
    command = f"python -m tunesmith.experiments.proofs.kills {kind} --kills {kills} --seed {seed}"
    known[kind] = {"command": command, **vars(one), "seconds": round(one.seconds)}
    RECORD.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Kill and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kinds = ("run", "search", "gauntlet", "engines", "dask")
    parser.add_argument("kinds", nargs="*", choices=[*kinds, []], default=[])
    parser.add_argument("--kills", type=int, default=20, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help=f"write {RECORD.name}")
    wanted = parser.parse_args(arguments)
    if os.name != "posix" or not Path("/proc/self/stat").exists():
        raise SystemExit("kills: needs signals and /proc")
    found = prove(wanted.kinds or list(kinds), wanted.kills, wanted.seed, wanted.write)
    return int(any(one.faults or one.left for one in found.values()))


if __name__ == "__main__":
    raise SystemExit(main())
