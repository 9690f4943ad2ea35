"""A small opening book of Kalah, made once a process."""

from functools import cache

from tunesmith import games
from tunesmith.engine import book, weights
from tunesmith.engine.book.build import BookTerms, build
from tunesmith.games.game import Game

KALAH = games.load("kalah")


def small_book(game: Game = KALAH, **changes: object) -> book.Book:
    settings = {"plies": 4, "games": 40, "limit": "nodes:60", "judge": "nodes:2000", "min_games": 3}
    return build(game, weights.load("hand", game), BookTerms(**{**settings, **changes}))  # type: ignore[arg-type]


@cache
def small_kalah_book() -> book.Book:
    return small_book()
