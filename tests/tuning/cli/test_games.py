"""Commands that look at a game: what they print, and what they say of a file that is none."""

import json

import pytest

from tunesmith.tuning.cli import run


def test_probe_gives_the_evaluation_feature_by_feature(capsys):
    assert run(["probe", "kalah", "--limit", "nodes:300", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["score"] == pytest.approx(sum(part["part"] for part in found["features"].values()))
    assert found["best_move"] in "123456" and len(found["digest"]) == 64


def test_a_file_that_exits_is_wrong_input(tmp_path, capsys):
    file = tmp_path / "leaves.py"
    file.write_text("import sys\nsys.exit(3)\n")
    assert run(["games", str(file)]) == 2
    assert "running the file failed: SystemExit: 3" in capsys.readouterr().err
