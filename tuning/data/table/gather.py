"""How do the lines of a table become rows, in memory or, where there are too many, in a scratch file?

Lines are read once and in order. A large table's features go to a scratch file (`fit.out_of_core`); labels, weights and
the numbers of the games stay in memory, 12 to 32 bytes a row, and rows of a game that do not stand
together are brought together. The fit then runs over the file block by block and finds what it finds in memory, to
rounding.
"""

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tunesmith.games.errors import InputError
from tunesmith.tuning.data.table.columns import Account, Chunk, Part, Words, read_part
from tunesmith.tuning.data.table.doubts import refuse_misread, refuse_ruins, refuse_unsigned
from tunesmith.tuning.data.table.layout import Layout, TableOptions
from tunesmith.tuning.fit.out_of_core import Packed, Store, in_order
from tunesmith.tuning.fit.rows import Bools, Floats, Ints, Rows
from tunesmith.tuning.fit.sparse import Sparse

MOST_STAGES = 20
IN_MEMORY = 1 << 29  # bytes of features; a fit in memory holds some four copies at its peak


class Gathered(NamedTuple):
    """What a table holds. line: where each row stands, None where rows went to a scratch file of `scratch` bytes;
    known: which rows have a result, None if all must."""

    rows: Rows
    stages: tuple[str, ...]
    scores: Floats | None
    line: Ints | None
    scratch: int
    known: Bools | None


def is_large(options: TableOptions, rows: int, layout: Layout) -> bool:
    """Tell whether a table of about so many rows goes to a scratch file."""
    if options.out_of_core is not None:
        return options.out_of_core
    return rows * len(layout.features) * 8 > IN_MEMORY


def gather(
    path: Path, layout: Layout, chunks: Iterable[Chunk], account: Account, options: TableOptions, large: bool
) -> Gathered:
    """Read all chunks."""
    growing = _Growing(path, layout, _Scratch(path, options) if large else None)
    for chunk in chunks:
        growing.add(read_part(chunk, layout, account))
        account.kept = growing.n
        refuse_misread(path, account, layout)
    refuse_ruins(path, account, layout, options)
    found = growing.end()
    refuse_unsigned(path, layout, found.rows.labels)
    return found


class _Scratch:
    """Makes stores beside the table, or where one may write."""

    def __init__(self, path: Path, options: TableOptions) -> None:
        beside = path.parent if os.access(path.parent, os.W_OK) else None
        self._folder, self._segment = options.scratch or beside, options.segment

    def __call__(self, columns: int) -> Store:
        return Store(columns, self._folder, self._segment)


class _Memory:
    """What `Store` is on disk."""

    def __init__(self, columns: int) -> None:
        self._parts: list[Floats | Sparse] = []
        self._columns = columns

    def add(self, values: Floats | Sparse) -> None:
        self._parts.append(values)

    def packed(self) -> Floats | Sparse:
        if len(self._parts) == 1 and isinstance(self._parts[0], Sparse):
            return self._parts[0]  # that reader gives all lines at once
        full = [part for part in self._parts if not isinstance(part, Sparse)]
        return np.concatenate([np.empty((0, self._columns)), *full])


class _Growing:
    """Rows as they come."""

    def __init__(self, path: Path, layout: Layout, scratch: _Scratch | None) -> None:
        self._layout, self._scratch, self.n = layout, scratch, 0
        self._stages = _Stages(path, layout)
        self._features = self._matrix(len(layout.features))
        self._shares = self._matrix(len(layout.shares))
        self._vectors: dict[str, list[Any]] = {name: [] for name in ("line", "labels", "group", "stage")}
        self._vectors |= {name: [] for name in ("weight", "score") if name in layout.special}

    def _matrix(self, columns: int) -> Store | _Memory:
        return _Memory(columns) if self._scratch is None else self._scratch(columns)

    def add(self, part: Part) -> None:
        """Take the good lines of one chunk."""
        self.n += len(part.line)
        self._features.add(part.values)  # type: ignore[arg-type]  # sparse rows go to memory only
        if len(self._layout.shares) > 1:
            self._shares.add(part.shares)
        found = {"line": part.line, "labels": part.labels, "weight": part.weight, "score": part.scores,
                 "group": games_of(part), "stage": self._stages.code(part.stage)}  # fmt: skip
        if self._scratch is not None:
            found |= {"labels": _small(part.labels), "score": _small(part.scores)}
        for name, parts in self._vectors.items():
            if name != "line" or self._scratch is None:
                parts.append(found[name])

    def end(self) -> Gathered:
        """Join everything; nothing can be added after that."""
        names = self._stages.names
        stages = self._stage_shares(len(names))
        del self._vectors["stage"]
        line = self._joined("line") if self._scratch is None else None
        labels, known = self._joined("labels"), None
        if not self._layout.needs_results:
            known = np.isfinite(labels)
            labels = np.where(known, labels, labels.dtype.type(0.5))
        found = Rows(
            self._features.packed(),
            stages,
            labels,
            self._joined("weight"),
            self._joined("group"),
        )
        scores = self._joined("score") if "score" in self._vectors else None
        if isinstance(found.features, Packed) and found.order is not None:
            scores = None if scores is None else scores[found.order]
            found = _together(found)
        scratch = self._features.bytes if isinstance(self._features, Store) else 0
        return Gathered(found, names, scores, line, scratch, known)

    def _joined(self, name: str) -> Any:
        """Join one vector and let go of its parts; weights that are not said are 1."""
        if name not in self._vectors:
            return np.broadcast_to(np.float64(1.0), (self.n,))
        return np.concatenate(self._vectors.pop(name))

    def _stage_shares(self, n_stages: int) -> Floats | Packed | None:
        if n_stages == 1:
            return None
        if not self._layout.shares:
            self._shares = self._matrix(n_stages)
            for codes in self._vectors["stage"]:
                self._shares.add(np.eye(n_stages)[codes])
        shares = self._shares.packed()
        return None if isinstance(shares, Sparse) else shares


