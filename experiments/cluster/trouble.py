"""Are games, trials and weights those of one machine, whoever is killed?

Each row is a command that runs on a cluster of this machine, in processes of their own, while something happens to it:
a worker, the scheduler or the command itself is killed (kill -9) once it has written its first games, a worker with
other code is there or joins, or the network is slow. Then its files are compared with those of an undisturbed
run without a cluster, byte for byte."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tunesmith.experiments.cluster.relay import Relay
from tunesmith.experiments.proofs._dask import Cluster, cluster
from tunesmith.tuning.play.cluster import connect

LONGEST = 600.0  # seconds that a command, or what happens to it, may take
TIMED = {
    ".lock",
    "history.jsonl",
    "journal.log",
    "report.html",
}  # files that hold times, paths or process numbers
OTHER_CODE = "from tunesmith.engine import source\nsource.engine_digest = lambda: 'other'\n"

SEARCH = """name = "trials"
game = "kalah"
openings = { plies = 6 }
[search]
trials = 12
start = "baseline"
limit = "nodes:100"
pairs = 10
pilot = 4
sampler = "clop"
at_once = 4
space = { aspiration = { low = 0, high = 200, step = 10 }, futility = { low = 0, high = 400, step = 50 }, pvs = {} }
"""


@dataclass(frozen=True)
class Effort:
    """How much is played: pairs of a selfplay and their limit, and which numbers of workers search."""

    pairs: int = 200
    limit: str = "nodes:300"
    search: str = SEARCH
    workers: tuple[int, ...] = (1, 2, 4)


@dataclass
class Trouble:
    """What happened, and what came of it: whether all files are the same, and what the command said of it."""

    what: str
    files: int
    is_same: bool
    seconds: float
    said: str = ""


def command(words: Sequence[str], folder: Path, *more: str) -> list[str]:
    """Return a whole command line that writes to a folder."""
    return [sys.executable, "-m", "tunesmith.tuning.cli", *words, "--out", str(folder), *more]


def on(address: str) -> tuple[str, ...]:
    """Return the options for a cluster."""
    return "--backend", "dask", "--scheduler", address


def finish(words: Sequence[str], folder: Path, *more: str, code: int = 0) -> str:
    """Run a command to its end; return what it says to people. RuntimeError: it ended with another code."""
    call = command(words, folder, *more)
    done = subprocess.run(call, capture_output=True, text=True, check=False, timeout=LONGEST)
    if done.returncode != code:
        raise RuntimeError(f"{' '.join(call)}: exit code {done.returncode}\n{done.stderr}")
    return done.stderr


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder, by name, that say nothing of times and paths."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name not in TIMED)
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def start(words: Sequence[str], folder: Path, *more: str) -> subprocess.Popen[str]:
    """Start a command; what it says to people can be read."""
    call = command(words, folder, *more)
    return subprocess.Popen(call, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)


def begin(words: Sequence[str], folder: Path, *more: str) -> subprocess.Popen[str]:
    """Start a command, and return when it has written its first games."""
    process = start(words, folder, *more)
    wait(lambda: any(folder.rglob("shard-*.parquet")), process)
    return process


def wait(is_there: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Wait until something has happened while a command runs. RuntimeError: the command has ended before."""
    end = time.monotonic() + LONGEST
    while not is_there():
        if process.poll() is not None or time.monotonic() > end:
            process.kill()
            raise RuntimeError(f"it was not to be over yet\n{process.communicate()[1]}")
        time.sleep(0.02)


