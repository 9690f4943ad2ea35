"""Tables in CSV: a header of names, then one position a line; separated by comma, semicolon or tab.

Lines before the header that start with `#` may state something: `# perspective: mover`, `# results: signed`,
`# tunesmith-table: 1`. A block of lines without any fault is read at once by pyarrow; one with a doubtful line
is read line by line, with the same result for the good ones.
"""

import csv
import io
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tunesmith.games.errors import InputError
from tunesmith.tuning import textlines
from tunesmith.tuning.data.table.columns import Account, Chunk, Words, arrow_words, number, numbering
from tunesmith.tuning.data.table.gather import Table, assemble
from tunesmith.tuning.data.table.layout import Layout, TableOptions, make_layout
from tunesmith.tuning.fit.rows import Floats, is_usable
from tunesmith.tuning.textlines import TOO_LONG, Block

_SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab"}


class _Header(NamedTuple):
    line: int
    names: tuple[str, ...]
    separator: str
    said: dict[str, str]


def read(path: Path, options: TableOptions) -> Table:
    """Read a CSV table."""
    blocks = textlines.blocks(path)
    header, first = _header(path, blocks)
    layout = make_layout(path, header.names, header.said, options)
    rest, account = _rest(first, header), Account()
    head = [_chunk(header, layout, rest, account)] if rest.data else []
    if labels := [name for chunk in head for name in numbering(chunk, layout, options)]:
        layout, account = layout.without(labels), Account()
        head = [_chunk(header, layout, rest, account)]
    chunks = itertools.chain(head, (_chunk(header, layout, block, account) for block in blocks))
    form = f"CSV separated by {_SEPARATORS[header.separator]}"
    lines = path.stat().st_size * first.data.count(b"\n") // max(len(first.data), 1)
    return assemble(path, form, layout, chunks, account, options, lines)


def _header(path: Path, blocks: Iterator[Block]) -> tuple[_Header, Block]:
    """Read statements and the names of the columns from the first block."""
    block = next(blocks)
    said: dict[str, str] = {}
    for at, line in textlines.lines(block):
        try:
            text = line.decode("utf-8").rstrip()
        except UnicodeDecodeError:
            raise InputError(f"{path}:{at}: header: expected UTF-8, found other bytes") from None
        if line == TOO_LONG:
            raise InputError(f"{path}:{at}: header: longer than {textlines.LONGEST:,} bytes")
        if text.startswith("#"):
            said.update([pair] if (pair := textlines.statement(text)) else [])
        elif text.strip():
            separator = max(_SEPARATORS, key=text.count)
            names = next(csv.reader([text], delimiter=separator), [])
            return _Header(at, tuple(name.strip() for name in names), separator, said), block
    raise InputError(f"{path}: expected a line with the names of the columns, found none")


def _rest(block: Block, header: _Header) -> Block:
    """Return what follows the header in its block."""
    data = block.data
    for _ in range(header.line - block.first + 1):
        data = data.partition(b"\n")[2]
    return Block(header.line + 1, data, block.is_cut)


def _chunk(header: _Header, layout: Layout, block: Block, account: Account) -> Chunk:
    if block.is_cut:
        account.leave_out("last line without a line end, so it may be cut", block.first)
        return _line_by_line(header, layout, Block(block.first, b"\n", False), Account())
    return _at_once(header, layout, block) or _line_by_line(header, layout, block, account)


def _at_once(header: _Header, layout: Layout, block: Block) -> Chunk | None:
    """Read a block without any fault; None in every doubt."""
    import pyarrow as pa
    from pyarrow import csv as arrow

    if b"\0" in block.data or textlines.longest(block) > textlines.LONGEST:
        return None
    n = block.data.count(b"\n")
    texts = [*layout.special.values(), *layout.shares]
    types = {**dict.fromkeys(layout.features, pa.float64()), **dict.fromkeys(texts, pa.string())}
    try:
        table = arrow.read_csv(
            io.BytesIO(block.data),
            arrow.ReadOptions(use_threads=False, block_size=len(block.data) + 1, column_names=header.names),
            arrow.ParseOptions(delimiter=header.separator, ignore_empty_lines=False),
            arrow.ConvertOptions(column_types=types, include_columns=list(types), null_values=[]),
        )
    except (pa.ArrowException, ValueError):
        return None
    values = np.empty((table.num_rows, len(layout.features)))
    for at, name in enumerate(layout.features):
        values[:, at] = table.column(name).to_numpy()
    if table.num_rows != n or not is_usable(values).all():
        return None
    words = {name: arrow_words(table.column(name)) for name in texts}
    return Chunk(np.arange(block.first, block.first + n), values, words)


def _line_by_line(header: _Header, layout: Layout, block: Block, account: Account) -> Chunk:
    place = {name: at for at, name in enumerate(header.names)}
    texts = [*layout.special.values(), *layout.shares]
    used = [*layout.features, *texts]  # the other columns take no part
    kept: list[int] = []
    values: list[list[float]] = []
    words: dict[str, list[str]] = {name: [] for name in texts}
    for at, line in textlines.lines(block):
        fields = _fields(header, at, line, account)
        if fields is not None and not all(map(_is_utf8, (fields[place[name]] for name in used))):
            account.leave_out("not UTF-8", at)
            continue
        row = None if fields is None else _numbers(layout, place, at, fields, account)
        if fields is None or row is None:
            continue
        kept.append(at)
        values.append(row)
        for name in texts:
            words[name].append(fields[place[name]])
    table: Floats = np.array(values, dtype=np.float64).reshape(len(kept), len(layout.features))
    return Chunk(
        np.array(kept, dtype=np.int64), table, {name: Words.of(column) for name, column in words.items()}
    )


def _is_utf8(word: str) -> bool:
    return word.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in word)


def _fields(header: _Header, at: int, line: bytes, account: Account) -> list[str] | None:
    """Split a line; None, and an entry in the account, if it is not one."""
    if not line.strip():
        account.empty += 1
        return None
    if line == TOO_LONG:
        account.leave_out(f"longer than {textlines.LONGEST:,} bytes", at)
        return None
    if b"\0" in line:
        account.leave_out("holds zero bytes", at)
        return None
    try:
        text = line.decode("utf-8", "surrogateescape")
        found = next(csv.reader([text], delimiter=header.separator, strict=True), [])
    except csv.Error:
        account.leave_out("quotes that do not close", at)
        return None
    if tuple(name.strip() for name in found) == header.names:
        account.leave_out("the header again", at)
        return None
    if len(found) != len(header.names):
        expected = f"expected {len(header.names)}, found {len(found)}"
        if len(found) > len(header.names) and header.separator == ",":
            expected += ": is there a decimal comma?"
        account.leave_out("wrong number of fields", at, expected)
        return None
    return found


def _numbers(
    layout: Layout, place: dict[str, int], at: int, fields: list[str], account: Account
) -> list[float] | None:
    words = [fields[place[name]] for name in layout.features]
    row = [value for word in words if (value := number(word)) is not None]
    if len(row) == len(words):
        return row
    bad = [pair for pair in zip(layout.features, words, strict=True) if number(pair[1]) is None]
    for name, word in bad:
        account.no_numbers[name] = account.no_numbers.get(name, 0) + 1
        account.look_at(name, at, word)
    name, word = bad[0]
    reason = "a feature is not a finite number" if word.strip() else "a feature is missing"
    account.leave_out(reason, at, f"{name} {word!r}" if word.strip() else name)
    return None
