"""A whole study, tiny, played once for all that is asked about it."""

from pathlib import Path

import pytest

from tunesmith.tuning import config
from tunesmith.tuning.pipeline.study import run_study
from tunesmith.tuning.play.resources import Resources

STUDY = """
name = "tiny"
game = "kalah"
[openings]
plies = 5
max_score = 400.0
[play]
limit = "nodes:60"
pairs = 70
generations = 2
check_pairs = 12
[fit]
quiet = "off"
positions_per_game = 8
ridge = 0.01
[verify]
limit = "nodes:60"
elo1 = 60.0
max_pairs = 40
measure_pairs = 20
second_limit = "nodes:120"
second_pairs = 4
opponents = ["hand-1"]
opponent_pairs = 4
"""


@pytest.fixture(scope="session")
def study_file(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("study") / "tiny.toml"
    path.write_text(STUDY)
    return path


@pytest.fixture(scope="session")
def finished(study_file, tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("finished") / "tiny"
    run_study(config.load(study_file), root, Resources(), "tunesmith run tiny.toml")
    return root
