"""What is written down about a fit is read back as it was, and which of its losses a reader judges by."""

from pathlib import Path

import pytest

from tests.support.made_up_fit import LOSS, generation_fit
from tunesmith.games.errors import StudyError
from tunesmith.tuning.documents.fit import GenerationFit, Losses, LossParts, ScoreResidual


def test_a_fit_is_judged_on_the_pairs_that_it_did_not_see() -> None:
    assert LOSS.judged == Losses(prior=0.69, fit=0.61)
    assert LossParts(training=LOSS.training, held_out=None).judged == LOSS.training


def test_a_generations_fit_comes_back_from_its_file(tmp_path: Path) -> None:
    made = generation_fit(2, "d" * 64, 400)
    made.write(tmp_path / "gen-2.json")
    assert GenerationFit.find(tmp_path / "gen-2.json") == made
    assert GenerationFit.find(tmp_path / "gen-3.json") is None


def test_the_ends_of_a_range_of_scores_are_called_from_and_to_in_the_file() -> None:
    row = {"from": None, "to": -50.0, "n": 3.0, "predicted": 0.3, "actual": 0.2, "residual": -0.1, "error": 0.05,
           "loss": 0.6}  # fmt: skip
    found = ScoreResidual.model_validate(row)
    assert (found.low, found.high) == (None, -50.0)
    assert found.content() == row


def test_a_fit_without_its_losses_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "gen-1.json"
    path.write_text('{"loss": {"training": {"prior": 0.7}}}')
    with pytest.raises(StudyError, match=r"gen-1\.json: "):
        GenerationFit.find(path)
