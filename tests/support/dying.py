"""Processes that end themselves at a moment that is counted, not timed, for tests of what a stop leaves behind.

`python -m tests.support.dying NUMBER GROUP WRITES PATTERN CALLS COMMAND...` runs a command of tunesmith until it has
put in place, or added to, so many files whose paths fit the pattern, and then called so many functions, anywhere in
our code or in others'. Then it says which processes play for it, and gets the signal NUMBER, by itself or (GROUP is
1) with its group."""

import fnmatch
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from tests import IMPORTS
from tests.support.small_matches import workers
from tunesmith.tuning import cli

ROOT = Path(__file__).parents[2]


def after_calls(number: int, is_for_group: int, calls: int) -> None:
    """Send a signal when this thread has called so many functions from now on."""
    left = calls

    def count(frame: object, event: str, _: object) -> None:
        nonlocal left
        left -= event == "call"
        if left == 0:
            print("workers", *workers(os.getpid()), flush=True)
            (os.killpg if is_for_group else os.kill)(os.getpid(), number)

    sys.setprofile(count)


def after_writes(number: int, is_for_group: int, writes: int, pattern: str, calls: int) -> None:
    """Do as `after_calls` when the main thread has written so many files of a pattern."""
    left = writes

    def note(event: str, about: tuple[Any, ...]) -> None:
        nonlocal left
        is_write = event == "os.rename" or (event == "open" and "a" in str(about[1]))
        if not is_write or threading.current_thread() is not threading.main_thread():
            return
        left -= fnmatch.fnmatch(str(about[1 if event == "os.rename" else 0]), pattern)
        if left == 0:
            left = -1
            after_calls(number, is_for_group, calls)

    sys.addaudithook(note)


def started(
    number: int, is_for_group: bool, writes: int, pattern: str, calls: int, *command: str
) -> subprocess.Popen[str]:
    """Start a command that will be stopped, in a group of its own."""
    counts = [f"{number:d}", f"{is_for_group:d}", str(writes), pattern, str(calls)]
    return subprocess.Popen(
        [sys.executable, "-m", "tests.support.dying", *counts, *command],
        env={**os.environ, "PYTHONPATH": IMPORTS},
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


if __name__ == "__main__":
    number, is_for_group, writes, pattern, calls = sys.argv[1:6]
    sys.argv[1:] = sys.argv[6:]
    after_writes(int(number), int(is_for_group), int(writes), pattern, int(calls))
    cli.main()
