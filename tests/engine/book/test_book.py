"""Opening books: made by self-play, kept in a file, played in compiled games and by a player."""

import dataclasses
import json
import random
from pathlib import Path

import numpy as np
import pytest

from tunesmith import games
from tunesmith.engine import book, weights
from tunesmith.engine.board import Board
from tunesmith.engine.book.build import build
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.match import Arena
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.player import Player
from tunesmith.engine.searcher import new_searcher
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game

KALAH = games.load("kalah")
PENTAGO = games.load("pentago")


def small_book(game: Game = KALAH, **changes: object) -> book.Book:
    settings = {"plies": 4, "games": 40, "limit": "nodes:60", "judge": "nodes:2000", "min_games": 3}
    return build(game, weights.load("hand", game), **{**settings, **changes})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def kalah_book() -> book.Book:
    return small_book()


def other_move(game: Game, board: Board, move: str) -> str:
    return next(text for text in board.legal() if text != move)


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


def test_compiled_games_follow_the_book(kalah_book: book.Book) -> None:
    start = Board(KALAH)
    odd = other_move(KALAH, start, kalah_book.entries[0].move)
    entries = (book.Entry(start.text, odd, 0.0, 1, 0.5),)
    hand = weights.load("hand", KALAH)
    searchers = [
        new_searcher(KALAH, hand.array(KALAH), hand.scale, SearchOptions(), parse_limit("nodes:50"))
        for _ in range(2)
    ]
    book.Book("kalah", dict(KALAH.variant), 4, entries).install(searchers[0], KALAH)
    records = Arena(KALAH, searchers[0], searchers[1]).play_pair([])
    first_moves = [KALAH.move_to_text(start.state, int(record.moves[0])) for record in records]
    assert first_moves[0] == odd
    assert np.isnan(records[0].scores[0]) and not np.isnan(records[1].scores[0])


def test_one_entry_serves_all_images_of_a_position() -> None:
    """Pentago-Twist looks the same after half a turn."""
    rng = random.Random(3)
    for _ in range(20):
        board = Board(PENTAGO)
        for _ in range(rng.randrange(1, 8)):
            board.play(rng.choice(board.legal_moves()))
        if board.is_over:
            continue
        state, move = board.state, rng.choice(board.legal_moves())
        entry = book.Entry(board.text, PENTAGO.move_to_text(state, move), 0.0, 1, 0.5)
        player = Player(PENTAGO, weights.load("hand", PENTAGO), parse_limit("nodes:1"))
        player.use_book(book.Book("pentago", dict(PENTAGO.variant), 20, (entry,)))
        image = PENTAGO.symmetries(state, 1)
        expected = PENTAGO.move_to_text(image, PENTAGO.symmetric_move(state, move, 1))
        if image != state:
            assert player.analyse(Board(PENTAGO, PENTAGO.state_to_text(image))).move == expected


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


def test_simultaneous_games_have_no_book() -> None:
    game = games.load("ropasci360")
    with pytest.raises(InputError, match="no single move is best"):
        build(game, weights.load("hand", game))
