"""How compiled code looks into an opening book: a small hash table in the searcher's memory, see `engine.book`."""

from typing import Any

from tunesmith.engine.compile.slots import legal_moves
from tunesmith.engine.search.alphabeta import from_image
from tunesmith.engine.search.transposition import NO_MOVE, canonical_key
from tunesmith.engine.searcher import BOOK_ROWS
from tunesmith.games.game import State


def key_and_image(state: State) -> tuple[int, int]:
    """Return the key of a position in a book, and the symmetric image that it is the key of (template)."""
    return canonical_key(state, True, True)


def book_move(searcher: Any, state: State) -> int:
    """Return the book's move, or NO_MOVE (template)."""
    key, image = canonical_key(state, True, True)
    book = searcher.book
    at = key & (BOOK_ROWS - 1)
    while book[at, 2] != 0:
        if book[at, 0] == key:
            n_moves = legal_moves(state, searcher.moves[0])
            return from_image(searcher, state, image, 0, n_moves, int(book[at, 1]))
        at = (at + 1) & (BOOK_ROWS - 1)
    return NO_MOVE


def book_move_once(memory: Any, state: State) -> int:
    """Do `book_move` for callers outside compiled code (template)."""
    return book_move(memory[0], state)
