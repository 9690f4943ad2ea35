"""The studies of a folder with what they found, and two of them side by side."""

from pathlib import Path

import pytest

from tests.support.folder_of_studies import root
from tunesmith.games.errors import InputError
from tunesmith.tuning.pipeline.studies import compare, folders, line_of

__all__ = ["root"]  # fixtures


def test_studies_are_found_below_a_folder_and_not_within_each_other(root: Path) -> None:
    (root / "one" / "inner").mkdir()
    (root / "one" / "inner" / "study.json").write_text("{}")
    assert folders(root) == [root / "more" / "two", root / "one", root / "three"]
    assert folders(root / "one") == [root / "one"]
    with pytest.raises(InputError, match="nowhere: expected a folder of studies"):
        folders(root / "nowhere")


def test_a_line_tells_the_verdict_and_a_damaged_study_what_is_wrong(root: Path) -> None:
    line = line_of(root / "one")
    assert (line.game, line.stage, line.outcome) == ("kalah", "finished", "stronger")
    assert line.gain is not None and line.gain.elo > 0
    damaged = line_of(root / "three")
    assert damaged.stage == "damaged" and "study.json" in (damaged.told or "")


def test_two_studies_differ_in_what_was_changed(root: Path) -> None:
    found = compare(root / "one", root / "more" / "two")
    assert [(row.name, row.first, row.second) for row in found.settings] == [("seed", 1, 2)]
    assert found.pinned == []
    assert any("+0.0" in note and "which these games do not show" in note for note in found.notes)
