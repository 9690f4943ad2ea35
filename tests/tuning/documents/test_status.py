"""What a study is made of: its settings and digests, in a file of this version."""

import pytest

from tunesmith.games.errors import StudyError
from tunesmith.tuning.files import write_json
from tunesmith.tuning.study import stored_config


def test_a_study_of_version_0_1_is_refused_in_one_sentence(tmp_path):
    """What its games were played with is not recorded: no later version goes on with them."""
    stored = {
        "format": "tunesmith-study", "version": 1, "config": {"name": "old", "game": "kalah", "tune": {"trials": 0}},
        "pinned": {"code of the game": "224852ffe2fe302c"}, "fingerprint": "d5", "versions": {"tunesmith": "0.1.0"},
    }  # fmt: skip
    write_json(tmp_path / "study.json", stored)
    with pytest.raises(StudyError, match=r"study\.json: a study of Tunesmith 0\.1, .* into another folder"):
        stored_config(tmp_path)
    now = {**stored, "config": {"name": "new", "game": "kalah"}}
    write_json(tmp_path / "study.json", now)
    assert stored_config(tmp_path).name == "new"
