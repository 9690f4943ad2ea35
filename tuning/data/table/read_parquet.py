"""Tables in Parquet: columns as in CSV, numbers as numbers, read a batch of rows at a time.

The file's metadata may state `perspective`, `results` and `tunesmith-table`. Rows count from 1.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith.games.errors import InputError
from tunesmith.tuning.data.table.columns import Account, Chunk, arrow_words, numbering
from tunesmith.tuning.data.table.gather import Table, assemble
from tunesmith.tuning.data.table.layout import Layout, TableOptions, make_layout
from tunesmith.tuning.fit.rows import Floats

_BATCH = 1 << 16  # rows


def read(path: Path, options: TableOptions) -> Table:
    """Read a Parquet table."""
    file = _open(path)
    schema = file.schema_arrow
    metadata = {key.decode(): value.decode() for key, value in (schema.metadata or {}).items()
                if key in (b"perspective", b"results", b"tunesmith-table")}  # fmt: skip
    layout = make_layout(path, schema.names, metadata, options, _index(schema.pandas_metadata))
    _check_types(path, schema, layout)
    head = next(_chunks(path, file, layout, Account()), None)
    if head is not None:
        layout = layout.without(numbering(head, layout, options))
    account = Account()
    return assemble(
        path,
        "Parquet",
        layout,
        _chunks(path, file, layout, account),
        account,
        options,
        file.metadata.num_rows,
    )


def _index(metadata: Any) -> list[str]:
    """Return the columns that pandas calls its index; a range is no column."""
    found = metadata.get("index_columns", []) if isinstance(metadata, dict) else []
    return [name for name in found if isinstance(name, str)]


def _open(path: Path) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(path)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(f"{path}: expected Parquet, found a damaged file: {error}") from None


def _check_types(path: Path, schema: Any, layout: Layout) -> None:
    import pyarrow as pa

    for name in layout.features:
        kind = schema.field(name).type
        if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)):
            raise InputError(
                f"{path}: column {name!r}: expected numbers, found {kind}; --ignore {name} skips it"
            )


def _chunks(path: Path, file: Any, layout: Layout, account: Account) -> Iterator[Chunk]:
    import pyarrow as pa

    first = 1
    texts = [*layout.special.values(), *layout.shares]
    try:
        for batch in file.iter_batches(_BATCH, columns=[*layout.features, *texts]):
            yield _chunk(batch, first, layout, texts, account)
            first += batch.num_rows
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path}: row {first} or later: damaged: {error}") from None


def _chunk(batch: Any, first: int, layout: Layout, texts: list[str], account: Account) -> Chunk:
    line = np.arange(first, first + batch.num_rows)
    values = np.empty((batch.num_rows, len(layout.features)))
    for at, name in enumerate(layout.features):
        values[:, at] = _numbers(batch.column(name))
    good = np.isfinite(values).all(axis=1)
    for row in np.flatnonzero(~good).tolist():
        column = int(np.flatnonzero(~np.isfinite(values[row]))[0])
        account.leave_out("a feature is missing or not finite", int(line[row]), layout.features[column])
    kept = np.flatnonzero(good)
    words = {name: arrow_words(batch.column(name)).take(kept) for name in texts}
    return Chunk(line[kept], values[kept], words)


def _numbers(column: Any) -> Floats:
    """Return float64, NaN where there is nothing."""
    import pyarrow as pa

    whole = column.cast(pa.int8()) if pa.types.is_boolean(column.type) else column
    return np.asarray(whole.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False), dtype=np.float64)
