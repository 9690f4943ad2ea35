"""What a person is told before trusting a fit."""

import numpy as np
import pytest

from tests.support.simulated import fit, positions, table
from tests.tuning.fit.test_checks import MINE, YOURS
from tests.tuning.fit.test_texel import one_stage
from tunesmith.games.errors import InputError
from tunesmith.tuning.fit.notes import notes
from tunesmith.tuning.fit.texel import Fit

FEATURES = ["mine", "copy", "win", "flat", "rare"]


def odd_fit() -> Fit:
    """A fit with everything wrong at once."""
    rows = one_stage(MINE[:, None] - 2, [40], per_pair=40)
    x = rows.features[:, 0]
    columns = [x, 2 * x, 2 * rows.labels - 1, 0 * x, np.arange(2000) < 10]
    wrong = table(np.column_stack(columns), labels=rows.labels, group=rows.group)
    return fit(wrong, np.array([[-20.0, 0, 0, 0, 0]]), ridge=1e-3)


def test_notes_name_what_is_odd() -> None:
    text = "\n".join(notes(odd_fit(), FEATURES, ["all"]))
    for line in (
        "win is nearly the result (correlation 1.00)",
        "copy = +2*mine in these data",
        "flat is zero in every position",
        "rare is not zero in only 10 positions (floor 30)",
        "mine is not zero in only 50 pairs (floor 100)",
        "it keeps its prior; take positions further from the end",
    ):
        assert line in text


def test_notes_name_changed_signs_bounds_and_lack_of_games() -> None:
    rows = one_stage(np.column_stack([MINE - 2, YOURS - 2]), [40, 40], per_pair=100)
    found = fit(rows, np.array([[-20.0, 0.0]]), ridge=1e-4, upper=np.array([[np.inf, 10.0]]))
    text = "\n".join(notes(found, ["mine", "yours"], ["all"]))
    assert "mine changed its sign: -20 to" in text
    assert "yours stopped at its bound" in text
    assert "20 pairs for 2 weights: expected at least 20 for each" in text


def test_sound_fit_has_no_notes_and_stages_are_part_of_names() -> None:
    true = np.array([[50.0, -30.0], [20.0, 40.0]])
    found = fit(positions(true, 400), true, ridge=1e-3)
    assert notes(found, ["a", "b"], ["early", "late"]) == []
    moved = fit(positions(true, 400), -5 * true, ridge=1e-6)
    assert any(
        note.startswith("late.b changed its sign") for note in notes(moved, ["a", "b"], ["early", "late"])
    )
    with pytest.raises(InputError, match=r"names: expected \(2, 2\) stages and features, found \(1, 2\)"):
        notes(found, ["a", "b"], ["early"])


def test_notes_name_what_the_data_alone_do_not_determine() -> None:
    """Two columns that are nearly one: only the ridge parts them."""
    rng = np.random.default_rng(5)
    own, other = rng.normal(size=(2, 600))
    columns = np.column_stack([own, other, other + 4e-3 * rng.normal(size=600)])
    found = fit(table(columns, labels=rng.integers(0, 2, 600) * 1.0), np.zeros((1, 3)), ridge=0.01)
    text = "\n".join(notes(found, ["own", "one", "other"], ["all"]))
    assert "the data alone do not determine one, other: errors are those of the prior" in text
