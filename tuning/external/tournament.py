"""How strong are three engines or more? All meet on the same openings, and are rated as a gauntlet's players are.

Each pairing has a folder of games, named by the digests of its two engines: whoever adds engines or pairs to the study
file later plays only what is missing. A pairing of which more than a tenth of the games end by a fault is given up, and
the others go on."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np

from tunesmith.games.errors import FaultError, InputError
from tunesmith.tuning.documents.engines import EngineTournament
from tunesmith.tuning.documents.tournaments import Rated
from tunesmith.tuning.external import summary
from tunesmith.tuning.external.config import RatingsSection
from tunesmith.tuning.external.match import Meeting, Player, Terms, play_together, too_faulty
from tunesmith.tuning.external.rules import EngineOpening
from tunesmith.tuning.play import rating
from tunesmith.tuning.play.rating import Entrant, Met, Scale


def scale_of(section: RatingsSection) -> Scale:
    """Return how results become ratings."""
    anchor = None if section.anchor is None else (section.anchor, section.anchor_elo)
    return Scale(section.level, section.resamples, anchor, section.draws)


def check_players(players: Sequence[Player], section: RatingsSection) -> None:
    """Refuse engines that cannot be told apart, and an anchor that does not play."""
    for a, b in combinations(players, 2):
        if a.digest == b.digest:
            raise InputError(
                f"engine: {a.name!r} and {b.name!r} are the same player: expected other options or another limit"
            )
        if a.name == b.name:
            raise InputError(
                f"engine: two are called {a.name!r}: give each of them a name of its own (name = ...)"
            )
    rating.check_anchor(scale_of(section), [player.name for player in players])


def play(
    players: Sequence[Player],
    openings: Sequence[EngineOpening],
    section: RatingsSection,
    folder: Path,
    terms: Terms,
    note: Callable[[str], None],
) -> EngineTournament:
    """Play what `folder` lacks; return ratings, pairings, faults. `note` hears how many games that takes."""
    met = rating.pairings(len(players), section.first_only)
    note(rating.foretold(len(players), len(met), len(openings)))
    meetings = [
        Meeting(
            players[i],
            players[j],
            openings,
            folder / f"{players[i].digest[:16]}-{players[j].digest[:16]}",
        )
        for i, j in met
    ]
    played = play_together(meetings, terms)
    wrong = [said for rows in played if (said := too_faulty(rows))]
    if len(wrong) == len(played):
        raise FaultError(f"every pairing was given up; {wrong[0]}")
    rated = rating.conclude(
        [Entrant(player.name, player.digest[:16], player.options, str(player.limit)) for player in players],
        [_met(i, j, rows) for (i, j), rows in zip(met, played, strict=True)],
        scale_of(section),
        terms.seed,
    )
    return _told(rated, section, len(openings), played)


def _met(first: int, second: int, rows: summary.Rows) -> Met:
    counted = summary.summarise(rows)
    decided = sum(counted.results.values())
    given_up = too_faulty(rows)
    cells = np.zeros((3, 3), np.int64) if given_up else summary.pair_cells(rows)
    is_repeated = counted.distinct_games < counted.games - counted.faults
    return Met(
        first,
        second,
        cells,
        draws=counted.results["draw"] / decided if decided else 0.0,
        distinct=counted.distinct_games,
        faults=counted.faults,
        capped=counted.capped,
        warnings=[f"given up, and in no rating: {given_up}"]
        if given_up
        else [
            f"only {counted.distinct_games} of {counted.games} games are distinct, and a pair that repeats another "
            f"counts for nothing: {int(cells.sum())} of {len(rows)} pairs count; use more openings"
        ]
        if is_repeated
        else [],
    )


def _told(
    rated: Rated, section: RatingsSection, started: int, played: Sequence[summary.Rows]
) -> EngineTournament:
    all_games = [summary.summarise(rows) for rows in played]
    ends = sum((Counter(one.ends) for one in all_games), Counter[str]())
    return EngineTournament(
        **{name: getattr(rated, name) for name in Rated.model_fields},
        kind="tournament",
        meetings=rating.who_meets(section.first_only),
        started=started,
        games=sum(one.games for one in all_games),
        ends=dict(sorted(ends.items())),
        asked_again=sum(one.asked_again for one in all_games),
        faults=[fault for rows in played for fault in summary.faults_of(rows)],
        openings=None,
    )
