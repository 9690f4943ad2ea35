"""How much memory and time does `tunesmith fit` take for a table that does not fit in memory?

A Parquet table of whole-numbered features is written one row group at a time, results drawn from planted
weights, twenty positions a game; then the command itself runs in a process of its own. Disk: about 0.5 bytes a
number for the table and one for the scratch file. `worst`: largest distance of a fitted weight from the planted
one, in its own standard errors."""

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


def measure(
    rows: int, columns: int, seed: int, folder: Path | None = None, more: Sequence[str] = ()
) -> dict[str, Any]:
    """Write a table, fit it by the command, and return what that took.

    folder: where the table is written, or lies already; None: a folder that goes. more: options of the command.
    """
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="tunesmith-", dir=folder) as made:
        table = (folder or Path(made)) / f"table-{rows}x{columns}-{seed}.parquet"
        out = Path(made) / "weights.json"
        if not table.is_file():
            write_table(table, rows, columns, seed)
        took = run(tunesmith("fit", str(table), "--out", str(out), *more))
        fitted = json.loads(out.read_text(encoding="utf-8"))
        size = table.stat().st_size
    found, errors = (np.array(list(fitted[name]["all"].values()))[:columns] for name in ("weights", "errors"))
    return {
        "rows": rows,
        "columns": columns,
        "table_bytes": size,
        "scratch_bytes": fitted["source"]["scratch"],
        "fit": took._asdict(),
        "worst": float(np.abs((found - planted(columns, seed)) / errors).max()),
    }
