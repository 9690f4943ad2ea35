"""Studies that are stopped from outside."""

import signal
from pathlib import Path

from tunesmith.experiments.proofs._dying import started


def stopped(study_file: Path, root: Path, number: signal.Signals, writes: int, calls: int) -> tuple[int, str]:
    """Run a study until it has written so many files; return the exit code and the complaints."""
    command = ["run", str(study_file), "--out", str(root), "--jobs", "2"]
    process = started(number, number == signal.SIGKILL, writes, f"{root}/*", calls, *command)
    _, errors = process.communicate(timeout=240)
    return process.returncode, errors
