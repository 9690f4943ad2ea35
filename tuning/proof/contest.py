"""Are the new weights stronger? A sequential test decides, fixed numbers of games measure.

Every run is a match of pairs on openings that nothing else used. Counts are seen from the candidate. Pairs are
consumed in order of their number, whatever order workers deliver them in; the bounds are fixed before the
first game; a run that is interrupted has no decision, and continues to the same one."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tunesmith.games.errors import StudyError
from tunesmith.games.texts import counted
from tunesmith.tuning.documents.matches import AfterTest, Digest, Named, Run, Terms
from tunesmith.tuning.manifest import DamagedError
from tunesmith.tuning.play import load, selfplay, store
from tunesmith.tuning.play.matchup import Matchup
from tunesmith.tuning.play.openings.opening import Opening
from tunesmith.tuning.play.records import Games
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.play.summary import pair_results, summarise
from tunesmith.tuning.settings_file import flatten
from tunesmith.tuning.stats import elo
from tunesmith.tuning.stats.sprt import (
    SURE,
    Sprt,
    ends_within,
    expected_length,
    pairs_to_resolve,
    resolvable,
    walk,
    worst_length,
)
from tunesmith.tuning.stats.stopped_test import estimate_stopped

logger = logging.getLogger("tunesmith.tuning")

UNITS = {"normalized": "normalised Elo", "logistic": "Elo", "bayesian": "BayesElo"}
WAVE = 256  # pairs between looks at the test; the decision does not depend on it


@dataclass(frozen=True)
class Contest:
    """Who meets whom, how, and on which openings.

    Attributes
    ----------
    name
        File name of the run in the study.
    matchup
        The candidate is its first-named player, the opponent its second; both have the same limit.
    opponent
        What the opponent is called.
    openings
        As many as pairs at most; pair p is played on `openings[p]`.
    """

    name: str
    matchup: Matchup
    opponent: str
    openings: Sequence[Opening]
    folder: Path
    resources: Resources

    @property
    def limit(self) -> str:
        """What ends the search of a move."""
        return self.matchup.limits[0]

    def play(self, pairs: int) -> Games:
        """Play pairs 0 .. pairs - 1, those that are missing; return all games."""
        selfplay.play(self.matchup, self.openings, range(pairs), self.folder, self.resources)
        return store.read_games(self.folder)


def recall(contest: Contest, path: Path, test: Sprt | None = None) -> Run | None:
    """Return a stored run, None where there is none: it counts only for what it was played with.

    Raises
    ------
    StudyError
        Other players, another limit, or a test on other terms: stored and now.
    """
    stored = Run.find(path)
    if stored is None:
        return None
    before = flatten(stored.content())
    now = {
        "candidate.digest": contest.matchup.first.digest,
        "opponent.digest": contest.matchup.second.digest,
        "limit": contest.limit,
        **flatten({"sprt": None if test is None else asdict(test)}),
    }
    for name, value in now.items():
        if before.get(name) != value:
            raise StudyError(
                f"{path}: {name}: stored {before.get(name)}, now {value}: a match counts only for what it was "
                f"played with; remove this file and {contest.folder} to play it again"
            )
    return stored if _is_of_its_games(stored, contest, path) else None


def _is_of_its_games(stored: Run, contest: Contest, path: Path) -> bool:
    """Whether the games of a stored run, where they are there, come to its counts."""
    if not store.pieces(contest.folder):
        return True
    n_pairs = stored.path[-1][0] if stored.path else len(contest.openings)
    try:
        found = _counts(store.read_games(contest.folder, range(n_pairs)), n_pairs)
    except DamagedError:  # whoever plays the rest tells of it
        return False
    if found != stored.counts:
        logger.warning("%s: counts %s, its games come to %s: made anew from them", path, stored.counts, found)
    return found == stored.counts


def measure(contest: Contest) -> Run:
    """Play all openings and return what `verify/<name>.json` holds: a fixed number of pairs."""
    games = contest.play(len(contest.openings))
    return _run(contest, games, len(contest.openings), kind="fixed", sprt=None, decision=None, path=[])


def decide(contest: Contest, test: Sprt, live: Callable[[int, float], None] | None = None) -> Run:
    """Play pairs until the test stops and return what `verify/<name>.json` holds."""
    played = 0
    limit = min(len(contest.openings), test.max_pairs or len(contest.openings))
    while True:
        played = min(limit, played + WAVE)
        games = contest.play(played)
        found = walk(test, _in_order(games, played))
        if live is not None:
            live(played, found.decision.llr)
        if found.stop is not None or played == limit:
            break
    decision = found.decision.decision if found.stop is not None else "inconclusive"
    n_read = found.stop if found.stop is not None else played
    return _run(
        contest,
        games,
        n_read,
        kind="sequential",
        sprt=describe(test),
        decision=decision,
        after_test=_unbiased(test, found.counts),
        path=_thin(found.path),
    )


def describe(test: Sprt) -> Terms:
    """Return a test's fixed terms and what to expect of it, for the file and for people.

    For logistic and BayesElo bounds it is taken that there are no draws, which make tests shorter.
    """
    drawelo = None if test.model == "normalized" else 0.0
    ends = ends_within(test, test.max_pairs, test.elo1, drawelo) if test.max_pairs else None
    return Terms(
        **asdict(test),
        lower=test.lower,
        upper=test.upper,
        expected_pairs=expected_length(test, test.elo1, drawelo).expected_games / 2,
        longest_pairs=worst_length(test, drawelo).expected_games / 2,
        resolvable=resolvable(test, test.max_pairs, drawelo) if test.max_pairs else test.elo1,
        accepted=None if ends is None else ends.accepted,
        rejected=None if ends is None else ends.rejected,
        undecided=None if ends is None else ends.undecided,
        pairs_to_resolve=pairs_to_resolve(test, drawelo),
    )


def terms_in_words(test: Sprt) -> list[str]:
    """Return a test's terms, and what it can and cannot show, to be told before the first game."""
    terms = describe(test)
    limit = f"at most {counted(test.max_pairs, 'pair')}" if test.max_pairs else "no limit of pairs"
    lines = [
        f"sequential test [{test.elo0:g}, {test.elo1:g}] {UNITS[test.model]}, {limit}",
        f"without a limit: errors {test.alpha:.0%} and {test.beta:.0%}, about {terms.expected_pairs:,.0f} pairs if the "
        f"gain is {test.elo1:g}, at most {terms.longest_pairs:,.0f} on average"
        + ("" if test.model == "normalized" else " (draws: fewer)"),
    ]
    if terms.accepted is None:
        return lines
    lines.append(
        f"within the limit a gain of {test.elo1:g} is accepted in {terms.accepted:.0%} of such tests, rejected in "
        f"{terms.rejected:.0%}, undecided in {terms.undecided:.0%}"
    )
    if terms.accepted < SURE:
        sure = "no gain" if terms.resolvable is None else f"a gain of {terms.resolvable:,.0f} or more"
        needed = (
            ""
            if terms.pairs_to_resolve is None
            else (
                f"; for a gain of {test.elo1:g} that takes a limit of about {terms.pairs_to_resolve:,} pairs"
            )
        )
        lines.append(f"it shows {sure} in {SURE:.0%} of such tests{needed}")
    return lines


