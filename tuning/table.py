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
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from games.errors import InputError
from tuning.table_layout import Layout, TableOptions, make_layout
from tuning.texel_rows import SHARE_TOLERANCE, Bools, Floats, Ints, Rows

MOST_STAGES = 20
SHOWN_LINES = 10  # of each reason

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_WORDS = {"win": 1.0, "draw": 0.5, "loss": 0.0, "1/2": 0.5}
_SCORES = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
_MOVERS = {"first": 0, "white": 0, "w": 0, "second": 1, "black": 1, "b": 1}


class Reason(NamedTuple):
    """How many lines were left out for one reason, the first of them, and what the first one held."""

    number: int
    lines: tuple[int, ...]
    example: str


@dataclass
class Account:
    """What became of every line: `kept + left out + empty = lines` of the body, always."""

    kept: int = 0
    empty: int = 0
    reasons: dict[str, Reason] = field(default_factory=dict)

    def leave_out(self, reason: str, line: int, example: str = "") -> None:
        """Count one line."""
        known = self.reasons.get(reason, Reason(0, (), example[:80]))
        lines = (*known.lines, line) if len(known.lines) < SHOWN_LINES else known.lines
        self.reasons[reason] = Reason(known.number + 1, lines, known.example)

    @property
    def left_out(self) -> int:
        """Number of lines that were left out, empty ones aside."""
        return sum(reason.number for reason in self.reasons.values())

    def sentences(self) -> list[str]:
        """Say what was left out, most frequent first."""
        order = sorted(self.reasons.items(), key=lambda item: -item[1].number)
        return [_sentence(name, *reason) for name, reason in order]


def _sentence(name: str, count: int, lines: tuple[int, ...], example: str) -> str:
    shown = ", ".join(map(str, lines)) + (", …" if count > len(lines) else "")
    told = f" ({example})" if example else ""
    return f"{count:,} left out: {name}: line{'s' * (count > 1)} {shown}{told}"


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


class Chunk(NamedTuple):
    """Some lines as a reader found them: features as numbers, everything else as text."""

    line: Ints
    values: Floats
    words: dict[str, list[str]]


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


class _Part(NamedTuple):
    """Lines of a chunk that can be used."""

    line: Ints
    values: Floats
    labels: Floats
    weight: Floats
    scores: Floats
    stage: list[str]
    shares: Floats
    game: list[str]


def assemble(path: Path, form: str, layout: Layout, chunks: Iterable[Chunk], account: Account,
             options: TableOptions) -> Table:  # fmt: skip
    """Turn what a reader found into a table; what cannot be used goes to the account."""
    results = _Results(layout)
    parts = [_part(chunk, layout, results, account) for chunk in chunks]
    account.kept = sum(len(part.line) for part in parts)
    _refuse_ruins(path, account, options)
    joined = _joined(parts)
    stages, shares = _stages(path, layout, joined)
    has_games = "game" in layout.special
    group = _hashed(joined.game) if has_games else joined.line
    rows = Rows(joined.values, shares, joined.labels, joined.weight, group)
    scores = joined.scores if "score" in layout.special else None
    return Table(
        rows, layout.features, stages, joined.line, scores, has_games, layout.perspective, form, account
    )


def _joined(parts: list[_Part]) -> _Part:
    columns: list[Any] = []
    for values in zip(*parts, strict=True):
        is_text = isinstance(values[0], list)
        columns.append([word for part in values for word in part] if is_text else np.concatenate(values))
    return _Part(*columns)


def _refuse_ruins(path: Path, account: Account, options: TableOptions) -> None:
    """Refuse a file of which so much is bad that the rest must be doubted."""
    n = account.kept + account.left_out
    if account.kept and account.left_out <= options.max_bad * n:
        return
    why = "; ".join(account.sentences()[:3]) or "there are no rows"
    if account.kept:
        why += f"; --max-bad {account.left_out / n + 0.005:.2f} goes on all the same"
    raise InputError(f"{path}: {account.left_out:,} of {n:,} rows cannot be used: {why}")


class _Results:
    """Results by spelling: each spelling is judged once."""

    def __init__(self, layout: Layout) -> None:
        self._signed, self._first = layout.signed, layout.perspective == "first"
        self._known: dict[str, tuple[float, str]] = {}

    def judge(self, word: str) -> tuple[float, str]:
        """Return (label, reason to leave the line out or "")."""
        if word not in self._known:
            if len(self._known) > 100_000:
                self._known.clear()
            self._known[word] = self._judge(word.strip())
        return self._known[word]

    def _judge(self, word: str) -> tuple[float, str]:
        if not word:
            return 0.0, "no result"
        if word.lower() in _WORDS:
            return _WORDS[word.lower()], ""
        if word in _SCORES:
            return _SCORES[word], "" if self._first else "a result that names the first player's points"
        value = number(word)
        if value is not None and self._signed:
            value = (value + 1) / 2
        if value is None or not 0 <= value <= 1:
            return 0.0, "result not among the accepted spellings"
        return value, ""


