"""The command `tunesmith engines`."""

from pathlib import Path

import pytest

from tunesmith.tuning.cli import run

ROOT = Path(__file__).parents[3]


@pytest.mark.needs_glaurung
def test_the_example_runs(tmp_path, capsys):
    example = ROOT / "experiments" / "uci-example.toml"
    changes = [
        "--set",
        "search.trials=2",
        "--set",
        "search.pairs=2",
        "--set",
        "test.max_pairs=2",
    ]
    assert run(["engines", str(example), "--out", str(tmp_path / "out"), "--jobs", "2", *changes]) == 0
    assert "search: recommended Mobility (Middle Game)" in capsys.readouterr().out
