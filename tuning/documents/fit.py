"""What is written down about a fit: `fit/gen-N.json` of a study, and the facts of a fit to somebody's table.

Weights, errors and sizes in Elo per unit of the feature; results are those of the side the rows are seen from."""

from pydantic import Field

from tunesmith.tuning.documents.data import DatasetFacts
from tunesmith.tuning.documents.document import Document, Finite
from tunesmith.tuning.documents.limits import Bend, Boosted, Curve, Product
from tunesmith.tuning.documents.matches import Audit, Named, Summary


class Losses(Document):
    """Mean loss of the prior and of the fit."""

    prior: float
    fit: float


class LossParts(Document):
    """Loss on the pairs that were fitted, and on those held out (None without)."""

    training: Losses
    held_out: Losses | None

    @property
    def judged(self) -> Losses:
        """The held-out loss if there is one, else that of the training."""
        return self.held_out or self.training


class HeldOutGain(Document):
    """How much lower the loss of the fit is than that of the prior on held-out pairs, with its error."""

    mean: Finite
    error: Finite


MOST_ERROR = 100.0  # Elo of usual effect; what a search takes for one standard error at most


class DataAlone(Document):
    """A weight by the data alone, one Newton step without ridge from the fit, with its standard error."""

    weight: float
    error: float


class WeightRow(Document):
    """A weight before and after. size: root mean square where not zero.

    error: that of the posterior (data, and the ridge as the prior); None where the weight was not fitted. data: what
    the data say without the ridge; None where they do not determine it, or it was not fitted.
    tied: true where it is one value with other weights. firmness: factor on the ridge, where there is not one for all.
    """

    stage: str
    feature: str
    before: float
    after: float
    error: Finite
    status: str
    size: Finite
    rows: int
    pairs: int
    data: DataAlone | None = None
    meaning: str | None = None
    firmness: float | None = None
    tied: bool | None = None

    @property
    def search_error(self) -> float | None:
        """One error for the range of a search: that of the data alone, at most MOST_ERROR Elo of usual effect."""
        if not self.error:
            return None
        most = MOST_ERROR / self.size if self.size else self.error
        return most if self.data is None else min(self.data.error, most)


class MixedWeight(Document):
    """What a unit of a feature is worth at given shares of the stages, before and after; error: of the posterior."""

    feature: str
    before: float
    after: float
    error: Finite


class Mix(Document):
    """The weights where positions usually are: at the mean shares of the stages; low, high: quartiles of each share."""

    stages: list[str]
    shares: list[float]
    low: list[float]
    high: list[float]
    weights: list[MixedWeight]


class CalibrationBin(Document):
    """Rows whose predicted results are alike: `n` is their weight, score in Elo, error that of actual - predicted."""

    stage: str
    n: float
    score: Finite
    predicted: Finite
    actual: Finite
    error: Finite


class StageResidual(Document):
    """Actual minus predicted results of a stage; `mean` is the residual."""

    stage: str
    mean: Finite
    n: Finite
    predicted: Finite
    actual: Finite
    residual: Finite
    error: Finite
    loss: Finite


class ScoreResidual(Document):
    """Actual minus predicted results of a range of scores (Elo); None is an open end."""

    low: float | None = Field(alias="from")
    high: float | None = Field(alias="to")
    n: Finite
    predicted: Finite
    actual: Finite
    residual: Finite
    error: Finite
    loss: Finite


class Shrinkage(Document):
    """A way to hold weights, its loss on games left out, and the error of the difference to that of one ridge."""

    name: str
    loss: float
    error: float


class RidgePath(Document):
    """Ridges that were tried, their losses, errors to the best and log evidence; empty where the ridge was given.

    kinds: ways to hold the weights that were tried at the chosen ridge, and `kind`, the one that was taken.
    """

    grid: list[Finite]
    losses: list[Finite]
    errors: list[Finite] | None = None
    evidence: list[Finite] | None = None
    rows: int | None = None
    kinds: list[Shrinkage] = Field(default_factory=list)
    kind: str | None = None


class BlendPath(Document):
    """Blends of results and scores that were tried, losses of plain results, errors to the best; empty if none were."""

    grid: list[Finite]
    losses: list[Finite]
    errors: list[Finite]

    def words(self, blend: float) -> str:
        """Say what labels are made of, and what the other blends would have lost."""
        made = "results alone" if blend == 1 else f"{blend:g} result, {1 - blend:.3g} expected by the search"
        told = ", ".join(f"{at:g}: {v:.5f}" for at, v in zip(self.grid, self.losses, strict=True))
        return f"labels: {made}" + (
            f" (loss on left-out results by share of the result: {told})" if told else ""
        )


