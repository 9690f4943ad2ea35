"""Tables and charts of a study as files: the numbers of the study, in forms that other programs read."""

import csv
import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.support.report_fixture import HOSTILE, changed, small_study, write
from tunesmith.tuning import cli
from tunesmith.tuning.report import plots, tables
from tunesmith.tuning.report.reading import read_study


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


def test_charts_are_pictures_and_the_same_every_time(study: Path, tmp_path: Path) -> None:
    found = read_study(study)
    first = plots.write_plots(found, tmp_path / "one")
    again = plots.write_plots(found, tmp_path / "two")
    assert {path.stem for path in first} >= {"matches", "weights", "calibration", "sequential-main"}
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in again]
    for path in first:
        assert ET.parse(path).getroot().tag.endswith("svg")
    for path in plots.write_plots(found, tmp_path / "three", "png"):
        assert path.read_bytes().startswith(b"\x89PNG")


def test_hostile_and_empty_studies_are_drawn_too(tmp_path: Path) -> None:
    text = HOSTILE.replace("\ud800", "") + "$\\frac{"
    files = changed(small_study(), lambda leaf: text if isinstance(leaf, str) else leaf)
    hostile = read_study(write(tmp_path / "hostile", {**files, "trials": ""}))
    for path in [
        *tables.write_csv(hostile, tmp_path / "a"),
        *plots.write_plots(hostile, tmp_path / "a"),
    ]:
        assert path.parent == tmp_path / "a" and path.stat().st_size > 0
    empty = read_study(write(tmp_path / "empty", {"study.json": "{"}))
    assert tables.write_csv(empty, tmp_path / "b") == plots.write_plots(empty, tmp_path / "b") == []


def test_wrong_input_is_one_line(study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["report", str(study), "--plots", str(tmp_path), "--format", "gif"]) == 2
    assert "--format: expected one of svg, png, found 'gif'" in capsys.readouterr().err
    (tmp_path / "file").write_text("")
    assert cli.run(["report", str(study), "--csv", str(tmp_path / "file")]) == 2
    assert "cannot be made" in capsys.readouterr().err
