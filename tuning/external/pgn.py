"""How do games of engines leave the house? Chess as PGN, which every chess program reads; any game one a line."""

import textwrap
from pathlib import Path

from tunesmith.games.errors import InputError
from tunesmith.tuning.documents.engines import EngineGame
from tunesmith.tuning.external.words import NAME
from tunesmith.tuning.files import read_lines, read_object

RESULTS = {1: "1-0", 0: "1/2-1/2", -1: "0-1", None: "*"}


def games_of(study: Path) -> list[EngineGame]:
    """Return the games of a study of engines, those of its proof after those of its match; a search keeps none here.

    Raises
    ------
    InputError
        There are none.
    """
    paths = sorted(study.glob("**/games.jsonl"))
    found = [EngineGame.of(row, path) for path in paths for row in read_lines(path)]
    if not found:
        raise InputError(f"{study}: expected games.jsonl of a study of engines there, found none")
    return found


def is_chess(study: Path) -> bool:
    """Whether the games of a study of engines are of chess: they are, unless its settings say something else."""
    settings = read_object(study / NAME) or {}
    game = settings.get("game")
    return game == "chess" or (game is None and settings.get("protocol") != "ugi")


def as_pgn(row: EngineGame, event: str) -> str:
    """Return a game of chess as PGN, with an empty line at the end."""
    from tunesmith.tuning.external.chess_rules import START

    tags = {
        "Event": event, "Site": "?", "Date": "????.??.??", "Round": f"{row.pair}.{row.game}",
        "White": row.names[0], "Black": row.names[1], "Result": RESULTS[row.result],
        **({} if row.fen == START else {"SetUp": "1", "FEN": row.fen}),
        "PlyCount": str(len(row.opening) + len(row.moves)), "Termination": row.end_reason,
    }  # fmt: skip
    head = [f'[{name} "{_quoted(value)}"]' for name, value in tags.items()]
    text = " ".join([*_numbered(row), RESULTS[row.result]])
    lines = textwrap.wrap(text, 79, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*head, "", *lines, ""])


def as_line(row: EngineGame, is_chess: bool) -> str:
    """Return a game as a comment that says who plays and how it ended, and a line of moves."""
    start, moves = row.fen, " ".join([*row.opening, *row.moves])
    if is_chess:
        from tunesmith.tuning.external.chess_rules import START, in_san

        start = "" if row.fen == START else row.fen
        moves = " ".join(in_san(row.fen, [*row.opening, *row.moves]))
    head = f"# pair {row.pair}, game {row.game}: {' - '.join(row.names)}, {RESULTS[row.result]} ({row.end_reason})"
    return "\n".join([head, *([f"# from {start}"] if start else []), moves, ""])


def _quoted(text: str) -> str:
    """Return a text as a tag may hold it: programs differ in how they read quotes in quotes."""
    return text.replace("\\", "/").replace('"', "'")


def _numbered(row: EngineGame) -> list[str]:
    """Return moves with the numbers of PGN: `1.` before White's, `5...` before a Black one that begins."""
    from tunesmith.tuning.external.chess_rules import in_san

    fields = row.fen.split()
    is_black, number = fields[1] == "b", int(fields[5]) if len(fields) > 5 and fields[5].isdigit() else 1
    words: list[str] = []
    for at, san in enumerate(in_san(row.fen, [*row.opening, *row.moves])):
        turn = at + is_black
        if turn % 2 == 0:
            words.append(f"{number + turn // 2}.")
        elif at == 0:
            words.append(f"{number}...")
        words.append(san)
    return words
