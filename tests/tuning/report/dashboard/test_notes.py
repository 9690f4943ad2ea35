"""What is laid over a study in the dashboard: notes and plots with the figures of its files."""

import json
import shutil
from pathlib import Path

import pytest

from tests.support.report_fixture import small_study, write
from tests.tuning.report.dashboard.test_app import HOSTILE, Visitor, searched
from tunesmith.tuning.report.dashboard import app as dashboard
from tunesmith.tuning.report.dashboard.notes import escaped, study_note
from tunesmith.tuning.report.reading import read_study

pytestmark = pytest.mark.pages


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return a study that was only fitted and one that was searched, both of one name."""
    root = tmp_path_factory.mktemp("studies")
    return [write(root / "fitted", small_study()), searched(root / "searched")]


@pytest.fixture
def visitor(folders: list[Path]) -> Visitor:
    """Return who looks at both studies."""
    return Visitor(dashboard.make_dashboard(folders))


def test_the_note_holds_the_verdict_and_the_figures_of_the_files(
    visitor: Visitor, folders: list[Path]
) -> None:
    note = visitor.study(0)["note"]["body"].replace("\\", "")
    verdict = json.loads((folders[0] / "verdict.json").read_text())
    assert verdict["sentence"] in note
    for path in (folders[0] / "verify").glob("*.json"):
        run = json.loads(path.read_text())
        assert f"{run['estimate']['elo']:+.1f} ± {run['estimate']['elo_half_width']:.1f}" in note
        assert f"{run['games']:,}" in note


@pytest.mark.parametrize(
    ("recorded", "said"),
    [
        ({"elo_low": 42.0, "elo_high": 1199.8, "elo_half_width": 578.9}, "+338.0 (+42.0 .. +1199.8)"),
        ({"elo_half_width": 40.0}, "+338.0 ± 40.0"),
        ({}, "+338.0 (no interval)"),
    ],
)
def test_an_interval_is_shown_as_far_as_it_is_recorded(
    recorded: dict[str, float], said: str, tmp_path: Path
) -> None:
    study = write(tmp_path / "study", small_study())
    path = study / "verify" / "measure.json"
    content = json.loads(path.read_text())
    content["estimate"] = {"elo": 338.0, **recorded}
    path.write_text(json.dumps(content))
    assert f"| {said} |" in study_note(read_study(study)).replace("\\", "")


def test_what_an_unfinished_study_has_not_come_to_is_no_problem_and_what_is_damaged_is(
    tmp_path: Path,
) -> None:
    study = write(tmp_path / "study", small_study())
    shutil.rmtree(study / "verify")
    (study / "verdict.json").unlink()
    damaged = study / "verify" / "one that holds no sense.json"
    damaged.parent.mkdir()
    damaged.write_text("{")
    note = study_note(read_study(study)).replace("\\", "")
    assert "verify/one that holds no sense.json cannot be read" in note
    assert "is missing" not in note and "verify/ holds no" not in note


def test_plots_show_the_numbers_of_the_files(visitor: Visitor, folders: list[Path]) -> None:
    plots = {row["id"]: json.loads(row["graph_object"]) for row in visitor.study(0)["plotly_graph_objects"]}
    assert set(plots) == {"sequential-test", "weights", "calibration"}
    runs = [json.loads(path.read_text()) for path in sorted((folders[0] / "verify").glob("*.json"))]
    test = next(run for run in runs if run["kind"] == "sequential")
    curve = plots["sequential-test"]["data"][0]
    assert list(zip(curve["x"], curve["y"], strict=True)) == [tuple(point) for point in test["path"]]


def test_trials_of_every_state_are_shown_with_their_notes(visitor: Visitor) -> None:
    found = visitor.study(1)
    assert [trial["state"] for trial in found["trials"]] == ["Complete", "Pruned", "Fail", "Running"]
    for trial in found["trials"]:
        note = trial["note"]["body"]
        assert "16 pairs" in note and escaped(HOSTILE) in note
    assert visitor.study(0)["trials"] == []