def _unbiased(test: Sprt, counts: Sequence[int]) -> AfterTest:
    found = estimate_stopped(test, counts)
    return AfterTest(
        elo=found.elo,
        elo_low=found.elo_low,
        elo_high=found.elo_high,
        los=found.los,
        meaning="median-unbiased, the bias of stopping removed; estimate is the plain figure of the same games",
    )


def _in_order(games: Games, n_pairs: int) -> list[int | None]:
    """Return the class of each pair in number order; None for a pair without two results."""
    found = pair_results(games)
    return [found.get(pair) for pair in range(n_pairs)]


def _run(contest: Contest, games: Games, n_pairs: int, **outcome: Any) -> Run:
    """Return the record of the first pairs of a contest; `outcome` says what kind of run it was, and how it ended."""
    counts, facts = _counts(games, n_pairs), dict(summarise(games, n_pairs))
    if lost := store.lost(contest.folder):
        facts["warnings"] = [*facts["warnings"], lost_words(len(lost))]
    if (busy := load.find(contest.folder)) is not None:
        facts["load"] = busy
    return Run(
        name=contest.name,
        opponent=Named(name=contest.opponent, digest=contest.matchup.second.digest),
        candidate=Digest(digest=contest.matchup.first.digest),
        limit=contest.limit,
        counts=counts,
        estimate=elo.estimate(counts),
        games_needed=elo.games_needed(counts),
        **facts,
        **outcome,
    )


def _counts(games: Games, n_pairs: int) -> list[int]:
    """Return the number of pairs of each class among the first, worst first."""
    results = _in_order(games, n_pairs)
    return [results.count(kind) for kind in range(5)]


def lost_words(n_files: int) -> str:
    """Return that files of games were lost, as a sentence."""
    what = "a damaged file of games was" if n_files == 1 else f"{n_files} damaged files of games were"
    return f"{what} played again under a time limit: these are other games than the first"


def _thin(path: Sequence[float], most: int = 400) -> list[tuple[int, float]]:
    """Return (pairs, ratio) points, few enough to draw, the last one kept."""
    step = max(1, len(path) // most)
    points = [(at + 1, path[at]) for at in range(0, len(path), step)]
    if path and points[-1][0] != len(path):
        points.append((len(path), path[-1]))
    return points
