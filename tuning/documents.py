"""What stands in the JSON files of a study: one record for each kind of document, written and read here alone.

`Run.read(path)` gives a checked record or one line of error (file, field, what was expected, what was found);
nothing is repaired, nothing is filled in, unknown fields are refused. `record.write(path)` writes the same fields;
`record.content()` is what stands in the file, for commands that print it. Numbers that are not finite are null.
Counts are of pairs, worst first, from the view of the candidate or the first-named player."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from tunesmith.games.errors import StudyError
from tunesmith.tuning.files import finite, read_json, write_json
from tunesmith.tuning.stats.elo import Estimate


def _or_none(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


Finite = Annotated[float | None, BeforeValidator(_or_none)]  # None for what JSON cannot hold
Decision = Literal["H1", "H0", "inconclusive"]
Outcome = Literal["stronger", "weaker", "not shown"]


class Document(BaseModel):
    """A record with fixed fields: strict types, nothing unknown, never changed once made."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid", strict=True)

    @classmethod
    def find(cls, path: Path) -> Self | None:
        """Return the document of a file, None where there is none.

        Raises
        ------
        StudyError
            The file is damaged or holds something else: the first field that is wrong.
        """
        stored = read_json(path)
        return None if stored is None and not path.is_file() else cls.of(stored, path)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Return the document of a file that must be there; see `find`."""
        found = cls.find(path)
        if found is None:
            raise StudyError(f"{path}: expected a file, found none")
        return found

    @classmethod
    def of(cls, stored: Any, path: Path) -> Self:
        """Return the document that parsed JSON holds; `path` is named if it is none."""
        try:
            # Through text: only there do strict types take a list for a tuple.
            return cls.model_validate_json(json.dumps(stored))
        except ValidationError as error:
            raise StudyError(f"{path}: {_in_words(error.errors()[0])}") from None

    def content(self) -> dict[str, Any]:
        """Return what stands in the file: the fields that were given, as JSON has them."""
        content: dict[str, Any] = finite(self.model_dump(mode="json", exclude_unset=True, by_alias=True))
        return content

    def write(self, path: Path) -> None:
        """Write the document whole or not at all; its folder is made if it is not there."""
        path.parent.mkdir(parents=True, exist_ok=True)
        write_json(path, self.content())


def _in_words(error: ErrorDetails) -> str:
    where = ".".join(map(str, error["loc"])) or "the document"
    match error["type"]:
        case "missing":
            return f"{where}: expected this field, found none"
        case "extra_forbidden" | "unexpected_keyword_argument":
            return f"{where}: expected no field of this name, found {error['input']!r:.60}"
    message = error["msg"].removeprefix("Input should be ").removeprefix("Value error, ")
    return f"{where}: expected {message}, found {error['input']!r:.60}"


# --- matches


class Digest(Document):
    """Weights by the digest of what they say."""

    digest: str


class Named(Document):
    """Weights by the name that the study gives them, and their digest."""

    name: str
    digest: str


class Summary(Document):
    """What some games amount to.

    games, pairs, distinct_games: rows, different pair numbers, different sequences of moves. results and
    result_shares: of {"first", "draw", "second"}, wins of the first player, draws, wins of the second.
    first_player_share: mean result of the first player, 0 to 1 (None without results), and the half width of its
    95 % interval, by pairs (None for fewer than two). ends: number of games
    by reason; faults keep theirs, adjudicated games have a result. mean_length: moves of a game with a result,
    opening included. warnings: sentences for the reader.
    """

    games: int
    pairs: int
    distinct_games: int
    results: dict[str, int]
    result_shares: dict[str, float]
    first_player_share: float | None
    first_player_half_width: float | None
    capped: int
    adjudicated: int
    faults: int
    ends: dict[str, int]
    mean_length: float | None
    warnings: list[str]


class Terms(Document):
    """A sequential test as it was fixed before the first game, and what was to be expected of it.

    Lengths in pairs, on average at most; `resolvable` is the least gain that the test is expected to pass before its
    limit of pairs, None if there is none.
    """

    elo0: float
    elo1: float
    alpha: float
    beta: float
    model: Literal["normalized", "logistic", "bayesian"]
    max_pairs: int | None
    lower: float
    upper: float
    expected_pairs: float
    longest_pairs: float
    resolvable: float | None


class AfterTest(Document):
    """The estimate that allows for the stop; `estimate` beside it is the plain one."""

    elo: float
    elo_low: float
    elo_high: float
    los: float
    meaning: str


class Match(Document):
    """Who met whom, and how it came out; seen from the candidate."""

    name: str
    opponent: Named
    candidate: Digest
    limit: str
    counts: list[int]
    estimate: Estimate
    games_needed: int | None


class Run(Summary, Match):
    """A match on openings that nothing else used (`verify/*.json`, `check/*.json`).

    `path`: [pairs, log-likelihood ratio] points of a sequential test; a fixed number of pairs has neither path nor
    decision. `is_better`: of the check of a generation, whether its weights scored more than half.
    """

    kind: Literal["sequential", "fixed"]
    sprt: Terms | None
    decision: Decision | None
    after_test: AfterTest | None = None
    path: list[tuple[int, float]]
    is_better: bool | None = None


# --- verdict


class Baseline(Document):
    """The weights to beat; `options` are those on top of the file's own: part of the digest."""

    name: str
    digest: str
    options: dict[str, bool | int | float | str]


class Gain(Document):
    """The measured gain, in Elo with its 95 % interval, at a limit in so many games; `run` measured it."""

    run: str
    elo: float
    elo_half_width: float
    elo_low: float
    elo_high: float
    nelo: float
    limit: str
    games: int


class BriefRun(Document):
    """A run in the verdict: a plain figure with its half width, for a stopped test the figure that allows for it."""

    name: str
    opponent: Named
    limit: str
    counts: list[int]
    pairs: int
    elo: float
    half_width: float
    after_test: AfterTest | None
    decision: Decision | None


class Verdict(Document):
    """What the runs say together (`verdict.json`); `candidate` is a digest."""

    sentence: str
    outcome: Outcome
    candidate: str
    baseline: Baseline
    game: str
    code: str
    decision: Decision | None
    gain: Gain
    runs: list[BriefRun]
    seed: int
    command: str
    report: str
    openings: str


# --- generations


class Step(Document):
    """A generation: who played it, what was fitted, what the check said, and whether the study went on with it."""

    generation: int
    player: str
    made: str
    check: Run | None
    is_kept: bool


class Generations(Document):
    """The path of a study and the weights that came of it (`generations.json`)."""

    chosen: str
    digest: str
    path: list[Step]
