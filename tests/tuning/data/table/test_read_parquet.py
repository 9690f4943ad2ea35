"""Parquet gives the same rows as CSV; holes are counted, damage is refused."""

import os
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests import IMPORTS
from tests.support.tables import GOOD, HEADER, LENIENT, counts, read, same
from tunesmith.games.errors import InputError
from tunesmith.tuning.data.table import read_table


def test_parquet_gives_the_same_as_csv(tmp_path):
    data = pa.table(
        {"material": [1, -1, 0], "mobility": [2.5, 0.5, -3], "result": [1.0, 0, 0.5], "game": ["a", "b", "a"]}
    )
    pq.write_table(data.replace_schema_metadata({"perspective": "mover"}), tmp_path / "t.parquet")
    table = read_table(tmp_path / "t.parquet")
    same(table, read(tmp_path, HEADER + GOOD))
    assert table.format == "Parquet"


def test_parquet_rows_with_holes_are_counted_and_damage_is_refused(tmp_path):
    data = pa.table({"a": [1.0, None, float("nan"), 2.0, 3.0], "result_mover": [1, 0, 1, None, 0]})
    pq.write_table(data, tmp_path / "t.parquet")
    table = read_table(tmp_path / "t.parquet", LENIENT)
    assert counts(table) == {"a feature is missing or not finite": (2, (2, 3)), "no result": (1, (4,))}
    whole = (tmp_path / "t.parquet").read_bytes()
    with pytest.raises(InputError, match=r"cut\.parquet: expected Parquet, found a damaged file"):
        read(tmp_path, whole[:-20], name="cut.parquet")
    pq.write_table(pa.table({"a": ["x"], "result_mover": [1]}), tmp_path / "s.parquet")
    with pytest.raises(InputError, match="column 'a' of string: expected numbers; --ignore a skips it"):
        read_table(tmp_path / "s.parquet")


def test_damaged_metadata_and_texts_are_one_line(tmp_path):
    path = tmp_path / "m.parquet"
    good = pa.table({"a": [1.0, 2.0], "result_mover": [1, 0]})
    pq.write_table(good.replace_schema_metadata({b"perspective": b"\xff\xfe"}), path)
    with pytest.raises(InputError, match=r"m\.parquet: expected Parquet, found a damaged file"):
        read_table(path)
    pq.write_table(good.replace_schema_metadata({b"\xff": b"\xff"}), path)
    assert read_table(path).rows.n == 2  # what is not ours is not read
    for said in (b"{", b"[" * 10_000, b"\xff"):
        pq.write_table(good.replace_schema_metadata({b"pandas": said}), path)
        with pytest.raises(InputError, match=r"m\.parquet: expected Parquet, found a damaged file"):
            read_table(path)
    text = pa.array([b"\xff", b"b"], pa.binary()).view(pa.string())
    pq.write_table(good.append_column("game", text), path)
    with pytest.raises(InputError, match="damaged"):
        read_table(path)


def test_pages_are_held_against_their_checksums(tmp_path):
    path = tmp_path / "c.parquet"
    data = pa.table({"a": [1.5, 2.5, 3.5], "result_mover": [1, 0, 1]})
    pq.write_table(data, path, write_page_checksum=True, compression="none", use_dictionary=False)
    whole = path.read_bytes()
    at = whole.index(np.float64(2.5).tobytes())
    path.write_bytes(whole[:at] + np.float64(2.25).tobytes() + whole[at + 8 :])
    with pytest.raises(InputError, match=r"c\.parquet: row 1 or later: damaged"):
        read_table(path)


PEAK = """
import sys
from pathlib import Path
import pyarrow as pa
from tunesmith.tuning.data.table import read_table
rows = len(read_table(Path(sys.argv[1])).rows.labels)
print(rows, pa.default_memory_pool().max_memory())
"""


def test_a_large_table_is_not_held_in_memory(tmp_path):
    """Row groups are let go when they have been read: a file of 60 groups takes what a few of them take."""
    path, chance, groups = tmp_path / "large.parquet", np.random.default_rng(1), 60
    schema = pa.schema([*((f"f{at}", pa.float64()) for at in range(16)), ("result_mover", pa.float64())])
    with pq.ParquetWriter(path, schema, compression="none") as writer:
        for _ in range(groups):
            columns = [*chance.random((16, 4000)), chance.integers(0, 2, 4000).astype(float)]
            writer.write_table(pa.table(columns, schema=schema))
    call = [sys.executable, "-c", PEAK, str(path)]
    told = subprocess.run(
        call, env={**os.environ, "PYTHONPATH": IMPORTS}, check=True, capture_output=True, text=True
    )
    rows, peak = map(int, told.stdout.split())
    assert rows == groups * 4000
    assert peak < 0.8 * path.stat().st_size
