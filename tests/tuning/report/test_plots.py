"""Charts as pictures."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.support.report_fixture import HOSTILE, changed, small_study, write
from tunesmith.tuning.report import plots, tables
from tunesmith.tuning.report.reading import read_study


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a finished study."""
    return write(tmp_path_factory.mktemp("study"), small_study())


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
    text = HOSTILE + "$\\frac{"
    files = changed(small_study(), lambda leaf: text if isinstance(leaf, str) else leaf)
    hostile = read_study(write(tmp_path / "hostile", {**files, "trials": ""}))
    for path in [
        *tables.write_tables(hostile, tmp_path / "a"),
        *plots.write_plots(hostile, tmp_path / "a"),
    ]:
        assert path.parent == tmp_path / "a" and path.stat().st_size > 0
    empty = read_study(write(tmp_path / "empty", {"study.json": "{"}))
    assert tables.write_tables(empty, tmp_path / "b") == plots.write_plots(empty, tmp_path / "b") == []