class RoundingLoss(Document):
    """Mean training loss before rounding, after it, and after the repair."""

    before: float
    rounded: float
    repaired: float


class Rounding(Document):
    """What rounding to multiples of `step` did: weights rounded the other way, and changes that vanished."""

    step: float | None
    loss: RoundingLoss
    repaired: list[str]
    vanished: list[str]


class Change(Document):
    """A weight, and what one standard deviation along a direction adds to it."""

    stage: str
    feature: str
    change: float


class Direction(Document):
    """A direction in which the data alone are unsure: how much it moves a usual position, at most MOST_ERROR Elo."""

    elo: float
    weights: list[Change]


class ExamplePart(Document):
    """What a feature adds to the score of a position, before and after, in Elo."""

    feature: str
    value: float
    before: float
    after: float


class Example(Document):
    """A position on which old and new weights differ; `result` is its label."""

    text: str
    board_text: str
    svg: str
    before: float
    after: float
    result: float
    parts: list[ExamplePart]


class Source(Summary):
    """Who played a generation's games against one opponent, and what came of it."""

    generation: int
    limit: str
    first: Named
    second: Named


class FitFacts(Document):
    """What every fit says of itself; `mean_abs_score`: before and after, in Elo; `blend`: share of the result."""

    rows_training: int
    rows_held_out: int
    ridge: float
    ridge_path: RidgePath
    blend: float = 1.0
    blend_path: BlendPath = BlendPath(grid=[], losses=[], errors=[])
    loss: LossParts
    gain_held_out: HeldOutGain
    weights: list[WeightRow]
    usual: Mix | None = None  # None where there is one stage
    notes: list[str]
    remarks: list[str]
    calibration: list[CalibrationBin]
    residuals: list[StageResidual]
    residuals_by_score: list[ScoreResidual]
    learning_curve: Curve
    boosted: Boosted | None
    bends: list[Bend] = Field(default_factory=list)
    interactions: list[Product]
    rows_per_weight: float
    groups_per_weight: float
    mean_abs_score: tuple[float, float]
    iterations: int


class ScoreScale(Document):
    """What one Elo of a player's scores was worth in the results of a generation's games; `player`: its digest."""

    generation: int
    player: str
    scale: float


class GamesFit(FitFacts):
    """A fit to games; `scale_before`: Elo per unit of the baseline, None for a prior in Elo.

    unlearnt: by how much games without end would lower the loss, at most; None where no `play.stop_below`
    asks, and where draws are outcomes.
    """

    rows: int
    selection: dict[str, int]
    scale_before: float | None
    score_scales: list[ScoreScale]
    draw_margin: float | None
    unlearnt: Finite = None
    directions: list[Direction]
    rounding: Rounding | None
    examples: list[Example]
    dataset: DatasetFacts


class GenerationFit(GamesFit):
    """The fit of a generation to all games so far (`fit/gen-N.json`); `results` are shares.

    gain_over_player: as `gain_held_out`, over the weights that played the generation's games.
    """

    generation: int
    digest: str
    games: int
    distinct_games: int
    faults: int
    results: dict[str, float]
    sources: list[Source]
    audits: list[Audit]
    gain_over_player: HeldOutGain | None = None


SIDES = {"mover": "side to move", "first": "first player"}  # a perspective in words


class LeftOut(Document):
    """Rows of a table that could not be used for one reason: how many, some of their lines, and an example."""

    number: int
    lines: tuple[int, ...]
    example: str


class TableSource(Document):
    """How a table was read; `scratch`: bytes of the scratch file, None in memory.

    perspective: whose results they are, `mover` or `first`; seen_from: whose view the features and the scores are.
    """

    format: str
    perspective: str
    seen_from: str
    kept: int
    empty: int
    scratch: int | None
    left_out: dict[str, LeftOut]


class TableFacts(FitFacts):
    """A fit to a table; `unit`: Elo per unit of the written weights."""

    rows: int
    games: int
    unit: float
    draw_margin: float | None
    rounding: Rounding | None
    table: TableSource


class PredictedResults(Document):
    """How well scores predict results: losses in nats (`loss_of_mean`: of who always says the mean result).

    scale: by how much the scores would have to be multiplied to fit these results best.
    """

    rows: int
    mean: float
    loss: float
    loss_of_mean: float
    squared_error: float
    scale: Finite


class PredictionFacts(Document):
    """What weights say of a table; scores in Elo, `unit`: Elo per unit of the weights."""

    rows: int
    unit: float
    mean_abs_score: float
    mean_probability: float
    results: PredictedResults | None
    table: TableSource
    notes: list[str]
