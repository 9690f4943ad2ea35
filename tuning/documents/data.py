"""What the positions that a fit sees look like (`dataset` in `fit/gen-N.json`, and the command `dataset`)."""

from typing import Any

from pydantic import Field

from tunesmith.tuning.documents.document import Document, Finite
from tunesmith.tuning.documents.matches import Summary


class Histogram(Document):
    """Weights in bins of equal width from low to high."""

    low: float
    high: float
    counts: list[float]


class Lengths(Document):
    """Moves of games: mean, least to greatest in quarters, and a picture."""

    mean: float
    quartiles: list[float]
    bins: Histogram


class GamesFacts(Document):
    """Games with a result; where there are none, nothing else is known."""

    with_result: int
    results: dict[str, int] | None = None
    first_player_share: float | None = None
    first_player_error: float | None = None
    length: Lengths | None = None


class PerGame(Document):
    """How many rows the games gave that gave any, least to greatest in quarters."""

    games: int
    quartiles: list[float]


class SourceFacts(Summary):
    """Who played a set of games, and under what; `players`: pairs of digests. noise: chance of a random move.

    opponents: number of pairs by the digest of the second-named player, who may be the first-named itself.
    """

    generation: int
    players: list[list[str]]
    opponents: dict[str, int] = Field(default_factory=dict)
    limits: list[str] | None
    openings: int
    opening_plies: list[int]
    noise: float | None
    noise_plies: int | None
    move_cap: int | None
    seed: int | None
    version: Any


class Results(Document):
    """The mover's results: weights of positions; `mixed` came up with different ones."""

    positions: float
    won: float
    drawn: float
    lost: float
    mixed: float
    mean: float | None


class Balance(Results):
    """The mover's results in a stage, or in all."""

    stage: str


class ByPly(Results):
    """The mover's results between two plies."""

    low: int = Field(alias="from")
    high: int = Field(alias="to")


class FeatureRow(Document):
    """What a feature was in a stage, or in all; None where no position weighs anything. quantiles: 5 of them."""

    feature: str
    meaning: str
    stage: str
    rows: int
    pairs: int
    not_zero: Finite
    mean: Finite
    spread: Finite
    least: Finite
    greatest: Finite
    quantiles: list[float] | None
    correlation: Finite
    bins: Histogram


class DatasetFacts(Document):
    """What the page of a dataset shows; `selection` counts positions by what became of them."""

    game: str
    rows: int
    positions: float
    pairs: int
    selection: dict[str, int]
    games: GamesFacts
    per_game: PerGame
    sources: list[SourceFacts]
    balance: list[Balance]
    by_ply: list[ByPly]
    features: list[FeatureRow]
    notes: list[str]


class DescribedDataset(DatasetFacts):
    """The facts of a dataset with the settings (section [fit]) that chose it.

    of_pairs: how many pairs there are, where positions of some were looked at (`pairs`).
    """

    settings: dict[str, Any]
    of_pairs: int | None = None
