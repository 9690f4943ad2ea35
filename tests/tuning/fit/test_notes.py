"""What a person is told before trusting a fit."""

from dataclasses import replace
from typing import Any

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


# --- where each sentence begins


def sound(**figures: Any) -> Fit:
    """Return a fit of two weights of size 2 about which there is nothing to say, but for some figures."""
    found = fit(positions(np.array([[50.0, -30.0]]), 400), np.array([[50.0, -30.0]]), ridge=1e-3)
    made = {name: np.array([value]) if isinstance(value, list) else value for name, value in figures.items()}
    usual = {"size": np.full((1, 2), 2.0), "weights": found.prior, "errors": np.array([[5.0, 5.0]])}
    return replace(found, **{**usual, **made})


def told(fit: Fit, **others: Any) -> list[str]:
    return notes(fit, ["mine", "yours"], ["all"], **others)


def test_a_fit_with_nothing_odd_has_no_notes() -> None:
    assert told(sound()) == []


def test_fifty_pairs_and_twenty_a_weight_are_enough() -> None:
    assert told(sound(n_groups=50)) == []
    assert told(sound(n_groups=40)) == ["only 40 pairs: neither weights nor errors can be trusted"]
    assert told(sound(n_groups=49), groups="games")[0].startswith("only 49 games")
    assert len(told(sound(n_groups=39))) == 2
    assert told(sound(n_groups=39))[1] == "39 pairs for 2 weights: expected at least 20 for each"


@pytest.mark.parametrize(
    ("prior", "weight", "error", "is_told"),
    [
        (-1.0, 10.0, 4.9, True),
        (-1.0, 10.0, 5.0, False),
        (3.0, -10.0, 4.9, True),
        (0.0, 10.0, 1.0, False),
        (0.01, 10.0, 1.0, False),
    ],
)
def test_a_sign_changes_beyond_two_errors(prior: float, weight: float, error: float, is_told: bool) -> None:
    found = told(sound(prior=[prior, 1.0], weights=[weight, 1.0], errors=[error, 1.0]))
    assert found == ([f"mine changed its sign: {prior:.4g} to {weight:.4g} (error {error:.2g})"] * is_told)


def test_a_weight_moves_far_if_its_usual_effect_does_by_more_than_a_hundred() -> None:
    assert told(sound(prior=[60.0, 1.0], weights=[110.0, 1.0])) == []
    moved = told(sound(prior=[60.0, 1.0], weights=[111.0, 1.0]))
    assert moved == ["mine moved far: 60 to 111, 102 Elo in effect"]
    assert told(sound(prior=[60.0, 1.0], weights=[9.0, 1.0])) == [
        "mine moved far: 60 to 9, 102 Elo in effect"
    ]


def test_weights_are_held_near_the_prior_where_the_games_have_not_halved_its_doubt() -> None:
    """Ridge 1/400 and 100 rows: the prior doubts by 174 / sqrt(1/4) = 347 Elo of usual effect, 7/10 are 243."""
    weak = {"ridge": 1 / 400, "n_effective": 100.0, "firmness": [1.0, 1.0]}
    assert told(sound(**weak, errors=[121.0, 121.0])) == []
    assert told(sound(**weak, errors=[121.0, 123.0])) == [
        "the games say little about yours (error 123): held near the prior"
    ]
    assert told(sound(**weak, errors=[123.0, 123.0], status=["fixed", "at bound"])) == [
        "yours stopped at its bound"
    ]
    looser, firmer = {**weak, "firmness": [1 / 4, 1.0]}, {**weak, "firmness": [4.0, 1.0]}
    assert (
        told(sound(**looser, errors=[242.0, 1.0])) == []
        and len(told(sound(**looser, errors=[246.0, 1.0]))) == 1
    )
    assert (
        told(sound(**firmer, errors=[121.0, 1.0])) == []
        and len(told(sound(**firmer, errors=[123.0, 1.0]))) == 1
    )
    for nothing in ({"ridge": 0.0}, {"n_effective": np.nan}):
        assert told(sound(**{**weak, **nothing}, errors=[1e9, 1e9])) == []


def test_features_that_never_change_are_named_but_for_the_tempo() -> None:
    rows = table(np.array([[3.0, 1.0]]))
    assert told(sound(), rows=rows) == [
        "mine is 3 in every position: its weight is the worth of the move, no more",
        "yours is 1 in every position: its weight is the worth of the move, no more",
    ]
    assert notes(sound(), ["mine", "tempo"], ["all"], rows) == told(sound(), rows=rows)[:1]
