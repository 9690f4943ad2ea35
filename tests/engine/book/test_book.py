"""Opening books: made by self-play, kept in a file, played in compiled games and by a player."""

import dataclasses
import json
from pathlib import Path

import pytest

from tests.support.small_books import KALAH, small_kalah_book
from tunesmith.engine import book, weights
from tunesmith.engine.board import Board
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.player import Player
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game


@pytest.fixture(scope="module")
def kalah_book() -> book.Book:
    return small_kalah_book()


def other_move(game: Game, board: Board, move: str) -> str:
    return next(text for text in board.legal() if text != move)


def test_a_book_survives_its_file(kalah_book: book.Book, tmp_path: Path) -> None:
    path = tmp_path / "book.json"
    book.save(kalah_book, path)
    assert book.load(path, KALAH) == kalah_book


def test_a_player_plays_from_the_book_and_then_on_its_own(kalah_book: book.Book) -> None:
    entry = kalah_book.entries[0]
    odd = other_move(KALAH, Board(KALAH, entry.position), entry.move)
    player = Player(KALAH, weights.load("hand", KALAH), parse_limit("nodes:100"))
    player.use_book(
        dataclasses.replace(kalah_book, entries=(dataclasses.replace(entry, move=odd, score=12.5),))
    )
    board = Board(KALAH, entry.position)
    found = player.analyse(board)
    assert (found.move, found.score, found.nodes) == (odd, 1250, 0)
    board.push(odd)
    assert player.analyse(board).nodes > 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, "format: expected tunesmith-book"),
        ({"game": "pentago"}, "expected one of kalah"),
        ({"variant": {}}, "expected one of kalah"),
        ({"plies": "4"}, "entries: expected plies as a number"),
        ({"entries": [{"position": "[]"}]}, "entries: "),
        ({"extra": 1}, "entries: "),
        ({"entries": [{"position": "x", "move": "1", "score": 0, "games": 1, "share": 0}]}, "kalah"),
    ],
)
def test_a_wrong_book_is_refused_with_file_and_field(
    kalah_book: book.Book, tmp_path: Path, change: dict[str, object], message: str
) -> None:
    path = tmp_path / "book.json"
    book.save(kalah_book, path)
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(InputError, match=message) as caught:
        book.load(path, KALAH)
    assert str(path) in str(caught.value)
    path.write_text(path.read_text()[:50])
    with pytest.raises(InputError, match="cannot be read as a book"):
        book.load(path, KALAH)
