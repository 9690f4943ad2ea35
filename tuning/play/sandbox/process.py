"""How a worker process begins, before it imports anything heavy: it must not outlive its parent."""

import os
import signal
import threading
import time

ONE_THREAD = {  # for the environment of a worker: others play beside it
    f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMBA", "NUMEXPR")
}


def start(parent: int) -> None:
    """Make this process deaf to Ctrl-C (its parent stops it), and end it when its parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: int) -> None:
    """Wait until the parent has changed; where processes have no parent after a death, for ever."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


def exit_name(code: int) -> str:
    """Return an exit code in the words that loky has for it."""
    return f"EXIT({code})" if code >= 0 else f"{signal.Signals(-code).name}({code})"
