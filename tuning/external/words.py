"""What came of a study of engines, in words."""

from collections.abc import Mapping, Sequence

from tunesmith.games.texts import counted
from tunesmith.tuning.documents.engines import (
    EngineContest,
    EngineMatch,
    EngineStudy,
    EngineTournament,
    FaultyGame,
)
from tunesmith.tuning.external.summary import blamed
from tunesmith.tuning.stats.sprt import Sprt
from tunesmith.tuning.stats.words import claim, elo_words, further_words

NAME = "engines-study.json"  # of a study's folder: pins what decides the numbers
UNCHANGED = "the setting it started from is recommended: nothing to prove"
MOST_FAULTS = 5  # told one by one; all are in the file


def words(found: EngineStudy) -> list[str]:
    """Return what came of a study, as lines; of a tournament without its tables."""
    if isinstance(found, EngineMatch):
        return contest_words(found)
    if isinstance(found, EngineTournament):
        return tournament_words(found)
    from tunesmith.tuning.pipeline import searching

    lines = searching.words(found.search)
    if found.verify is None:
        return [*lines, UNCHANGED]
    return [*lines, "proof on openings that the search never saw:", *contest_words(found.verify)]


def contest_words(found: EngineContest) -> list[str]:
    """Return a contest's result as lines: stronger, weaker or not shown, with interval, counts and faults."""
    a, b = found.first, found.second
    summary = found.summary
    limits = a.limit if a.limit == b.limit else f"{a.limit} against {b.limit}"
    lines = [
        f"{_claim(found)}: {elo_words(found.estimate)}, "
        f"score {100 * found.estimate.score:.1f} %, {counted(found.pairs, 'pair')} at {limits}",
        "pairs LL LD DD+WL WD WW: " + " ".join(str(count) for count in found.counts),
        further_words(found.estimate),
        f"games {summary.games:,}, distinct {summary.distinct_games:,}, faults {summary.faults}, "
        f"capped {summary.capped}; {_ends(summary.ends)}",
    ]
    if found.sprt is not None:
        lines[2:2] = [_test_words(found.sprt, found)]
    if summary.asked_again:
        lines.append(
            f"nodes used up without a move: {summary.asked_again} times, searched to depth 1 instead"
        )
    return [*lines, *_fault_words(found.faults)]


def tournament_words(found: EngineTournament) -> list[str]:
    """Return who comes first, and how the games ended, as lines."""
    best, second = found.players[:2]
    ahead = found.superior[0][1]
    beside = "" if ahead is None else f"; stronger than {second.name} in {ahead:.0%} of resampled tournaments"
    return [
        f"{best.name} comes first of {len(found.players)} engines: {best.elo:+z.0f} Elo ({best.low:+z.0f} .. "
        f"{best.high:+z.0f}), {found.meetings}, {counted(found.started, 'opening')}{beside}",
        f"games {found.games:,}, faults {len(found.faults)}; {_ends(found.ends)}",
        *(
            f"{words} ({' - '.join(row.names)})"
            for row, words in zip(found.faults, _fault_words(found.faults), strict=False)
        ),
    ]


def _ends(ends: Mapping[str, int]) -> str:
    return ", ".join(f"{reason} {n}" for reason, n in ends.items())


def _fault_words(faults: Sequence[FaultyGame]) -> list[str]:
    return [
        f"  fault: pair {row.pair} game {row.game}, {blamed(row.names, row.fault)}: "
        f"{row.end_reason}: {row.detail}"
        for row in faults[:MOST_FAULTS]
    ]


def _claim(found: EngineContest) -> str:
    a, b = found.first.name, found.second.name
    if found.sprt is not None:
        said = {"H1": f"{a} is stronger than {b}", "H0": f"{a} is not stronger than {b}"}
        return said.get(found.decision or "", f"not shown that {a} is stronger than {b}")
    return claim(a, b, found.estimate, found.games_needed)


def _test_words(test: Sprt, found: EngineContest) -> str:
    after = found.after_test
    line = (
        f"sequential test [{test.elo0:g}, {test.elo1:g}] {test.model}: {found.decision}, ratio "
        f"{found.llr:+z.2f} between {found.lower:+z.2f} and {found.upper:+z.2f}"
    )
    if after is not None:
        interval = f"{after.elo_low:+z.1f} .. {after.elo_high:+z.1f}"
        line += f"; gain without the bias of stopping {after.elo:+z.1f} ({interval})"
    return line
