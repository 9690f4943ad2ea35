"""A command that is killed and goes on leaves the files of an undisturbed one; what differs is named."""

import json
from pathlib import Path

import pytest

from tunesmith.experiments.proofs import kills
from tunesmith.tuning import config
from tunesmith.tuning.external.config import EnginesConfig
from tunesmith.tuning.settings_file import load_as

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")


def test_commands_take_the_files_that_are_written_for_them(tmp_path: Path) -> None:
    kills.jobs_of(tmp_path)
    assert config.load(tmp_path / "study.toml").verify.opponents
    assert config.load(tmp_path / "search.toml").search.trials == kills.TRIALS
    assert len(load_as(EnginesConfig, tmp_path / "engines.toml").engine) == 2


@pytest.mark.slow  # starts a command four times
def test_a_match_of_engines_that_is_killed_twice_leaves_the_same_files(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert kills.main(["engines", "--kills", "2"]) == 0
    said = capsys.readouterr().out
    assert "engines: 2 kills in " in said and "files all the same; processes left 0" in said


def test_files_that_differ_or_are_missing_are_named(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name / "deep").mkdir(parents=True)
        (tmp_path / name / ".lock").write_text(name)
        (tmp_path / name / "report.html").write_text(name)
        (tmp_path / name / "same.json").write_text("{}")
    (tmp_path / "a" / "deep" / "games.jsonl").write_text("1\n2\n")
    (tmp_path / "b" / "deep" / "games.jsonl").write_text("2\n1\n")
    assert kills.differing(tmp_path / "a", tmp_path / "b") == []
    (tmp_path / "b" / "same.json").write_text("{ }")
    (tmp_path / "b" / "more.json").write_text("")
    assert kills.differing(tmp_path / "a", tmp_path / "b") == ["more.json", "same.json"]


def test_a_search_has_to_begin_as_the_undisturbed_one_does(tmp_path: Path) -> None:
    for name, lines in (("whole", [0, 1, 2]), ("same", [0, 1]), ("other", [0, 2])):
        (tmp_path / name / "search").mkdir(parents=True)
        text = "".join(json.dumps({"number": line}) + "\n" for line in lines) + '{"num'
        (tmp_path / name / "search" / "trials.jsonl").write_text(text)
    assert kills.differs_early(tmp_path / "whole", tmp_path / "same") == []
    assert kills.differs_early(tmp_path / "whole", tmp_path / "other") == ["trials up to the first kill"]
