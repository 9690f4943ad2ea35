"""What a person sees of games being played: how many, how fast, how long still, and how they end.

In place on a terminal; elsewhere a line every ten seconds. Where nothing has come in for half a minute a line
says so: slow games, opening positions and compilation take their time, and a hanging one should be noticed.
All of it goes to standard error."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
import weakref
from typing import TYPE_CHECKING, Any

from tunesmith.tuning.cli.interrupt import say
from tunesmith.tuning.cli.terminal import draw

if TYPE_CHECKING:
    from tunesmith.tuning.play.tally import Tally

PAUSE = 10.0  # seconds between lines
BLINK = 0.2  # the same on a terminal
SILENCE = 25.0  # seconds without news after which that is said


class Progress:
    """Listens for a person (`tuning.play.resources.Listener`)."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._started: dict[str, tuple[float, int]] = {}
        self._told = -PAUSE
        self._is_over = False  # nothing is being played just now
        self._last = "getting ready (openings, compiled code)"
        self._heard = time.monotonic()
        self._lock = threading.Lock()
        threading.Thread(target=_watch, args=(weakref.ref(self),), daemon=True).start()

    def stage(self, stage: str, **facts: Any) -> None:
        """Say nothing: a note does."""

    def test(self, pairs: int, llr: float, lower: float, upper: float) -> None:
        """Say nothing: a note does."""

    def note(self, text: str) -> None:
        """Print a line."""
        say(text)

    def progress(self, what: str, done: int, total: int, tally: Tally | None = None) -> None:
        """Tell that `done` of `total` pairs of `what` are played, and how their games ended."""
        now = time.monotonic()
        with self._lock:
            began, first = self._started.setdefault(what, (now, done))
            self._heard, self._is_over = now, done >= total
            self._last = line(what, done, total, (done - first) / max(now - began, 1e-9), tally)
            is_first = done > first and self._told <= began
            if is_first or self._is_over or now - self._told >= (BLINK if self._is_terminal else PAUSE):
                self._told = now
                self._print(self._last)

    def _print(self, text: str) -> None:
        end = "" if self._is_terminal and not self._is_over else "\n"
        with contextlib.suppress(OSError, ValueError):  # a terminal that was closed
            draw("\r\x1b[K  " if self._is_terminal else "  ", text, sys.stderr, end)

    def complain(self) -> None:
        """Say that there is no news, if there has been none for long."""
        now = time.monotonic()
        with self._lock:
            silent = now - max(self._heard, self._told)
            if not self._is_over and silent >= SILENCE:
                self._told = now
                self._print(f"{self._last}; no news for {now - self._heard:.0f} s")


def line(what: str, done: int, total: int, rate: float, tally: Tally | None = None) -> str:
    """Return one line; `rate` is in pairs a second."""
    left = f", {_duration((total - done) / rate)} left" if rate > 0 and done < total else ""
    games = f", {2 * rate:.3g} games/s" if rate > 0 else ""
    found = tally.words() if tally is not None else ""
    return f"{what}: {done:,}/{total:,} pairs{games}{left}" + (f"; {found}" if found else "")


def _duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


def _watch(progress: weakref.ref[Progress]) -> None:
    while True:
        time.sleep(1.0)
        watched = progress()
        if watched is None:
            return
        watched.complain()
        del watched
