"""Whoever hears of a run in a test: functions in the place of a terminal."""

from collections.abc import Callable
from typing import Any

from tunesmith.tuning.play.resources import Log


class Listening(Log):
    """Calls `progress` with (what, pairs done, pairs in all), and `note` with each line for people."""

    def __init__(
        self,
        progress: Callable[[str, int, int], Any] = lambda *_: None,
        note: Callable[[str], Any] = lambda _: None,
    ) -> None:
        self._progress, self._note = progress, note

    def progress(self, what: str, done: int, total: int, tally: Any = None) -> None:
        """Call the function."""
        self._progress(what, done, total)

    def note(self, text: str) -> None:
        """Call the function."""
        self._note(text)
