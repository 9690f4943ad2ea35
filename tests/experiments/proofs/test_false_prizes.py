"""Noise cannot be tuned: the proof in its small form, and its committed result."""

import json
from pathlib import Path

import pytest

from tunesmith.experiments.proofs.false_prizes import main, tune

RESULT = Path(__file__).parents[3] / "experiments" / "results" / "false-prizes.json"


@pytest.mark.slow
def test_a_tuning_of_noise_runs_to_its_verdict(tmp_path):
    found = tune(1, tmp_path, trials=4, pairs=8)
    assert found["verdict"] in {"stronger", "weaker", "not shown"}
    assert found["best_observed"] >= 0  # somebody is always lucky


def test_the_committed_result_is_of_forty_complete_runs():
    found = json.loads(RESULT.read_text())
    assert len({row["seed"] for row in found}) == 40
    assert sum(row["verdict"] == "stronger" for row in found) <= 4


def test_too_many_prizes_are_an_error(monkeypatch, capsys):
    row = {"seed": 1, "verdict": "stronger"}
    monkeypatch.setattr("tunesmith.experiments.proofs.false_prizes.tune", lambda seed, folder: row)
    assert main(["--runs", "3", "--most", "2"]) == 1
    assert main(["--runs", "3", "--most", "3"]) == 0
    assert "3 studies: 3 stronger" in capsys.readouterr().out
