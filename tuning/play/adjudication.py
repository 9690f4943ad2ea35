"""How often is a game decided wrongly when it is decided by its players' scores?

A sample of adjudicated games, drawn by a seed, is played on from where it was given up, by the same players at
the same limits, until it ends by the rules. Verdict and result speak of the first player; a verdict is wrong
if the game ends otherwise, in a draw too. The interval of the share is Clopper and Pearson's. What was played
on is evidence of the rule only: it changes no result."""

from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np

from tunesmith.engine.match import NO_RESULT
from tunesmith.tuning.documents.matches import Audit, AuditedGame, AuditTerms
from tunesmith.tuning.hashing import splitmix64
from tunesmith.tuning.play.matchup import Matchup, Pair, PlayedGame
from tunesmith.tuning.play.pool import Wanted, play_all
from tunesmith.tuning.play.records import Games
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.play.store import read_games

LEVEL = 0.95
FILE = "audit.json"


def audit(
    folder: Path, matchup: Matchup, count: int, resources: Resources, games: Games | None = None
) -> Audit:
    """Play `count` adjudicated games of a folder on (or all there are), and return what its `audit.json` holds.

    What the file holds of the same games, by the same players under the same rule, is not played again.
    """
    games = read_games(folder) if games is None else games
    rows = sample(games, count, matchup.seed)
    terms = _terms([[int(games.pair[row]), int(games.game[row])] for row in rows], matchup)
    stored = Audit.find(folder / FILE)
    if stored is not None and all(getattr(stored, name) == value for name, value in terms):
        return stored
    found = _found(terms, games, rows, _play_on(games, rows, matchup, resources))
    found.write(folder / FILE)
    return found


def sample(games: Games, count: int, seed: int) -> list[int]:
    """Return the rows of `count` adjudicated games, or of all there are, in the order of a hash of their place."""
    rows = np.flatnonzero(games.is_adjudicated)
    hashed = np.zeros(len(rows), np.uint64)
    for word in (np.full(len(rows), seed), games.pair[rows], games.game[rows]):
        hashed = splitmix64(hashed ^ word.astype(np.int64).view(np.uint64))
    chosen: list[int] = rows[np.argsort(hashed, kind="stable")][:count].tolist()
    return chosen


def share_wrong(wrong: int, played: int, level: float = LEVEL) -> tuple[float, float, float]:
    """Return the share of wrong verdicts and its interval; nothing played: any share is possible."""
    from scipy.stats import beta

    if played == 0:
        return 0.0, 0.0, 1.0
    tail = (1 - level) / 2
    low = float(beta.ppf(tail, wrong, played - wrong + 1)) if wrong else 0.0
    high = float(beta.ppf(1 - tail, wrong + 1, played - wrong)) if wrong < played else 1.0
    return wrong / played, low, high


def words(found: Audit) -> str:
    """Return an audit as a sentence."""
    head = f"adjudicated {found.adjudicated:,} of {found.games:,} games"
    if not found.played:
        return f"{head}; none of them was played on, so nothing is known of their verdicts"
    lost = f"; {found.no_result} came to no result" if found.no_result else ""
    return (
        f"{head}; of {found.played:,} played on to the end {found.wrong:,} were decided wrongly "
        f"({found.drawn:,} drawn, {found.reversed:,} lost): {100 * found.share:.1f} % "
        f"({100 * found.low:.1f} to {100 * found.high:.1f} %){lost}"
    )


def _play_on(games: Games, rows: list[int], matchup: Matchup, resources: Resources) -> dict[int, PlayedGame]:
    """Return the end of each row's game, by row."""
    groups: dict[tuple[int, int], list[int]] = defaultdict(list)
    for row in rows:
        groups[matchup.opponent_of(int(games.pair[row])), int(games.game[row])].append(row)
    wanted = [
        Wanted(
            at,
            _seated(matchup.against(opponent), game),
            [_from_where_it_ended(games, row, matchup) for row in own],
        )
        for at, ((opponent, game), own) in enumerate(sorted(groups.items()))
    ]
    ends: dict[int, PlayedGame] = {}
    for _, answer in play_all(wanted, resources.jobs, resources.backend, resources.patience):
        # The second game of the pair seats the players the other way round: it says nothing of this one.
        ends.update((played.pair, played) for played in answer.games if played.game == 0)
    return ends


def _seated(matchup: Matchup, game: int) -> Matchup:
    """Return the match without adjudication, with the player first who was so in game 0 or 1."""
    match = replace(matchup, adjudicate=None)
    if game == 0:
        return match
    return replace(
        match, first=match.second, second=match.first, limits=match.limits[::-1], books=match.books[::-1]
    )


def _from_where_it_ended(games: Games, row: int, matchup: Matchup) -> Pair:
    from tunesmith.games import registry

    text = games.positions()[row]
    root = None if text is None else registry.load(matchup.game).text_to_state(text)
    moves = games.moves[games.starts[row] : games.starts[row + 1]]
    return Pair(row, tuple(moves.tolist()), root)


def _terms(sample: list[list[int]], matchup: Matchup) -> AuditTerms:
    """Return what decides how games go on, as it is written down."""
    others = [opponent.weights.digest for opponent in matchup.opponents]
    rule = matchup.adjudicate
    return AuditTerms(
        sample=sample,
        players=[matchup.first.digest, matchup.second.digest, *others],
        limits=list(matchup.limits),
        score=0.0 if rule is None else rule.score,
        plies=0 if rule is None else rule.plies,
    )


def _found(terms: AuditTerms, games: Games, rows: list[int], ends: dict[int, PlayedGame]) -> Audit:
    results = {row: ends[row].result for row in rows}
    verdicts = {row: int(games.result[row]) for row in rows}
    known = [row for row in rows if results[row] != NO_RESULT]
    drawn = sum(results[row] == 0 for row in known)
    turned = sum(results[row] == -verdicts[row] for row in known)
    share, low, high = share_wrong(drawn + turned, len(known))
    return Audit(
        **dict(terms),
        games=len(games),
        adjudicated=int(games.is_adjudicated.sum()),
        played=len(known),
        no_result=len(rows) - len(known),
        wrong=drawn + turned,
        drawn=drawn,
        reversed=turned,
        share=share,
        low=low,
        high=high,
        level=LEVEL,
        ends=[
            AuditedGame(
                pair=int(games.pair[row]),
                game=int(games.game[row]),
                verdict=verdicts[row],
                result=None if results[row] == NO_RESULT else results[row],
                reason=ends[row].reason,
                moves=len(games.moves[games.starts[row] : games.starts[row + 1]]),
                moves_in_all=len(ends[row].moves),
            )
            for row in sorted(rows)
        ],
    )
