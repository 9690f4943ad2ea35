"""Nothing that an engine has started outlives it, wherever it has put it."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support import fake_engine
from tunesmith.tuning.external.engine import Engine
from tunesmith.tuning.external.process_tree import MARK, ProcessTree

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks at processes in /proc")


def marked(tree: ProcessTree) -> set[str]:
    """Return the programs that run under the mark of a tree."""
    mark, found = f"{MARK}={tree.environment[MARK]}".encode(), set()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (entry / "environ").read_bytes().split(b"\0"):
                found.add((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode().strip())
        except OSError:
            continue
    return found


@pytest.mark.parametrize("how", ["kill", "close"])
def test_children_in_sessions_of_their_own_end_with_the_engine(how: str) -> None:
    engine = Engine([sys.executable, fake_engine.__file__, "leaving"])
    while not {"sleep 1001", "sleep 1002"} <= marked(engine._tree):
        time.sleep(0.05)
    getattr(engine, how)()
    assert not engine.is_alive and marked(engine._tree) == set()


def test_a_child_without_the_mark_ends_by_its_descent() -> None:
    tree = ProcessTree()
    call = ["sh", "-c", "env -i setsid sleep 1003 & echo $!; wait"]
    process = subprocess.Popen(call, env=tree.environment, stdout=subprocess.PIPE, start_new_session=True)
    assert process.stdout is not None
    child = Path("/proc") / process.stdout.readline().decode().strip()
    while (child / "cmdline").read_bytes() != b"sleep\x001003\0":
        time.sleep(0.05)
    tree.kill(process)
    while is_alive(child):  # killed, it may wait for its turn to end
        time.sleep(0.05)


def is_alive(process: Path) -> bool:
    """Whether the process of a folder of /proc runs."""
    try:
        return (process / "stat").read_text().rpartition(") ")[2][0] not in "ZX"
    except OSError:
        return False


def test_other_processes_of_ours_live_on() -> None:
    ours = subprocess.Popen(["sleep", "1004"], start_new_session=True)
    tree = ProcessTree()
    tree.kill(subprocess.Popen(["sleep", "1005"], env=tree.environment, start_new_session=True))
    assert ours.poll() is None
    ours.kill()
    ours.wait()
