"""Matches from the command line: what is reported is what was asked for."""

import json
from pathlib import Path

import pytest

from tunesmith.tuning.cli import run


def match(folder: Path, pairs: int, capsys: pytest.CaptureFixture[str]) -> dict:
    command = [
        "match",
        "kalah",
        "hand",
        "hand-1",
        "--limit",
        "nodes:20",
        "--jobs",
        "1",
        "--backend",
        "threads",
    ]
    assert run([*command, "--pairs", str(pairs), "--out", str(folder), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_fewer_pairs_than_a_folder_holds_are_reported_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = match(tmp_path / "three", 3, capsys)
    match(tmp_path / "six", 6, capsys)
    assert match(tmp_path / "six", 3, capsys) == alone
    assert alone["pairs"] == 3
