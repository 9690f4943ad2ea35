"""A run told to programs: one JSON object a line on standard error, each with its kind as `event`.

`stage` begins a part of the study, `progress` counts pairs (and games a second) at most once a second, `test` is
the sequential test at its start and after each wave, `note` is a line that people would read there. Standard output
is left for the one object that is the result."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from tunesmith.tuning.cli.interrupt import say
from tunesmith.tuning.cli.pace import Pace
from tunesmith.tuning.files import finite

if TYPE_CHECKING:
    from tunesmith.tuning.play.tally import Tally

PAUSE = 1.0  # seconds between counts of the same games


class Events:
    """Listens for a program (`tuning.play.resources.Listener`)."""

    def __init__(self) -> None:
        self._paces: dict[str, Pace] = {}
        self._sent = -PAUSE

    def stage(self, stage: str, **facts: Any) -> None:
        """Tell that a part of the study begins."""
        self._send("stage", stage=stage, **facts)

    def progress(self, what: str, done: int, total: int, tally: Tally | None = None) -> None:
        """Tell that `done` of `total` pairs of `what` are played."""
        now = time.monotonic()
        rate = self._paces.setdefault(what, Pace())(done)
        if now - self._sent >= PAUSE or done >= total:
            self._sent = now
            speed = None if rate is None else 2 * rate
            self._send("progress", what=what, pairs=done, of=total, games_per_second=speed)

    def test(self, pairs: int, llr: float, lower: float, upper: float) -> None:
        """Tell how a sequential test stands."""
        self._send("test", pairs=pairs, llr=llr, lower=lower, upper=upper)

    def note(self, text: str) -> None:
        """Tell a line."""
        self._send("note", text=text.strip())

    def _send(self, event: str, **facts: Any) -> None:
        say(json.dumps(finite({"event": event, **facts}), allow_nan=False))
