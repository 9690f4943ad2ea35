"""What every language is given: the order of the game, a proof of these weights alone, tables too."""

import json
from dataclasses import replace

from tunesmith.engine import weights as weight_files
from tunesmith.games import registry
from tunesmith.tuning import export
from tunesmith.tuning.cli import run


def test_a_proof_of_other_weights_is_not_quoted():
    game = registry.load("kalah")
    hand = weight_files.load("hand", game)
    good = {"candidate": hand.digest, "sentence": "kalah: shown to be stronger, +7 ± 3 Elo."}
    proven = replace(hand, proof=[{"candidate": "0" * 64, "sentence": "of other weights"}, good, "damaged"])
    text = export.source(export.of_weights(proven, game), "c")
    assert "proof: kalah: shown to be stronger, +7 +/- 3 Elo." in text
    assert "of other weights" not in text
    assert "proof: none" in export.source(export.of_weights(hand, game), "c")


def test_the_order_is_the_games_and_not_the_files(tmp_path):
    game = registry.load("kalah")
    hand = weight_files.load("hand", game)
    turned = replace(hand, features=tuple(reversed(hand.features)), stages=tuple(reversed(hand.stages)))
    assert export.of_weights(turned, game).features == game.feature_names
    assert export.of_weights(turned, game).rows == export.of_weights(hand, game).rows


def test_weights_of_a_table_are_exported_too(tmp_path, capsys):
    file = tmp_path / "mine.json"
    content = {"format": "tunesmith-table-weights", "version": 1, "unit": 2.5, "stages": ["all"], "features": ["pawn"],
               "weights": {"all": {"pawn": 40.0}}, "errors": {"all": {"pawn": 1.0}},
               "source": {"table": "my positions.csv", "games": 400}}  # fmt: skip
    file.write_text(json.dumps(content))
    assert run(["weights", "export", str(file), "--to", "python"]) == 0
    space: dict = {}
    exec(capsys.readouterr().out, space)
    assert space["my_positions_evaluate"]([3], [1.0]) == 2.5 * 40 * 3 * 100
    del content["weights"]["all"]["pawn"]
    file.write_text(json.dumps(content))
    assert run(["weights", "export", str(file), "--to", "python"]) == 2
    assert f"{file}: expected weights by name" in capsys.readouterr().err


def test_a_header_counts_in_words_and_leaves_out_what_a_reading_did_not_find(tmp_path):
    file = tmp_path / "mine.json"
    content = {"format": "tunesmith-table-weights", "version": 1, "unit": 1.0, "stages": ["all"], "features": ["pawn"],
               "weights": {"all": {"pawn": 40.0}}, "errors": {"all": {"pawn": 1.0}},
               "source": {"table": "mine.csv", "games": 4, "empty": 0, "scratch": 0}}  # fmt: skip
    file.write_text(json.dumps(content))
    text = export.source(export.of_table(file), "c")
    assert "1 feature, 1 stage," in text and "games: 4" in text
    assert "scratch" not in text and "empty" not in text
    content["source"]["scratch"] = 4096
    file.write_text(json.dumps(content))
    assert "scratch: 4096" in export.source(export.of_table(file), "c")
