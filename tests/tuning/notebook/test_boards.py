"""Games and positions in a notebook: by name, shown as picture and text, played in notation."""

import xml.etree.ElementTree as ET

import pytest

from tests.support.toys import piles
from tunesmith import Board, load_game
from tunesmith.games import names, registry
from tunesmith.games.errors import GameError, InputError
from tunesmith.tuning.notebook.boards import spec_of


def test_a_board_is_made_of_a_name_and_moves_in_notation():
    board = Board("kalah", moves="1 2")
    assert board.notation == ["1", "2"] and board.n_plies == 2 and board.game.name == "kalah"
    board.push("1")
    assert board.notation == ["1", "2", "1"]
    again = Board(load_game("kalah:ponds=6"), board.text)
    assert again.state == board.state and again.notation == []


def test_of_several_moves_all_are_played_or_none():
    board = Board("kalah")
    with pytest.raises(InputError, match="found '9'"):
        board.push("1 2 9")
    assert board.notation == []
    with pytest.raises(InputError):
        board.push("")


def test_a_shell_shows_the_board_and_who_is_to_move():
    shown = repr(Board("kalah", moves="1"))
    first, _, drawing = shown.partition("\n")
    assert first == "kalah:ponds=6,seeds=6,empty_capture=false, first player to move after 1 move"
    assert drawing == str(Board("kalah", moves="1"))


def test_a_finished_game_says_who_has_won_and_why():
    ended = Board("kalah:ponds=3,seeds=1", moves="1 1 2 3")
    assert ended.is_over and "second player wins (side_empty)" in repr(ended).splitlines()[0]


@pytest.mark.parametrize("name", names())
def test_a_notebook_shows_a_picture_of_each_game(name):
    root = ET.fromstring(Board(name)._repr_svg_())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert float(root.attrib["width"]) > 0


def test_a_game_says_what_it_is():
    assert repr(load_game("fanorona")).startswith("<game fanorona:") and "35 features" in repr(
        load_game("fanorona")
    )


def test_a_game_that_breaks_its_contract_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("TUNESMITH_CACHE", str(tmp_path / "cache"))
    with pytest.raises(GameError, match="max_moves"):
        load_game(piles(max_moves=0))
    with pytest.raises(InputError, match="did you mean 'kalah'"):
        Board("kalha")


def test_workers_are_told_how_a_game_was_loaded(tmp_path):
    assert spec_of("kalah:ponds=4") == "kalah:ponds=4"
    assert spec_of(registry.load("kalah:ponds=4")) == "kalah:ponds=4"
    file = tmp_path / "a@b" / "mine.py"
    file.parent.mkdir()
    file.write_text("from tests.support.toys import piles\nGAME = piles()\n")
    assert spec_of(registry.load(str(file))) == str(file)
    with pytest.raises(InputError, match="made in memory"):
        spec_of(piles())
