"""Matches that a command plays, self-play, ladders and gauntlets: what they print and keep.

Counts are of pairs, worst first, of the first-named player; Elo with intervals at `level`."""

from __future__ import annotations

from tunesmith.tuning.documents.document import Document, Options
from tunesmith.tuning.documents.matches import Audit, Summary


class OpeningFacts(Document):
    """What a file of openings held; `left_out`: numbers of lines by reason, with an example of each."""

    file: str
    digest: str
    openings: int
    purposes: dict[str, int]
    left_out: dict[str, list[int]]
    examples: dict[str, str]


class Opponent(Document):
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
    opponents: list[Opponent]
    audit: Audit | None


class Figures(Document):
    """An estimate among other fields, see `stats.elo.Estimate`."""

    games: int | float
    score: float
    elo: float
    elo_half_width: float
    elo_low: float
    elo_high: float
    nelo: float
    nelo_half_width: float
    los: float
    is_clamped: bool
    level: float


class MatchPlayer(Document):
    """A player of a match, with the options it thought with."""

    name: str
    digest: str
    options: Options


class MatchResult(Figures):
    """What a match of two players came to."""

    game: str
    first: MatchPlayer
    second: MatchPlayer
    limit: str
    second_limit: str
    counts: list[int]
    pairs: int
    games_needed: int | None
    openings: OpeningFacts | None
    summary: Summary


class LadderRow(Figures):
    """A rung against the one below, at a limit."""

    rung: str
    limit: str
    options: Options
    counts: list[int]
    pairs: int
    distinct_games: int
    capped: int
    faults: int


class LadderResult(Document):
    """All matches of a ladder (`ladder.json`), with its settings."""

    name: str
    game: str
    weights: str
    settings: dict[str, object]
    rows: list[LadderRow]
