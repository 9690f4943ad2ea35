"""Games of engines, and what came of a study of them: `games.jsonl`, `engines.json`. White is the first player.

Counts are of pairs, worst first, of the first-named engine; Elo with 95 % intervals; results are the first player's
(White's)."""

from typing import Literal

from tunesmith.tuning.documents.document import Document, Setting
from tunesmith.tuning.documents.search import SearchFound
from tunesmith.tuning.documents.tournaments import Rated
from tunesmith.tuning.stats.elo import Estimate
from tunesmith.tuning.stats.sprt import Sprt
from tunesmith.tuning.stats.stopped_test import StoppedEstimate


class EngineGame(Document):
    """A game, a line of `games.jsonl`: digests and names of White and Black, opening, moves after it, and its end.

    `fault` is the engine at fault (0 White, 1 Black, 2: one of them), `detail` what it did; `asked_again`: see
    `external.playing.EngineResult`.
    """

    pair: int
    game: int
    white: str
    black: str
    names: list[str]
    fen: str
    opening: list[str]
    seed: int
    moves: list[str]
    result: int | None
    end_reason: str
    fault: int | None
    detail: str
    asked_again: int


class FaultyGame(Document):
    """A game that ended by a fault of an engine; see `EngineGame`."""

    pair: int
    game: int
    seed: int
    names: list[str]
    fault: int | None
    end_reason: str
    detail: str
    moves: list[str]


class EngineSummary(Document):
    """What some games amount to; results of {"white", "draw", "black"}, number of games by reason (`ends`)."""

    games: int
    distinct_games: int
    results: dict[str, int]
    capped: int
    faults: int
    asked_again: int
    ends: dict[str, int]


class DescribedEngine(Document):
    """An engine by name and digest, with what was set before it played, and its limit."""

    name: str
    digest: str
    options: Setting
    limit: str


class EngineContest(Document):
    """A match of two engines. Of a sequential test alone: its terms, decision, ratio (`llr`) and bounds."""

    first: DescribedEngine
    second: DescribedEngine
    counts: list[int]
    pairs: int
    estimate: Estimate
    games_needed: int | None
    summary: EngineSummary
    faults: list[FaultyGame]
    sprt: Sprt | None = None
    decision: str | None = None
    llr: float | None = None
    lower: float | None = None
    upper: float | None = None
    after_test: StoppedEstimate | None = None


class EngineOpenings(Document):
    """What a file of openings held; `bad`: numbers of the lines left out, by reason."""

    file: str
    openings: int
    duplicates: int
    bad: dict[str, list[int]]


class EngineMatch(EngineContest):
    """A study that is a match (`engines.json`)."""

    kind: Literal["match"]
    openings: EngineOpenings | None


class EngineSearch(Document):
    """A study that searches an engine's options (`engines.json`).

    verify: the proof of `options`; None if they are those that the search began with.
    """

    kind: Literal["search"]
    search: SearchFound
    options: Setting
    verify: EngineContest | None
    openings: EngineOpenings | None


class EngineTournament(Rated):
    """A study of three engines or more, rated (`engines.json`).

    meetings: who meets whom, in words. started: number of openings, common to all pairings. ends: number of
    games by reason.
    """

    kind: Literal["tournament"]
    meetings: str
    started: int
    games: int
    ends: dict[str, int]
    asked_again: int
    faults: list[FaultyGame]
    openings: EngineOpenings | None


EngineStudy = EngineMatch | EngineSearch | EngineTournament
