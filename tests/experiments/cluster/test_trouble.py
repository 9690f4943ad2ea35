"""What the table of kills compares; two of its rows in small (tests/tuning/play/test_cluster.py kills the others)."""

import subprocess
import sys
from pathlib import Path

import pytest

from tunesmith.experiments.cluster import trouble
from tunesmith.experiments.cluster.trouble import Effort, Proving, contents, finish, wait

SMALL = Effort(pairs=6, limit="nodes:5", workers=(1,))


@pytest.mark.slow  # a scheduler and workers take their time to start
def test_a_slow_network_and_a_refused_worker_change_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TUNESMITH_NUMBA", "0")
    proving = Proving(tmp_path, SMALL)
    slow = proving.slow(0.02)
    assert slow.is_same and slow.files >= 2
    refused = proving.refused()
    assert refused.is_same and refused.files == 0
    assert refused.said.startswith("worker tcp://") and "has other code of kalah" in refused.said


def test_files_are_compared_but_for_times(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    for name in ("games/shard-00000.parquet", "report.html", ".lock", "journal.log", "trials.jsonl"):
        (tmp_path / name).write_text(name)
    assert contents(tmp_path) == {
        "games/shard-00000.parquet": b"games/shard-00000.parquet",
        "trials.jsonl": b"trials.jsonl",
    }


def test_a_command_that_ends_otherwise_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="exit code 2"):
        finish(("selfplay", "nothing"), tmp_path / "games")


def test_a_command_that_is_over_too_early_proves_nothing() -> None:
    over = subprocess.Popen([sys.executable, "-c", ""], stderr=subprocess.PIPE, text=True)
    with pytest.raises(RuntimeError, match="was not to be over yet"):
        wait(lambda: False, over)


def test_the_last_line_about_the_cluster_is_kept() -> None:
    said = "tunesmith: Dask worker a is gone\ntunesmith: the Dask cluster is away\n  100 pairs\n"
    assert trouble.of_dask(said) == "the Dask cluster is away"
    assert trouble.of_dask("nothing") == ""
