"""Tables in svmlight's format: `result [qid:game] index:value ... [# comment]`, zeros left out.

Indices ascend within a line and count from 1, or from 0 if an index 0 occurs. Features are called f1, f2 and
so on, unless a line before the first row says `# features: material tempo ...`; `# perspective: mover` says
whose results these are. Zeros stay left out, unless more than a quarter of the numbers are none.
"""

import itertools
from array import array
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import sparse

from tunesmith.games.errors import InputError
from tunesmith.tuning import textlines
from tunesmith.tuning.data.table.columns import Account, Chunk, Words, number
from tunesmith.tuning.data.table.gather import Table, assemble
from tunesmith.tuning.data.table.layout import Layout, TableOptions, make_layout
from tunesmith.tuning.fit.rows import Floats
from tunesmith.tuning.fit.sparse import MOST_FILLED, Sparse, narrowed
from tunesmith.tuning.textlines import TOO_LONG, Block

MOST_FEATURES = 20_000


class _Row(NamedTuple):
    result: str
    game: str
    indices: list[int]
    values: list[float]


class _Read:
    """Rows as they are found, in flat arrays."""

    def __init__(self) -> None:
        self.line, self.ends = array("q"), array("q")
        self.indices, self.values = array("q"), array("d")
        self.results: list[str] = []
        self.games: list[str] = []

    def add(self, at: int, row: _Row) -> None:
        self.line.append(at)
        self.results.append(row.result)
        self.games.append(row.game)
        self.indices.extend(row.indices)
        self.values.extend(row.values)
        self.ends.append(len(self.indices))


def looks_like(head: bytes) -> bool:
    """Tell whether the first line that is no comment is one of this format."""
    lines = [line.strip() for line in head.removeprefix(b"\xef\xbb\xbf").splitlines()]
    fields = next((line for line in lines if line and not line.startswith(b"#")), b"").split()
    return len(fields) > 1 and all(
        field.count(b":") == 1 and field.partition(b":")[0].isalnum() for field in fields[1:3]
    ) and b":" not in fields[0]  # fmt: skip


def read(path: Path, options: TableOptions) -> Table:
    """Read a table in svmlight's format."""
    if options.out_of_core:
        raise InputError(
            f"{path}: svmlight is read in memory at once: for --out-of-core convert it to Parquet"
        )
    account, said, found = Account(), dict[str, str](), _Read()
    for at, line in itertools.chain.from_iterable(_lines(block, account) for block in textlines.blocks(path)):
        _take(at, line, said, found, account)
    names = _names(path, said, found)
    has_games = any(found.games)
    columns = [*names, "result", *(["game"] if has_games else [])]
    layout = make_layout(path, columns, said, options)
    chunk = _chunk(found, names, layout, has_games)
    return assemble(path, "svmlight", layout, [chunk], account, replace(options, out_of_core=False))


def _lines(block: Block, account: Account) -> Iterator[tuple[int, bytes]]:
    if block.is_cut:
        account.leave_out("last line without a line end, so it may be cut", block.first)
        return iter(())
    return textlines.lines(block)


def _take(at: int, line: bytes, said: dict[str, str], found: _Read, account: Account) -> None:
    """Take one line: a row, a statement, nothing, or an entry in the account."""
    if not line.strip():
        account.empty += 1
        return
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        account.leave_out("not UTF-8", at)
        return
    if text.startswith("#"):
        account.empty += 1
        pair = textlines.statement(text)
        said.update([pair] if pair and not found.line else [])
        return
    row = "longer than 1 MiB" if line == TOO_LONG else _row(text.partition("#")[0].split())
    if isinstance(row, str):
        account.leave_out(row, at, text[:60])
        for index, _, word in (field.partition(":") for field in text.split()[1:]):
            account.look_at(index, at, word)
    else:
        found.add(at, row)


def _row(fields: list[str]) -> _Row | str:
    """Return the row of a line, or what is wrong with it."""
    if not fields:
        return "no result"
    game, rest = "", fields[1:]
    if rest and rest[0].startswith("qid:"):
        game, rest = rest[0][4:], rest[1:]
    indices, values, last = [], [], -1
    for field in rest:
        index, colon, word = field.partition(":")
        value = number(word)
        if not colon or not (index.isascii() and index.isdigit()):
            return "a field is not index:value"
        if value is None:
            return "a feature is not a finite number"
        if int(index) <= last:
            return "indices do not ascend"
        if int(index) > MOST_FEATURES:
            return f"an index above {MOST_FEATURES:,}"
        last = int(index)
        indices.append(last)
        values.append(value)
    return _Row(fields[0], game, indices, values)


def _names(path: Path, said: dict[str, str], found: _Read) -> list[str]:
    if not found.indices:
        raise InputError(f"{path}: expected rows with features, found none")
    base = 0 if min(found.indices) == 0 else 1
    n_features = max(found.indices) - base + 1
    stated = said.get("features", "").replace(",", " ").split()
    if stated and len(stated) < n_features:
        raise InputError(f"{path}: features: {len(stated)} names for {n_features} columns")
    return stated or [f"f{at + base}" for at in range(n_features)]


def _chunk(found: _Read, names: list[str], layout: Layout, has_games: bool) -> Chunk:
    n, base = len(found.line), 0 if min(found.indices) == 0 else 1
    starts = np.concatenate([[0], np.frombuffer(found.ends, dtype=np.int64)])
    columns = np.frombuffer(found.indices, dtype=np.int64) - base
    cells = narrowed(np.frombuffer(found.values, dtype=np.float64))
    thin = Sparse(sparse.csr_matrix((cells, columns, starts), (n, len(names))))
    chosen = [names.index(name) for name in layout.features]
    if len(chosen) < len(names):
        thin = thin.columns(chosen)
    values: Floats | Sparse = thin.loaded() if thin.filled > MOST_FILLED else thin
    words = {"result": Words.of(found.results), **({"game": Words.of(found.games)} if has_games else {})}
    return Chunk(np.array(found.line, dtype=np.int64), values, words)
