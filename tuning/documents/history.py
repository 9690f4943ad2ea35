"""How weights came about, and how they took the place of others: what `weights history`, `promote` and `rollback` tell.

Moments are UTC; digests are of weights."""

from pydantic import Field

from tunesmith.tuning.documents.document import Document
from tunesmith.tuning.documents.fit import Losses


class EloInterval(Document):
    """Elo with its 95 % interval."""

    elo: float
    elo_low: float
    elo_high: float


class LineageRow(Document):
    """A weight file of a study: the step that made it, and what that step knew; `gain` is in words."""

    step: str
    file: str
    digest: str | None
    written: str
    games: int | None
    gain: str | None
    loss: Losses | None = None
    elo: EloInterval | None = None
    is_chosen: bool


class TunedRow(Document):
    """Weights that are or were a game's tuned ones: note of their promotion, last sentence of their proof."""

    file: str
    digest: str
    on: str | None
    source: str | None = Field(alias="from")
    forced: str | None
    proof: str | None


class Promotion(Document):
    """What `promote` did. kept: where the `replaced` weights are; compared: whether the proof is against those.
    is_covered: whether a digest of the file covered its proof. edition: of the openings of the proof; unused_edition:
    the next one, where that edition has proved earlier tuned weights too.

    Without a proof, `forced` is the reason that was given, `although` what is missing.
    """

    game: str
    file: str
    digest: str
    sentence: str | None
    forced: str | None
    although: str | None
    replaced: str | None
    kept: str | None
    compared: bool
    is_covered: bool
    edition: int | None
    unused_edition: int | None


class Rollback(Document):
    """What `rollback` did: weights that are back, those `undone` and where they are kept, how many are `left`."""

    game: str
    file: str
    digest: str
    undone: str | None
    kept: str | None
    left: int
