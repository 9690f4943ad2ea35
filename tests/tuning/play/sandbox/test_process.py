"""How a process of a worker begins and ends."""

import subprocess
import sys

import pytest

from tunesmith.tuning.play.sandbox.process import exit_name

ORPHAN = """
import os, signal, sys, time
from tunesmith.tuning.play.sandbox.process import start
start(os.getppid() + int(sys.argv[1]))
assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
if int(sys.argv[1]):
    time.sleep(600)
print("played")
"""


@pytest.mark.parametrize(
    ("code", "name"), [(0, "EXIT(0)"), (7, "EXIT(7)"), (-9, "SIGKILL(-9)"), (-11, "SIGSEGV(-11)")]
)
def test_exit_codes_have_names(code: int, name: str) -> None:
    assert exit_name(code) == name


@pytest.mark.parametrize(("stranger", "code", "said"), [(0, 0, "played\n"), (1, 1, "")])
def test_a_worker_ends_when_its_parent_is_gone(stranger: int, code: int, said: str) -> None:
    """A process whose parent is not the one that it was told of has lost it."""
    call = [sys.executable, "-c", ORPHAN, str(stranger)]
    ended = subprocess.run(call, capture_output=True, text=True, check=False, timeout=300)
    assert (ended.returncode, ended.stdout) == (code, said)
