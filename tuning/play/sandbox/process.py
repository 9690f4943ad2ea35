"""How a worker process begins, before it imports anything heavy: it must not outlive its parent."""

import os
import signal
import threading
import time


def start(parent: int) -> None:
    """Make this process deaf to Ctrl-C (its parent stops it), and end it when its parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: int) -> None:
    """Wait until the parent has changed; where processes have no parent after a death, for ever."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)
