"""Chess: rules and files of openings. The only module that knows python-chess.

Results are White's (1, 0, -1). A game ends by mate, stalemate, insufficient material, fifty moves or threefold
repetition. Openings come from an EPD, FEN or PGN file, packed or not, or are seeded random plies. Which line is a tag
and where a game ends is for python-chess to say."""

import io
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from tunesmith.games.errors import InputError
from tunesmith.games.texts import counted
from tunesmith.tuning import textlines
from tunesmith.tuning.external.engine import Engine, EngineFault
from tunesmith.tuning.external.openings import Book
from tunesmith.tuning.external.rules import EngineOpening, Position
from tunesmith.tuning.extras import extra

with extra("chess", "chess engines"):
    import chess
    import chess.pgn

START = chess.STARTING_FEN
PIECES = ("pawn", "knight", "bishop", "rook", "queen", "king")
VALUES = (1, 3, 3, 5, 9, 0)  # for judging random openings only
ORDINARY = ("standard", "normal", "chess", "from position")  # what a PGN file's tag Variant says of chess
CUT = "moves apart by an empty line"


def board_of(opening: EngineOpening) -> chess.Board:
    """Return the position after an opening's moves, with its history."""
    board = chess.Board(opening.fen or START)
    for move in opening.moves:
        board.push_uci(move)
    return board


def end_of(board: chess.Board) -> tuple[str, int] | None:
    """Return why a game is over and White's result, None if it is not."""
    outcome = board.outcome()  # not with `claim_draw`, which ends games a move before the draw is there
    if outcome is not None:
        reason = outcome.termination.name.lower().replace("_", " ")
        return reason, 0 if outcome.winner is None else 1 if outcome.winner == chess.WHITE else -1
    if board.is_fifty_moves():
        return "fifty moves", 0
    if board.is_repetition(3):
        return "threefold repetition", 0
    return None


class ChessRules:
    """The rules of chess, with openings that leave nobody a pawn ahead or in check."""

    name, is_judge = "chess", True

    def begin(self, opening: EngineOpening, engines: Sequence[Engine] = ()) -> Position:
        """Return the position that a game begins in."""
        return _ChessPosition(board_of(opening))

    def random_line(self, plies: int, rng: random.Random) -> tuple[EngineOpening, str] | None:
        """Return random plies from the start, None where they lead to no fair game."""
        board = chess.Board()
        for _ in range(plies):
            moves = sorted(move.uci() for move in board.legal_moves)
            if not moves:
                return None
            board.push_uci(rng.choice(moves))
        if board.is_check() or _ahead(board) or end_of(board):
            return None
        return EngineOpening(START, tuple(move.uci() for move in board.move_stack)), board.epd()


class _ChessPosition:
    def __init__(self, board: chess.Board) -> None:
        self._board = board

    @property
    def mover(self) -> int:
        return 0 if self._board.turn == chess.WHITE else 1

    def end(self) -> tuple[str, int] | None:
        return end_of(self._board)

    def push(self, text: str) -> str:
        move = legal_move(self._board, text)
        self._board.push(move)
        return move.uci()


def legal_move(board: chess.Board, text: str) -> chess.Move:
    """Return a move given as text; one that is not legal is a fault of the engine.

    The piece of a promotion may be a capital letter, castling may be written as king takes own rook.
    """
    try:
        move = board.parse_uci(text.lower())
    except ValueError:
        move = chess.Move.null()
    if not move:
        raise EngineFault("illegal move", f"{text or '(none)'} in {board.fen()}")
    return move


def in_san(fen: str, moves: Sequence[str]) -> list[str]:
    """Return moves (UCI) from a position in the notation of people."""
    board, found = chess.Board(fen), []
    for move in moves:
        found.append(board.san(board.parse_uci(move)))
        board.push_uci(move)
    return found


# --- openings


class _ChessBook(Book):
    """Openings of chess that can be played, each position once."""

    def offer(self, opening: EngineOpening, line: int) -> None:
        """Take an opening unless the game is over or its position is known."""
        board = board_of(opening)
        if not board.is_valid():
            self.refuse("impossible position", line)
        elif end_of(board) is not None or not any(board.legal_moves):
            self.refuse("game is over", line)
        else:
            self.add(opening, board.epd())


def read_book(path: Path, plies: int) -> Book:
    """Return the openings of an EPD, FEN or PGN file; of a game, its first `plies` moves (0: all of them)."""
    content = textlines.content(path, "openings: ")
    text = content.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    stream = _Numbered(text)
    book = _ChessBook(path.name)
    is_pgn = ".pgn" in path.name.lower() or re.search(r'^\[\w+ +"', text, re.MULTILINE) is not None
    for opening, reason, line in _games(stream, plies) if is_pgn else _positions(stream):
        if opening is None:
            book.refuse(reason, line)
        else:
            book.offer(opening, line)
    if not book.openings:
        said = "; ".join(f"{reason} (line {numbers[0]})" for reason, numbers in book.bad.items())
        raise InputError(
            f"{path}: openings: expected positions (EPD, FEN) or games (PGN), found {said or 'none'}"
        )
    return book


Line = tuple[EngineOpening | None, str, int]


