"""The benchmark of tables that do not fit in memory, in small."""

from pathlib import Path

import numpy as np
import pytest

from tunesmith.experiments.large import tables


def test_the_benchmark_runs_in_small_and_finds_what_was_planted(tmp_path: Path) -> None:
    found = tables.measure(3000, 5, 1, tmp_path, ["--out-of-core", "--no-compare"])
    assert (found["rows"], found["columns"]) == (3000, 5)
    assert found["fit"]["peak_bytes"] > 0 and found["table_bytes"] > 0
    assert found["scratch_bytes"] == 3000 * 5 and found["worst"] < 5
    assert [path.name for path in tmp_path.iterdir()] == ["table-3000x5-1.parquet"]


def test_a_table_is_the_same_whatever_there_is_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is to take a table that was half written for a whole one."""
    pq = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "table.parquet"
    monkeypatch.setattr(tables, "_GROUP", 400)
    tables.write_table(path, 1000, 4, 1)
    whole = pq.read_table(path)
    assert pq.ParquetFile(path).num_row_groups == 10 and whole.num_rows == 1000
    assert np.bincount(whole["game"].to_numpy()).tolist() == [20] * 50
    tables.write_table(path, 1000, 4, 1)
    assert pq.read_table(path).equals(whole)


def test_a_table_of_mostly_zeros_is_fitted_in_memory(tmp_path: Path) -> None:
    found = tables.measure(3000, 20, 1, tmp_path, ["--no-compare"], nonzeros=4)
    assert (found["rows"], found["columns"], found["nonzeros"], found["scratch_bytes"]) == (3000, 20, 4, 0)
    assert found["worst"] < 5
    (path,) = tmp_path.iterdir()
    lines = path.read_text(encoding="utf-8").splitlines()
    assert (
        path.name == "table-3000x20-1-4.svmlight"
        and lines[0] == "# perspective: mover"
        and len(lines) == 3001
    )
    result, game, *cells = lines[-1].split()
    assert result in "01" and game == "qid:149" and len(cells) == 4
    at, values = zip(*(map(int, cell.split(":")) for cell in cells), strict=True)
    assert [(column - 1) // 5 for column in at] == [0, 1, 2, 3] and set(values) <= {1, 2, 3}
