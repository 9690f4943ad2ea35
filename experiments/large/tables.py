"""How much memory and time does `tunesmith fit` take for a table that does not fit in memory?

A Parquet table of whole-numbered features is written one row group at a time, results drawn from planted
weights, twenty positions a game; then the command itself runs in a process of its own. Disk: about 0.5 bytes a
number for the table and one for the scratch file. A table of mostly zeros is written in svmlight's format instead,
some six bytes a number, and fitted in memory. `worst`: largest distance of a fitted weight from the planted one, in its
own standard errors."""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith.experiments.large.process import run, tunesmith
from tunesmith.tuning.fit.loss import expected_result
from tunesmith.tuning.fit.rows import Floats

PER_GAME = 20
_GROUP = 1 << 23  # numbers of a row group
_LINES = 1 << 13  # rows that are drawn at a time


def planted(columns: int, seed: int) -> Floats:
    """Return the weights (columns,) that results are drawn from, in Elo: scores spread by some 120."""
    return np.asarray(
        np.random.default_rng(seed).normal(size=columns) * 60 / np.sqrt(columns), dtype=np.float64
    )


def write_table(path: Path, rows: int, columns: int, seed: int) -> None:
    """Write a table, whole or not at all; memory does not grow with the rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng, weights = np.random.default_rng([seed, 1]), planted(columns, seed)
    kinds = [(f"f{at}", pa.int8()) for at in range(columns)]
    schema = pa.schema([*kinds, ("result_mover", pa.int8()), ("game", pa.int32())])
    draft, group = path.with_suffix(".draft"), max(1, _GROUP // columns)
    with pq.ParquetWriter(draft, schema) as file:
        for first in range(0, rows, group):
            n = min(group, rows - first)
            x = rng.integers(-3, 4, (columns, n), dtype=np.int8)
            won = (rng.random(n) < expected_result(weights @ x)).astype(np.int8)
            game = (np.arange(first, first + n) // PER_GAME).astype(np.int32)
            file.write_table(pa.table([*x, won, game], schema=schema))
    draft.replace(path)


def write_sparse(path: Path, rows: int, columns: int, seed: int, nonzeros: int) -> None:
    """Write a table in svmlight's format, whole or not at all: so many numbers from 1 to 3 a row."""
    rng, weights = np.random.default_rng([seed, 1]), planted(columns, seed)
    edges = np.linspace(0, columns, nonzeros + 1).astype(np.int64)
    draft = path.with_suffix(".draft")
    with draft.open("w", encoding="utf-8") as file:
        file.write("# perspective: mover\n")
        for first in range(0, rows, _LINES):
            n = min(_LINES, rows - first)
            at, x = rng.integers(edges[:-1], edges[1:], (n, nonzeros)), rng.integers(1, 4, (n, nonzeros))
            won = (rng.random(n) < expected_result((weights[at] * x).sum(axis=1))).astype(np.int8)
            for row, (result, own, values) in enumerate(
                zip(won, at.tolist(), x.tolist(), strict=True), first
            ):
                cells = " ".join([f"{column + 1}:{value}" for column, value in zip(own, values, strict=True)])
                file.write(f"{result} qid:{row // PER_GAME} {cells}\n")
    draft.replace(path)


def measure(
    rows: int,
    columns: int,
    seed: int,
    folder: Path | None = None,
    more: Sequence[str] = (),
    nonzeros: int | None = None,
) -> dict[str, Any]:
    """Write a table, fit it by the command, and return what that took.

    folder: where the table is written, or lies already; None: a folder that goes. more: options of the command.
    nonzeros: numbers in a row that are not zero, in svmlight's format; None: most, in Parquet.
    """
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="tunesmith-", dir=folder) as made:
        kind = ".parquet" if nonzeros is None else f"-{nonzeros}.svmlight"
        table = (folder or Path(made)) / f"table-{rows}x{columns}-{seed}{kind}"
        out = Path(made) / "weights.json"
        if not table.is_file():
            if nonzeros is None:
                write_table(table, rows, columns, seed)
            else:
                write_sparse(table, rows, columns, seed, nonzeros)
        took = run(tunesmith("fit", str(table), "--out", str(out), *more))
        fitted = json.loads(out.read_text(encoding="utf-8"))
        size = table.stat().st_size
    found, errors = (np.array(list(fitted[name]["all"].values()))[:columns] for name in ("weights", "errors"))
    return {
        "rows": rows,
        "columns": columns,
        "table_bytes": size,
        "nonzeros": nonzeros,
        "scratch_bytes": fitted["source"]["scratch"] or 0,
        "fit": took._asdict(),
        "worst": float(np.abs((found - planted(columns, seed)) / errors).max()),
    }
