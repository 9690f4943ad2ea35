"""Where do the games of two engines begin? Openings of a file, or seeded random ones.

A file for a game that is not chess has an opening a line: a position in the game's notation, `fen POSITION moves MOVE
...`, or `startpos moves MOVE ...`; where we know the rules, moves alone will do. ` #` begins a comment. Which lines are
no openings is counted by reason and named."""

import random
from dataclasses import dataclass, field
from pathlib import Path

from tunesmith.games.errors import InputError
from tunesmith.games.texts import counted
from tunesmith.tuning import textlines
from tunesmith.tuning.documents.engines import EngineOpenings
from tunesmith.tuning.external.rules import EngineOpening, OwnRules, Rules
from tunesmith.tuning.play.matchup import pair_seed
from tunesmith.tuning.play.ugi_lines import read_position

NEITHER, FINISHED = "neither a position nor legal moves", "game is over"
MAX_LINES = 5  # line numbers named in words


@dataclass
class Book:
    """Openings of a file, distinct, in its order; `bad` holds line numbers by reason."""

    name: str
    openings: list[EngineOpening] = field(default_factory=list)
    bad: dict[str, list[int]] = field(default_factory=dict)
    duplicates: int = 0
    _known: set[str] = field(default_factory=set, repr=False)

    def add(self, opening: EngineOpening, key: str) -> None:
        """Take an opening unless its position, told apart by `key`, is known."""
        if key in self._known:
            self.duplicates += 1
        else:
            self._known.add(key)
            self.openings.append(opening)

    def refuse(self, reason: str, line: int) -> None:
        """Count a line that cannot be used."""
        self.bad.setdefault(reason, []).append(line)

    def words(self) -> list[str]:
        """Return what the file held, as lines."""
        lines = [f"{self.name}: {counted(len(self.openings), 'opening')}, {self.duplicates} repeated"]
        for reason, numbers in self.bad.items():
            shown = ", ".join(map(str, numbers[:MAX_LINES])) + (" …" if len(numbers) > MAX_LINES else "")
            lines.append(f"  left out, {reason}: {len(numbers)} (line {shown})")
        return lines

    def facts(self) -> EngineOpenings:
        """Return the same as data."""
        return EngineOpenings(
            file=self.name, openings=len(self.openings), duplicates=self.duplicates, bad=self.bad
        )


def read_lines_of(path: Path, rules: Rules) -> Book:
    """Return the openings of a file with one a line."""
    book = Book(path.name)
    text = textlines.content(path, "openings: ").removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    for number, line in enumerate(text.splitlines(), 1):
        words = f" {line} ".partition(" # ")[0].strip()
        if not words or words.startswith("#"):
            continue
        try:
            opening, key = _read(words, rules)
        except InputError as error:
            book.refuse(str(error), number)
        else:
            book.add(opening, key)
    if not book.openings:
        said = "; ".join(f"{reason} (line {numbers[0]})" for reason, numbers in book.bad.items())
        raise InputError(f"{path}: openings: expected a position or moves a line, found {said or 'none'}")
    return book


def _read(words: str, rules: Rules) -> tuple[EngineOpening, str]:
    """Return the opening of a line, and what tells its position from others."""
    is_told = words.split(maxsplit=1)[0] in ("startpos", "fen", "position")
    start, moves = read_position(words.removeprefix("position ")) if is_told else (words, list[str]())
    opening = EngineOpening(start, tuple(moves))
    if not isinstance(rules, OwnRules):
        return opening, words
    known = [opening] if is_told else [opening, EngineOpening("", tuple(words.split()))]
    reason = NEITHER
    for found in known:
        try:
            board = rules.board(found)
        except InputError:
            continue
        if not board.is_over:
            return found, board.text
        reason = FINISHED
    raise InputError(reason)


class RandomOpenings:
    """Seeded random legal plies from the start: distinct; the start itself where nobody knows the rules."""

    def __init__(self, rules: Rules, plies: int, seed: int) -> None:
        self._rules, self._plies, self._seed = rules, plies, seed
        self._made: list[EngineOpening] = []
        self._known: set[str] = set()
        self._tried = 0

    def first(self, count: int) -> list[EngineOpening]:
        """Return the first `count` openings, or as many as are found; the same ones for the same seed."""
        if not self._rules.is_judge:
            return [EngineOpening("")] * count
        while len(self._made) < count and self._tried < 200 * count + 1000:
            found = self._rules.random_line(self._plies, random.Random(pair_seed(self._seed, self._tried)))
            self._tried += 1
            if found is not None and found[1] not in self._known:
                self._known.add(found[1])
                self._made.append(found[0])
        return self._made[:count]
