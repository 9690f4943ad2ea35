"""Parts of a question that are played: players without a feature, by one stage, of another variant."""

from typing import Any

import numpy as np
import pytest

from tunesmith.engine import weights as weight_files
from tunesmith.experiments.questions import played
from tunesmith.experiments.questions.terms import Side
from tunesmith.games import registry
from tunesmith.games.errors import InputError


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
