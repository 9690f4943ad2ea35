"""The benchmark of studies of many games, in small."""

import json
from pathlib import Path

from tunesmith.experiments.large import games


def test_the_benchmark_runs_in_small(tmp_path: Path) -> None:
    found = games.measure(130, tmp_path, 1)
    assert (found["games"], found["files"]) == (260, 4)  # three files of games and their list
    assert all(found[part]["seconds"] > 0 for part in games.PARTS)
    took = json.loads((tmp_path / "took.json").read_text(encoding="utf-8"))
    assert {part: found[part] for part in games.PARTS} == took
    assert games.measure(130, tmp_path, 1) == found  # what was measured stands
