"""The command writes figures and both pages, and fails if files differ."""

import json
from pathlib import Path

import pytest

from tests.experiments.cluster.test_cost import load
from tests.support.searching import all_as_python
from tunesmith.experiments.cluster import __main__ as command
from tunesmith.experiments.cluster.intake import Load
from tunesmith.experiments.cluster.trouble import Trouble

TINY = command.Wanted(loads=(Load(2, 0.1, 4), Load(2, 0.1, 8)), limits=("nodes:5",), pairs=3)


@pytest.mark.parametrize("is_same", [True, False])
def test_figures_and_pages_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_same: bool
) -> None:
    monkeypatch.setattr(command, "measure", lambda wanted: load(wanted.pairs, 100 * wanted.pairs**2))
    row = Trouble("a worker is killed", 5, is_same, 1.0)
    monkeypatch.setattr(command, "prove", lambda root, effort, tell: [tell(row), row][1:])
    out = tmp_path / "cluster.json"
    with all_as_python():
        assert command.main(["--out", str(out)], TINY) == (not is_same)
    found = json.loads(out.read_text())
    assert len(found["intake"]) == 2 and found["plays"][0]["game_seconds"] > 0
    assert found["learning"]["games"] == 6 and found["learning"]["dataset_seconds"] > 0
    page = (tmp_path / "cluster.md").read_text()
    assert ("All are the same" in " ".join(page.split())) == is_same
    assert "Kalah at nodes:5" in (tmp_path / "cost.md").read_text()
    (tmp_path / "cluster.md").unlink()
    assert command.main(["--out", str(out), "--pages"], TINY) == (not is_same)
    assert (tmp_path / "cluster.md").read_text() == page


def test_pages_of_nothing_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in ([], ["--out", str(tmp_path / "nothing.json")]):
        with pytest.raises(SystemExit, match="2"):
            command.main(["--pages", *words])
    assert "a file that this command has written" in capsys.readouterr().err
