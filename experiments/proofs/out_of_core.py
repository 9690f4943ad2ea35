"""How much memory and time does `tunesmith fit` take for a table that does not fit in memory?

A Parquet table of whole-numbered features is written one row group at a time, results drawn from planted
weights, twenty positions a game; then the command itself runs in a process of its own, whose peak memory
the system tells. Disk: about 0.5 bytes a number for the table and one for the scratch file. `worst`: largest
distance of a fitted weight from the planted one, in its own standard errors.

    python -m tunesmith.experiments.proofs.out_of_core --rows 50000000 --columns 40
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tunesmith.tuning.fit.loss import expected_result
from tunesmith.tuning.fit.rows import Floats

PER_GAME = 20
LIMIT = 4 << 30  # bytes
_KIBI = 1 if sys.platform == "darwin" else 1024  # the unit of ru_maxrss


class Found(NamedTuple):
    """What the command took; seconds are of the clock, and of the processor."""

    rows: int
    table_bytes: int
    seconds: float
    cpu_seconds: float
    peak_bytes: int
    worst: float


def write_table(path: Path, rows: int, columns: int, group: int, seed: int) -> Floats:
    """Write a table and return the planted weights, in Elo."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(seed)
    weights = np.asarray(rng.normal(size=columns) * 60 / np.sqrt(columns), dtype=np.float64)
    names = [f"f{at}" for at in range(columns)]
    kinds = [(name, pa.int8()) for name in names]
    schema = pa.schema([*kinds, ("result_mover", pa.int8()), ("game", pa.int32())])
    with pq.ParquetWriter(path, schema) as file:
        for first in range(0, rows, group):
            n = min(group, rows - first)
            x = rng.integers(-3, 4, (columns, n), dtype=np.int8)
            won = (rng.random(n) < expected_result(weights @ x)).astype(np.int8)
            game = (np.arange(first, first + n) // PER_GAME).astype(np.int32)
            file.write_table(pa.table([*x, won, game], schema=schema))
    return weights


def measure(rows: int, columns: int, group: int, seed: int, folder: Path | None = None) -> Found:
    """Write a table, fit it by the command, and tell what that took."""
    import resource

    with tempfile.TemporaryDirectory(prefix="tunesmith-", dir=folder) as made:
        table, out = Path(made) / "table.parquet", Path(made) / "weights.json"
        weights = write_table(table, rows, columns, group, seed)
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        command = [
            sys.executable,
            "-P",
            "-m",
            "tunesmith.tuning.cli",
            "fit",
            str(table),
            "--out-of-core",
            "--out",
            str(out),
        ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        seconds, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        fitted = json.loads(out.read_text(encoding="utf-8"))
        size = table.stat().st_size
    found, errors = (np.array(list(fitted[name]["all"].values()))[:columns] for name in ("weights", "errors"))
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    worst = float(np.abs((found - weights) / errors).max())
    return Found(rows, size, seconds, cpu, after.ru_maxrss * _KIBI, worst)


def main(arguments: list[str] | None = None) -> int:
    """Print time and peak memory; exit with 1 above 4 GiB."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=40)
    parser.add_argument("--group", type=int, default=1 << 19, help="rows of a row group")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where the table is written")
    given = parser.parse_args(arguments)
    found = measure(given.rows, given.columns, given.group, given.seed, given.folder)
    print(f"{found.rows:,} x {given.columns}: Parquet {found.table_bytes / 1e9:.2f} GB, seed {given.seed}")
    print(f"fit: {found.seconds:.0f} s, of the processor {found.cpu_seconds:.0f} s")
    print(f"peak memory: {found.peak_bytes / 2**30:.2f} GiB (limit {LIMIT / 2**30:.0f} GiB)")
    print(f"farthest weight from the planted one: {found.worst:.1f} standard errors")
    return 0 if found.peak_bytes <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
