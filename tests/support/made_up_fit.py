"""A fit without positions: whole records for tests that only ask what comes of it."""

from tunesmith.tuning.documents.data import DatasetFacts, GamesFacts, PerGame
from tunesmith.tuning.documents.fit import (
    Curve,
    GamesFit,
    GenerationFit,
    HeldOutGain,
    Losses,
    LossParts,
    RidgePath,
)

LOSS = LossParts(training=Losses(prior=0.7, fit=0.6), held_out=Losses(prior=0.69, fit=0.61))


def games_fit() -> GamesFit:
    """Return the facts of a fit to a hundred positions."""
    return GamesFit(
        rows_training=80, rows_held_out=20, ridge=0.1, loss=LOSS, gain_held_out=HeldOutGain(mean=0.08, error=0.01),
        weights=[], notes=[], remarks=[], calibration=[], residuals=[], residuals_by_score=[],
        learning_curve=Curve(parts=[], doubling=None, error=None), boosted=None, interactions=[],
        rows_per_weight=8.0, groups_per_weight=4.0, mean_abs_score=(50.0, 60.0), iterations=5,
        rows=100, selection={}, scale_before=None, score_scales=[], ridge_path=RidgePath(grid=[], losses=[]),
        draw_margin=None, directions=[], rounding=None, examples=[], dataset=_dataset(),
    )  # fmt: skip


def generation_fit(generation: int, digest: str, games: int) -> GenerationFit:
    """Return what `fit/gen-N.json` holds."""
    return GenerationFit(
        **dict(games_fit()), generation=generation, digest=digest, games=games, distinct_games=games, faults=0,
        results={"first": 0.5, "draw": 0.0, "second": 0.5}, sources=[], audits=[],
    )  # fmt: skip


def _dataset() -> DatasetFacts:
    return DatasetFacts(
        game="kalah", rows=100, positions=100.0, pairs=10, selection={}, games=GamesFacts(with_result=0),
        per_game=PerGame(games=0, quartiles=[]), sources=[], balance=[], by_ply=[], features=[], notes=[],
    )  # fmt: skip
