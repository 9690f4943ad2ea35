"""One fit as its options say: the ridge, draws, rounding, and old weights that break what was asked for."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.support.simulated import fit, positions
from tunesmith.games.errors import InputError
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.fit.constraints import COMMAND, Constraints, Names
from tunesmith.tuning.fit.ridge import choose_ridge
from tunesmith.tuning.fit.rounding import Rounded
from tunesmith.tuning.fit.run import (
    check_prior,
    require_results,
    rounded,
    rounding_facts,
    rounding_notes,
    run_fit,
)
from tunesmith.tuning.fit.split import split

WEIGHTS = np.array([[120.0, -45.0, 30.0]])
NOTHING = 0 * WEIGHTS
ROWS = positions(WEIGHTS, 300)
HELD = split(ROWS.group, 0.2)
TRAINING, JUDGING = ROWS.take(~HELD), ROWS.take(HELD)
NAMES = Names(("all",), ("pawn", "knight", "king"))
FREE = Constraints.of(WEIGHTS.shape)


def test_a_given_ridge_is_taken_as_it_is() -> None:
    found = run_fit(TRAINING, JUDGING, NOTHING, FitOptions(ridge=0.01), FREE)
    assert (found.fit.weights == fit(TRAINING, NOTHING, ridge=0.01).weights).all()
    assert found.fit.held_out is not None and found.margin is None
    assert found.ridge_path.grid == []


def test_the_ridge_is_chosen_on_the_training_rows_and_kept_for_others_of_its_kind() -> None:
    found = run_fit(TRAINING, JUDGING, NOTHING, FitOptions(), FREE)
    choice = choose_ridge(TRAINING, NOTHING, FitOptions())
    assert found.options.ridge == found.fit.ridge == choice.ridge
    assert found.ridge_path.losses == list(choice.losses) and found.ridge_path.rows == TRAINING.n


def test_a_given_blend_is_taken_as_it_is_and_without_expectations_labels_are_the_results() -> None:
    expected = replace(TRAINING, expected=np.full(TRAINING.n, 0.25))
    found = run_fit(expected, None, NOTHING, FitOptions(ridge=0.01, blend=0.5), FREE)
    assert found.options.blend == 0.5 and found.rows.labels == pytest.approx(0.125 + TRAINING.labels / 2)
    chosen = run_fit(TRAINING, None, NOTHING, FitOptions(ridge=0.01), FREE)
    assert chosen.options.blend == 1 and chosen.rows.labels is TRAINING.labels


def test_draws_get_a_margin() -> None:
    found = run_fit(TRAINING, JUDGING, NOTHING, FitOptions(ridge=1e-4, draws=True), FREE)
    assert found.margin is not None and found.margin > 0


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"upper": np.array([[100.0, 9.0, 99.0]])}, "--bound: expected the old weight of pawn from -inf to 50, found 60"),
        ({"orders": ((0, 2),)}, "--order: expected the old weights to keep pawn <= king, found 60 and 15"),
        ({"ties": np.array([[0, -1, 0]])}, "--tie: expected equal old weights, found pawn 60, king 15"),
    ],
)  # fmt: skip
def test_old_weights_that_break_a_constraint_are_named_in_their_unit(
    limits: dict[str, Any], words: str
) -> None:
    """The unit is 2 Elo here."""
    with pytest.raises(InputError) as caught:
        check_prior(NAMES, WEIGHTS, Constraints.of(WEIGHTS.shape, **limits), COMMAND, unit=2.0)
    assert str(caught.value) == words


def test_old_weights_are_named_in_elo_if_there_is_no_other_unit() -> None:
    with pytest.raises(InputError, match="from -inf to 100, found 120"):
        check_prior(NAMES, WEIGHTS, Constraints.of((1, 3), upper=np.full((1, 3), 100.0)), COMMAND)


def test_old_weights_may_miss_a_bound_by_the_last_bit() -> None:
    near = Constraints.of(WEIGHTS.shape, upper=WEIGHTS * (1 - 1e-12 * np.sign(WEIGHTS)), orders=((1, 2),))
    check_prior(NAMES, WEIGHTS, near, COMMAND)


def test_rounding_is_written_down_or_not_done() -> None:
    found = fit(TRAINING, NOTHING, ridge=1e-4)
    assert rounded(TRAINING, found, FREE, 0.0) is None
    assert rounding_facts(NAMES, None, 5.0) is None and rounding_notes(NAMES, None) == []
    made = rounded(TRAINING, found, FREE, 5.0)
    facts = rounding_facts(NAMES, made, 2.5)
    assert made is not None and facts is not None and (made.weights % 5 == 0).all()
    assert (facts.step, facts.loss.before, facts.loss.rounded, facts.loss.repaired) == (2.5, *made.loss)


def test_changes_that_rounding_undid_are_named() -> None:
    made = Rounded(NOTHING, (0.5, 0.6, 0.6), (1,), (0, 2))
    assert rounding_notes(NAMES, made) == [
        "the step is larger than the change of pawn, king: rounding brought back the old number"
    ]
    facts = rounding_facts(NAMES, made, 1.0)
    assert facts is not None and (facts.repaired, facts.vanished) == (["knight"], ["pawn", "king"])


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (1.0, "every one is a win: expected wins and losses"),
        (0.0, "every one is a loss: expected wins and losses"),
        (0.5, "every one is a draw: there is nothing to learn"),
    ],
)
def test_results_that_are_all_the_same_are_refused(value: float, words: str) -> None:
    for rows in (ROWS, ROWS.take(np.array([0]))):
        with pytest.raises(InputError, match=words):
            require_results(replace(rows, labels=np.full(rows.n, value)))


def test_a_single_other_result_is_enough() -> None:
    labels = np.ones(ROWS.n)
    labels[7] = 0.0
    require_results(replace(ROWS, labels=labels))


def test_rows_of_no_weight_tell_no_results_and_equal_expectations_are_none() -> None:
    labels = np.ones(ROWS.n)
    labels[7] = 0.0
    with pytest.raises(InputError, match="every one is a win"):
        require_results(replace(ROWS, labels=labels, weight=(labels > 0) * 1.0))
    require_results(replace(ROWS, labels=np.full(ROWS.n, 0.7)))


@pytest.mark.parametrize(("weight", "slack"), [(0.0, 1e-9), (99.0, 1e-7), (-99.0, 1e-7)])
@pytest.mark.parametrize("kind", ["lower", "upper", "orders", "ties"])
def test_old_weights_may_miss_by_a_billionth_of_one_more_than_their_size(
    kind: str, weight: float, slack: float
) -> None:
    for part, is_kept in ((0.0, True), (0.98, True), (1.02, False)):
        prior, miss = np.array([[weight, 7.0, weight]]), part * slack
        free = {"lower": -np.inf, "upper": np.inf}
        if kind in free:
            bound = np.array([[weight - miss if kind == "upper" else weight + miss, free[kind], free[kind]]])
            limits = Constraints.of((1, 3), **{kind: bound})  # type: ignore[arg-type]
        else:
            prior[0, 0] += miss
            given = ((0, 2),) if kind == "orders" else np.array([[0, -1, 0]])
            limits = Constraints.of((1, 3), **{kind: given})  # type: ignore[arg-type]
        if is_kept:
            check_prior(NAMES, prior, limits, COMMAND)
        else:
            with pytest.raises(InputError, match="expected"):
                check_prior(NAMES, prior, limits, COMMAND)
