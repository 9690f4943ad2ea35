"""Who hears how a run goes on that was started from Python?"""

from collections.abc import Callable

from tunesmith.tuning.cli.options import resources_of
from tunesmith.tuning.cli.progress import listener_for_people
from tunesmith.tuning.play.resources import Listener, Log, Resources
from tunesmith.tuning.play.tally import Tally

Progress = bool | Callable[[str, int, int], object]


class _Calls(Log):
    """Calls a function with what is played, and how many of how many pairs are done."""

    def __init__(self, tell: Callable[[str, int, int], object]) -> None:
        self._tell = tell

    def progress(self, what: str, done: int, total: int, tally: Tally | None = None) -> None:
        """See `Listener`."""
        self._tell(what, done, total)


def resources_for(jobs: int | None, progress: Progress) -> Resources:
    """Return so many workers (None: one a core), and who hears of them."""
    listener: Listener = _Calls(progress) if callable(progress) else listener_for_people(quiet=not progress)
    return resources_of(jobs, listener=listener)
