"""The lengths of the shipped games: in every weight file, and as long as games of these files are."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tunesmith import games as game_registry
from tunesmith.engine import weights as weight_files
from tunesmith.engine.weights import Weights
from tunesmith.experiments import moves_to_go
from tunesmith.games.game import Game
from tunesmith.tuning.play.resources import Resources


def shipped(game: Game) -> list[Weights]:
    assert game.folder is not None
    paths = sorted((game.folder / "weights").glob("*.json"))
    variants = [json.loads(path.read_text())["variant"] for path in paths]
    return [
        weight_files.load(path, game)
        for path, variant in zip(paths, variants, strict=True)
        if variant == dict(game.variant)
    ]


@pytest.mark.parametrize("name", game_registry.names())
def test_every_shipped_file_knows_how_long_the_game_lasts(name: str) -> None:
    game = game_registry.load(name)
    known = [weights.moves_to_go for weights in shipped(game)]
    assert known[0] and all(one == known[0] for one in known)


def test_it_is_written_beside_what_the_files_hold(tmp_path: Path) -> None:
    game = game_registry.load("kalah")
    assert game.folder is not None
    shutil.copytree(game.folder / "weights", tmp_path / "weights")
    copy = replace(game, folder=tmp_path)
    before = [(one.digest, one.proof) for one in shipped(copy)]
    found = moves_to_go.measured(game, 2, tmp_path / "games", Resources(1, "threads"))
    written = moves_to_go.write(copy, found)
    assert len(written) == len(before)
    assert [(one.digest, one.proof) for one in shipped(copy)] == before
    assert all(one.moves_to_go == found for one in shipped(copy))
