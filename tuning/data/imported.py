"""Games that somebody already has, as a folder of games: move lists in the game's notation, with results.

A line is a game: its moves from the start position, separated by blanks, and last its result, `1-0`, `0-1` or
`1/2-1/2`, seen from the first player; `*` is a game without one, which is left out. Move numbers (`12.`) are passed
over, ` #` begins a comment. A game may stop before its end by the rules (somebody resigned, a draw was agreed); where
it does not, the result must be that of the rules. A game with an error is left out whole and named by file, line and
move: half a game with a result would teach wrong things. A file may be packed (gzip, bzip2, xz)."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tunesmith.engine.board import Board
from tunesmith.engine.source import code_digest, engine_digest
from tunesmith.games.errors import InputError, StudyError
from tunesmith.games.game import Game
from tunesmith.games.registry import without_folder
from tunesmith.tuning import manifest
from tunesmith.tuning.files import is_unused, locked
from tunesmith.tuning.play.matchup import PlayedGame
from tunesmith.tuning.play.records import ADJUDICATED, Settings, to_table, write_parquet
from tunesmith.tuning.play.store import SHARD, shard_path
from tunesmith.tuning.study import versions
from tunesmith.tuning.textlines import TOO_LONG, blocks, lines

RESULTS = {"1-0": 1, "0-1": -1, "1/2-1/2": 0, "½-½": 0}
UNKNOWN = "*"
PLAYERS = ("imported-first", "imported-second")  # in place of digests: nobody knows their weights
_WORDS = 4  # of a move's text, at most
_NUMBER = re.compile(r"\d+\.+")


@dataclass(frozen=True)
class Imported:
    """What became of some files: games written, games without a result, and what is wrong with the others."""

    games: int
    without_result: int
    wrong: tuple[str, ...]


@dataclass(frozen=True)
class _Line:
    moves: tuple[int, ...]
    result: int
    reason: str


class _Wrong(Exception):
    """A line is no game; the message says why."""


def import_games(game: Game, files: Iterable[Path], folder: Path, max_bad: float = 0.1) -> Imported:
    """Write the games of files to a folder, each a pair of its own; return what became of them.

    Raises
    ------
    InputError
        A file cannot be read, no line is a game, or more than a share `max_bad` of the lines is wrong.
    StudyError
        The folder cannot be written, or holds something.
    """
    if not is_unused(folder):
        raise StudyError(f"{folder}: holds files; choose another folder with --out")
    found: list[_Line] = []
    wrong: list[str] = []
    n_lines = without = 0
    for path in files:
        for number, raw in (line for block in blocks(path, is_packed=True) for line in lines(block)):
            try:
                read = _read(game, raw)
            except _Wrong as error:
                wrong.append(f"{path}:{number}: {error}")
                n_lines += 1
                continue
            if read is not None:
                n_lines += 1
                without += read.reason == UNKNOWN
                found += [read] * (read.reason != UNKNOWN)
    if len(wrong) > max_bad * n_lines or not found:
        raise InputError(_refusal(game, found, wrong, n_lines, max_bad))
    _write(game, found, folder)
    return Imported(len(found), without, tuple(wrong))


def _refusal(game: Game, found: list[_Line], wrong: list[str], n_lines: int, max_bad: float) -> str:
    first = f"; the first: {wrong[0]}" if wrong else ""
    if not found:
        return f"import: expected games of {game.name}, a line each, ending with 1-0, 0-1 or 1/2-1/2, found none{first}"
    share = len(wrong) / n_lines
    return (
        f"import: {len(wrong):,} of {n_lines:,} lines are no games of {game.name} ({share:.0%}, with --max-bad "
        f"{max_bad:g}){first}"
    )


def _read(game: Game, raw: bytes) -> _Line | None:
    """Return the game of a line, None of one that is empty or a comment."""
    if raw == TOO_LONG:
        raise _Wrong("longer than a mebibyte")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _Wrong(f"not UTF-8: {error}") from None
    words = [word for word in f" {text}".partition(" #")[0].split() if not _NUMBER.fullmatch(word)]
    if not words:
        return None
    last = words.pop()
    if last != UNKNOWN and last not in RESULTS:
        raise _Wrong(f"expected a result at the end (1-0, 0-1, 1/2-1/2 or *), found {last!r:.60}")
    board = Board(game)
    for at, move in enumerate(_moves(board, words), 1):
        if move is None:
            word = words[0] if words else ""
            raise _Wrong(f"move {at}: {_why(board, word)}")
    if last == UNKNOWN:
        return _Line((), 0, UNKNOWN)
    if not board.moves:
        raise _Wrong("a result without moves")
    if not board.is_over:
        return _Line(tuple(board.moves), RESULTS[last], ADJUDICATED)
    if board.result != RESULTS[last]:
        right = next(text for text, result in RESULTS.items() if result == board.result)
        raise _Wrong(f"the result is {right} by the rules ({board.reason}), found {last}")
    return _Line(tuple(board.moves), RESULTS[last], str(board.reason))


def _moves(board: Board, words: list[str]) -> Iterator[str | None]:
    """Play the words, of which some may be one move together; yield each move, or None where there is none."""
    while words:
        for n in range(1, min(_WORDS, len(words)) + 1):
            if not board.is_over and _is_played(board, " ".join(words[:n])):
                yield " ".join(words[:n])
                del words[:n]
                break
        else:
            yield None
            return


def _is_played(board: Board, text: str) -> bool:
    try:
        board.push(text)
    except Exception:  # a user's game may raise anything at texts that it does not know
        return False
    return True


def _why(board: Board, word: str) -> str:
    if board.is_over:
        return f"{word!r:.60} comes after the end of the game ({board.reason})"
    legal = board.legal()
    some = ", ".join(legal[:6]) + (", ..." if len(legal) > 6 else "")
    return f"{word!r:.60} is not legal in {board.text}; legal are {some}"


def _write(game: Game, found: list[_Line], folder: Path) -> None:
    settings: Settings = {
        "game": without_folder(game.spec),
        "players": list(PLAYERS),
        "seed": 0,
        "version": versions()["tunesmith"],
        "code of the game": code_digest(game),
        "code of the engine": engine_digest(),
    }
    with locked(folder):
        for first in range(0, len(found), SHARD):
            part = range(first, min(first + SHARD, len(found)))
            played = [_played(number, found[number]) for number in part]
            table = to_table(played, dict.fromkeys(part, ""), PLAYERS, settings)
            write_parquet(table, shard_path(folder, first // SHARD))
        manifest.tidy(folder)


def _played(number: int, line: _Line) -> PlayedGame:
    moves = np.array(line.moves, np.int64)
    scores = np.full(len(moves), np.nan, np.float32)
    return PlayedGame(number, 0, 0, 0, moves, scores, line.result, line.reason)
