"""How does a process that we start begin? Without files of the current folder, with one thread, and not for ever.

Python looks for modules first in the folder where it is started (`python -m`, `-c`), so a `random.py` of somebody's
would run in every child, and in the child's own library. Children look where this process does, but for that
folder (`safe_path`); so does a program of ours that begins (`leave_current_folder`)."""

import contextlib
import os
import signal
import sys
import sysconfig
import threading
import time
from collections.abc import Iterator

ONE_THREAD = {  # for the environment of a worker: others play beside it
    f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMBA", "NUMEXPR")
}


def start(parent: int) -> None:
    """Make this process deaf to Ctrl-C (its parent stops it), and end it when its parent is gone.

    Standard output is the command's: what a game prints goes to standard error.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError):  # one that is closed
        os.dup2(2, 1)
    threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: int) -> None:
    """Wait until the parent has changed; where processes have no parent after a death, for ever."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


def exit_name(code: int) -> str:
    """Return an exit code in the words that loky has for it."""
    return f"EXIT({code})" if code >= 0 else f"{signal.Signals(-code).name}({code})"


# --- where modules are looked for


def current_folder_on_path() -> str:
    """Return the entry of `sys.path` by which modules of the current folder shadow others, "" if there is none.

    A folder that an installation names stands behind Python's own library, and shadows nothing of it.
    """
    safe = safe_path()
    return next((entry or "." for entry in sys.path if entry not in safe), "")


def safe_path() -> list[str]:
    """Return `sys.path` without the current folder, unless that is one of an installation."""
    library = sysconfig.get_path("stdlib")
    first = sys.path.index(library) if library in sys.path else len(sys.path)
    return [entry for at, entry in enumerate(sys.path) if at >= first or not _is_here(entry)]


def safe_environment() -> dict[str, str]:
    """Return the environment in which a child of ours in Python starts."""
    return {**os.environ, "PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(filter(None, safe_path()))}


@contextlib.contextmanager
def starting_safely() -> Iterator[None]:
    """Let a library start processes in the block as `safe_environment` would have them."""
    environment = safe_environment()
    safe = {name: environment[name] for name in ("PYTHONSAFEPATH", "PYTHONPATH")}
    before, path = {name: os.environ.get(name) for name in safe}, sys.path[:]
    os.environ.update(safe)
    sys.path[:] = safe_path()
    try:
        yield
    finally:
        sys.path[:] = path
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def leave_current_folder() -> None:
    """Look for no more modules in the current folder, where `python -m` has put it ahead of all others."""
    sys.path[:] = safe_path()


def _is_here(entry: str) -> bool:
    return not entry or os.path.realpath(entry) == os.path.realpath(os.curdir)
