"""How much time and memory does a command take, with all processes that it starts?

Memory is the largest sum of the resident pages of the process and its descendants, looked at four times a second
(pages that they share count for each); where there is no /proc, the largest of any one of them."""

import mmap
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

_LOOK = 0.25  # seconds
_MAXRSS = 1 if sys.platform == "darwin" else 1024  # the unit of ru_maxrss
STOPPED = 130


class Took(NamedTuple):
    """Seconds of the clock and of the processors, and bytes."""

    seconds: float
    cpu_seconds: float
    peak_bytes: int


def run(command: Sequence[str], is_enough: Callable[[], bool] = lambda: False) -> Took:
    """Run a command to its end, or until it `is_enough`: then it is asked to stop; what it prints is thrown away.

    Raises
    ------
    subprocess.CalledProcessError
        The command fails.
    """
    import resource  # Unix alone has it

    own = resource.RUSAGE_CHILDREN
    before, began = resource.getrusage(own), time.monotonic()
    peak, is_asked = 0, False
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None:
            peak = max(peak, _resident(process.pid))
            if not is_asked and is_enough():
                process.send_signal(signal.SIGTERM)
                is_asked = True
            time.sleep(_LOOK)
    if process.returncode not in ((0, STOPPED) if is_asked else (0,)):
        raise subprocess.CalledProcessError(process.returncode, command)
    after = resource.getrusage(own)
    seconds = time.monotonic() - began
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Took(seconds, cpu, peak or after.ru_maxrss * _MAXRSS)


def tunesmith(*arguments: str) -> list[str]:
    """Return the command line of a command of Tunesmith."""
    return [sys.executable, "-P", "-m", "tunesmith.tuning.cli", *arguments]


def _resident(root: int) -> int:
    """Return the resident bytes of a process and its descendants; those that end meanwhile have none."""
    total, waiting, page = 0, [root], mmap.PAGESIZE
    while waiting:
        own = Path(f"/proc/{waiting.pop()}")
        try:
            total += int((own / "statm").read_text().split()[1]) * page
            for task in (own / "task").iterdir():
                waiting += map(int, (task / "children").read_text().split())
        except (OSError, IndexError):
            continue
    return total
