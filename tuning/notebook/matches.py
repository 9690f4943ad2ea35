"""A match of two players, from a line of Python."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import numpy as np

from tunesmith.engine.board import Board
from tunesmith.engine.weights import Weights
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game
from tunesmith.tuning.config import StudyConfig
from tunesmith.tuning.documents.tournaments import MatchResult
from tunesmith.tuning.notebook.boards import load_game, spec_of
from tunesmith.tuning.notebook.players import player_of
from tunesmith.tuning.notebook.progress import Progress, resources_for
from tunesmith.tuning.play.match import Beginnings, play_match, words
from tunesmith.tuning.play.matchup import Matchup
from tunesmith.tuning.report.html import Markup, el, join
from tunesmith.tuning.settings_file import checked
from tunesmith.tuning.stats import elo
from tunesmith.tuning.stats.words import claim, elo_words

if TYPE_CHECKING:
    import pandas as pd

Player = str | os.PathLike[str] | Weights
_SECTIONS = {
    "limit": "play",
    "plies": "openings",
    "max_score": "openings",
}  # of a study, where settings stand


class MatchSettings(TypedDict, total=False):
    """How a match is played; what is left out has the default of a study.

    limit
        What ends the search of a move: `depth:6`, `nodes:1000`, `time:0.1` (seconds).
    seed
        Everything random follows from it.
    plies, max_score
        Random moves of an opening, and the Elo that it is balanced to within.
    hash_mb
        Transposition table of each player, MiB.
    openings
        A file of openings, one a line, instead of random ones.
    out
        Folder for the games; the same call with more pairs goes on with what is there.
    """

    limit: str
    seed: int
    plies: int
    max_score: float
    hash_mb: int
    openings: str | os.PathLike[str]
    out: str | os.PathLike[str]


@dataclass(frozen=True, repr=False)
class PlayedMatch:
    """What a match came to, seen by the first-named player: Elo with 95 % intervals, counts of pairs worst first.

    Attributes
    ----------
    result
        All of it, as `tunesmith match --json` prints it.
    players
        The first-named and the second, as they were written.
    folder
        Where the games are.
    """

    result: MatchResult
    players: tuple[str, str]
    game: Game
    folder: Path
    _scratch: Any = field(default=None)  # keeps a temporary folder as long as the match is known

    @property
    def score(self) -> float:
        """Points a game, 0 to 1."""
        return self.result.estimate.score

    @property
    def elo(self) -> float:
        """The difference in Elo."""
        return self.result.estimate.elo

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of its 95 % interval, in Elo."""
        return self.result.estimate.elo_low, self.result.estimate.elo_high

    @property
    def outcome(self) -> str:
        """`stronger`, `weaker` or `not shown`."""
        return elo.judge(*self.interval)

    def games(self) -> pd.DataFrame:
        """Return the games, one a row: index pair and game; the result is that of the player who moves first.

        Players are called as they were written, so that two with the same weights are told apart.
        """
        import pandas as pd

        from tunesmith.tuning.notebook.frames import games_frame
        from tunesmith.tuning.play.store import read_games

        found = games_frame([("match", read_games(self.folder))], {})
        made = found.droplevel("run")
        made.attrs = found.attrs
        second = made.index.get_level_values("game")  # in game 1 of a pair sides are exchanged
        names = list(dict.fromkeys(self.players))
        codes = np.array([names.index(player) for player in self.players])
        for column, code in (("first", codes[second]), ("second", codes[1 - second])):
            made[column] = pd.Categorical.from_codes(code, categories=pd.Index(names, dtype="str"))
        return made

    def board(self, pair: int, game: int = 0) -> Board:
        """Return a game played again to its end: `match.board(*frame.index[0])`."""
        from tunesmith.tuning.report.game_source import from_folder

        return from_folder(self.game, self.folder, int(pair), int(game)).board

    def __repr__(self) -> str:
        return "\n".join(words(self.result))

    def _repr_html_(self) -> str:
        found = self.result
        estimate, summary = found.estimate, found.summary
        limits = (
            found.limit if found.limit == found.second_limit else f"{found.limit} and {found.second_limit}"
        )
        rows: Mapping[str, str] = {
            "Elo of the first-named": elo_words(estimate),
            "score": f"{100 * estimate.score:.1f} %",
            "pairs LL LD DD+WL WD WW": " ".join(map(str, found.counts)),
            "games": f"{summary.games:,}, {summary.distinct_games:,} distinct, {summary.faults} faults",
            "limit": limits,
        }
        told = claim(found.first.name, found.second.name, estimate, found.games_needed)
        table = el("table", *(el("tr", el("th", name), el("td", value)) for name, value in rows.items()))
        return join(el("p", el("strong", told)), table, *map(_line, summary.warnings))


def match(
    game: str | Game,
    first: Player,
    second: Player,
    pairs: int | None = None,
    *,
    jobs: int | None = None,
    progress: Progress = False,
    **settings: Unpack[MatchSettings],
) -> PlayedMatch:
    """Play a match in pairs, each opening twice with sides exchanged; return who is stronger, with intervals.

    Parameters
    ----------
    game
        A game, or what `load_game` takes.
    first, second
        As `load_weights` returns them, or as the commands take a player: a name or file, with what is its own behind an
        @ (`hand@max_depth=2,limit=nodes:50`), `random` or `greedy`.
    pairs
        Number of openings (default: 100, or all that a file of openings has).
    jobs
        Worker processes (default: all cores). They decide no number.
    progress
        As for `run_study`.
    **settings
        See `MatchSettings`.

    Raises
    ------
    InputError
        A player, a setting or the game is wrong.
    FaultError
        Every game ended by a fault of the game.
    """
    spec, loaded = spec_of(game), load_game(game)
    asked = _settings(spec, pairs, settings)
    a, b = (player_of(player, loaded, asked.play.limit) for player in (first, second))
    matchup = Matchup(
        spec,
        a.weights,
        b.weights,
        (a.limit, b.limit),
        asked.seed,
        hash_mb=asked.hash_mb,
        books=(a.book, b.book),
    )
    file = settings.get("openings")
    begin = Beginnings(
        pairs, asked.openings.plies, asked.openings.max_score, None if file is None else Path(file)
    )
    scratch = None if "out" in settings else tempfile.TemporaryDirectory(prefix="tunesmith-")
    folder = Path(settings["out"] if scratch is None else scratch.name)
    found = play_match(matchup, (a.name, b.name), begin, resources_for(jobs, progress), folder)
    return PlayedMatch(found, (a.text, b.text), loaded, folder, scratch)


def _settings(spec: str, pairs: int | None, given: Mapping[str, Any]) -> StudyConfig:
    """Return the settings of a match over the defaults of a study, checked."""
    unknown = sorted(given.keys() - MatchSettings.__annotations__.keys())
    if unknown:
        raise InputError(f"match: {unknown[0]}: expected one of {', '.join(MatchSettings.__annotations__)}")
    values: dict[str, Any] = {"name": "match", "game": spec, "play": {}, "openings": {}}
    for name, value in given.items():
        if name in ("seed", "hash_mb"):
            values[name] = value
        elif name in _SECTIONS:
            values[_SECTIONS[name]][name] = value
    if pairs is not None:
        values["play"]["pairs"] = pairs
    return checked(StudyConfig, values, "match")


def _line(text: str) -> Markup:
    return el("p", text)
