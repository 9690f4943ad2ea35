"""Weights fitted to a table, as files."""

import pytest

from tests.support.fitted_tables import fitted
from tunesmith.games.errors import StudyError
from tunesmith.tuning.pipeline import table_weights


def test_what_is_written_must_evaluate_as_the_fit_does(tmp_path):
    made = fitted()
    table_weights.write_weights(made, tmp_path / "w.json", {})
    wrong = made._replace(weights=made.weights + 0.01)
    with pytest.raises(StudyError, match="rows evaluate differently from the fit"):
        table_weights.write_weights(wrong, tmp_path / "wrong.json", {})
    assert not (tmp_path / "wrong.json").exists()
