"""Small tables of positions, clean and dirty, and how they are read in tests."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tunesmith.tuning.data.table import read_table
from tunesmith.tuning.data.table.gather import Table
from tunesmith.tuning.data.table.layout import TableOptions
from tunesmith.tuning.fit.loss import expected_result

HEADER = "material,mobility,result_mover,game\n"


GOOD = "1,2.5,1,a\n-1,0.5,0,b\n0,-3,0.5,a\n"


LENIENT = TableOptions(max_bad=1.0)
SURE = TableOptions(max_bad=1.0, signed=False)  # results outside 0 to 1 are faults of their lines


def written(folder: Path, content: str | bytes, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def read(folder: Path, content: str | bytes, options: TableOptions = LENIENT, name: str = "t.csv") -> Table:
    return read_table(written(folder, content, name), options)


def counts(table: Table) -> dict[str, tuple[int, tuple[int, ...]]]:
    return {name: (reason.number, reason.lines) for name, reason in table.account.reasons.items()}


def same(one: Table, other: Table) -> None:
    for name in ("features", "labels", "weight", "group"):
        assert (getattr(one.rows, name) == getattr(other.rows, name)).all()
    assert one.features == other.features


DIRT = {
    "7,1,2,x,9\n": "wrong number of fields",
    "7,1\n": "wrong number of fields",
    "abc,1,1,x\n": "a feature is not a finite number",
    "nan,1,1,x\n": "a feature is not a finite number",
    "inf,1,1,x\n": "a feature is not a finite number",
    "1_000,1,1,x\n": "a feature is not a finite number",
    "0x10,1,1,x\n": "a feature is not a finite number",
    "1e999,1,1,x\n": "a feature is not a finite number",
    ",1,1,x\n": "a feature is missing",
    "1,1,,x\n": "no result",
    "1,1,2,x\n": "a result outside the scale",
    "1,1,-1,x\n": "a result outside the scale",
    "1,1,nan,x\n": "result not among the accepted spellings",
    "1,1,won?,x\n": "result not among the accepted spellings",
    "1,1,1-0,x\n": "a result that names the first player's points",
    "1,1,1,\n": "no game",
    '1,1,1,"x\n': "quotes that do not close",
    HEADER: "the header again",
    "1,1,1,\0x\n": "holds zero bytes",
}


def write_games(path: Path, rng: np.random.Generator, n: int = 1200, shuffled: bool = False) -> Path:
    """Write games of four positions as Parquet: whole and broken features, two stages, weights, scores and bad lines."""
    a, b = rng.integers(-9, 10, n), rng.normal(size=n).round(2)
    late = rng.integers(0, 2, n)
    score = a * (30 + 20 * late) + 50 * b
    luck = rng.random(n)
    result = np.where(
        luck < expected_result(score - 40), "1", np.where(luck < expected_result(score + 40), "1/2", "0")
    )
    result[::97] = "?"
    columns = {
        "result_mover": result, "game": np.array([f"g{i // 4}" for i in range(n)]), "a": a, "b": b,
        "big": 1000 * rng.integers(0, 90, n), "silent": np.zeros(n), "sum": a + b,
        "stage": np.where(late, "end", "mid"), "weight": rng.choice([0.0, 0.5, 1.0], n), "score": score,
    }  # fmt: skip
    order = rng.permutation(n) if shuffled else np.arange(n)
    table = pa.table({name: values[order] for name, values in columns.items()})
    pq.write_table(table, path, row_group_size=100)
    return path
