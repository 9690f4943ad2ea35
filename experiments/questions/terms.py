"""What a question file may say. Every key is checked, unknown ones are refused."""

from pydantic import Field

from tunesmith.engine.limits import parse_limit
from tunesmith.tuning.config import DEFAULTS, HashMb, LimitText, Openings, OptionSection, Seed, Strict
from tunesmith.tuning.play.ladder import Rung


class Opened(Strict):
    """An opening book, built before the match by self-play of the side that uses it; see `engine.book.build`."""

    plies: int = Field(8, ge=1, le=60)
    games: int = Field(400, ge=1)
    judge: LimitText = "nodes:100000"


class Side(Strict):
    """A player: weights (a name or a file), search options, and a limit of its own.

    `without` names features that weigh nothing; `stage` is the one whose numbers count in all stages.
    """

    weights: str = "hand"
    options: OptionSection = Field(default_factory=dict)
    without: list[str] = Field(default_factory=list)
    stage: str | None = None
    limit: LimitText | None = None
    book: Opened | None = None


class Match(Strict):
    """Two players on the same openings, each played twice with sides exchanged.

    `game` is another game or variant than the question's; a variant plays the weights of the game proper. `pairs` are
    those of each limit, `timed_pairs` those of limits in time, if they are to be others.
    """

    name: str
    game: str | None = None
    first: Side = Field(default_factory=Side)
    second: Side = Field(default_factory=Side)
    limits: list[LimitText] = Field(min_length=1)
    pairs: int = Field(ge=1, le=10_000_000)
    timed_pairs: int | None = Field(None, ge=1, le=10_000_000)
    noise: float = Field(0.0, ge=0, le=1)

    def pairs_at(self, limit: str) -> range:
        """Return the numbers of the pairs that are played at a limit."""
        is_timed = not parse_limit(limit).is_deterministic
        return range(self.timed_pairs if is_timed and self.timed_pairs else self.pairs)


class Gauntlet(Strict):
    """Players as `tunesmith gauntlet` takes them: NAME or NAME@option=value.

    `against` is the one whom the others are compared with, by default the first.
    """

    name: str
    players: list[str] = Field(min_length=2)
    against: str | None = None
    limits: list[LimitText] = Field(min_length=1)
    pairs: int = Field(ge=1, le=10_000_000)


class Searcher(Rung):
    """A rung, and the one that it is measured by: by default the first."""

    against: str | None = None


class Techniques(Strict):
    """Searches to `depth` over the start and `4 * rounds` positions; bare alpha-beta with the options of each rung.

    All rungs search all positions one after the other, `repeats` times: nodes are the same each time, CPU time is not.
    """

    name: str
    weights: str = "hand"
    depth: int = Field(ge=1, le=60)
    rounds: int = Field(1, ge=0, le=1000)
    repeats: int = Field(5, ge=2, le=1000)
    rung: list[Searcher] = Field(min_length=1)


class Squash(Strict):
    """Plain negamax to `depth`, on the sum and on the squashed sum, over the start and `4 * rounds` positions."""

    name: str
    weights: str = "hand"
    depth: int = Field(ge=1, le=6)
    rounds: int = Field(1, ge=0, le=1000)


class Foresight(Strict):
    """A first player that expects the second to move by the evaluation of each of `models` in turn.

    Both search all moves to a fixed number of plies. `pairs` openings are played twice with each model.
    """

    name: str
    first: Side = Field(default_factory=Side)
    second: Side = Field(default_factory=Side)
    models: list[str] = Field(min_length=1)
    depth: int = Field(ge=1, le=8)
    second_depth: int = Field(ge=1, le=8)
    pairs: int = Field(ge=2, le=100_000)


class Variation(Strict):
    """Changes to a study, as after `--set`."""

    name: str
    changes: list[str] = Field(default_factory=list)


class StudyPart(Strict):
    """A study file and the variations of it that are run, each with all `seeds`; none: with the file's own alone."""

    name: str
    file: str
    preset: str | None = None
    changes: list[str] = Field(default_factory=list)
    seeds: list[Seed] = Field(default_factory=list)
    run: list[Variation] = Field(min_length=1)


class Question(Strict):
    """All that decides an answer."""

    name: str
    question: str
    game: str
    seed: Seed = DEFAULTS.seed
    hash_mb: HashMb = DEFAULTS.hash_mb
    openings: Openings = Field(default_factory=Openings)
    match: list[Match] = Field(default_factory=list)
    gauntlet: list[Gauntlet] = Field(default_factory=list)
    techniques: list[Techniques] = Field(default_factory=list)
    squash: list[Squash] = Field(default_factory=list)
    foresight: list[Foresight] = Field(default_factory=list)
    study: list[StudyPart] = Field(default_factory=list)
