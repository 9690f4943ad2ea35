"""Tables in Parquet: columns as in CSV, numbers as numbers, read a batch of rows at a time.

Pages that come with a checksum are held against it. The file's metadata may state `perspective`, `results` and
`tunesmith-table`. Rows count from 1.
"""

import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith.games.errors import InputError
from tunesmith.games.texts import parse_json
from tunesmith.tuning.data.table.columns import Account, Chunk, arrow_words, numbering
from tunesmith.tuning.data.table.gather import Table, assemble
from tunesmith.tuning.data.table.layout import Layout, TableOptions, make_layout
from tunesmith.tuning.fit.out_of_core import NUMBERS, at_most
from tunesmith.tuning.fit.rows import Floats, is_usable

_BATCH = 1 << 16  # rows, of tables with few columns
_STATED = ("perspective", "results", "tunesmith-table")  # what the metadata may say


def read(path: Path, options: TableOptions) -> Table:
    """Read a Parquet table."""
    file, schema, metadata, index = _open(path)
    layout = make_layout(path, schema.names, metadata, options, index)
    _check_types(path, schema, layout)
    account = Account()
    chunks = _chunks(path, file, layout, account)
    head = list(itertools.islice(chunks, 1))
    if labels := [name for chunk in head for name in numbering(chunk, layout, options)]:
        layout, account, head = layout.without(labels), Account(), []
        chunks = _chunks(path, file, layout, account)
    chunks = itertools.chain(head, chunks)
    return assemble(path, "Parquet", layout, chunks, account, options, file.metadata.num_rows)


def _index(metadata: Mapping[bytes, bytes]) -> list[str]:
    """Return the columns that pandas calls its index; a range is no column."""
    stated = parse_json(metadata.get(b"pandas", b"{}").decode())
    found = stated.get("index_columns", []) if isinstance(stated, dict) else []
    return [name for name in found if isinstance(name, str)] if isinstance(found, list) else []


def _open(path: Path) -> tuple[Any, Any, dict[str, str], list[str]]:
    """Return the file, its columns, what its metadata state, and the columns that are an index."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(path, page_checksum_verification=True, pre_buffer=False)
        schema = file.schema_arrow
        stated = schema.metadata or {}
        said = {key: stated[key.encode()].decode() for key in _STATED if key.encode() in stated}
        return file, schema, said, _index(stated)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(f"{path}: expected Parquet, found a damaged file: {error}") from None


def _check_types(path: Path, schema: Any, layout: Layout) -> None:
    import pyarrow as pa

    def is_number(kind: pa.DataType) -> bool:
        return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind))

    texts = {name: kind for name in layout.features if not is_number(kind := schema.field(name).type)}
    if texts:
        named, plural = " ".join(f"--ignore {name}" for name in texts), len(texts) > 1
        columns = ", ".join(f"{name!r} of {kind}" for name, kind in texts.items())
        raise InputError(
            f"{path}: column{'s' * plural} {columns}: expected numbers; {named} skips {'them' if plural else 'it'}"
        )


def _chunks(path: Path, file: Any, layout: Layout, account: Account) -> Iterator[Chunk]:
    import pyarrow as pa

    first = 1
    texts = [*layout.special.values(), *layout.shares]
    try:
        size = at_most(_BATCH, NUMBERS, len(layout.features))
        for batch in file.iter_batches(size, columns=[*layout.features, *texts]):
            yield _chunk(batch, first, layout, texts, account)
            first += batch.num_rows
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: row {first} or later: damaged: {error}") from None


def _chunk(batch: Any, first: int, layout: Layout, texts: list[str], account: Account) -> Chunk:
    line = np.arange(first, first + batch.num_rows)
    values = np.empty((batch.num_rows, len(layout.features)))
    for at, name in enumerate(layout.features):
        values[:, at] = _numbers(batch.column(name))
    good = is_usable(values).all(axis=1)
    for name, count in zip(layout.features, (~is_usable(values)).sum(axis=0).tolist(), strict=True):
        if count:
            account.no_numbers[name] = account.no_numbers.get(name, 0) + count
    for row in np.flatnonzero(~good).tolist():
        column = int(np.flatnonzero(~is_usable(values[row]))[0])
        account.leave_out("a feature is missing or not finite", int(line[row]), layout.features[column])
    kept = np.flatnonzero(good)
    words = {name: arrow_words(batch.column(name)).take(kept) for name in texts}
    return Chunk(line[kept], values[kept], words)


def _numbers(column: Any) -> Floats:
    """Return float64, NaN where there is nothing."""
    import pyarrow as pa

    whole = column.cast(pa.int8()) if pa.types.is_boolean(column.type) else column
    return np.asarray(whole.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False), dtype=np.float64)
