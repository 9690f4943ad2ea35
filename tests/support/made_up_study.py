"""Whole studies without games: fits make the weights they are told to, pairs come out by strength; the rest is real.

Of weights that differ in their scale alone, the one with the higher strength (`STRENGTHS`, by scale) wins all games."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.made_up_contest import games_of
from tests.support.made_up_fit import games_fit
from tests.support.promoted import changed
from tunesmith import games
from tunesmith.engine import weights as weight_files
from tunesmith.games.game import Game
from tunesmith.tuning.cli.new_game import write_game
from tunesmith.tuning.config import StudyConfig
from tunesmith.tuning.documents.fit import GamesFit
from tunesmith.tuning.pipeline.generations import Played
from tunesmith.tuning.play.openings.random import Opening
from tunesmith.tuning.play.records import SCHEMA, Games
from tunesmith.tuning.proof.contest import Contest

SCALES = {1: 3.0, 2: 4.0}  # of the weights that each generation makes
STRENGTHS = {
    2.0: 0,
    3.0: 2,
    4.0: 1,
}  # the second generation is better than the baseline, worse than the first


def config(folder: Path, **changes: Any) -> StudyConfig:
    """Return the settings of a small study of a user's game, which is written into the folder."""
    file = folder / "mine" / "game.py"
    if not file.exists():
        write_game("mine", folder, True)
    return StudyConfig.model_validate(
        {
            "name": "mine",
            "game": str(file),
            "play": {"pairs": 8, "generations": 2, "check_pairs": 8},
            "verify": {"max_pairs": 400, "measure_pairs": 20, "second_pairs": 0},
            **changes,
        }
    )


def game_of(study: StudyConfig) -> Game:
    """Return the user's game."""
    return games.load(study.game)


def make_up(patch: pytest.MonkeyPatch) -> None:
    """Let studies play nothing."""
    patch.setattr("tunesmith.tuning.pipeline.preflight.line", lambda game: "")
    patch.setattr("tunesmith.tuning.pipeline.context.choose_openings", _openings)
    patch.setattr(
        "tunesmith.tuning.pipeline.generations._play",
        lambda *_: Played(Games(SCHEMA.empty_table(), {}, 0), [], None),
    )
    patch.setattr("tunesmith.tuning.pipeline.fit_games.fit_weights", _fit)
    patch.setattr("tunesmith.tuning.pipeline.fit_games.gain_over", lambda *_: None)
    patch.setattr(
        "tunesmith.tuning.pipeline.fit_games.write_checked",
        lambda game, made, path, data: weight_files.save(made, path),
    )
    patch.setattr(Contest, "play", _play)


def _openings(*_: Any, count: int, **__: Any) -> list[Opening]:
    return [Opening((at,), str(at)) for at in range(count)]


def _fit(game: Game, baseline: Any, played: list[Games], *_: Any, **__: Any) -> tuple[Any, GamesFit, None]:
    return changed(game, SCALES[len(played)]), games_fit(), None


def _play(contest: Contest, pairs: int) -> Games:
    apart = STRENGTHS[contest.matchup.first.scale] - STRENGTHS[contest.matchup.second.scale]
    return games_of([2 if apart == 0 else 4 if apart > 0 else 0] * pairs)
