"""What a search by playing is, trial by trial and in all: `search/settings.json`, `trials.jsonl`, `result.json`, and
what its pilot saw (`pilot.json`).

Scores and Elo are those of the model of all games against the search's opponents, with 95 % intervals; what is
called observed holds luck, and is no recommendation."""

import math

from pydantic import Field

from tunesmith.tuning.documents.document import Document, Setting, Value
from tunesmith.tuning.stats import elo

PLACE = "place"  # attribute of a trial in Optuna's storage: which folder of which machine plays it


class Interval(Document):
    """Score with its standard error, and Elo with its interval."""

    score: float
    error: float
    elo: float
    elo_low: float
    elo_high: float


class PlayedTrial(Document):
    """A trial that was played: pairs of the search from number `first` on, which begin with so many openings.

    scores: the mean over opponents on each pair, None without a result; counts: of pairs, worst first, in all and by
    opponent; wdl: games won, drawn, lost; score: what the sampler was told. games: those that were played.
    """

    digest: str
    sampler: str
    at_random: list[str] | None = None
    first: int = Field(alias="from", ge=0)
    openings: int = Field(gt=0)
    scores: list[float | None]
    counts: list[int] = Field(min_length=5, max_length=5)
    wdl: list[int]
    opponents: dict[str, list[int]]
    games: int
    score: float

    def _wrong_here(self) -> str | None:
        if any(len(own) != 5 or min(own) < 0 for own in (self.counts, *self.opponents.values())):
            return f"counts: expected five counts for each opponent, found {self.opponents}"
        in_all = [sum(column) for column in zip(*self.opponents.values(), strict=True)]
        if self.counts != in_all:
            return f"counts: expected {in_all}, those of all opponents, found {self.counts}"
        score, pairs = elo.moments(self.counts).score, len(self.opponents) * len(self.scores)
        found = {"score": self.score}
        if pairs == sum(self.counts) and pairs:  # every opponent has a result on every opening
            found["mean of scores"] = sum(one or 0.0 for one in self.scores) / len(self.scores)
        for name, value in found.items():
            if not math.isclose(value, score, abs_tol=1e-9):
                return f"{name}: expected {score:g}, by the counts {self.counts}, found {value:g}"
        return None


class Start(Document):
    """The setting that the search began with."""

    setting: Setting
    estimate: Interval


class ScoreGain(Document):
    """How much higher the recommended setting scores than the start, and how probable it is that it does at all."""

    score: float
    error: float
    better: float


class CurvePoint(Interval):
    """A value of one parameter, the others as recommended."""

    value: Value


class Effect(Document):
    """What a parameter alone is worth around the recommended setting: best and worst value, difference in Elo."""

    name: str
    best: Value
    worst: Value
    elo: float
    elo_half_width: float
    score: float
    error: float
    curve: list[CurvePoint]


class Luckiest(Document):
    """The setting with the best observed score, and its trials."""

    setting: Setting
    trials: list[int]
    counts: list[int]
    score: float
    elo: float
    elo_half_width: float


class Dimension(Document):
    """A parameter of a search: the ends of a number with its step, or its choices; and where it started."""

    name: str
    kind: str
    start: Value
    low: float | None = None
    high: float | None = None
    step: float | None = None
    log: bool | None = None
    choices: list[Value] | None = None


class Recommendation(Document):
    """A setting, with what is known about it, about the start and about each parameter."""

    setting: Setting
    estimate: Interval
    start: Start
    gain: ScoreGain
    at_bound: list[str]
    effects: list[Effect]
    observed_best: Luckiest


class SearchFound(Recommendation):
    """What all trials amount to; `trials` by how they ended, `at_random`: those with a value left to chance."""

    sampler: str
    limit: str
    opponents: list[str]
    trials: dict[str, int]
    settings: int
    games: int
    at_random: int
    space: list[Dimension]


class SearchResult(SearchFound):
    """The same in a study, with the file and digest of the recommended weights and of those it began with."""

    weights: str
    digest: str
    start_digest: str


class PilotEnd(Document):
    """A value of one parameter, played alone against the start, pair by pair."""

    value: Value
    same_games: bool
    gain: float
    error: float
    counts: list[int]
    elo: float
    elo_low: float
    elo_high: float


class PilotRow(Document):
    """What the pilot saw of a parameter; dead: its games are move for move those of the start."""

    name: str
    dead: bool
    ends: list[PilotEnd]