class Proving:
    """Runs the rows of a table below a folder."""

    def __init__(self, root: Path, effort: Effort) -> None:
        self._root, self._effort = root, effort
        self._play = (
            "selfplay",
            "kalah",
            "--pairs",
            str(effort.pairs),
            "--limit",
            effort.limit,
            "--seed",
            "1",
        )
        (root / "trials.toml").write_text(effort.search)
        self._search = ("search", str(root / "trials.toml"))
        self._n = 0
        self._here = self._folder()
        finish(self._play, self._here, "--jobs", "2")

    def _folder(self) -> Path:
        self._n += 1
        return self._root / f"games-{self._n}"

    def _cluster_folder(self) -> Path:
        found = self._root / f"cluster-{self._n}"
        found.mkdir()
        return found

    def _row(self, what: str, began: float, there: Path, here: Path, said: str = "") -> Trouble:
        ours, theirs = contents(there), contents(here)
        return Trouble(what, len(theirs), ours == theirs, time.monotonic() - began, of_dask(said))

    def undisturbed(self, n_workers: int) -> Trouble:
        """Nothing happens."""
        folder, began = self._folder(), time.monotonic()
        with cluster(self._cluster_folder(), n_workers, "--no-nanny") as there:
            finish(self._play, folder, *on(there.address))
        return self._row(f"games, {n_workers} worker(s)", began, folder, self._here)

    def disturbed(self, what: str, happens: Callable[[Cluster], Any], is_left: bool = False) -> Trouble:
        """Something happens to a cluster of two workers, or to the command, which then `is_left` to run again."""
        folder, began = self._folder(), time.monotonic()
        with cluster(self._cluster_folder(), 2, "--no-nanny") as there:
            process = begin(self._play, folder, *on(there.address))
            if is_left:
                process.send_signal(signal.SIGKILL)
                process.communicate()
                finish(self._play, folder, *on(there.address))
                return self._row(what, began, folder, self._here)
            happens(there)
            said = process.communicate(timeout=LONGEST)[1]
            if process.returncode:
                raise RuntimeError(f"{what}: exit code {process.returncode}\n{said}")
        return self._row(what, began, folder, self._here, said)

    def refused(self) -> Trouble:
        """A worker with other code is there before the command begins: nothing is played, and the worker is named."""
        folder, began = self._folder(), time.monotonic()
        with cluster(self._cluster_folder(), 1, "--no-nanny") as there:
            self.join_other(there)
            connect(there.address).wait_for_workers(2, timeout=LONGEST)
            said = finish(self._play, folder, *on(there.address), code=2)
        is_empty = not any(folder.rglob("*.parquet"))
        seconds = time.monotonic() - began
        return Trouble("a worker with other code is there", 0, is_empty, seconds, of_dask(said))

    def join_other(self, there: Cluster) -> None:
        """Let a worker join whose engine is another."""
        shadow = self._root / "other"
        shadow.mkdir(exist_ok=True)
        (shadow / "sitecustomize.py").write_text(OTHER_CODE)
        there.add(PYTHONPATH=str(shadow))

    def other_joins(self, there: Cluster) -> None:
        """Let a worker with other code join, and wait until it is told to leave."""
        self.join_other(there)
        there.workers[-1].wait(timeout=LONGEST)

    def slow(self, delay: float) -> Trouble:
        """The command and the workers reach the scheduler by a slow network."""
        folder, began = self._folder(), time.monotonic()
        with (
            cluster(self._cluster_folder(), 0, "--no-nanny") as there,
            Relay(there.address, delay) as relay,
        ):
            for _ in range(2):
                there.add(address=relay.address)
            finish(self._play, folder, *on(relay.address))
        return self._row(f"a network of {1000 * delay:.0f} ms each way", began, folder, self._here)

    def searches(self) -> list[Trouble]:
        """Search with several numbers of workers: the same trials, and what follows from them."""
        here, found = self._folder(), []
        finish(self._search, here, "--jobs", "2")
        for n_workers in self._effort.workers:
            folder, began = self._folder(), time.monotonic()
            with cluster(self._cluster_folder(), n_workers, "--no-nanny") as there:
                connect(there.address).wait_for_workers(n_workers, timeout=LONGEST)
                finish(self._search, folder, *on(there.address))
            found.append(self._row(f"a search, {n_workers} worker(s)", began, folder, here))
        return found


def of_dask(said: str) -> str:
    """Return the last line that speaks of the cluster."""
    lines = [line.removeprefix("tunesmith: ") for line in said.splitlines()]
    return next((line for line in reversed(lines) if "Dask" in line or line.startswith("worker tcp")), "")


def kill_worker(there: Cluster) -> None:
    """Kill a worker."""
    there.workers[0].send_signal(signal.SIGKILL)


def restart_scheduler(there: Cluster) -> None:
    """Kill the scheduler, and start it and workers again."""
    there.kill_scheduler()
    there.revive()


def prove(root: Path, effort: Effort, tell: Callable[[Trouble], Any]) -> list[Trouble]:
    """Let everything happen, one after the other; `tell` hears of each row."""
    proving, rows = Proving(root, effort), list[Trouble]()

    def note(*new: Trouble) -> None:
        for row in new:
            tell(row)
            rows.append(row)

    for n_workers in effort.workers[:2]:
        note(proving.undisturbed(n_workers))
    note(proving.disturbed("a worker is killed", kill_worker))
    note(proving.disturbed("the scheduler is killed and started again", restart_scheduler))
    note(proving.disturbed("the command is killed and run again", lambda _: None, is_left=True))
    note(proving.disturbed("a worker with other code joins", proving.other_joins))
    note(proving.refused())
    note(proving.slow(0.1))
    note(*proving.searches())
    return rows
