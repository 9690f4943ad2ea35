"""Matches that a command plays, self-play, ladders and gauntlets: what they print and keep.

Counts are of pairs, worst first, of the first-named player; Elo with intervals at `level`."""

from typing import Literal

from pydantic import Field

from tunesmith.tuning.documents.document import Document, Finite, Options
from tunesmith.tuning.documents.matches import Audit, MachineLoad, Summary
from tunesmith.tuning.stats.elo import Estimate


class OpeningFacts(Document):
    """What a file of openings held; `left_out`: numbers of lines by reason, with an example of each."""

    file: str
    digest: str
    openings: int
    purposes: dict[str, int]
    left_out: dict[str, list[int]]
    examples: dict[str, str]


class OpponentScore(Document):
    """What came of the pairs against an opponent; the score is the player's, of a pair."""

    name: str
    digest: str
    games: int
    pairs: int
    score: float | None


class SelfPlay(Summary):
    """What a folder of a player's games holds."""

    folder: str
    digest: str
    openings: OpeningFacts | None
    opponents: list[OpponentScore]
    audit: Audit | None


class MatchPlayer(Document):
    """A player of a match, with the options it thought with."""

    name: str
    digest: str
    options: Options


class MatchResult(Document):
    """What a match of two players came to."""

    game: str
    first: MatchPlayer
    second: MatchPlayer
    limit: str
    second_limit: str
    counts: list[int]
    pairs: int
    estimate: Estimate
    games_needed: int | None
    openings: OpeningFacts | None
    summary: Summary
    load: MachineLoad | None = None


class LadderRow(Document):
    """A rung against the one below, at a limit."""

    rung: str
    limit: str
    options: Options
    counts: list[int]
    pairs: int
    estimate: Estimate
    distinct_games: int
    capped: int
    faults: int
    load: MachineLoad | None = None


class LadderResult(Document):
    """All matches of a ladder (`ladder.json`), with its settings."""

    name: str
    game: str
    weights: str
    settings: dict[str, object]
    rows: list[LadderRow]


# --- gauntlets


class Entry(Document):
    """A rated player: rating with its interval, games and their results; score None without a game.

    `group`: a number that players share whom games connect.
    """

    name: str
    digest: str
    options: Options
    limit: str
    group: int
    elo: float
    low: float
    high: float
    games: int
    wins: int
    draws: int
    losses: int
    score: float | None


class Pairing(Document):
    """What two players came to, of the first-named; `draws` is a share, `distinct` counts different games."""

    first: str
    second: str
    counts: list[int]
    pairs: int
    games: int
    score: float
    elo: float
    elo_low: float
    elo_high: float
    los: float
    draws: float
    distinct: int
    faults: int
    capped: int
    warnings: list[str]


class FirstMove(Document):
    """What moving first is worth, in Elo with its interval."""

    elo: float
    low: float
    high: float


class Rated(Document):
    """What the games of several players say together.

    players: strongest first, within their groups. superior: [i][j] is the share of resampled tournaments in which i
    is stronger than j, None where no games connect them. cycles: names, each of which is shown to beat the next.
    """

    level: float
    draws_as: str
    resamples: int
    anchor: tuple[str, float] | None
    players: list[Entry]
    pairings: list[Pairing]
    first_move: FirstMove
    nu: Finite
    superior: list[list[Finite]]
    cycles: list[list[str]]
    notes: list[str]


class GauntletTerms(Document):
    """What all games of a gauntlet share; `pairings`: who meets whom, in words; `options`: of every player's search."""

    game: str
    pairs: int
    limit: str
    seed: int
    plies: int
    max_score: float
    hash_mb: int
    first_only: bool
    allow_variant: bool
    pairings: str
    options: Options = Field(default_factory=dict)


class GauntletResult(Rated):
    """A gauntlet (`gauntlet.json`)."""

    format: Literal["tunesmith-gauntlet"]
    game: str
    terms: GauntletTerms
    openings: OpeningFacts | None
