"""With what are games played, and who hears of it? Nothing here changes a number."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:  # the command line takes its listeners from here before anything is played
    from tunesmith.tuning.play.tally import Tally

PATIENCE = 120.0  # seconds that any batch may take

logger = logging.getLogger("tunesmith.tuning")


class Listener(Protocol):
    """Who is told how a run goes on, for people or for programs."""

    def stage(self, stage: str, **facts: Any) -> None:
        """A part of a study begins; facts by name."""

    def progress(self, what: str, done: int, total: int, tally: Tally | None = None) -> None:
        """So many pairs of all pairs of something are played; `tally` counts their games."""

    def test(self, pairs: int, llr: float, lower: float, upper: float) -> None:
        """A sequential test has read so many pairs: its ratio, and the bounds that end it."""

    def note(self, text: str) -> None:
        """Take a line for people."""


class Log:
    """A listener that writes lines for people to the log, and keeps nothing of the rest."""

    def stage(self, stage: str, **facts: Any) -> None:
        """See `Listener`."""

    def progress(self, what: str, done: int, total: int, tally: Tally | None = None) -> None:
        """See `Listener`."""

    def test(self, pairs: int, llr: float, lower: float, upper: float) -> None:
        """See `Listener`."""

    def note(self, text: str) -> None:
        """See `Listener`."""
        logger.info(text)


@dataclass(frozen=True)
class Resources:
    """What a run may use.

    Attributes
    ----------
    jobs
        Workers on this machine.
    backend
        loky, threads, or dask:ADDRESS.
    patience
        Seconds that any batch may take before its worker is taken to hang (0 = no watch).
    """

    jobs: int = 1
    backend: str = "loky"
    listener: Listener = field(default_factory=Log)
    patience: float = PATIENCE
