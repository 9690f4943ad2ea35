"""Compiled games look into the book, whatever image of a position is on the board."""

import random

import numpy as np
import pytest

from tests.support.small_books import KALAH, small_kalah_book
from tunesmith import games
from tunesmith.engine import book, weights
from tunesmith.engine.board import Board
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.match import Arena
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.player import Player
from tunesmith.engine.searcher import new_searcher
from tunesmith.games.game import Game

PENTAGO = games.load("pentago")


@pytest.fixture(scope="module")
def kalah_book() -> book.Book:
    return small_kalah_book()


def other_move(game: Game, board: Board, move: str) -> str:
    return next(text for text in board.legal() if text != move)


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
