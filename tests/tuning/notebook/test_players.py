"""Weights by name in Python, and what they say of a position: the same as `tunesmith probe`."""

import json
import shutil

import pandas as pd
import pytest

from tunesmith import Board, load_game, load_weights
from tunesmith.engine import weights as weight_files
from tunesmith.games.errors import InputError
from tunesmith.tuning.cli import run
from tunesmith.tuning.notebook.players import player_of

MOVES = "1 2"
SMALL = "kalah:ponds=3,seeds=1"


def test_an_evaluation_is_that_of_the_command(capsys):
    board = Board("kalah", moves=MOVES)
    found = load_weights("kalah/tuned").evaluate(board)
    assert (
        run(["probe", "kalah", "--weights", "tuned", "--state", board.text, "--limit", "depth:1", "--json"])
        == 0
    )
    told = json.loads(capsys.readouterr().out)
    assert found == pytest.approx(told["score"]) and found.mover == board.mover
    assert {name: part.value for name, part in found.parts.items()} == {
        name: part["value"] for name, part in told["features"].items()
    }


def test_the_parts_are_a_frame_and_sum_to_the_evaluation():
    found = load_weights("tuned", "kalah").evaluate(Board("kalah", moves=MOVES))
    table = found.table()
    assert table.index.name == "feature" and table.dtypes.eq("float64").all()
    assert table["elo"].sum() == pytest.approx(found, abs=0.01)
    assert table.attrs["views"]["elo"] == "the side to move" and table.attrs["units"]["elo"] == "Elo"
    assert "Elo for the" in repr(found) and "<table" in found._repr_html_()


def test_weights_show_their_numbers_and_what_is_proved():
    found = load_weights("kalah/tuned")
    assert "24 of 24 features" in repr(found) and "stronger than hand" in repr(found)
    table = found.table()
    assert table.loc["bank", "opening"] == found.scale * found.values["opening"]["bank"]
    assert "<table" in found._repr_html_()


def test_a_file_says_itself_of_which_game_it_is(tmp_path):
    path = tmp_path / "mine.json"
    shutil.copy(load_game("kalah").folder / "weights" / "hand.json", path)
    assert load_weights(path).digest == load_weights("kalah/hand").digest
    assert load_weights(str(path), "kalah").name == str(path)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: load_weights("tuned"), "expected a file, GAME/NAME"),
        (lambda: load_weights("kalah/nobody"), "one of kalah's names"),
        (
            lambda: load_weights("kalah/hand").evaluate(Board("pentago")),
            "game: expected 'pentago', found 'kalah'",
        ),
        (lambda: load_weights("kalah/hand").evaluate(Board("kalah:seeds=4")), "variant"),
        (lambda: load_weights("random", SMALL).evaluate(Board(SMALL, moves="1 1 2 3")), "the game is over"),
    ],
)
def test_what_does_not_fit_is_refused(ask, words):
    with pytest.raises(InputError, match=words):
        ask()


def test_a_player_is_named_as_it_was_asked_for():
    game = load_game("kalah")
    plain = weight_files.load("hand", game)
    assert player_of("hand", game, "nodes:5").name == "hand"
    assert player_of(load_weights("kalah/tuned"), game, "nodes:5").name == "tuned"
    assert player_of(plain, game, "nodes:5").name == plain.digest[:12]
    own = player_of("hand@limit=nodes:9", game, "nodes:5")
    assert own.limit == "nodes:9" and own.weights.digest == plain.digest
    assert type(player_of(load_weights("kalah/tuned"), game, "nodes:5").weights) is weight_files.Weights


def test_frames_are_of_pandas():
    assert isinstance(load_weights("kalah/hand").table(), pd.DataFrame)


def test_weights_of_a_table_are_refused_with_what_reads_them(tmp_path):
    file = tmp_path / "w.json"
    file.write_text(json.dumps({"format": "tunesmith-table-weights", "version": 1, "unit": 1.0}))
    with pytest.raises(
        InputError, match="fitted to a table and belong to no game: `tunesmith predict .* export"
    ):
        load_weights(file)
