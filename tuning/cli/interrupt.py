"""What the command does when it is asked to stop: by Ctrl-C, by a termination signal, by a closed terminal.

All three are an `Interrupt` in the main thread, once: workers are stopped, files are left whole, and a line
says how to continue. Wherever it strikes, it is the end of the command: callbacks and destructors swallow
exceptions, so it is raised anew after them; libraries turn it into errors of their own, which then count as
it. The main thread cannot listen while it runs compiled code, which may never end (a game that loops). A
thread of ours listens as well: it ends the process if the main thread has not after `GRACE` seconds, or at a
second request. What is ignored when the command starts (Ctrl-C by a shell's `&`, a closed terminal by nohup)
stays ignored: whoever started it so wants it to go on. Workers end when their parent is gone
(`tuning.play.sandbox.process`)."""

import contextlib
import os
import shlex
import signal
import socket
import sys
import threading
from collections.abc import Sequence
from typing import Any

from tunesmith.tuning.cli.terminal import end_drawing
from tunesmith.tuning.passwords import HIDDEN, redacted_words

GRACE = 6.0
CODE = 130
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
CONTINUED = (
    "run",
    "search",
    "verify",
    "ladder",
    "selfplay",
    "engines",
)  # commands that go on where they stopped
WITH_FOLDER = ("match", "gauntlet")  # those that do so if their games are kept


class Interrupt(KeyboardInterrupt):
    """The request to stop.

    A class of its own, for Python itself remembers a plain one that has passed through `exec` (as in imports):
    the process would end by the signal whatever exit code it asks for.
    """


class _Request:
    """Whether there was one, and whether that has been told."""

    was_made = False
    is_told = False
    is_over = False  # the command has ended: nothing is left to be interrupted


_request = _Request()
_telling = threading.Lock()


def listen(arguments: Sequence[str]) -> None:
    """Heed signals from now on; `arguments` are those of the command."""
    for name in SIGNALS:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    sys.unraisablehook = _swallowed
    threading.Thread(target=_wait, args=(ours, theirs, arguments), daemon=True).start()


def was_asked() -> bool:
    """Whether the command was asked to stop."""
    return _request.was_made


def tell(arguments: Sequence[str]) -> None:
    """Say how to go on after an interrupt, once."""
    _tell(advice(arguments))


def end() -> None:
    """Note that the command has ended: what is asked for while Python closes down changes nothing."""
    _request.is_over = True
    if not _request.was_made:
        return
    for name in SIGNALS:
        number = getattr(signal, name, None)
        if number is not None:
            signal.signal(number, signal.SIG_IGN)  # Python would set the others back, to end the process


def _interrupt(number: int, frame: object) -> None:
    if _request.was_made or _request.is_over:
        return  # the thread has heard it too
    _request.was_made = True
    raise Interrupt


def _swallowed(what: Any) -> None:
    """Raise an interrupt anew that struck where exceptions are lost, in a moment: here it would be lost as well."""
    if not isinstance(what.exc_value, Interrupt):
        sys.__unraisablehook__(what)
    elif not _request.is_over:
        again = threading.Timer(0.05, _raise_in_main)
        again.daemon = True
        again.start()


def _raise_in_main() -> None:
    import ctypes

    main = ctypes.c_ulong(threading.main_thread().ident or 0)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(main, ctypes.py_object(Interrupt))


def _wait(ours: socket.socket, theirs: socket.socket, arguments: Sequence[str]) -> None:
    ours.recv(1)
    ours.settimeout(GRACE)
    with contextlib.suppress(TimeoutError):
        ours.recv(1)
    leaving = threading.Thread(target=end_drawing, daemon=True)
    leaving.start()
    leaving.join(1.0)  # the main thread may be drawing, and never come back
    _tell(advice(arguments) or "ended")
    os._exit(CODE)


def _tell(words: str) -> None:
    with _telling:
        if words and not _request.is_told:
            _request.is_told = _request.was_made
            say(f"interrupted; {words}")


def advice(arguments: Sequence[str]) -> str:
    """Return what to tell about going on, empty where there is nothing to go on with."""
    command = next(iter(arguments), "")
    if command in CONTINUED or (command in WITH_FOLDER and _keeps_games(arguments)):
        same = shlex.join(["tunesmith", *redacted_words(arguments)])
        note = f" ({HIDDEN} is the password)" if HIDDEN in same else ""
        return f"nothing finished is lost. This continues{note}:\n  {same}"
    if command in WITH_FOLDER:
        return "its games are not kept; with --out FOLDER they are, and the same command continues"
    return ""


def _keeps_games(arguments: Sequence[str]) -> bool:
    return any(word == "--out" or word.startswith("--out=") for word in arguments)


def say(text: str) -> None:
    """Tell whoever still listens."""
    with contextlib.suppress(OSError, ValueError):
        print(text, file=sys.stderr, flush=True)
