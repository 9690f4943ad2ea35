"""What a study is made of, how far it is, and what `tunesmith status` tells of it."""

from pathlib import Path
from typing import Any, Literal, Self

from tunesmith.games.errors import StudyError
from tunesmith.tuning.documents.document import Document
from tunesmith.tuning.documents.fit import LossParts
from tunesmith.tuning.documents.matches import Decision, Gain, Named, Verdict
from tunesmith.tuning.stats.elo import Estimate, Outcome


class StudyFile(Document):
    """What decides a study's numbers (`study.json`): settings, and digests of code and weights by name (`pinned`)."""

    format: Literal["tunesmith-study"]
    version: Literal[1]
    config: dict[str, Any]
    pinned: dict[str, str]
    fingerprint: str
    versions: dict[str, str]

    @classmethod
    def of(cls, stored: Any, path: Path | str) -> Self:
        """Return the document that parsed JSON holds; refuse a study of version 0.1, whatever else it says."""
        config = stored.get("config") if isinstance(stored, dict) else None
        if isinstance(config, dict) and "tune" in config:
            raise StudyError(
                f"{path}: a study of Tunesmith 0.1, whose games and settings later versions do not read: run its "
                "study file again into another folder (its weights/*.json are read as they are)"
            )
        return super().of(stored, path)


class Budget(Document):
    """A time that a study was given (`budget.json`), the speed that was measured, and the settings it came to."""

    budget: str
    seconds_a_pair: dict[str, float]
    pairs: dict[str, int]


class Stage(Document):
    """Where a study is (`status.json`): of a generation, a run of the proof, or openings of a purpose."""

    stage: str
    generation: int | None = None
    run: str | None = None
    purpose: str | None = None


class FitLine(Document):
    """A fit in few figures; `others`: games against others than the player itself, by their names."""

    generation: int
    games: int
    others: dict[str, int]
    rows: int
    loss: LossParts


class CheckLine(Document):
    """The check of a generation in few figures."""

    name: str
    opponent: Named
    pairs: int
    estimate: Estimate


class RunLine(Document):
    """A run of the proof in few figures; whether it was played by the weights that the study has chosen."""

    name: str
    opponent: Named
    limit: str
    pairs: int
    counts: list[int]
    decision: Decision | None
    is_of_chosen: bool


class SprtState(Document):
    """Where the sequential test stands between its bounds; no decision while it runs."""

    pairs: int
    llr: float
    lower: float
    upper: float
    decision: Decision | None


class StageGames(Document):
    """Games of the present stage: on disk, and in the end (of a sequential test at most)."""

    games: int
    planned: int


class Status(Stage):
    """How far a study is; `games`: on disk, by folder; `trials`: of the search, by how they ended."""

    study: str
    name: str | None
    game: str | None
    games: dict[str, int]
    fits: list[FitLine]
    checks: list[CheckLine]
    trials: dict[str, int]
    chosen: Named | None
    runs: list[RunLine]
    test: SprtState | None
    verdict: Verdict | None
    present: StageGames | None = None
    stopped: str | None = None  # why not all generations were played
    games_per_second: float | None = None


class StudyLine(Document):
    """A study of many in few figures; `told`: the sentence of its verdict, or what is wrong with its files."""

    study: str
    game: str | None
    stage: str
    games: int
    outcome: Outcome | None
    gain: Gain | None
    told: str | None


class Changed(Document):
    """What two studies have under one name, where that differs."""

    name: str
    first: Any
    second: Any


class StudiesCompared(Document):
    """Two studies side by side; `weights`: of those that they chose, in Elo, as stage.feature."""

    studies: list[StudyLine]
    settings: list[Changed]
    pinned: list[Changed]
    weights: list[Changed]
    notes: list[str]
