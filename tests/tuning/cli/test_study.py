"""The command `tunesmith run`: JSON beside events, and how an interrupted study goes on."""

import json
import os
import shutil
import signal

import pytest

from tests.support.stopping import stopped
from tunesmith.tuning import cli


def test_as_json_the_verdict_is_one_object_and_events_are_lines_beside_it(
    study_file, finished, tmp_path, capsys
):
    shutil.copytree(finished, tmp_path / "tiny")
    for name in ("verdict.json", "verify/main.json", "fit/gen-2.json"):
        (tmp_path / "tiny" / name).unlink()
    assert cli.run(["run", str(study_file), "--out", str(tmp_path / "tiny"), "--jobs", "1", "--json"]) == 0
    said = capsys.readouterr()
    events = [json.loads(line) for line in said.err.splitlines()]
    stages = [event["stage"] for event in events if event["event"] == "stage"]
    assert stages == ["play", "play", "fit", "verify", "finished"]
    begun, test = (event for event in events if event["event"] == "test")
    assert (begun["pairs"], begun["llr"]) == (0, 0)
    main = json.loads((tmp_path / "tiny" / "verify" / "main.json").read_text())
    assert test["llr"] == pytest.approx(main["path"][-1][1]) and test["lower"] < 0 < test["upper"]
    assert json.loads(said.out)["sentence"].startswith("kalah: the tuned weights")
    command = json.loads(said.out)["command"]  # without workers, from the folder where it was typed
    assert (
        command == f"tunesmith run {os.path.relpath(study_file)} --out {os.path.relpath(tmp_path / 'tiny')}"
    )
    assert any("fit 2" in event["text"] for event in events if event["event"] == "note")


@pytest.mark.slow
def test_interrupted_it_prints_the_command_that_continues(study_file, tmp_path):
    code, errors = stopped(study_file, tmp_path / "tiny", signal.SIGINT, 6, 100)
    assert code == 130
    assert f"tunesmith run {study_file} --out {tmp_path / 'tiny'} --jobs 2" in errors
