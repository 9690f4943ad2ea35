"""What do the games of several players say together? Ratings, pairings, circles, and what they cannot say.

Of our own players (`gauntlet`) and of other people's engines (`external`): whoever played, the same counts are the same
ratings. Pairings speak of their first-named player; counts of pairs run from worst to best."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
import numpy.typing as npt

from tunesmith.games.errors import InputError
from tunesmith.tuning.documents import tournaments
from tunesmith.tuning.documents.document import Value
from tunesmith.tuning.stats import elo, ratings


@dataclass(frozen=True)
class Scale:
    """How results become ratings: interval, resampled tournaments, anchor (a player's name, Elo), draws."""

    level: float = 0.95
    resamples: int = 1000
    anchor: tuple[str, float] | None = None
    draws: ratings.Draws = "half"


@dataclass(frozen=True)
class Entrant:
    """A player as it is told: name, digest of all that decides its moves, options, limit."""

    name: str
    digest: str
    options: Mapping[str, Value | None]
    limit: str


@dataclass(frozen=True, eq=False)
class Met:
    """What the games of two entrants, by their places, came to.

    cells: (3, 3) counts of pairs: the first-named player's result (lost, drew, won) when it moved first, and when
    second. draws: share of games; distinct: different games; faults, capped: games without a result.
    """

    first: int
    second: int
    cells: npt.NDArray[np.int64]
    draws: float
    distinct: int
    faults: int
    capped: int
    warnings: list[str] = field(default_factory=list)

    @property
    def counts(self) -> list[int]:
        """Counts of pairs LL, LD, DD+WL, WD, WW of the first-named player."""
        return [int(np.fliplr(self.cells).trace(2 - kind)) for kind in range(5)]


def pairings(n: int, first_only: bool) -> list[tuple[int, int]]:
    """Return who meets whom: everybody everybody, or the first all others."""
    return [(i, j) for i, j in combinations(range(n), 2) if i == 0 or not first_only]


def who_meets(first_only: bool) -> str:
    """Return the same in words."""
    return "first against all" if first_only else "round robin"


def foretold(players: int, meetings: int, pairs: int) -> str:
    """Return how many games are to be played, and what those of a pairing can show."""
    games = 2 * pairs
    return (
        f"{players} players, {games * meetings:,} games; the {games} of each pairing measure it to about "
        f"± {elo.nelo_half_width(games):.0f} normalised Elo"
    )


def check_anchor(scale: Scale, names: Sequence[str]) -> tuple[int, float] | None:
    """Return the anchor's place and Elo, None without one; refuse one that does not play."""
    if scale.anchor is None:
        return None
    if scale.anchor[0] not in names:
        raise InputError(f"anchor: expected one of {', '.join(names)}, found {scale.anchor[0]!r}")
    return names.index(scale.anchor[0]), scale.anchor[1]


def conclude(
    entrants: Sequence[Entrant], played: Sequence[Met], scale: Scale, seed: int
) -> tournaments.Rated:
    """Return ratings and what else the games of all pairings say; `seed` is the bootstrap's."""
    n = len(entrants)
    cells = np.zeros((n, n, 3, 3), np.int64)
    for met in played:
        cells[met.first, met.second] = met.cells
    rated = ratings.rate(
        cells,
        anchor=check_anchor(scale, [one.name for one in entrants]),
        level=scale.level,
        draws=scale.resamples,
        seed=seed,
        model=scale.draws,
    )
    rows = [_pairing(entrants, met, scale.level) for met in played]
    judged = [
        (met.first, met.second, elo.judge(row.elo_low, row.elo_high))
        for met, row in zip(played, rows, strict=True)
    ]
    shown = [(i, j) if said == "stronger" else (j, i) for i, j, said in judged if said != "not shown"]
    own = ratings.games_of(cells.astype(float))
    order = sorted(range(n), key=lambda at: (rated.fit.groups[at], -rated.ratings[at], at))
    first = rated.first_move
    return tournaments.Rated(
        level=scale.level,
        draws_as=scale.draws,
        resamples=scale.resamples,
        anchor=scale.anchor,
        players=[_player(entrants[at], rated, own, at) for at in order],
        pairings=rows,
        first_move=tournaments.FirstMove(elo=first[0], low=first[1], high=first[2]),
        nu=rated.fit.nu,
        superior=[[rated.superior[i, j] for j in order] for i in order],
        cycles=[[entrants[at].name for at in circle] for circle in ratings.cycles(sorted(shown))],
        notes=_notes(entrants, rated, rows),
    )


def _player(
    entrant: Entrant, rated: ratings.Ratings, games: npt.NDArray[np.float64], at: int
) -> tournaments.Entry:
    lost, drawn, won = games[at].sum(axis=0) + games[:, at].sum(axis=0)[::-1]
    played = lost + drawn + won
    return tournaments.Entry(
        name=entrant.name,
        digest=entrant.digest,
        options=dict(entrant.options),
        limit=entrant.limit,
        group=rated.fit.groups[at],
        elo=float(rated.ratings[at]),
        low=float(rated.low[at]),
        high=float(rated.high[at]),
        games=int(played),
        wins=int(won),
        draws=int(drawn),
        losses=int(lost),
        score=float((won + drawn / 2) / played) if played else None,
    )


def _pairing(entrants: Sequence[Entrant], met: Met, level: float) -> tournaments.Pairing:
    counts = met.counts
    estimate = elo.estimate(counts, level)
    return tournaments.Pairing(
        first=entrants[met.first].name,
        second=entrants[met.second].name,
        counts=counts,
        pairs=sum(counts),
        games=2 * sum(counts),
        score=estimate.score,
        elo=estimate.elo,
        elo_low=estimate.elo_low,
        elo_high=estimate.elo_high,
        los=estimate.los,
        draws=met.draws,
        distinct=met.distinct,
        faults=met.faults,
        capped=met.capped,
        warnings=met.warnings,
    )


def _notes(
    entrants: Sequence[Entrant], rated: ratings.Ratings, rows: Sequence[tournaments.Pairing]
) -> list[str]:
    """Say what the ratings cannot."""
    found = []
    groups = sorted(set(rated.fit.groups))
    if len(groups) > 1:
        parts = [
            ", ".join(
                one.name for one, group in zip(entrants, rated.fit.groups, strict=True) if group == wanted
            )
            for wanted in groups
        ]
        found.append(f"cannot be compared, no games connect them: {' | '.join(parts)}")
    for winner, loser in rated.fit.one_sided:
        found.append(
            f"{entrants[winner].name} took every point from {entrants[loser].name}: the true difference may be "
            "much larger than the one given"
        )
    for row in rows:
        found += [f"{row.first} - {row.second}: {text}" for text in row.warnings]
    return found


# --- what is said


def cross_table(found: tournaments.Rated) -> list[list[tuple[float, int] | None]]:
    """Return points and games of each player (rows) against each (columns), in the order of `found.players`."""
    places = {one.name: at for at, one in enumerate(found.players)}
    table: list[list[tuple[float, int] | None]] = [[None] * len(places) for _ in places]
    for row in found.pairings:
        i, j, points = places[row.first], places[row.second], row.score * row.games
        table[i][j], table[j][i] = (points, row.games), (row.games - points, row.games)
    return table


def words(found: tournaments.Rated) -> list[str]:
    """Return circles, first-move advantage and notes as lines."""
    first, level = found.first_move, found.level
    lines = [
        f"first move {first.elo:+z.0f} Elo ({first.low:+z.0f} .. {first.high:+z.0f}); intervals {level:.0%}, "
        f"bootstrap over pairs ({found.resamples:,}); "
        + (f"{found.anchor[0]} held at {found.anchor[1]:g}" if found.anchor else "mean 0")
    ]
    for circle in found.cycles:
        lines.append(f"circle: {' beats '.join([*circle, circle[0]])} (each shown at {level:.0%})")
    return [*lines, *map(str, found.notes)]
