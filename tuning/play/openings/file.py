"""Which openings does a user's file hold?

One opening a line: moves in the game's notation from the start position, or the text of a position; ` #` begins
a comment. Every line that cannot be used is counted under its reason, with its number. Two lines whose last
positions are the same, symmetric images, or the same with sides exchanged are one opening. The hash that splits
random openings splits these: what serves to train never serves to verify. The file's author answers for their
balance: nothing is judged. A file may be packed (gzip, bzip2, xz)."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tunesmith.engine.board import Board
from tunesmith.engine.compile.bind import bind
from tunesmith.games.errors import InputError
from tunesmith.games.game import Game
from tunesmith.games.texts import counted
from tunesmith.tuning.config import DEFAULTS
from tunesmith.tuning.documents.tournaments import OpeningFacts
from tunesmith.tuning.play.openings.opening import (
    SHARES,
    Opening,
    opening_of,
    purpose_of,
    shared_key,
    shares_of,
)
from tunesmith.tuning.textlines import TOO_LONG, blocks, lines

ALL = "all"  # purposes at once, for a match that nothing else has to be kept apart from
SHOWN = 12  # numbers of lines that a sentence names

NOT_TEXT, LONG, UNREADABLE = "not UTF-8", "too long", "neither moves nor a position"
ILLEGAL, FINISHED, PENDING, REPEATED = "illegal move", "game is over", "half a turn", "repeated"


@dataclass(frozen=True)
class OpeningFile:
    """What a file holds.

    Attributes
    ----------
    digest
        SHA-256 of the file's bytes.
    openings
        Each once, by its key (`shared_key`), in the order of lines.
    first_line
        Of each opening, by its key.
    left_out
        Numbers of the lines that are no opening of their own, by reason.
    examples
        What is wrong with the first line of each reason.
    """

    path: Path
    digest: str
    openings: Mapping[int, Opening]
    first_line: Mapping[int, int]
    left_out: dict[str, list[int]] = field(default_factory=dict)
    examples: dict[str, str] = field(default_factory=dict)

    def count(self, purpose: str, edition: int = DEFAULTS.openings.edition) -> int:
        """Return the number of openings for a purpose."""
        return sum(purpose in (ALL, purpose_of(key, edition)) for key in self.openings)

    def facts(self, edition: int = DEFAULTS.openings.edition) -> OpeningFacts:
        """Return what is stored and shown of the file."""
        return OpeningFacts(
            file=str(self.path),
            digest=self.digest,
            openings=len(self.openings),
            purposes={purpose: self.count(purpose, edition) for purpose in SHARES},
            left_out=self.left_out,
            examples=self.examples,
        )


class _Refusal(Exception):
    """A line is no opening: the reason, and what is wrong with it."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, " ".join(detail.split())[:200]


def read(game: Game, path: Path) -> OpeningFile:
    """Return what a file of openings holds.

    Raises
    ------
    InputError
        The file cannot be read, or no line of it is an opening.
    """
    key_of = bind(shared_key, game)
    openings: dict[int, Opening] = {}
    first_line: dict[int, int] = {}
    left_out: dict[str, list[int]] = {}
    examples: dict[str, str] = {}
    for number, raw in (line for block in blocks(path, is_packed=True) for line in lines(block)):
        try:
            found = parse(game, raw)
            if found is None:
                continue
            key = int(key_of(_last(game, found)))
            if key in openings:
                raise _Refusal(REPEATED, f"the position of line {first_line[key]}, or its image")
        except _Refusal as refusal:
            left_out.setdefault(refusal.reason, []).append(number)
            examples.setdefault(refusal.reason, f"line {number}: {refusal.detail}")
            continue
        openings[key], first_line[key] = found, number
    made = OpeningFile(
        path, hashlib.sha256(path.read_bytes()).hexdigest(), openings, first_line, left_out, examples
    )
    if not openings:
        lost = "".join(f"; {words}" for words in _losses(made.facts()))
        raise InputError(f"{path}: holds no opening of {game.name}{lost}")
    return made


def describe(facts: OpeningFacts) -> list[str]:
    """Return what a file holds, and what of it was left out, as lines (`OpeningFile.facts`)."""
    split = ", ".join(f"{purpose} {count}" for purpose, count in facts.purposes.items())
    lost = (f"  {words}" for words in _losses(facts))
    return [f"{facts.file}: {counted(facts.openings, 'opening')} ({split})", *lost]


def split_moves(board: Board, line: str) -> list[str]:
    """Split a line of moves at white space, unless the whole of it is a move."""
    if board.is_over or " " not in line:
        return line.split()
    try:
        board.game.text_to_move(board.state, line)
    except Exception:  # a user's game may raise anything at texts that it does not know
        return line.split()
    return [line]


def parse(game: Game, raw: bytes) -> Opening | None:
    """Return the opening of a line, None of one that is empty or a comment; raises `_Refusal`."""
    if raw == TOO_LONG:
        raise _Refusal(LONG, "longer than a mebibyte")
    try:
        line = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _Refusal(NOT_TEXT, str(error)) from None
    line = _without_comment(line)
    if not line:
        return None
    board, played, refusal = _moves(game, line)
    if refusal is not None:
        position = _position(game, line)
        if position is None:
            reason = ILLEGAL if played else UNREADABLE
            raise _Refusal(reason, refusal)
        board, played = position, []
    _check(board)
    if board.moves or board.state == game.initial():
        return Opening(tuple(board.moves), " ".join(played))
    return opening_of(game, (), game.state_to_text(board.state))


def _moves(game: Game, line: str) -> tuple[Board, list[str], str | None]:
    """Play the moves of a line as far as they go; return also why they go no further."""
    board = Board(game)
    played: list[str] = []
    for text in split_moves(board, line):
        try:
            if board.is_over:
                raise _Refusal(FINISHED, f"over ({board.reason}) before move {len(played) + 1}, {text!r}")
            board.push(text)
        except _Refusal:
            raise
        except Exception as error:  # a user's game may raise anything at texts that it does not know
            told = str(error).partition("; legal are")[0]
            return board, played, f"move {len(played) + 1}: {told}"
        played.append(game.move_to_text(board.states[-2], board.moves[-1]))
    return board, played, None


def _position(game: Game, line: str) -> Board | None:
    try:
        return Board(game, line)
    except Exception:  # as above
        return None


def _check(board: Board) -> None:
    if board.is_over:
        raise _Refusal(FINISHED, f"the game is over ({board.reason})")
    if board.game.simultaneous and board.mover == 1:
        raise _Refusal(PENDING, "one side has chosen and the other has not")


def _without_comment(line: str) -> str:
    words = f" {line}".replace("\t", " ").partition(" #")[0]
    return words.strip()


def _last(game: Game, opening: Opening) -> tuple[int, ...]:
    state = game.initial() if opening.root is None else opening.root
    for move in opening.moves:
        state = game.apply_move(state, move)
    return state


def _losses(facts: OpeningFacts) -> Iterator[str]:
    for reason, numbers in facts.left_out.items():
        shown = ", ".join(map(str, numbers[:SHOWN])) + (", ..." if len(numbers) > SHOWN else "")
        yield f"left out, {reason}: {len(numbers)} (line {shown}); {facts.examples[reason]}"


def shares_in_words(edition: int) -> str:
    """Return which share of all positions serves each purpose in an edition."""
    return ", ".join(f"{purpose} {share:.2g} %" for purpose, share in shares_of(edition).items())