def number(word: str) -> float | None:
    """Return a decimal number, None for anything else: no NaN, no underscores, no decimal comma."""
    word = word.strip()
    value = float(word) if _NUMBER.fullmatch(word) else None
    return value if value is not None and np.isfinite(value) else None


def _part(chunk: Chunk, layout: Layout, results: _Results, account: Account) -> _Part:
    n = len(chunk.line)
    words = {what: chunk.words[name] for what, name in layout.special.items()}
    good = np.ones(n, dtype=np.bool_)
    lines = chunk.line.tolist()

    def leave_out(at: int, reason: str, what: str, word: str) -> None:
        if good[at]:
            account.leave_out(reason, lines[at], f"{what} {word!r}" if word else what)
            good[at] = False

    def numbers(what: str, column: list[str], expected: str, least: float) -> Floats:
        found = np.zeros(n)
        for at, word in enumerate(column):
            value = number(word)
            if value is None or value < least:
                leave_out(at, f"{what} is not {expected}", what, word)
            else:
                found[at] = value
        return found

    judged = [results.judge(word) for word in words["result"]]
    for at, (_, reason) in enumerate(judged):
        if reason:
            leave_out(at, reason, layout.special["result"], words["result"][at])
    labels = np.array([label for label, _ in judged], dtype=np.float64)
    weight = (
        numbers("weight", words["weight"], "a number from 0 up", 0.0) if "weight" in words else np.ones(n)
    )
    scores = _scores(words.get("score"), n, leave_out)
    columns = [numbers(name, chunk.words[name], "a share from 0 to 1", 0.0) for name in layout.shares]
    shares = np.column_stack(columns) if columns else np.ones((n, 1))
    for odd in np.flatnonzero(np.abs(shares.sum(axis=1) - 1) > SHARE_TOLERANCE).tolist():
        leave_out(odd, "shares of the stages do not sum to 1", "sum", f"{shares[odd].sum():.6g}")
    for what in ("game", "stage"):
        for at, word in enumerate(words.get(what, ())):
            if not word.strip():
                leave_out(at, f"no {what}", what, "")
    if "mover" in words:
        is_second = _second_moves(words["mover"], leave_out)
        if layout.perspective == "first":
            labels = np.where(is_second, 1 - labels, labels)
            scores = np.where(is_second, -scores, scores)
    kept = np.flatnonzero(good)
    stage, game = ([words[w][at].strip() for at in kept] if w in words else [] for w in ("stage", "game"))
    return _Part(chunk.line[kept], chunk.values[kept], labels[kept], weight[kept], scores[kept], stage,
                 shares[kept], game)  # fmt: skip


def _scores(column: list[str] | None, n: int, leave_out: Any) -> Floats:
    """Read scores; an empty one is no fault."""
    found = np.full(n, np.nan)
    for at, word in enumerate(column or ()):
        value = number(word)
        if value is not None:
            found[at] = value
        elif word.strip():
            leave_out(at, "score is not a number", "score", word)
    return found


def _second_moves(column: list[str], leave_out: Any) -> Bools:
    found = np.zeros(len(column), dtype=np.bool_)
    for at, word in enumerate(column):
        who = _MOVERS.get(word.strip().lower())
        if who is None:
            leave_out(at, f"mover is none of {', '.join(_MOVERS)}", "mover", word)
        found[at] = who == 1
    return found


def _stages(path: Path, layout: Layout, joined: _Part) -> tuple[tuple[str, ...], Floats | None]:
    """Return the names of the stages and the shares, None for a single stage."""
    if layout.shares:
        names = layout.stage_names
        return names, joined.shares if len(names) > 1 else None
    if not joined.stage:
        return ("all",), None
    names = tuple(dict.fromkeys(joined.stage))
    if len(names) > MOST_STAGES:
        raise InputError(
            f"{path}: stage: expected at most {MOST_STAGES} names, found {len(names)} such as {names[0]!r}; "
            "for shares of stages use columns stage.NAME"
        )
    at = {name: number for number, name in enumerate(names)}
    shares = np.zeros((len(joined.stage), len(names)))
    shares[np.arange(len(joined.stage)), [at[name] for name in joined.stage]] = 1.0
    return names, shares if len(names) > 1 else None


def _hashed(games: list[str]) -> Ints:
    """Number games by a hash of their names, so that games added later move nobody across the split."""
    numbers = {
        name: int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "big", signed=True)
        for name in set(games)
    }
    return np.array([numbers[name] for name in games], dtype=np.int64)


__all__ = ["Account", "Chunk", "Layout", "Reason", "Table", "TableOptions", "assemble", "make_layout", "number",
           "read_table"]  # fmt: skip
