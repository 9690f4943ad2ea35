"""Parts of a question that are played: players without a feature, by one stage, of another variant."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tunesmith.engine import weights as weight_files
from tunesmith.experiments.questions import played
from tunesmith.experiments.questions.terms import Question, Side
from tunesmith.games import registry
from tunesmith.games.errors import InputError
from tunesmith.tuning.config import StudyConfig
from tunesmith.tuning.play.resources import Resources


def test_without_a_feature_and_by_one_stage() -> None:
    game = registry.load("kalah")
    own = weight_files.load("hand-2", game).array(game)
    cut = played.player(game, Side(weights="hand-2", without=["b*"])).array(game)
    is_out = np.array([name.startswith("b") for name in game.feature_names])
    assert (cut[:, is_out] == 0).all() and (cut[:, ~is_out] == own[:, ~is_out]).all()
    flat = played.player(game, Side(stage="ending")).array(game)
    assert (flat == weight_files.load("hand", game).array(game)[1]).all()


def test_a_variant_plays_the_weights_of_the_game_proper() -> None:
    variant = registry.load("kalah:ponds=6,seeds=4")
    made = played.player(variant, Side(weights="hand-2"))
    assert made.variant == variant.variant
    assert (made.array(variant) == weight_files.load("hand-2", registry.load("kalah")).array(variant)).all()


def test_each_variation_of_a_study_is_run_with_each_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run: list[tuple[int, int, Path]] = []

    def made_up(settings: StudyConfig, folder: Path, _: Resources) -> SimpleNamespace:
        run.append((settings.seed, settings.play.pairs, folder))
        return SimpleNamespace(content=lambda: {"seed": settings.seed})

    monkeypatch.setattr(played, "run_study", made_up)
    (tmp_path / "s.toml").write_text('game = "kalah"\n')
    few, many = ({"name": f"{n}", "changes": [f"play.pairs={n}"]} for n in (4, 8))
    terms = {"name": "s", "file": str(tmp_path / "s.toml"), "run": [few, many]}
    question = Question.model_validate(
        {"name": "q", "question": "?", "game": "kalah", "study": [{**terms, "seeds": [5, 6]}, terms]}
    )
    asked = played.QuestionRun(question, tmp_path / "games", Resources(1))
    found = asked.study(question.study[0])["figures"]
    assert [(row["variation"], row["seed"]) for row in found] == [("4", 5), ("4", 6), ("8", 5), ("8", 6)]
    assert [one[:2] for one in run] == [(5, 4), (6, 4), (5, 8), (6, 8)]
    assert len({folder for *_, folder in run}) == 4
    assert [row["seed"] for row in asked.study(question.study[1])["figures"]] == [1, 1]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"without": ["bnak"]}, "expected a feature of kalah, found 'bnak'"),
        ({"stage": "middle"}, "expected one of opening, ending, found 'middle'"),
    ],
)
def test_unknown_parts_of_players_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        played.player(registry.load("kalah"), Side(**changes))
