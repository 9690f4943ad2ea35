"""What has an engine started, and how does all of it end with the engine?

A program may put a child into a session of its own (`setsid`) and leave it behind: killing the process group misses
it. So an engine starts with a mark in its environment, which everything that it starts inherits, and all that bears
the mark, or descends from the engine, is killed, again until nothing is found. That needs `/proc` (Linux); elsewhere
the group is killed. A child escapes that clears its environment and leaves its parent: only a container of the
system (a cgroup) would hold that one."""

import contextlib
import os
import secrets
import signal
import subprocess
from pathlib import Path

MARK = "TUNESMITH_ENGINE"
_PROC = Path("/proc")
_ROUNDS = 20  # what starts others faster than it is killed is given up


class ProcessTree:
    """What a program and all that it starts are told apart by."""

    def __init__(self) -> None:
        self._mark = secrets.token_hex(16)

    @property
    def environment(self) -> dict[str, str]:
        """The environment for the program."""
        return {**os.environ, MARK: self._mark}

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """End a program, collect it, and end all that it has started."""
        for _ in range(_ROUNDS):
            found = self._members(process.pid)
            with contextlib.suppress(ProcessLookupError, PermissionError):
                if hasattr(os, "killpg"):
                    os.killpg(process.pid, signal.SIGKILL)
                else:  # Windows knows no groups, and what the program has started goes on
                    process.kill()
            for pid in found - {process.pid}:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            process.wait()
            if not found - {process.pid}:
                return

    def _members(self, root: int) -> set[int]:
        """Return the living processes that bear the mark, are of the program's session, or descend from it."""
        parents, found = dict[int, int](), {root}
        for entry in _PROC.glob("[0-9]*") if _PROC.is_dir() else ():
            with contextlib.suppress(OSError, ValueError, IndexError):  # it has ended meanwhile
                state, parent, _, session = (
                    (entry / "stat").read_text(errors="replace").rpartition(") ")[2].split()[:4]
                )
                if state in "ZX":
                    continue
                pid = int(entry.name)
                parents[pid] = int(parent)
                if int(session) == root or self._bears_mark(entry):
                    found.add(pid)
        while more := {pid for pid, parent in parents.items() if parent in found} - found:
            found |= more
        return found & parents.keys()

    def _bears_mark(self, entry: Path) -> bool:
        with contextlib.suppress(OSError):  # somebody else's
            return f"{MARK}={self._mark}".encode() in (entry / "environ").read_bytes().split(b"\0")
        return False
