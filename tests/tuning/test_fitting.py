"""What is written is what was fitted: the engine evaluates every stored position as the fit does, or no file stays."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine import weights as weight_files
from games.errors import StudyError
from tests.tuning.small_matches import hand, kalah, openings, play
from tuning import calibration, dataset, fitting, texel
from tuning.config import Fit as FitSettings
from tuning.store import read_games


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("games")
    play(folder, range(60), openings=openings(60, 3), noise=(50, 20))
    settings = FitSettings(quiet="off")
    return fitting.fit_weights(kalah(), hand(), [read_games(folder)], settings, seed=1)


def test_the_engine_evaluates_every_row_as_the_fit_does(fitted, tmp_path: Path):
    made, _, data = fitted
    assert len(np.unique(data.place[:, 1])) > 50
    apart = dataset.engine_scores(data, made) - texel.scores(data.rows, made.array(kalah()))
    assert np.abs(apart).max() <= 0.005 + 1e-6 < np.abs(apart).max() + 0.004
    fitting.write_checked(kalah(), made, tmp_path / "w.json", data)
    assert weight_files.load(tmp_path / "w.json", kalah()).digest == made.digest


def test_hand_made_weights_with_a_scale_evaluate_alike_too(fitted):
    _, _, data = fitted
    fitting.check_evaluations(kalah(), hand(), data, Path("hand.json"))


@pytest.mark.parametrize("damage", ["feature", "row"])
def test_without_agreement_there_is_no_file(fitted, tmp_path: Path, damage):
    """A feature counted otherwise in one position, or positions that belong to other rows."""
    made, _, data = fitted
    if damage == "feature":
        features = data.rows.features.copy()
        features[7] += 0.5
        wrong = replace(data, rows=replace(data.rows, features=features))
    else:
        wrong = replace(data, place=np.roll(data.place, 1, axis=0))
    with pytest.raises(
        StudyError, match=r"w\.json: the engine evaluates .* differently from the fit, such as"
    ):
        fitting.write_checked(kalah(), made, tmp_path / "w.json", wrong)
    assert not (tmp_path / "w.json").exists()


def test_the_facts_of_a_fit_say_what_a_reader_needs(fitted):
    _, facts, data = fitted
    assert facts["rows"] == data.rows.n == facts["rows_training"] + facts["rows_held_out"]
    assert {row["status"] for row in facts["weights"]} <= {
        "fitted",
        "rare",
        "silent",
        "dependent",
        "near label",
    }
    assert sum(row["n"] for row in facts["residuals_by_score"]) == pytest.approx(
        sum(data.rows.weight[texel.split(data.rows.group, 0.2)])
    )
    assert facts["learning_curve"]["parts"][-1]["loss"] == pytest.approx(
        facts["loss"]["held_out"]["fit"], abs=1e-6
    )
    assert len(facts["ridge_path"]["evidence"]) == len(facts["ridge_path"]["grid"])


def test_residuals_by_score_add_up_to_those_of_all(fitted):
    _, _, data = fitted
    weights = np.full((data.rows.shape), 10.0)
    by_score = calibration.residuals_by_score(data.rows, weights)
    whole = calibration.residuals_by_stage(replace(data.rows, stages=None), weights[:1])
    seen = by_score.n > 0
    total = (by_score.n * np.nan_to_num(by_score.actual))[seen].sum() / by_score.n.sum()
    assert total == pytest.approx(whole.actual[0])
