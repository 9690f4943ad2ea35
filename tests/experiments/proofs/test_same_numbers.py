"""The record of numbers that no reorganisation may change: it holds, and what does not hold is named."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tunesmith.experiments.proofs import same_numbers


def changed(tmp_path: Path, *keys: str, to: object) -> Path:
    """Return a copy of the record in which one number is another one."""
    record = place = json.loads(same_numbers.RECORD.read_text(encoding="utf-8"))
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = to
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    return path


def test_games_and_ratings_in_plain_python_are_the_recorded_ones() -> None:
    call = [sys.executable, "-m", "tunesmith.experiments.proofs.same_numbers", "ladder", "--jobs", "1"]
    root = Path(same_numbers.__file__).parents[2]
    environment = {**os.environ, "TUNESMITH_NUMBA": "0"}
    told = subprocess.run(call, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout + told.stderr
    assert told.stdout.endswith("all numbers are the recorded ones\n")


def test_a_number_that_changed_is_named_with_both_values(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = changed(tmp_path, "table", "plain", "weights", "rooks", "status", to="rare")
    assert same_numbers.main(["table", "--record", str(record)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("table: 1 differ of 3")
    assert lines[1:] == ['table, plain, weights, rooks, status: recorded "rare", now "fitted"']


def test_what_is_recorded_alone_and_what_is_new_are_named() -> None:
    assert same_numbers.differences({"a": 1, "b": [1]}, {"b": [2], "c": 3}, "part") == [
        "part, a: recorded 1, now null",
        "part, b: recorded [1], now [2]",
        "part, c: recorded null, now 3",
    ]


def test_every_part_is_recorded_and_writing_makes_it_hold(tmp_path: Path) -> None:
    recorded = json.loads(same_numbers.RECORD.read_text(encoding="utf-8"))
    assert [*recorded] == [*same_numbers.PARTS]
    record = changed(tmp_path, "table", "plain", "ridge", to=1.0)
    assert same_numbers.main(["table", "--write", "--record", str(record)]) == 0
    assert json.loads(record.read_text(encoding="utf-8")) == recorded
