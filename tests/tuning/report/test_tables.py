"""Tables and charts of a study as files: the numbers of the study, in forms that other programs read."""

import csv
import json
from pathlib import Path

import pytest

from tests.support.report_fixture import small_study, write
from tunesmith.tuning import cli


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a finished study."""
    return write(tmp_path_factory.mktemp("study"), small_study())


def rows(path: Path) -> list[dict[str, str]]:
    """Read a CSV file back."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_tables_hold_the_numbers_of_the_study(study: Path, tmp_path: Path) -> None:
    assert cli.run(["report", str(study), "--csv", str(tmp_path / "tables")]) == 0
    found = {path.stem: rows(path) for path in (tmp_path / "tables").iterdir()}
    assert {"matches", "weights", "losses", "calibration", "selection", "sequential-main"} <= set(found)
    for row in found["matches"]:
        run = json.loads((study / "verify" / f"{row['match']}.json").read_text())
        assert [int(row[key]) for key in ("LL", "LD", "DD+WL", "WD", "WW")] == run["counts"]
        assert float(row["elo"]) == run["estimate"]["elo"]
    fit = json.loads((study / "fit" / "gen-2.json").read_text())
    told = [(row["stage"], row["feature"], float(row["after"])) for row in found["weights"]]
    assert told == [(row["stage"], row["feature"], row["after"]) for row in fit["weights"]]
    test = json.loads((study / "verify" / "main.json").read_text())
    assert [[int(row["pair"]), float(row["llr"])] for row in found["sequential-main"]] == test["path"]


def test_wrong_input_is_one_line(study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["report", str(study), "--plots", str(tmp_path), "--format", "gif"]) == 2
    assert "--format: expected one of svg, png, found 'gif'" in capsys.readouterr().err
    (tmp_path / "file").write_text("")
    assert cli.run(["report", str(study), "--csv", str(tmp_path / "file")]) == 2
    assert "cannot be made" in capsys.readouterr().err
