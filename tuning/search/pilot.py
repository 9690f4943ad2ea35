"""Does a parameter do anything? Each is played alone at the ends and in the middle of its range first."""

from collections.abc import Callable
from typing import Any

from tunesmith.tuning.documents.search import PilotEnd, PilotRow
from tunesmith.tuning.search.matches import TrialMatches
from tunesmith.tuning.search.outcome import paired_difference
from tunesmith.tuning.search.recommend import elo_interval
from tunesmith.tuning.search.space import Space


def pilot(space: Space[Any], matches: TrialMatches, most: int, tell: Callable[[str], None]) -> list[PilotRow]:
    """Play each parameter alone at its ends and middle; return what each is worth against the start, pair by pair.

    All play the same openings, the first `most` of the search: they are compared, not compared with trials.
    A parameter whose games are move for move those of the start at all of them is dead: nothing can be learnt
    about it at this limit.
    """
    pairs = range(min(most, len(matches.openings)))
    start = matches.play(space.apply(space.start), pairs, mirrors=True)
    rows = []
    for parameter in space.parameters:
        ends = []
        for value in parameter.probes():
            there = matches.play(space.apply({**space.start, parameter.name: value}), pairs, mirrors=True)
            gain, error = paired_difference(there, start)
            at = elo_interval(0.5 + gain, error)
            ends.append(
                PilotEnd(
                    value=value,
                    same_games=there.moves == start.moves,
                    gain=gain,
                    error=error,
                    counts=list(there.counts()),
                    elo=at.elo,
                    elo_low=at.elo_low,
                    elo_high=at.elo_high,
                )
            )
        rows.append(PilotRow(name=parameter.name, dead=all(end.same_games for end in ends), ends=ends))
        tell(pilot_line(rows[-1]))
    return rows


def pilot_line(row: PilotRow) -> str:
    """Return a pilot's finding in words."""
    if row.dead:
        return (
            f"  pilot: {row.name}: dead: with the others at their start not one move changes over its range; "
            "drop it, or widen its range"
        )
    ends = ", ".join(
        f"{short(end.value)}: {end.elo:+z.0f} ({end.elo_low:+z.0f} .. {end.elo_high:+z.0f})"
        for end in row.ends
    )
    return f"  pilot: {row.name}: Elo against the start at {ends}"


def short(value: Any) -> str:
    """Return a value in few letters."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
