"""The page of what was measured, and the file that it grows in."""

import json
from pathlib import Path

import pytest

from tunesmith.experiments.large import __main__ as command
from tunesmith.experiments.large import games, tables
from tunesmith.tuning.threads import number as threads

TOOK = {"seconds": 1234.4, "cpu_seconds": 60.0, "peak_bytes": 1_500_000_000}


def test_cases_are_added_to_the_file_and_the_page_shows_all_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "large.json"
    table = {
        "rows": 7_000,
        "columns": 60,
        "table_bytes": 2e9,
        "scratch_bytes": 3e6,
        "fit": TOOK,
        "worst": 2.25,
    }
    played = {"games": 200, "files": 3, "bytes": 5e6, **dict.fromkeys(games.PARTS, TOOK)}
    monkeypatch.setattr(
        tables, "measure", lambda *_, nonzeros: table | {"nonzeros": nonzeros, "threads": threads()}
    )
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.setattr(games, "measure", lambda *_: played)
    assert command.main(["table", "--rows", "7000", "--out", str(out)]) == 0
    thin = ["--nonzeros", "9", "--threads", "3"]
    assert command.main(["table", "--rows", "7000", *thin, "--out", str(out)]) == 0
    assert command.main(["games", "--pairs", "100", "--out", str(out)]) == 0
    cells = json.loads(out.read_text(encoding="utf-8"))
    assert set(cells) == {"table 7000 x 60, 1 threads", "table 7000 x 60, 9 a row, 3 threads", "games 200"}
    page = out.with_suffix(".md").read_text(encoding="utf-8")
    took = "1,234 s | 60 s | 1.50 GB | 2.2 standard errors |"
    assert f"| 7,000 | 60 | most | 2.00 GB | 3 MB | 1 | {took}" in page
    assert f"| 7,000 | 60 | 9 | 2.00 GB | 3 MB | 3 | {took}" in page
    assert "large table --rows 7000 --columns 60 --nonzeros 9 --seed 1 --threads 3` (commit " in page
    assert "| 200 | 3 | 5 MB | `resume` | 1,234 s | 60 s | 1.50 GB |" in page
    assert "- `python -m tunesmith.experiments.large games --pairs 100 --jobs 2` (commit " in page
    assert page in capsys.readouterr().out
