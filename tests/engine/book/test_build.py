"""Books are made by self-play: what gets in, whose moves they are, one seed one book."""

import pytest

from tests.support.small_books import KALAH, small_book, small_kalah_book
from tunesmith import games
from tunesmith.engine import book, weights
from tunesmith.engine.board import Board
from tunesmith.engine.book.build import build
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.player import Player
from tunesmith.games.errors import InputError


@pytest.fixture(scope="module")
def kalah_book() -> book.Book:
    return small_kalah_book()


def test_the_start_is_known_and_moves_are_those_of_the_long_search(kalah_book: book.Book) -> None:
    texts = {entry.position: entry for entry in kalah_book.entries}
    start = texts[Board(KALAH).text]
    assert start.games == 40
    assert all(3 <= entry.games <= 40 and 0.0 <= entry.share <= 1.0 for entry in kalah_book.entries)
    judge = Player(KALAH, weights.load("hand", KALAH), parse_limit("nodes:2000"), hash_mb=64)
    for entry in kalah_book.entries[:10]:
        judge.new_game()
        found = judge.analyse(Board(KALAH, entry.position))
        assert (entry.move, entry.score) == (found.move, round(found.score / 100, 1))


def test_one_seed_gives_one_book(kalah_book: book.Book) -> None:
    assert small_book().digest == kalah_book.digest
    assert small_book(seed=2).digest != kalah_book.digest


def test_simultaneous_games_have_no_book() -> None:
    game = games.load("ropasci360")
    with pytest.raises(InputError, match="no single move is best"):
        build(game, weights.load("hand", game))
