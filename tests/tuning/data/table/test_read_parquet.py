"""Parquet gives the same rows as CSV; holes are counted, damage is refused."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

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
    with pytest.raises(InputError, match="column 'a': expected numbers, found string; --ignore a skips it"):
        read_table(tmp_path / "s.parquet")
