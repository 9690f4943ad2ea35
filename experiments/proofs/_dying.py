"""Commands that are ended at a moment that is counted, not timed, to see what a stop leaves behind.

`python -m tunesmith.experiments.proofs._dying NUMBER GROUP WRITES PATTERN CALLS COMMAND...` runs a command of tunesmith
until it has put in place, or added to, so many files whose paths fit the pattern, and then called so many functions,
anywhere in our code or in others'. Then it says which processes play for it, and gets the signal NUMBER, by itself
or (GROUP is 1) with its group. With `TUNESMITH_VICTIMS`, a file of process numbers, the last of these gets the signal
instead, again and again after so many writes: a worker of a cluster."""

from __future__ import annotations

import contextlib
import fnmatch
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from tunesmith.tuning import cli

VICTIMS = "TUNESMITH_VICTIMS"


def living() -> dict[int, int]:
    """Return the parent of each process that runs, by numbers; one that waits to be collected does not run."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            state, parent, *_ = path.read_text().rpartition(")")[2].split()
            if state != "Z":
                parents[int(path.parent.name)] = int(parent)
    return parents


def workers(parent: int) -> list[int]:
    """Return the numbers of the processes that play for `parent`."""
    found = []
    for number, above in living().items():
        with contextlib.suppress(OSError):
            if above == parent and b"popen_loky" in Path(f"/proc/{number}/cmdline").read_bytes():
                found.append(number)
    return found


def descendants(parent: int) -> list[int]:
    """Return the numbers of all processes below `parent`: those that play, and the engines that play for them."""
    parents = living()
    found = [parent]
    for one in found:
        found += [number for number, above in parents.items() if above == one]
    return found[1:]


def after_calls(number: int, is_for_group: int, calls: int) -> None:
    """Send a signal when this thread has called so many functions from now on."""
    left = calls

    def count(frame: object, event: str, _: object) -> None:
        nonlocal left
        left -= event == "call"
        if left == 0:
            print("workers", *descendants(os.getpid()), flush=True)
            (os.killpg if is_for_group else os.kill)(os.getpid(), number)

    sys.setprofile(count)


def kill_last(path: Path, number: int) -> None:
    """Send a signal to the last process that a file names, if it has not been sent to that one."""
    numbers = path.read_text().split()
    if numbers and numbers[-1] != "gone":
        print("workers", *descendants(int(numbers[-1])), flush=True)
        os.kill(int(numbers[-1]), number)
        with path.open("a") as file:
            file.write("gone\n")


def after_writes(number: int, is_for_group: int, writes: int, pattern: str, calls: int) -> None:
    """Do as `after_calls` when the main thread has written so many files of a pattern."""
    left = writes
    victims = os.environ.get(VICTIMS)

    def note(event: str, about: tuple[Any, ...]) -> None:
        nonlocal left
        is_write = event == "os.rename" or (event == "open" and "a" in str(about[1]))
        if not is_write or threading.current_thread() is not threading.main_thread():
            return
        left -= fnmatch.fnmatch(str(about[1 if event == "os.rename" else 0]), pattern)
        if left == 0 and victims:
            left = writes
            kill_last(Path(victims), number)
        elif left == 0:
            left = -1
            after_calls(number, is_for_group, calls)

    sys.addaudithook(note)


def started(
    number: int, is_for_group: bool, writes: int, pattern: str, calls: int, *command: str, **more: str
) -> subprocess.Popen[str]:
    """Start a command that will be stopped, in a group of its own; `more` is added to its environment."""
    counts = [f"{number:d}", f"{is_for_group:d}", str(writes), pattern, str(calls)]
    return subprocess.Popen(
        [sys.executable, "-m", __name__, *counts, *command],
        env={**os.environ, **more},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def played_for(output: str) -> list[int]:
    """Return the processes that played for a command when it was stopped, from what it printed."""
    return [
        int(word) for line in output.splitlines() if line.startswith("workers") for word in line.split()[1:]
    ]


def main(arguments: list[str]) -> int:
    """Run a command until it is stopped."""
    number, is_for_group, writes, pattern, calls, *command = arguments
    sys.argv[1:] = command
    after_writes(int(number), int(is_for_group), int(writes), pattern, int(calls))
    cli.main()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
