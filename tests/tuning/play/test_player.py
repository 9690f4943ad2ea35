"""A player is written the same way wherever it plays: NAME, or NAME@key=value with what is its own."""

from dataclasses import replace
from pathlib import Path

import pytest

from tunesmith import games
from tunesmith.engine import weights as weight_files
from tunesmith.engine.book import Book
from tunesmith.engine.book import save as save_book
from tunesmith.games.errors import InputError
from tunesmith.tuning.play.matchup import Matchup, Noise
from tunesmith.tuning.play.playable import check_players
from tunesmith.tuning.play.player import named_or_default, read_player, read_weights, split

KALAH = games.load("kalah")


def test_what_is_a_players_own_stands_over_what_all_are_given() -> None:
    plain = read_player("hand", KALAH, "nodes:50", {"sort": 2})
    own = read_player("hand@sort=3,limit=depth:4", KALAH, "nodes:50", {"sort": 2, "killers": False})
    assert (plain.limit, plain.weights.options) == ("nodes:50", {"sort": 2})
    assert (own.limit, own.weights.options) == ("depth:4", {"sort": 3, "killers": False})
    assert (own.name, own.text) == ("hand", "hand@sort=3,limit=depth:4")
    assert plain.key != own.key


def test_a_book_is_a_players_own(tmp_path: Path) -> None:
    book = Book("kalah", dict(KALAH.variant), 4, ())
    save_book(book, tmp_path / "b.json")
    found = read_player(f"kalah/hand@book={tmp_path / 'b.json'}", KALAH, "nodes:50")
    assert found.book is not None and found.book.digest == book.digest
    assert found.key != read_player("kalah/hand", KALAH, "nodes:50").key


def test_a_file_may_have_an_at_in_its_name(tmp_path: Path) -> None:
    weight_files.save(weight_files.load("hand", KALAH), tmp_path / "me@home.json")
    text = str(tmp_path / "me@home.json")
    assert split(text) == (text, "")
    assert split(f"{text}@sort=3") == (text, "sort=3")
    assert read_player(f"{text}@sort=3", KALAH, "nodes:50").weights.options["sort"] == 3


def test_simple_players_take_no_options_of_their_own_and_are_spared_those_of_all() -> None:
    assert read_player("random", KALAH, "nodes:50", {"sort": 2}).weights.options == {"algorithm": "random"}
    with pytest.raises(InputError, match="a simple player takes no search options"):
        read_player("random@sort=2", KALAH, "nodes:50")


@pytest.mark.parametrize("own", ["limit=nodes:9", "book=b.json"])
def test_where_all_have_one_limit_a_player_has_none_of_its_own(own: str) -> None:
    assert read_weights("hand@sort=3", KALAH).options["sort"] == 3
    with pytest.raises(InputError, match="of its own is for match, gauntlet, probe and play"):
        read_weights(f"hand@{own}", KALAH)


def test_who_is_not_named_is_whom_the_game_names_else_tuned_else_hand(tmp_path: Path) -> None:
    assert named_or_default(None, KALAH, False) == ("tuned", True)
    assert named_or_default(None, games.load("ropasci360"), False) == ("home", True)
    assert named_or_default(None, replace(KALAH, folder=tmp_path), False) == ("hand", True)
    assert named_or_default("hand-1", KALAH, False) == ("hand-1", False)


def test_weights_of_another_variant_play_as_weights_of_the_one_that_is_played() -> None:
    """What meets in a match is checked to be of its variant (`tuning.play.playable`)."""
    game = games.load("kalah:ponds=6,seeds=4")
    with pytest.raises(InputError, match="variant"):
        read_player("hand", game, "nodes:5")
    found = read_player("hand", game, "nodes:5", allow_variant=True).weights
    plain = weight_files.load("hand", games.load("kalah"))
    assert found.variant == dict(game.variant) and found.values == plain.values
    assert read_player("tuned", games.load("kalah"), "nodes:5").weights.proof
    assert (
        read_player("tuned", game, "nodes:5", allow_variant=True).weights.proof == []
    )  # there they are not proven
    check_players(Matchup(game.spec, found, found, ("nodes:5", "nodes:5"), 1, Noise(0.1, 2)), game)
