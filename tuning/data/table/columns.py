"""What does each line of a table say, and why can a line not be used?

Readers deliver `Chunk`s: features as numbers, everything else as `Words`, spellings with a code for each line,
so that every spelling is judged once however many lines repeat it. `read_part` turns one into labels, weights,
scores and shares of stages; what cannot be used goes to the `Account`, by reason and line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from tunesmith.tuning.data.table.layout import Layout, TableOptions
from tunesmith.tuning.fit.rows import SHARE_TOLERANCE, Bools, Floats, Ints, is_usable, taken
from tunesmith.tuning.fit.sparse import Sparse

SHOWN_LINES = 10  # of each reason
CHANCE = 20  # pairs of equal numbers that are expected and yet not there in a column that numbers the rows

# Reasons that tell something of the file (`doubts`).
ODD_RESULT = "result not among the accepted spellings"
FIRSTS = "a result that names the first player's points"
OUTSIDE = "a result outside the scale"

_COMMA = re.compile(r"[+-]?[\d.]*,\d+([eE][+-]?\d+)?")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_WORDS = {"win": 1.0, "draw": 0.5, "loss": 0.0, "1/2": 0.5}
_SCORES = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
MOVERS = {"first": 0, "white": 0, "w": 0, "second": 1, "black": 1, "b": 1}


class Reason(NamedTuple):
    """How many lines were left out for one reason, the first of them, and what the first one held."""

    number: int
    lines: tuple[int, ...]
    example: str


@dataclass
class Account:
    """What became of every line: `kept + left out + empty = lines` of the body, always.

    no_numbers: in how many lines a feature held no number. comma: line, column and word of the first number that was
    written with a comma. is_negative: a result below 0 was found where none should be.
    """

    kept: int = 0
    empty: int = 0
    reasons: dict[str, Reason] = field(default_factory=dict)
    no_numbers: dict[str, int] = field(default_factory=dict)
    comma: tuple[int, str, str] | None = None
    is_negative: bool = False

    def leave_out(self, reason: str, line: int, example: str = "") -> None:
        """Count one line."""
        known = self.reasons.get(reason, Reason(0, (), example[:80]))
        lines = (*known.lines, line) if len(known.lines) < SHOWN_LINES else known.lines
        self.reasons[reason] = Reason(known.number + 1, lines, known.example)

    def look_at(self, column: str, line: int, word: str) -> None:
        """Remember a word that should be a number, if it is one with a comma."""
        if self.comma is None and _COMMA.fullmatch(word.strip()):
            self.comma = line, column, word

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


class Words(NamedTuple):
    """One column of text: `spellings[code[i]]` is what line i says."""

    spellings: list[str]
    code: Ints

    @staticmethod
    def of(words: Sequence[str]) -> Words:
        """Number the spellings of a list."""
        spellings = list(dict.fromkeys(words))
        number_of = {word: at for at, word in enumerate(spellings)}
        return Words(spellings, np.array([number_of[word] for word in words], dtype=np.int64))

    def each(self, function: Callable[[str], Any], kind: type = float) -> Any:
        """Give what a function says of every line."""
        return np.array([function(word) for word in self.spellings], dtype=kind)[self.code]

    def take(self, lines: Ints) -> Words:
        """Keep some of the lines."""
        return Words(self.spellings, self.code[lines])

    def stripped(self) -> Words:
        """Drop blanks round every spelling; equal ones become one."""
        words = [word.strip() for word in self.spellings]
        whole = Words.of(words)
        return Words(whole.spellings, whole.code[self.code] if words else self.code)

    def at(self, line: int) -> str:
        """Give the spelling of one line."""
        return self.spellings[int(self.code[line])]


def arrow_words(column: Any) -> Words:
    """Take over a column of pyarrow; what is missing is empty."""
    import pyarrow as pa

    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    plain = whole.dictionary_decode() if pa.types.is_dictionary(whole.type) else whole
    coded = plain.dictionary_encode("encode")
    spellings = ["" if value is None else str(value) for value in coded.dictionary.to_pylist()]
    return Words(spellings, np.asarray(coded.indices.to_numpy(zero_copy_only=False), dtype=np.int64))


class Chunk(NamedTuple):
    """Some lines as a reader found them: features as numbers, everything else as text."""

    line: Ints
    values: Floats | Sparse
    words: dict[str, Words]


class Part(NamedTuple):
    """Lines of a chunk that can be used; `stage` and `game` are None where there is no such column."""

    line: Ints
    values: Floats | Sparse
    labels: Floats
    weight: Floats
    scores: Floats
    stage: Words | None
    shares: Floats
    game: Words | None


def number(word: str) -> float | None:
    """Return a decimal number, None for anything else: no NaN, no underscores, no decimal comma."""
    word = word.strip()
    value = float(word) if _NUMBER.fullmatch(word) else None
    return value if value is not None and is_usable(value) else None


def numbering(chunk: Chunk, layout: Layout, options: TableOptions) -> list[str]:
    """Return the features that only number the rows: so many different whole numbers so close together.

    Numbers of chance from as narrow a range would hold `CHANCE` pairs of equal ones.
    """
    n, values = len(chunk.line), chunk.values
    if isinstance(values, Sparse):
        return []
    found = []
    for name, column in zip(layout.features, values.T, strict=True):
        if name in options.features or n < 2 or not np.array_equal(column, np.rint(column)):
            continue
        width = float(column.max() - column.min()) + 1
        if n * n / (2 * width) >= CHANCE and len(np.unique(column)) == n:
            found.append(name)
    return found


class _Lines:
    """Which lines of a chunk are still good; the first fault of a line counts."""

    def __init__(self, line: Ints, account: Account) -> None:
        self.good: Bools = np.ones(len(line), dtype=np.bool_)
        self._line, self.account = line, account

    def leave_out(
        self, bad: Bools, reason: str, what: str, word_of: Callable[[int], str] = lambda at: ""
    ) -> None:
        """Leave out the lines marked `bad`; `word_of` tells what a line holds."""
        for at in np.flatnonzero(bad & self.good).tolist():
            word, line = word_of(at), int(self._line[at])
            self.account.leave_out(reason, line, f"{what} {word!r}" if word else what)
            self.account.look_at(what, line, word)
        self.good &= ~bad


def read_part(chunk: Chunk, layout: Layout, account: Account) -> Part:
    """Judge the lines of a chunk."""
    n, lines = len(chunk.line), _Lines(chunk.line, account)
    words = {what: chunk.words[name] for what, name in layout.special.items()}
    labels = _labels(words["result"], layout, lines) if "result" in words else np.full(n, np.nan)
    weight = (
        _numbers("weight", words["weight"], "a number from 0 up", lines) if "weight" in words else np.ones(n)
    )
    scores = _scores(words["score"], lines) if "score" in words else np.full(n, np.nan)
    shares = _shares(chunk, layout, lines)
    for what in ("game", "stage"):
        if what in words:
            lines.leave_out(words[what].each(lambda word: not word.strip(), bool), f"no {what}", what)
    if "mover" in words:
        is_second = _second_moves(words["mover"], lines)
        if layout.perspective == "first":
            labels = np.where(is_second, 1 - labels, labels)
            scores = np.where(is_second, -scores, scores)
    kept = np.flatnonzero(lines.good)
    stage, game = (words[w].take(kept).stripped() if w in words else None for w in ("stage", "game"))
    return Part(chunk.line[kept], taken(chunk.values, kept), labels[kept], weight[kept], scores[kept], stage,
                shares[kept], game)  # fmt: skip


def _labels(words: Words, layout: Layout, lines: _Lines) -> Floats:
    judged = [_judge(word.strip(), layout) for word in words.spellings]
    reasons = [reason for _, reason in judged]
    for reason in dict.fromkeys(filter(None, reasons)):
        bad = np.array([other == reason for other in reasons], dtype=np.bool_)[words.code]
        lines.leave_out(bad, reason, layout.special["result"], words.at)
        if reason == OUTSIDE:
            lines.account.is_negative |= any((number(word) or 0.0) < 0 for word in words.spellings)
    return np.array([label for label, _ in judged], dtype=np.float64)[words.code]


def _judge(word: str, layout: Layout) -> tuple[float, str]:
    """Return (label, reason to leave the line out or ""); NaN for no result, where none is needed."""
    if word in ("", "*"):
        return (0.0, "no result") if layout.needs_results else (math.nan, "")
    if word.lower() in _WORDS:
        return _WORDS[word.lower()], ""
    if word in _SCORES:
        is_first = layout.perspective == "first"
        return _SCORES[word], "" if is_first else FIRSTS
    value = number(word)
    if value is not None and layout.signed:
        value = (value + 1) / 2
    if value is None:
        return 0.0, ODD_RESULT
    return (value, "") if 0 <= value <= 1 else (0.0, OUTSIDE)


def _numbers(what: str, words: Words, expected: str, lines: _Lines) -> Floats:
    """Read numbers from 0 up."""
    found: Floats = words.each(lambda word: -1.0 if (value := number(word)) is None else value)
    lines.leave_out(found < 0, f"{what} is not {expected}", what, words.at)
    return np.maximum(found, 0.0)


def _shares(chunk: Chunk, layout: Layout, lines: _Lines) -> Floats:
    columns = [_numbers(name, chunk.words[name], "a share from 0 to 1", lines) for name in layout.shares]
    if not columns:
        return np.ones((len(chunk.line), 1))
    shares = np.column_stack(columns)
    total = shares.sum(axis=1)
    is_odd = np.abs(total - 1) > SHARE_TOLERANCE
    lines.leave_out(is_odd, "shares of the stages do not sum to 1", "sum", lambda at: f"{total[at]:.6g}")
    return shares


def _scores(words: Words, lines: _Lines) -> Floats:
    """Read scores; an empty one is no fault."""
    found: Floats = words.each(lambda word: np.nan if (value := number(word)) is None else value)
    is_odd = np.isnan(found) & words.each(lambda word: bool(word.strip()), bool)
    lines.leave_out(is_odd, "score is not a number", "score", words.at)
    return found


def _second_moves(words: Words, lines: _Lines) -> Bools:
    who = words.each(lambda word: MOVERS.get(word.strip().lower(), -1), int)
    lines.leave_out(
        who < 0, f"mover is none of {', '.join(MOVERS)} (numbers could mean either)", "mover", words.at
    )
    return np.asarray(who == 1, dtype=np.bool_)
