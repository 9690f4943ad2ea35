"""Rows of games, with the settings that a test speaks of."""

from collections.abc import Sequence
from typing import Any

from tunesmith.engine.weights import Weights
from tunesmith.games.game import Game
from tunesmith.tuning.config import GameFitOptions
from tunesmith.tuning.data.dataset import Dataset, build_rows
from tunesmith.tuning.play.records import Games


def rows_of(
    game: Game, games: Games | Sequence[Games], judge: Weights | None = None, seed: int = 1, **settings: Any
) -> Dataset:
    """Return the rows that a fit with these settings sees: calm ones unless they say otherwise."""
    return build_rows(game, games, GameFitOptions(**{"quiet": "game", **settings}), judge, seed)
