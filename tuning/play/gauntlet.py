"""Several players against each other on common openings: a table of all pairings, ratings, circles.

Every pairing plays the same openings, pair p of each with the same seed, in a folder named by the digests of
its two players: whoever adds players or pairs later plays only what is missing. All pairings share the workers, so
that none idles while one comes to its end. Pairings speak of their first-named player; counts of pairs run from worst
to best."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith import games as game_registry
from tunesmith.engine.match import NO_RESULT
from tunesmith.engine.source import code_pins
from tunesmith.engine.weights import Weights
from tunesmith.games.errors import InputError, StudyError
from tunesmith.games.game import Game
from tunesmith.tuning.config import DEFAULTS
from tunesmith.tuning.documents import tournaments
from tunesmith.tuning.files import is_unused, read_object, require_folder, write_json
from tunesmith.tuning.play import load, selfplay, store
from tunesmith.tuning.play.match import judge
from tunesmith.tuning.play.matchup import FolderMatch, Matchup
from tunesmith.tuning.play.openings import choose_openings
from tunesmith.tuning.play.openings.file import OpeningFile
from tunesmith.tuning.play.openings.opening import Opening
from tunesmith.tuning.play.player import NamedPlayer, read_player
from tunesmith.tuning.play.point_of_view import for_first_named
from tunesmith.tuning.play.records import Games
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.play.summary import pair_results, summarise
from tunesmith.tuning.stats import elo, ratings
from tunesmith.tuning.study import require_same


@dataclass(frozen=True)
class Terms:
    """What all games of a gauntlet share; `options`: of the search of all players that have no other."""

    game: str
    pairs: int
    limit: str
    seed: int = DEFAULTS.seed
    plies: int = DEFAULTS.openings.plies
    max_score: float = DEFAULTS.openings.max_score
    hash_mb: int = DEFAULTS.hash_mb
    first_only: bool = False
    allow_variant: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Scale:
    """How results become ratings: interval, resampled tournaments, anchor (a player's name, Elo), draws."""

    level: float = 0.95
    resamples: int = 1000
    anchor: tuple[str, float] | None = None
    draws: ratings.Draws = "half"


def run(
    terms: Terms,
    names: Sequence[str],
    scale: Scale,
    folder: Path | None,
    resources: Resources,
    file: OpeningFile | None = None,
) -> tournaments.GauntletResult:
    """Play what `folder` lacks (None: keep nothing) and return ratings, pairings, circles and facts.

    Games begin as a `file` says, if there is one: with what it holds for verification.

    Raises
    ------
    InputError
        Fewer than two players, one twice, a player or option that is not known.
    StudyError
        The folder holds a gauntlet with other terms.
    """
    game = game_registry.load(terms.game)
    entrants = read_entrants(terms, names, game)
    _anchor_of(scale, entrants)
    if folder is not None:
        require_folder(folder)
    met, games = pairings(len(entrants), terms.first_only), 2 * terms.pairs
    resources.listener.note(
        f"{len(entrants)} players, {games * len(met):,} games; the {games} of each pairing measure it to about "
        f"± {elo.nelo_half_width(games):.0f} normalised Elo"
    )
    who = judge(game, *(one.weights for one in entrants))
    openings = choose_openings(
        game,
        who,
        plies=terms.plies,
        count=terms.pairs,
        purpose="verify",
        seed=terms.seed,
        max_score=terms.max_score,
        file=file,
    )
    with tempfile.TemporaryDirectory(prefix="tunesmith-") as scratch:
        root = folder or Path(scratch)
        _pin(root, terms, game, who, file)
        matches = [_meeting(terms, entrants[i], entrants[j], openings, root) for i, j in met]
        selfplay.play_together(matches, resources)
        played = [
            (i, j, store.read_games(match.folder, match.pairs))
            for (i, j), match in zip(met, matches, strict=True)
        ]
        found = conclude(terms, game, entrants, played, scale, file.facts() if file else None)
        if busy := load.together(map(load.find, sorted((root / "games").iterdir()))):
            found = found.model_copy(
                update={"notes": [*found.notes, f"load of the machine: {load.words(busy)}"]}
            )
        if folder is not None:
            found.write(folder / "gauntlet.json")
    return found


def read_entrants(terms: Terms, names: Sequence[str], game: Game) -> list[NamedPlayer]:
    """Return the players that are meant, all checked."""
    if len(names) < 2:
        raise InputError(f"players: expected two or more, found {len(names)}")
    made = [
        read_player(name, game, terms.limit, terms.options, allow_variant=terms.allow_variant)
        for name in names
    ]
    for a, b in combinations(made, 2):
        if a.key == b.key:
            raise InputError(f"players: {a.text!r} and {b.text!r} are the same player")
    return made


def pairings(n: int, first_only: bool) -> list[tuple[int, int]]:
    """Return who meets whom: everybody everybody, or the first all others."""
    return [(i, j) for i, j in combinations(range(n), 2) if i == 0 or not first_only]


def conclude(
    terms: Terms,
    game: Game,
    entrants: Sequence[NamedPlayer],
    played: Sequence[tuple[int, int, Games]],
    scale: Scale,
    openings: tournaments.OpeningFacts | None,
) -> tournaments.GauntletResult:
    """Return what the games say."""
    n = len(entrants)
    cells = np.zeros((n, n, 3, 3), np.int64)
    for i, j, games in played:
        cells[i, j] = pair_cells(games)
    rated = ratings.rate(
        cells,
        anchor=_anchor_of(scale, entrants),
        level=scale.level,
        draws=scale.resamples,
        seed=terms.seed,
        model=scale.draws,
    )
    rows = [_pairing(entrants, i, j, games, scale.level) for i, j, games in played]
    judged = [
        (i, j, elo.judge(row.elo_low, row.elo_high)) for (i, j, _), row in zip(played, rows, strict=True)
    ]
    shown = [(i, j) if said == "stronger" else (j, i) for i, j, said in judged if said != "not shown"]
    own = ratings.games_of(cells.astype(float))
    order = sorted(range(n), key=lambda at: (rated.fit.groups[at], -rated.ratings[at], at))
    first = rated.first_move
    return tournaments.GauntletResult(
        format="tunesmith-gauntlet",
        game=game.spec,
        terms=tournaments.GauntletTerms(
            **asdict(terms), pairings="first against all" if terms.first_only else "round robin"
        ),
        level=scale.level,
        draws_as=scale.draws,
        resamples=scale.resamples,
        anchor=scale.anchor,
        players=[_player(entrants[at], rated, own, at) for at in order],
        pairings=rows,
        first_move=tournaments.FirstMove(elo=first[0], low=first[1], high=first[2]),
        nu=rated.fit.nu,
        superior=[[rated.superior[i, j] for j in order] for i in order],
        cycles=[[entrants[at].text for at in circle] for circle in ratings.cycles(sorted(shown))],
        notes=_notes(entrants, rated, rows),
        openings=openings,
    )


def pair_cells(games: Games) -> Any:
    """Return (3, 3) counts of pairs: the first-named player's result when it moved first, and when second.

    Pairs with a game without a result count for nothing.
    """
    results: dict[int, dict[int, int]] = {}
    own = for_first_named(games.result, games.game)
    is_known = games.result != NO_RESULT
    for pair, game, result in zip(games.pair[is_known], games.game[is_known], own[is_known], strict=True):
        results.setdefault(int(pair), {})[int(game)] = int(result)
    found = np.zeros((3, 3), np.int64)
    for both in results.values():
        if len(both) == 2:
            found[both[0] + 1, both[1] + 1] += 1
    return found


# --- players and terms


def _anchor_of(scale: Scale, entrants: Sequence[NamedPlayer]) -> tuple[int, float] | None:
    if scale.anchor is None:
        return None
    names = [one.text for one in entrants]
    if scale.anchor[0] not in names:
        raise InputError(f"anchor: expected one of {', '.join(names)}, found {scale.anchor[0]!r}")
    return names.index(scale.anchor[0]), scale.anchor[1]


def _pin(root: Path, terms: Terms, game: Game, who: Weights, file: OpeningFile | None) -> None:
    """Store what may not change between calls; players and pairs may be added."""
    now = {
        "game": game.spec,
        "seed": terms.seed,
        "plies": terms.plies,
        "max_score": terms.max_score,
        "hash_mb": terms.hash_mb,
        **({"openings": file.digest} if file else {"judge of the openings": who.digest}),
        **code_pins(game),
    }
    stored = read_object(root / "terms.json")
    if stored is None:
        try:
            root.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StudyError(f"{root}: cannot be made: {error.strerror}") from error
        if not is_unused(root):
            raise StudyError(f"{root}: holds files but no terms.json of a gauntlet; choose another folder")
        write_json(root / "terms.json", now)
        return
    require_same(root, stored, now)


def _meeting(
    terms: Terms, a: NamedPlayer, b: NamedPlayer, openings: Sequence[Opening], root: Path
) -> FolderMatch:
    folder = root / "games" / f"{a.key}-{b.key}"
    matchup = Matchup(
        terms.game,
        a.weights,
        b.weights,
        (a.limit, b.limit),
        terms.seed,
        hash_mb=terms.hash_mb,
        books=(a.book, b.book),
    )
    return FolderMatch(matchup, openings, range(len(openings)), folder, f"{a.text} - {b.text}")


# --- what is said


def _player(entrant: NamedPlayer, rated: ratings.Ratings, games: Any, at: int) -> tournaments.Entry:
    lost, drawn, won = games[at].sum(axis=0) + games[:, at].sum(axis=0)[::-1]
    played = lost + drawn + won
    return tournaments.Entry(
        name=entrant.text,
        digest=entrant.weights.digest,
        options=entrant.weights.options,
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


def _pairing(
    entrants: Sequence[NamedPlayer], i: int, j: int, games: Games, level: float
) -> tournaments.Pairing:
    counts = list(pair_results(games).counts)
    summary = summarise(games)
    estimate = elo.estimate(counts, level)
    return tournaments.Pairing(
        first=entrants[i].text,
        second=entrants[j].text,
        counts=counts,
        pairs=sum(counts),
        games=2 * sum(counts),
        score=estimate.score,
        elo=estimate.elo,
        elo_low=estimate.elo_low,
        elo_high=estimate.elo_high,
        los=estimate.los,
        draws=summary.result_shares["draw"],
        distinct=summary.distinct_games,
        faults=summary.faults,
        capped=summary.capped,
        warnings=summary.warnings,
    )


def _notes(
    entrants: Sequence[NamedPlayer], rated: ratings.Ratings, rows: Sequence[tournaments.Pairing]
) -> list[str]:
    """Say what the ratings cannot."""
    found = []
    groups = sorted(set(rated.fit.groups))
    if len(groups) > 1:
        parts = [
            ", ".join(
                one.text for one, group in zip(entrants, rated.fit.groups, strict=True) if group == wanted
            )
            for wanted in groups
        ]
        found.append(f"cannot be compared, no games connect them: {' | '.join(parts)}")
    for winner, loser in rated.fit.one_sided:
        found.append(
            f"{entrants[winner].text} took every point from {entrants[loser].text}: the true difference may be "
            "much larger than the one given"
        )
    for row in rows:
        found += [f"{row.first} - {row.second}: {text}" for text in row.warnings]
    return found
