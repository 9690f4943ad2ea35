"""A run told to programs: one JSON object a line on standard output, each with its kind as `event`.

`stage` begins a part of the study, `progress` counts pairs (and games a second) at most once a second, `test` is
the sequential test after each wave, `note` is a line as people see it, `verdict` comes last and is the result.
What people read goes to standard error as always."""

from __future__ import annotations

import json
import time
from typing import Any

from tuning.interrupt import say
from tuning.progress import Progress
from tuning.study import finite

PAUSE = 1.0  # seconds between counts of the same games


class Events(Progress):
    """Takes what a run tells, and says it twice."""

    def __init__(self) -> None:
        super().__init__()
        self._begun: dict[str, tuple[float, int]] = {}
        self._sent = -PAUSE

    def __call__(self, what: str, done: int, total: int) -> None:
        """Tell that `done` of `total` pairs of `what` are played."""
        super().__call__(what, done, total)
        now = time.monotonic()
        began, first = self._begun.setdefault(what, (now, done))
        if now - self._sent >= PAUSE or done >= total:
            self._sent = now
            rate = 2 * (done - first) / (now - began) if done > first else None
            self.send("progress", what=what, pairs=done, of=total, games_per_second=rate)

    def tell(self, text: str) -> None:
        """Tell a line."""
        say(text)
        self.send("note", text=text.strip())

    def send(self, event: str, **facts: Any) -> None:
        """Print an event."""
        print(json.dumps(finite({"event": event, **facts}), allow_nan=False), flush=True)
