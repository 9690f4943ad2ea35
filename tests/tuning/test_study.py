"""Which folder may be continued as a study, and which is refused."""

import pytest

from tunesmith.games.errors import StudyError
from tunesmith.tuning import config
from tunesmith.tuning.pipeline.study import run_study
from tunesmith.tuning.play.resources import Resources


def test_changed_settings_are_refused_with_a_list(study_file, finished):
    changed = config.load(study_file, changes=["play.pairs=71", "fit.blend=0.5"])
    with pytest.raises(StudyError) as error:
        run_study(changed, finished, Resources())
    assert "fit.blend: stored 1.0, now 0.5" in str(error.value)
    assert "play.pairs: stored 70, now 71" in str(error.value)


def test_a_folder_with_other_files_is_left_alone(study_file, tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(StudyError, match=r"holds files but no study\.json"):
        run_study(config.load(study_file), tmp_path, Resources())
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
