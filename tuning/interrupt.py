"""What the command does when it is asked to stop: by Ctrl-C, by a termination signal, by a closed terminal.

All three are a `KeyboardInterrupt` in the main thread: workers are stopped, files are left whole, and a line
says how to continue. The main thread cannot listen while it runs compiled code, which may never end (a game
that loops). A thread of ours listens as well: it ends the process if the main thread has not after `GRACE`
seconds, or at a second request. Workers end when their parent is gone (`tuning.child`)."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import socket
import sys
import threading
from collections.abc import Sequence
from typing import NoReturn

GRACE = 6.0
CODE = 130
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
CONTINUED = ("run", "search", "verify", "ladder", "selfplay", "uci")  # commands that go on where they stopped
WITH_FOLDER = ("match", "gauntlet")  # those that do so if their games are kept


def listen(arguments: Sequence[str]) -> None:
    """Heed signals from now on; `arguments` are those of the command."""
    for name in SIGNALS:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:  # as nohup leaves it
            signal.signal(number, _interrupt)
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=_wait, args=(ours, theirs, advice(arguments)), daemon=True).start()


def _interrupt(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt


def _wait(ours: socket.socket, theirs: socket.socket, words: str) -> None:
    ours.recv(1)
    ours.settimeout(GRACE)
    with contextlib.suppress(TimeoutError):
        ours.recv(1)
    say(f"interrupted; {words or 'ended'}")
    os._exit(CODE)


def advice(arguments: Sequence[str]) -> str:
    """Return what to tell about going on, empty where there is nothing to go on with."""
    command = next(iter(arguments), "")
    if command in CONTINUED or (command in WITH_FOLDER and _keeps_games(arguments)):
        same = shlex.join(["tunesmith", *arguments])
        return f"nothing finished is lost. This continues:\n  {same}"
    if command in WITH_FOLDER:
        return "its games are not kept; with --out FOLDER they are, and the same command continues"
    return ""


def _keeps_games(arguments: Sequence[str]) -> bool:
    return any(word == "--out" or word.startswith("--out=") for word in arguments)


def say(text: str) -> None:
    """Tell whoever still listens."""
    with contextlib.suppress(OSError, ValueError):
        print(text, file=sys.stderr, flush=True)
