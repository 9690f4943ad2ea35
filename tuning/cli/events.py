"""A run told to programs: one JSON object a line on standard error, each with its kind as `event`.

`stage` begins a part of the study, `progress` counts pairs (and games a second) at most once a second, `test` is
the sequential test after each wave, `note` is a line that people would read there. Standard output is left for
the one object that is the result."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from tunesmith.tuning.files import finite

PAUSE = 1.0  # seconds between counts of the same games


class Events:
    """Takes what a run tells, in the place of what is told to people."""

    def __init__(self) -> None:
        self._begun: dict[str, tuple[float, int]] = {}
        self._sent = -PAUSE

    def __call__(self, what: str, done: int, total: int) -> None:
        """Tell that `done` of `total` pairs of `what` are played."""
        now = time.monotonic()
        began, first = self._begun.setdefault(what, (now, done))
        if now - self._sent >= PAUSE or done >= total:
            self._sent = now
            rate = 2 * (done - first) / (now - began) if done > first else None
            self.send("progress", what=what, pairs=done, of=total, games_per_second=rate)

    def tell(self, text: str) -> None:
        """Tell a line."""
        self.send("note", text=text.strip())

    def send(self, event: str, **facts: Any) -> None:
        """Print an event."""
        print(json.dumps(finite({"event": event, **facts}), allow_nan=False), file=sys.stderr, flush=True)
