"""What do somebody's own positions teach, and which lines of the file had to be left out?

A table has one position a row: named features, a `result`, and optionally `game`, `stage` (a name) or
`stage.NAME` (shares that sum to 1), `weight`, `score` (of a search) and `mover`. The perspective of results
and scores is stated, in the file or by the caller: `mover` (whoever moves) or `first` (player 0, White).
Features are seen from the same side, unless a column `mover` says who moves: then they are the mover's, and
results of the first player are turned where the second moves. Accepted
results: numbers from 0 to 1, 1/2, win, draw, loss, and of the first player also 1-0, 0-1, 1/2-1/2; `signed` ones
are -1, 0, 1. What cannot be read is left out, counted by
reason and named by line; spellings that could mean two things are refused, not guessed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from games.errors import InputError
from tuning.table_layout import Layout, TableOptions, make_layout
from tuning.table_part import Account, Chunk, Part, Reason, Words, number, read_part
from tuning.texel_rows import Floats, Ints, Rows

MOST_STAGES = 20


@dataclass(frozen=True, eq=False)
class Table:
    """A table that was read: rows to fit on, their names, and how the reading went.

    line: (n,) where each row stands in the file, from 1. scores: (n,) of a search, same perspective as the
    labels, in the file's unit; NaN where there is none. has_games: rows are grouped by a column `game`.
    """

    rows: Rows
    features: tuple[str, ...]
    stages: tuple[str, ...]
    line: Ints
    scores: Floats | None
    has_games: bool
    perspective: str
    format: str
    account: Account


def read_table(path: str | Path, options: TableOptions | None = None) -> Table:
    """Read a table: Parquet, svmlight or CSV, told by content and name.

    Raises
    ------
    InputError
        The file cannot be read, states no perspective, contradicts itself, or too much of it is bad.
    """
    from tuning import table_csv, table_parquet, table_svmlight

    file, wanted = Path(path), options or TableOptions()
    head = _head_of(file)
    if head.startswith(b"PAR1"):
        return table_parquet.read(file, wanted)
    if file.suffix.lower() in (".svm", ".svmlight", ".libsvm") or table_svmlight.looks_like(head):
        return table_svmlight.read(file, wanted)
    return table_csv.read(file, wanted)


def _head_of(path: Path) -> bytes:
    """Return the beginning of a regular file; a pipe or a device could keep us waiting for ever."""
    if not path.exists():
        raise InputError(f"{path}: no such file")
    if not path.is_file():
        raise InputError(f"{path}: expected a regular file")
    try:
        with path.open("rb") as stream:
            head = stream.read(1 << 16)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise InputError(f"{path}: expected UTF-8, found UTF-16: save it as UTF-8")
    if head[:2] == b"\x1f\x8b":
        raise InputError(f"{path}: expected a plain file, found gzip: unpack it first")
    if not head.strip():
        raise InputError(f"{path}: expected a table, found an empty file")
    return head


# --- from chunks to rows ---------------------------------------------------------------------------------


def assemble(path: Path, form: str, layout: Layout, chunks: Iterable[Chunk], account: Account,
             options: TableOptions) -> Table:  # fmt: skip
    """Turn what a reader found into a table; what cannot be used goes to the account."""
    parts = [read_part(chunk, layout, account) for chunk in chunks]
    account.kept = sum(len(part.line) for part in parts)
    _refuse_ruins(path, account, options)
    line, values, labels, weight, scores, shares = (
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("line", "values", "labels", "weight", "scores", "shares")
    )
    game = np.concatenate([_games(part) for part in parts])
    names, stages = _stages(path, layout, parts, shares)
    rows = Rows(values, stages, labels, weight, game)
    found = scores if "score" in layout.special else None
    has_games = "game" in layout.special
    return Table(rows, layout.features, names, line, found, has_games, layout.perspective, form, account)


def _refuse_ruins(path: Path, account: Account, options: TableOptions) -> None:
    """Refuse a file of which so much is bad that the rest must be doubted."""
    n = account.kept + account.left_out
    if account.kept and account.left_out <= options.max_bad * n:
        return
    why = "; ".join(account.sentences()[:3]) or "there are no rows"
    if account.kept:
        why += f"; --max-bad {account.left_out / n + 0.005:.2f} goes on all the same"
    raise InputError(f"{path}: {account.left_out:,} of {n:,} rows cannot be used: {why}")


def _stages(
    path: Path, layout: Layout, parts: list[Part], shares: Floats
) -> tuple[tuple[str, ...], Floats | None]:
    """Return the names of the stages and the shares, None for a single stage."""
    if layout.shares:
        names = layout.stage_names
        return names, shares if len(names) > 1 else None
    words = [part.stage for part in parts if part.stage is not None]
    if not words:
        return ("all",), None
    numbers, coded = number_stages(path, words)
    names = tuple(numbers)
    return names, np.eye(len(names))[np.concatenate(coded)] if len(names) > 1 else None


def number_stages(path: Path, words: list[Words]) -> tuple[dict[str, int], list[Ints]]:
    """Number the stages as they first occur, and give the number of every line."""
    numbers: dict[str, int] = {}
    coded = []
    for column in words:
        used, first = np.unique(column.code, return_index=True)
        for code in used[np.argsort(first)].tolist():
            numbers.setdefault(column.spellings[code], len(numbers))
        coded.append(column.each(lambda word: numbers.get(word, -1), int))
        if len(numbers) > MOST_STAGES:
            raise InputError(
                f"{path}: stage: expected at most {MOST_STAGES} names, found {len(numbers)} such as "
                f"{next(iter(numbers))!r}; for shares of stages use columns stage.NAME"
            )
    return numbers, coded


def _games(part: Part) -> Ints:
    """Number games by a hash of their names, so that games added later move nobody across the split."""
    if part.game is None:
        return part.line
    return np.asarray(part.game.each(_hashed, int), dtype=np.int64)


def _hashed(name: str) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "big", signed=True)


__all__ = ["Account", "Chunk", "Layout", "Reason", "Table", "TableOptions", "Words", "assemble", "make_layout",
           "number", "number_stages", "read_table"]  # fmt: skip