def _small(values: Floats) -> Any:
    """Return float32 where that loses nothing, as of wins, draws, losses and whole scores."""
    with np.errstate(over="ignore"):
        small = values.astype(np.float32)
    return small if np.array_equal(small, values, equal_nan=True) else values


def _together(rows: Rows) -> Rows:
    """Write packed rows anew, those of a game together."""
    order = rows.order
    features, stages, weight = rows.features, rows.stages, rows.weight
    if order is None or not isinstance(features, Packed):
        return rows
    if isinstance(stages, Packed):
        stages = in_order(stages, order)
    if weight.strides != (0,):
        weight = weight[order]
    return Rows(in_order(features, order), stages, rows.labels[order], weight, rows.group[order])


class _Stages:
    """Names of the stages, those of a column in the order in which they occur."""

    def __init__(self, path: Path, layout: Layout) -> None:
        self._path, self._shares = path, layout.stage_names
        self._numbers: dict[str, int] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """All names so far."""
        return self._shares or tuple(self._numbers) or ("all",)

    def code(self, words: Words | None) -> Any:
        """Number the stages of some lines."""
        if words is None:
            return np.zeros(0, dtype=np.int8)
        used, first = np.unique(words.code, return_index=True)
        for code in used[np.argsort(first)].tolist():
            self._numbers.setdefault(words.spellings[code], len(self._numbers))
        if len(self._numbers) > MOST_STAGES:
            raise InputError(
                f"{self._path}: stage: expected at most {MOST_STAGES} names, found {len(self._numbers)} such as "
                f"{next(iter(self._numbers))!r}; for shares of stages use columns stage.NAME"
            )
        return words.each(lambda word: self._numbers.get(word, -1), np.int8)


def games_of(part: Part) -> Ints:
    """Number games by a hash of their names, so that games added later move nobody across the split."""
    if part.game is None:
        return part.line
    return np.asarray(part.game.each(_hashed, int), dtype=np.int64)


def _hashed(name: str) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "big", signed=True)


@dataclass(frozen=True, eq=False)
class Table:
    """A table that was read: rows to fit on, their names, and how the reading went.

    line: (n,) where each row stands in the file, from 1; None out of core. scores: (n,) of a search, same
    perspective as the labels, in the file's unit; NaN where there is none. has_games: rows are grouped by a column
    `game`. labels: columns left out because they name or number the rows. scratch: bytes of the
    scratch file that holds the features, 0 in memory. known: (n,) which rows have a result (the others are labelled
    1/2); None: all have. has_mover: a column `mover` says who moves.
    """

    rows: Rows
    features: tuple[str, ...]
    stages: tuple[str, ...]
    line: Ints | None
    scores: Floats | None
    has_games: bool
    perspective: str
    format: str
    account: Account
    labels: tuple[str, ...] = ()
    scratch: int = 0
    known: Bools | None = None
    has_mover: bool = False

    @property
    def seen_from(self) -> str:
        """Whose view the features are: those of results of the first player are his, unless it is known who moves."""
        return "mover" if self.has_mover else self.perspective


def assemble(path: Path, form: str, layout: Layout, chunks: Iterable[Chunk], account: Account,
             options: TableOptions, expected: int = 0) -> Table:  # fmt: skip
    """Turn what a reader found, about `expected` rows, into a table; what cannot be used goes to the account."""
    large = is_large(options, expected, layout)
    found = gather(path, layout, chunks, account, options, large)
    has_games = "game" in layout.special
    return Table(found.rows, layout.features, found.stages, found.line, found.scores, has_games,
                 layout.perspective, form, account, layout.labels, found.scratch, found.known,
                 "mover" in layout.special)  # fmt: skip
