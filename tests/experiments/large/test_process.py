"""What a command takes, with the processes that it starts."""

import subprocess
import sys

import pytest

from tunesmith.experiments.large.process import run

HOLD = "import time; held = bytearray(80_000_000); time.sleep(1)"


def test_the_memory_of_children_counts() -> None:
    child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {HOLD!r}])"
    alone, both = (run([sys.executable, "-c", code]) for code in ("pass", child))
    assert both.peak_bytes > alone.peak_bytes + 60_000_000
    assert both.seconds > 1 and both.cpu_seconds > 0


def test_a_command_that_fails_is_no_measurement() -> None:
    with pytest.raises(subprocess.CalledProcessError):
        run([sys.executable, "-c", "raise SystemExit(3)"])
