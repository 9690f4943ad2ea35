"""From baseline to candidate: one row for each weight file, with what each step knew of itself."""

import os
import shutil
from pathlib import Path

import pytest

from tests.support import made_up_study
from tunesmith.games.errors import StudyError
from tunesmith.tuning.documents.fit import GenerationFit
from tunesmith.tuning.documents.matches import Verdict
from tunesmith.tuning.pipeline.study import run_study
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.proof.lineage import lineage


@pytest.fixture
def finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made_up_study.make_up(monkeypatch)
    root = tmp_path / "study"
    run_study(made_up_study.config(tmp_path), root, Resources())
    return root


def test_steps_come_in_the_order_of_making_and_the_chosen_one_is_marked(finished: Path) -> None:
    rows = lineage(finished)
    assert [row.file for row in rows] == [
        f"weights/{name}.json" for name in ("baseline", "gen-1", "gen-2", "candidate")
    ]
    assert [row.step for row in rows][1:] == ["fit 1", "fit 2", "candidate"]
    assert rows[0].step.startswith("baseline") and rows[0].gain is None
    assert [row.is_chosen for row in rows] == [False, True, False, False]
    assert rows[1].digest == rows[3].digest != rows[2].digest


def test_gains_are_those_of_the_files(finished: Path) -> None:
    _, first, _, last = lineage(finished)
    fit = GenerationFit.find(finished / "fit" / "gen-1.json")
    verdict = Verdict.find(finished / "verdict.json")
    assert fit is not None and verdict is not None
    assert first.games == fit.games and first.loss == fit.loss.judged
    assert f"{fit.loss.judged.prior:.5f} -> {fit.loss.judged.fit:.5f}" in (first.gain or "")
    elo, low, high = verdict.gain.elo, verdict.gain.elo_low, verdict.gain.elo_high
    assert high - elo < 0.9 * (elo - low)  # of a lopsided match: not told with one half-width
    assert last.gain == f"{verdict.outcome}: {elo:+.0f} ({low:+.0f} .. {high:+.0f}) Elo at nodes:1000"
    assert last.games == verdict.gain.games


def test_when_weights_were_written_is_recorded_and_a_copy_does_not_change_it(
    finished: Path, tmp_path: Path
) -> None:
    before = [row.written for row in lineage(finished)]
    copied = tmp_path / "copied"
    shutil.copytree(finished, copied)
    for path in copied.rglob("*"):
        os.utime(path, (1e9, 1e9))
    assert [row.written for row in lineage(copied)] == before
    (copied / "history.jsonl").unlink()  # of a study that did not record it
    assert {row.written for row in lineage(copied)} == {"2001-09-09T01:46:40+00:00"}


def test_what_is_not_made_yet_has_no_row(finished: Path) -> None:
    (finished / "weights" / "candidate.json").unlink()
    (finished / "weights" / "gen-2.json").unlink()
    assert [row.step for row in lineage(finished)][1:] == ["fit 1"]
    (finished / "study.json").unlink()
    with pytest.raises(StudyError, match="not a study"):
        lineage(finished)


@pytest.mark.parametrize("content", ["[]", "3", "null", '{"digest": 3}', '"' + "x" * 5000 + '"'])
def test_a_weight_file_that_is_none_is_one_line(content: str, finished: Path) -> None:
    (finished / "weights" / "gen-1.json").write_text(content)
    with pytest.raises(StudyError, match=r"gen-1\.json"):
        lineage(finished)


def test_a_weight_file_that_is_lost_is_told_and_one_made_a_folder_is_refused(
    finished: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for name, steps in (("gen-2", ["fit 1", "candidate"]), ("candidate", ["fit 1"])):
        lost = finished / "weights" / f"{name}.json"
        lost.unlink()
        assert [row.step for row in lineage(finished)][1:] == steps
        assert f"{lost} is missing: its step has no row" in caplog.text
    lost.mkdir()
    with pytest.raises(StudyError, match=r"candidate\.json: damaged"):
        lineage(finished)
