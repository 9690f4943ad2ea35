"""Is a search that commands share in PostgreSQL whole, whoever is killed, whatever goes away?

    python -m tunesmith.experiments.cluster.database --out experiments/results/shared-search.json

Each row is a search by two commands, with a folder each, in a database of its own on this machine. In the end all
trials have to be told, no more than were asked for, and both folders have to recommend the same."""

import argparse
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tunesmith.experiments.bench import machine
from tunesmith.experiments.cluster.trouble import LONGEST, SEARCH, start, wait
from tunesmith.experiments.questions.page import markdown
from tunesmith.tuning.files import read_lines, read_object, write_json

LONG_TRIALS = SEARCH.replace('"nodes:100"', '"nodes:20000"')  # some seconds, so that a kill meets some
COMMAND = "python -m tunesmith.experiments.cluster.database --out experiments/results/shared-search.json"


class NoServerError(RuntimeError):
    """PostgreSQL's programs are not installed."""


def program(name: str) -> str:
    """Find a program of PostgreSQL on PATH or where Debian keeps it."""
    places = [shutil.which(name), *sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))]
    found = next((str(place) for place in places if place), None)
    if found is None:
        raise NoServerError(f"PostgreSQL's {name} is not installed")
    return found


@dataclass(frozen=True)
class Server:
    """A server that listens on this machine only; it refuses to run as root, so root lends it to `nobody`."""

    address: str
    command: Sequence[str]  # `pg_ctl` but for what it is to do

    def ask(self, *words: str) -> None:
        """Start or stop it."""
        call = [*self.command, *words]
        subprocess.run(call, check=True, stdout=subprocess.DEVNULL, cwd="/", timeout=120)


@contextmanager
def postgres() -> Iterator[Server]:
    """Start a server with an empty database. NoServerError: it is not installed."""
    pg_ctl, initdb = program("pg_ctl"), program("initdb")
    home = Path(tempfile.mkdtemp(prefix="tunesmith-postgres-"))
    data = home / "data"
    as_other: list[str] = []
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        shutil.chown(home, "nobody")
        as_other = ["runuser", "-u", "nobody", "--"]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"
    make = [initdb, "-D", str(data), "-U", "tuner", "-A", "trust", "--no-sync"]
    subprocess.run([*as_other, *make], check=True, stdout=subprocess.DEVNULL, cwd="/", timeout=120)
    control = [*as_other, pg_ctl, "-D", str(data), "-o", options, "-l", str(data / "log"), "-w"]
    made = Server(f"postgresql+psycopg://tuner:geheim@127.0.0.1:{port}/postgres", control)
    made.ask("start")
    try:
        yield made
    finally:
        if (data / "postmaster.pid").exists():
            made.ask("-m", "immediate", "stop")
        shutil.rmtree(home)


@dataclass
class Shared:
    """What came of a search: trials told, and asked for; whether both folders recommend the same."""

    what: str
    told: int
    asked: int
    is_same: bool
    seconds: float
    said: str

    @property
    def is_whole(self) -> bool:
        """Whether nothing is missing, nothing is too much, and all agree."""
        return self.told == self.asked and self.is_same


def share(root: Path, what: str, happens: str = "", study: str = LONG_TRIALS) -> Shared:
    """Search by two commands at once; `happens`: the first is `killed`, or the server is `restarted`."""
    root.mkdir(parents=True)
    (root / "trials.toml").write_text(study)
    words, began = ("search", str(root / "trials.toml"), "--jobs", "1"), time.monotonic()
    with postgres() as server:
        there = ("--storage", server.address)
        both = [start(words, root / name, *there) for name in "ab"]
        if happens:
            wait(
                lambda: _n_told(root / "a") > 1, both[0]
            )  # the first is the start, of which no game is played
        if happens == "killed":
            both[0].send_signal(signal.SIGKILL)
        elif happens == "restarted":
            server.ask("-m", "immediate", "stop")
            time.sleep(1.0)
            server.ask("start")
        said = [one.communicate(timeout=LONGEST)[1] for one in both]
        if happens == "killed":
            both[0] = start(words, root / "a", *there)
            said[0] = both[0].communicate(timeout=LONGEST)[1]
    if failed := [text for one, text in zip(both, said, strict=True) if one.returncode]:
        raise RuntimeError(f"{what}: a command failed\n{failed[0]}")
    results = [read_object(root / name / "search" / "result.json") or {} for name in "ab"]
    return Shared(
        what,
        results[0]["trials"]["complete"],
        12,
        results[0] == results[1],
        time.monotonic() - began,
        of_others("\n".join(said)),
    )


def _n_told(folder: Path) -> int:
    log = folder / "search" / "trials.jsonl"
    return len(read_lines(log)) if log.is_file() else 0


def of_others(said: str) -> str:
    """Return the first line that speaks of other commands' trials, or of a server that is away, without its address."""
    for line in said.splitlines():
        if "that others play" in line or ": away" in line:
            return line[line.find("waiting for") :].partition(";")[0].partition(" (")[0].strip()
    return ""


def page(found: dict[str, Any]) -> str:
    """Return the page of what was measured."""
    rows = [
        (
            row["what"],
            f"{row['told']} of {row['asked']}",
            "yes" if row["is_same"] else "NO",
            f"{row['seconds']:.0f} s",
            row["said"],
        )
        for row in found["rows"]
    ]
    own = found["machine"]
    lines = [
        "# A search that commands share",
        "",
        "Two commands search in one database (PostgreSQL), each with a folder of its own, on one machine. Kills are",
        "kill -9, once a trial is told; what a dead command had in flight is given up after 300 s without a sign of",
        "life and played by the other, and the dead one's command is then run again.",
        "",
        *markdown(
            ("what happens", "trials told", "both recommend the same", "time", "what a command says"), rows
        ),
        "",
        f"Written by `{COMMAND}` at commit {own.get('commit') or 'unknown'}, on {own['cores']} cores.",
    ]
    return "\n".join(lines) + "\n"


CASES = (
    ("nothing; both start on an empty database", ""),
    ("the server is stopped and started again after a second", "restarted"),
    ("the first command is killed with trials in flight", "killed"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; exit code 1 if a search is not whole, 2 without PostgreSQL."""
    parser = argparse.ArgumentParser(
        prog="python -m tunesmith.experiments.cluster.database", description=__doc__
    )
    parser.add_argument("--out", type=Path, help="JSON file for the figures; its page is written too")
    options = parser.parse_args(arguments)
    found: dict[str, Any] = {"machine": {**machine.describe(), "commit": machine.commit()}, "rows": []}
    with tempfile.TemporaryDirectory(prefix="tunesmith-") as scratch:
        for number, (what, happens) in enumerate(CASES):
            try:
                row = share(Path(scratch) / str(number), what, happens)
            except NoServerError as error:
                parser.error(str(error))
            print(f"{what}: {row.told} of {row.asked} trials, {'whole' if row.is_whole else 'NOT WHOLE'}")
            found["rows"].append({**asdict(row), "is_whole": row.is_whole})
    if options.out:
        write_json(options.out, found, stands_alone=True)
        options.out.with_suffix(".md").write_text(page(found), encoding="utf-8")
    return int(not all(row["is_whole"] for row in found["rows"]))


if __name__ == "__main__":
    sys.exit(main())
