"""An opening book: for positions that good play often comes to, the move that a long search prefers.

A book is a JSON file made by self-play (`engine.book.build`): positions of the first plies that came up often
enough, each searched longer than any game allows. It is probed by the symmetry-canonical state without rule
counters, so one entry serves all images of a position. Scores are Elo, the mover's view; shares of results are
the mover's too. In compiled code a book is a small hash table in the searcher's memory.

- `build`: Making an opening book: which positions does self-play come to, and what does a long search play
  there?
- `probe`: How compiled code looks into an opening book"""

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tunesmith.engine import files
from tunesmith.engine.book.probe import key_and_image
from tunesmith.engine.compile.bind import bind
from tunesmith.engine.searcher import BOOK_ROWS, N_BOOK, Searcher
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game
from tunesmith.games.texts import parse_json

FORMAT, VERSION = "tunesmith-book", 1
MOST_ENTRIES = BOOK_ROWS * 3 // 4  # of a hash table that is probed in sequence


@dataclass(frozen=True)
class Entry:
    """A position and the move to play there.

    Attributes
    ----------
    score
        Elo after the long search, the mover's view.
    games, share
        Self-play games that came here, and the mover's share of their results (0 to 1).
    """

    position: str
    move: str
    score: float
    games: int
    share: float


@dataclass(frozen=True)
class Book:
    """The entries of one variant of a game, in the order of how often they came up."""

    game: str
    variant: dict[str, Any]
    plies: int
    entries: tuple[Entry, ...]
    provenance: dict[str, Any] = field(default_factory=dict)

    def install(self, searcher: Searcher, game: Game) -> None:
        """Put the book into a searcher's memory.

        Raises
        ------
        InputError
            The book is of another game or variant, too long, or an entry is no legal move of a position.
        """
        self.check(game)
        rows = searcher.memory["book"][0]
        rows[:] = 0
        key_of = bind(key_and_image, game)
        for entry in self.entries:
            state = game.text_to_state(entry.position)
            move = game.text_to_move(state, entry.move)
            key, image = (int(number) for number in key_of(state))
            at = key & (BOOK_ROWS - 1)
            while rows[at, 2] != 0:
                at = (at + 1) & (BOOK_ROWS - 1)
            own = game.symmetric_move(state, move, image) if game.symmetric_move is not None else move
            rows[at] = key, own, 1
        searcher.memory["counters"][0, N_BOOK] = self.plies if self.entries else 0

    def by_key(self, game: Game) -> dict[int, Entry]:
        """Return the entries by the keys of their positions."""
        key_of = bind(key_and_image, game)
        return {int(key_of(game.text_to_state(entry.position))[0]): entry for entry in self.entries}

    @property
    def digest(self) -> str:
        """SHA-256 of what decides which moves are played, hexadecimal."""
        deciding = [
            self.game,
            self.variant,
            self.plies,
            [(entry.position, entry.move) for entry in self.entries],
        ]
        return hashlib.sha256(json.dumps(deciding, sort_keys=True).encode()).hexdigest()

    def check(self, game: Game) -> None:
        """Refuse a book that does not belong to `game`."""
        if game.simultaneous:
            raise InputError(f"book: {game.name} has simultaneous choices: no single move is best")
        if self.game != game.name or self.variant != dict(game.variant):
            raise InputError(f"book: expected one of {game.spec}, found {self.game} {self.variant}")
        if len(self.entries) > MOST_ENTRIES:
            raise InputError(f"book: entries: expected at most {MOST_ENTRIES}, found {len(self.entries)}")


def save(book: Book, path: Path) -> None:
    """Write a book, whole or not at all."""
    content = {"format": FORMAT, "version": VERSION, **asdict(book)}
    files.write(path, json.dumps(content, indent=1, allow_nan=False) + "\n")


def load(path: Path, game: Game) -> Book:
    """Return the book of a file, checked against `game`.

    Raises
    ------
    InputError
        Missing, cut, of another format, game or variant, or with an entry that is no legal move.
    """
    try:
        data = parse_json(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read as a book: {error}") from None
    if not isinstance(data, dict) or (data.pop("format", None), data.pop("version", None)) != (
        FORMAT,
        VERSION,
    ):
        raise InputError(f"{path}: format: expected {FORMAT} of version {VERSION}")
    try:
        entries = tuple(Entry(**entry) for entry in data.pop("entries"))
        book = Book(entries=entries, **data)
        kinds = {type(value) for entry in entries for value in (entry.position, entry.move)}
        if not isinstance(book.plies, int) or kinds - {str}:
            raise TypeError("expected plies as a number, positions and moves as text")
    except (KeyError, TypeError) as error:
        raise InputError(f"{path}: entries: {error}") from None
    try:
        book.check(game)
        for entry in entries:
            game.text_to_move(game.text_to_state(entry.position), entry.move)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    return book


__all__ = ["Book", "Entry", "load", "save"]
