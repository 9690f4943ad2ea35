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
from tunesmith.tuning.config import DEFAULTS, Openings
from tunesmith.tuning.documents import tournaments
from tunesmith.tuning.files import is_unused, read_object, require_folder, write_json
from tunesmith.tuning.play import load, rating, selfplay, store
from tunesmith.tuning.play.match import judge
from tunesmith.tuning.play.matchup import FolderMatch, Matchup
from tunesmith.tuning.play.openings import choose_openings
from tunesmith.tuning.play.openings.file import OpeningFile
from tunesmith.tuning.play.openings.opening import Opening
from tunesmith.tuning.play.player import NamedPlayer, read_player
from tunesmith.tuning.play.point_of_view import for_first_named
from tunesmith.tuning.play.rating import Entrant, Met, Scale
from tunesmith.tuning.play.records import Games
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.play.summary import summarise
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
    rating.check_anchor(scale, [one.text for one in entrants])
    if folder is not None:
        require_folder(folder)
    met = rating.pairings(len(entrants), terms.first_only)
    resources.listener.note(rating.foretold(len(entrants), len(met), terms.pairs))
    who = judge(game, *(one.weights for one in entrants))
    openings = choose_openings(
        game,
        who,
        Openings(plies=terms.plies, max_score=terms.max_score),
        count=terms.pairs,
        purpose="verify",
        seed=terms.seed,
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


def conclude(
    terms: Terms,
    game: Game,
    entrants: Sequence[NamedPlayer],
    played: Sequence[tuple[int, int, Games]],
    scale: Scale,
    openings: tournaments.OpeningFacts | None,
) -> tournaments.GauntletResult:
    """Return what the games say."""
    rated = rating.conclude(
        [Entrant(one.text, one.weights.digest, one.weights.options, one.limit) for one in entrants],
        [_met(i, j, games) for i, j, games in played],
        scale,
        terms.seed,
    )
    fields = {name: getattr(rated, name) for name in tournaments.Rated.model_fields}
    return tournaments.GauntletResult(
        format="tunesmith-gauntlet",
        game=game.spec,
        terms=tournaments.GauntletTerms(**asdict(terms), pairings=rating.who_meets(terms.first_only)),
        openings=openings,
        **fields,
    )


def _met(first: int, second: int, games: Games) -> Met:
    summary = summarise(games)
    return Met(
        first,
        second,
        pair_cells(games),
        draws=summary.result_shares["draw"],
        distinct=summary.distinct_games,
        faults=summary.faults,
        capped=summary.capped,
        warnings=summary.warnings,
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
