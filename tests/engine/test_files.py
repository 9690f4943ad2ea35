"""A file is written whole or not at all, and a failure names it."""

import os
import stat
from pathlib import Path

import pytest

from tunesmith.engine import files
from tunesmith.games.errors import InputError, StudyError


def test_a_file_takes_the_place_of_the_old_one_and_nothing_else_stays(tmp_path: Path) -> None:
    target = tmp_path / "weights.json"
    target.write_text("old", encoding="utf-8")
    files.write(target, "né\r\n")
    assert target.read_bytes() == "né\r\n".encode()
    assert os.listdir(tmp_path) == ["weights.json"]


@pytest.mark.skipif(os.name != "posix", reason="has no modes")
@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_who_may_read_a_file_is_for_the_umask_to_say(tmp_path: Path, mask: int, mode: int) -> None:
    before = os.umask(mask)
    try:
        files.write(tmp_path / "weights.json", "new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "weights.json").stat().st_mode) == mode


def test_text_that_cannot_be_written_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "weights.json"
    target.write_text("old", encoding="utf-8")
    with pytest.raises(UnicodeEncodeError):
        files.write(target, "\ud800")
    assert target.read_text(encoding="utf-8") == "old"
    assert os.listdir(tmp_path) == ["weights.json"]


def test_a_folder_that_does_not_exist_is_named_in_the_error_asked_for(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"absent/a\.json: cannot be written: No such file"):
        files.write(tmp_path / "absent" / "a.json", "text")
    with pytest.raises(StudyError, match=r"absent/a\.json"):
        files.write(tmp_path / "absent" / "a.json", "text", StudyError)
