"""Games being played, told in lines: how many, how fast, how long still, and how they end.

A line every ten seconds. Where nothing has come in for half a minute a line says so: slow games, opening positions
and compilation take their time, and a hanging one should be noticed. All of it goes to standard error. On a terminal
`tuning.cli.live` draws instead."""

from __future__ import annotations

import sys
import threading
import time
import weakref
from typing import TYPE_CHECKING, Any

from tunesmith.tuning.cli.interrupt import say
from tunesmith.tuning.cli.pace import Pace, duration
from tunesmith.tuning.play.resources import Listener, Log

if TYPE_CHECKING:
    from tunesmith.tuning.play.tally import Tally

PAUSE = 10.0  # seconds between lines
SILENCE = 25.0  # seconds without news after which that is said
READY = "getting ready (openings, compiled code)"


def listener_for_people(quiet: bool = False) -> Listener:
    """Return who tells people: drawn on a terminal, lines elsewhere, nobody if all is to be quiet."""
    if quiet:
        return Log()
    if sys.stderr.isatty():
        from tunesmith.tuning.cli.console import console_of

        if not console_of(sys.stderr).is_dumb_terminal:
            from tunesmith.tuning.cli.live import Live

            return Live()
    return Lines()


class Lines:
    """Listens for a person (`tuning.play.resources.Listener`), and prints lines."""

    def __init__(self) -> None:
        self._paces: dict[str, Pace] = {}
        self._told = -PAUSE
        self._is_over = False  # nothing is being played just now
        self._last = READY
        self._heard = time.monotonic()
        self._lock = threading.Lock()
        threading.Thread(target=_watch, args=(weakref.ref(self),), daemon=True).start()

    def stage(self, stage: str, **facts: Any) -> None:
        """Remember what is being done, for when nothing comes of it for long; a note tells of it."""
        with self._lock:
            self._last = " ".join([stage, *map(str, facts.values())])

    def test(self, pairs: int, llr: float, lower: float, upper: float) -> None:
        """Say nothing: a note does."""

    def note(self, text: str) -> None:
        """Print a line, and remember it: whoever hears nothing for long is told what was said last."""
        with self._lock:
            self._heard, self._last = time.monotonic(), text.strip()
        say(text)

    def progress(self, what: str, done: int, total: int, tally: Tally | None = None) -> None:
        """Tell that `done` of `total` pairs of `what` are played, and how their games ended."""
        now = time.monotonic()
        with self._lock:
            pace = self._paces.setdefault(what, Pace())
            rate = pace(done)
            self._heard, self._is_over = now, done >= total
            self._last = line(what, done, total, rate, tally)
            is_first = done > pace.first and self._told <= pace.began
            if is_first or self._is_over or now - self._told >= PAUSE:
                self._told = now
                self._print(self._last)

    def _print(self, text: str) -> None:
        say(f"  {text}")

    def complain(self) -> None:
        """Say that there is no news, if there has been none for long."""
        now = time.monotonic()
        with self._lock:
            silent = now - max(self._heard, self._told)
            if not self._is_over and silent >= SILENCE:
                self._told = now
                self._print(f"{self._last}; no news for {now - self._heard:.0f} s")


def line(what: str, done: int, total: int, rate: float | None, tally: Tally | None = None) -> str:
    """Return one line; `rate` is in pairs a second, None while it is unknown."""
    speed, left = figures(done, total, rate)
    found = tally.words() if tally is not None else ""
    told = "".join(f", {word}" for word in (speed, left) if word)
    return f"{what}: {done:,}/{total:,} pairs{told}" + (f"; {found}" if found else "")


def figures(done: int, total: int, rate: float | None) -> tuple[str, str]:
    """Return the speed and the time left in words, empty while they are unknown."""
    if not rate:
        return "", ""
    left = f"{duration((total - done) / rate)} left" if done < total else ""
    return f"{2 * rate:.3g} games/s", left


def _watch(lines: weakref.ref[Lines]) -> None:
    while True:
        time.sleep(1.0)
        watched = lines()
        if watched is None:
            return
        watched.complain()
        del watched