class _Numbered(io.StringIO):
    """Text read line by line; `number` counts them; `first` is where what is read now began, `lines` are its own."""

    def __init__(self, text: str) -> None:
        super().__init__(text, newline=None)
        self.number = 0
        self.first: tuple[int, str] | None = None
        self.lines: list[str] = []

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        line = super().readline(size)
        self.number += 1
        self.lines.append(line)
        if self.first is None and line.strip() and not line.startswith("%"):
            self.first = self.number, line
        return line


def _positions(stream: _Numbered) -> Iterator[Line]:
    while line := stream.readline():
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if "�" in text:
            yield None, "not UTF-8", stream.number
            continue
        try:
            yield EngineOpening(_position(text)), "", stream.number
        except (ValueError, IndexError, AssertionError):
            yield None, "neither EPD nor FEN", stream.number


def _position(text: str) -> str:
    """Return the FEN of a line: four fields, two counters or none, and what is said of the position."""
    found = re.fullmatch(r"(\S+ +\S+ +\S+ +[^\s;]+)((?: +\d+){0,2})\s*;?(?:\s+(.*))?", text)
    if found is None:
        raise ValueError(text)
    fields, counters, said = found[1], found[2].split(), found[3] or ""
    said = re.sub(r'"[^"]*"', "", said)
    for at, opcode in enumerate(("hmvc", "fmvn")):  # all other opcodes take no part
        number = re.search(rf"\b{opcode} +(\d+)", said)
        if number is not None and len(counters) <= at:
            counters.append(number[1])
        elif len(counters) <= at:
            counters.append(str(at))
    return chess.Board(" ".join([fields, *counters])).fen()


class _Game(chess.pgn.Game):
    """A game that knows whether its result stands behind its moves."""

    has_ended = False


class _Builder(chess.pgn.GameBuilder[_Game]):
    """Makes a game of what python-chess reads; errors are counted, not logged."""

    def __init__(self) -> None:
        super().__init__(Game=_Game)

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        if self.game.has_ended and len(self.variation_stack) == 1:
            self.handle_error(ValueError("moves after the result"))
        super().visit_move(board, move)

    def end_variation(self) -> None:
        if len(self.variation_stack) > 1:  # a bracket behind an error may close what none has opened
            super().end_variation()

    def visit_result(self, result: str) -> None:
        self.game.has_ended = True

    def handle_error(self, error: Exception) -> None:
        self.game.errors.append(error)


def _games(stream: _Numbered, plies: int) -> Iterator[Line]:
    """Yield the games of a PGN file, each at its first line; one with any error is left out."""
    waiting: Line | None = None  # a game that has not said its result: is it whole?
    has_tags = False
    while True:
        stream.first = None
        stream.lines.clear()
        game = chess.pgn.read_game(stream, Visitor=_Builder)
        if game is not None and _has_more_than_moves(stream.lines):
            game.errors.append(ValueError("text that is no move"))
        number, line = stream.first or (stream.number, "")
        is_rest = game is not None and has_tags and not line.startswith("[")
        if waiting is not None:
            yield (None, CUT, waiting[2]) if is_rest else waiting
            waiting = None
        if game is None:
            return
        has_tags = has_tags or line.startswith("[")
        found = (None, CUT, number) if is_rest else (*_opening_of(game, plies), number)
        if game.has_ended or is_rest:
            yield found
        else:
            waiting = found


def _has_more_than_moves(lines: Sequence[str]) -> bool:
    """Whether a game's lines hold letters or digits of squares that python-chess passes over: damaged moves."""
    moves = "".join(line for line in lines if not line.startswith(("[", "%")))
    bare = re.sub(r"\{[^}]*(\}|\Z)|;.*|\be\.p\.", " ", moves)
    left = re.sub(r"(?<!\S)\d+(\.+|(?=\s))", " ", chess.pgn.MOVETEXT_REGEX.sub(" ", bare))
    return re.search("[a-h1-8]", left) is not None


def _opening_of(game: chess.pgn.Game, plies: int) -> tuple[EngineOpening | None, str]:
    """Return the beginning of a game, or why it has none."""
    variant = game.headers.get("Variant", "standard")
    if variant.lower() not in ORDINARY:
        return None, f"variant {variant}"
    if game.errors:
        return None, "a game with errors"
    board = game.board()
    if board.chess960:
        return None, "variant Chess960"
    moves = list(game.mainline_moves())[: plies or None]
    if not all(moves):
        return None, "null move"
    if not moves and "FEN" not in game.headers:
        return None, "a game without moves"
    if len(moves) < plies and "FEN" not in game.headers:  # from a position of its own a game may be short
        return None, f"shorter than {counted(plies, 'ply', 'plies')} (openings.plies)"
    return EngineOpening(board.fen(), tuple(move.uci() for move in moves)), ""


def _ahead(board: chess.Board) -> int:
    return sum(value * (own - other) for value, (own, other) in zip(VALUES, counts_of(board), strict=True))


# --- positions as numbers


def counts_of(board: chess.Board) -> list[tuple[int, int]]:
    """Return how many of each piece (`PIECES`) the mover and the opponent have."""
    sides = board.turn, not board.turn
    own, other = ([len(board.pieces(kind, side)) for kind in chess.PIECE_TYPES] for side in sides)
    return list(zip(own, other, strict=True))
