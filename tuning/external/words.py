"""What came of a study of engines, in words."""

from tunesmith.games.texts import counted
from tunesmith.tuning.documents.engines import EngineContest, EngineMatch, EngineSearch
from tunesmith.tuning.external.match import blamed
from tunesmith.tuning.stats.sprt import Sprt
from tunesmith.tuning.stats.words import claim, elo_words, further_words

NAME = "engines-study.json"  # of a study's folder: pins what decides the numbers
UNCHANGED = "the setting it started from is recommended: nothing to prove"
MOST_FAULTS = 5  # told one by one; all are in the file


def words(found: EngineMatch | EngineSearch) -> list[str]:
    """Return what came of a study, as lines."""
    if isinstance(found, EngineMatch):
        return contest_words(found)
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
        f"capped {summary.capped}; "
+ ", ".join(f"{reason} {n}" for reason, n in summary.ends.items()),
    ]  # fmt: skip
    if found.sprt is not None:
        lines[2:2] = [_test_words(found.sprt, found)]
    if summary.asked_again:
        lines.append(
            f"nodes used up without a move: {summary.asked_again} times, searched to depth 1 instead"
        )
    for row in found.faults[:MOST_FAULTS]:
        lines.append(
            f"  fault: pair {row.pair} game {row.game}, {blamed(row.names, row.fault)}: {row.end_reason}: "
            f"{row.detail}"
        )
    return lines


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
        f"{found.llr:+.2f} between {found.lower:+.2f} and {found.upper:+.2f}"
    )
    if after is not None:
        interval = f"{after.elo_low:+.1f} .. {after.elo_high:+.1f}"
        line += f"; gain without the bias of stopping {after.elo:+.1f} ({interval})"
    return line
