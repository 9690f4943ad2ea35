"""How busy was the machine while games under a time limit were played? Only for these does it matter.

Load is the operating system's one-minute average of programs that run or wait for a core, less one for each worker
that plays these games, and not below 0. It is looked at whenever a batch of games ends; the mean is kept with the
games (`load.json`), and grows with them. Workers of a cluster play on machines of which nothing is known here."""

import os
from collections.abc import Iterable
from pathlib import Path

from tunesmith.engine.limits import parse_limit
from tunesmith.games.texts import counted
from tunesmith.tuning.documents.matches import MachineLoad
from tunesmith.tuning.play.matchup import Matchup
from tunesmith.tuning.play.resources import Resources

NAME = "load.json"
ALLOWED = 0.5  # programs more than cores: the average remembers what ended a minute ago


def depends_on_load(matchup: Matchup, resources: Resources) -> bool:
    """Whether the load of this machine changes the games of a match."""
    is_timed = not all(parse_limit(limit).is_deterministic for limit in matchup.limits)
    return is_timed and ":" not in resources.backend


def find(folder: Path) -> MachineLoad | None:
    """Return what is kept in a folder of games; None where nothing is known, or the clock decided nothing."""
    return MachineLoad.find(folder / NAME)


def words(found: MachineLoad | None) -> str:
    """Return the load as a few words, to stand beside a figure."""
    if found is None:
        return "not recorded"
    reserved = ", a core reserved" if found.reserved else ""
    return f"{found.mean:.1f} on {found.cores} cores{reserved}"


def crowding(thinking: int) -> str | None:
    """Return what is to be said where so many threads that think at once have no core each; None where they have.

    Only of games under a time limit: the others are the same however long they take.
    """
    cores, others = os.cpu_count() or 1, os.getloadavg()[0]
    here, wanted = counted(cores, "core"), counted(thinking, "thread")
    slower = "under a time limit moves are worse than they would be, and clocks may run out"
    if thinking > cores:
        return f"{wanted} will think at once and this machine has {here}: {slower}; use fewer --jobs"
    if thinking + others > cores + ALLOWED:
        return (
            f"the machine is busy (load {others:.1f}, {here}) and {wanted} more will think at once: {slower}"
        )
    return None


class LoadWatch:
    """Looks at the machine while `resources` play a match, and remembers it if a limit of the match is in time."""

    def __init__(self, matchup: Matchup, resources: Resources) -> None:
        self._is_on = depends_on_load(matchup, resources)
        self._workers, self._looks = resources.jobs, list[float]()

    def look(self) -> None:
        """Take the load as it is now."""
        if self._is_on:
            self._looks.append(max(0.0, os.getloadavg()[0] - self._workers))

    def keep(self, folder: Path, games: int) -> None:
        """Add that so many games of a folder were played meanwhile."""
        if not self._looks or not games:
            return
        now = MachineLoad(
            games=games,
            mean=sum(self._looks) / len(self._looks),
            cores=os.cpu_count() or 1,
            workers=self._workers,
            reserved=_has_priority(),
        )
        if (all_games := together([find(folder), now])) is not None:
            all_games.write(folder / NAME)


def together(several: Iterable[MachineLoad | None]) -> MachineLoad | None:
    """Return the load of all games of several folders or runs: None if nothing is known of any."""
    known = [one for one in several if one is not None]
    if not known:
        return None
    games = sum(one.games for one in known)
    return MachineLoad(
        games=games,
        mean=sum(one.games * one.mean for one in known) / games,
        cores=known[-1].cores,
        workers=known[-1].workers,
        reserved=all(one.reserved for one in known),
    )


def _has_priority() -> bool:
    """Whether no ordinary program may take a core from this one (real-time priority, Linux)."""
    if not hasattr(os, "sched_getscheduler"):
        return False
    return os.sched_getscheduler(0) in (os.SCHED_FIFO, os.SCHED_RR)
