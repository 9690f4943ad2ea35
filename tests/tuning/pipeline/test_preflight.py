"""Before the first game: does every weight move some evaluation?"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support import toys
from tunesmith import games
from tunesmith.engine import weights as weight_files
from tunesmith.games.errors import GameError
from tunesmith.tuning.cli import run
from tunesmith.tuning.cli.new_game import write_game
from tunesmith.tuning.pipeline import preflight


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A user's game in a folder of its own."""
    return write_game("mine", tmp_path, full=True)[0]


@pytest.mark.parametrize("name", games.names())
def test_a1_every_weight_of_a_shipped_file_moves_some_evaluation_or_is_0(name):
    """Some features are 0 in a whole stage by what the two mean; there the files have 0."""
    game = games.load(name)
    seen = preflight.moves(game)
    assert seen.any(axis=0).all() and seen.any(axis=1).all()
    assert game.folder is not None
    for path in (game.folder / "weights").glob("*.json"):
        if set(json.loads(path.read_text())["stages"]) != set(game.stage_names):
            continue  # of another variant
        assert preflight.check(game, weight_files.load(path, game, allow_variant=True)) == [], path


def test_a1_a_number_that_moves_nothing_fails_the_check_where_0_does_not(capsys):
    """In 1,000 random positions of RoPaSci 360 nobody is invincible while anybody can still throw."""
    game = games.load("ropasci360")
    hand, seen = weight_files.load("hand", game), preflight.moves(game, 1000)
    assert preflight.faults(game, hand, seen) == []
    row = {**hand.values["throwing"], "invincible": 2.0}
    louder = replace(hand, values={**hand.values, "throwing": row})
    assert preflight.faults(game, louder, seen) == [
        "throwing.invincible: 2, but moves no evaluation in any position tried"
    ]


def test_a1_a_number_for_what_is_rare_in_random_games_passes_the_check() -> None:
    """One side without throws, the other with some, and nothing left that beats it: rare, and fitted."""
    game = games.load("ropasci360")
    tuned = weight_files.load("tuned", game)
    assert tuned.values["throwing"]["invincible"] != 0
    assert preflight.faults(game, tuned, preflight.moves(game)) != []
    assert preflight.check(game, tuned) == []


def test_a1_a_weight_that_moves_no_evaluation_fails_the_check(file, capsys):
    hand = str(file.parent / "weights" / "hand.json")
    assert run(["weights", "check", hand, "--game", str(file)]) == 0
    text = file.read_text()
    assert "stages(state" in text
    file.write_text(text.replace("GAME = Game(", "def _dead(state, out):\n    _alive(state, out)\n    out[1] = 0.0\n\n\n"
                                 "_alive = features\nfeatures = _dead\nGAME = Game("))  # fmt: skip
    capsys.readouterr()
    assert run(["weights", "check", hand, "--game", str(file)]) == 1
    out = capsys.readouterr().out
    assert "centre: moves no evaluation in any position tried" in out and "FAILED" in out


def test_a1_a_stage_that_never_comes_is_idle_in_all_its_weights():
    def always_full(state: Any, out: Any) -> None:
        out[0], out[1] = 1.0, 0.0

    game = toys.piles(stages=always_full)
    assert preflight.idle_weights(game) == ["empty.tempo", "empty.rest", "empty.difference"]
    nothing = weight_files.from_array(game, np.zeros((2, 3)))
    assert preflight.faults(game, nothing, preflight.moves(game)) == [
        "stage empty: never comes in any position tried"
    ]


def test_a13_a_study_says_before_its_first_game_which_weights_do_nothing():
    assert preflight.line(toys.piles()) == "check: each of the 6 weights moves some evaluation"
    constant = toys.piles(features=lambda state, out: out.__setitem__(slice(None), (1.0, 0.0, 0.0)))
    line = preflight.line(constant)
    assert "4 of 6 weights move no evaluation" in line and "full.rest" in line and "full.tempo" not in line


def test_a13_a_game_that_fails_is_named_in_one_line():
    def broken(state: Any, out: Any) -> None:
        raise IndexError("list index out of range")

    with pytest.raises(GameError, match="'piles': IndexError: list index out of range"):
        preflight.idle_weights(toys.piles(features=broken))
