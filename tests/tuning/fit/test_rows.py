"""Positions as plain numbers: what is chosen, counted and refused."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from tests.support.simulated import table
from tunesmith.games.errors import InputError
from tunesmith.tuning.fit import rows as rows_module
from tunesmith.tuning.fit.rows import (
    Rows,
    blocks,
    constant_features,
    count_different,
    features_of,
    some_games,
    stage_share,
    with_ones,
)
from tunesmith.tuning.fit.sparse import Sparse
from tunesmith.tuning.fit.split import split

MADE = table(
    np.arange(12).reshape(4, 3),
    stages=np.array([[1.0, 0.0], [0.25, 0.75], [0.5, 0.5], [0.0, 1.0]]),
    labels=np.array([1.0, 0.5, 0.0, 1.0]),
    weight=np.array([1.0, 0.0, 2.0, 1.0]),
    group=np.array([7, 3, 7, 3]),
)


def test_rows_know_their_numbers_and_shape() -> None:
    assert (MADE.n, MADE.shape, MADE.n_groups) == (4, (2, 3), 2)
    assert table(np.ones((4, 3))).shape == (1, 3)
    assert MADE.features.dtype == np.float64


@pytest.mark.parametrize("chosen", [np.array([True, False, True, False]), np.array([0, 2])])
def test_rows_are_chosen_by_mask_or_number(chosen: np.ndarray) -> None:
    found = MADE.take(chosen)
    assert found.features.tolist() == [[0, 1, 2], [6, 7, 8]] and found.labels.tolist() == [1, 0]
    assert found.weight.tolist() == [1, 2] and found.group.tolist() == [7, 7]
    assert found.stages.tolist() == [[1, 0], [0.5, 0.5]]  # type: ignore[union-attr]


def test_rows_without_weight_are_left_out() -> None:
    assert MADE.used().group.tolist() == [7, 7, 3]
    whole = table(np.ones((2, 1)))
    assert whole.used() is whole


def test_pairs_that_are_scattered_have_an_order_that_brings_them_together() -> None:
    assert MADE.group[MADE.order].tolist() == [3, 3, 7, 7]
    assert MADE.order.tolist() == [1, 3, 0, 2]  # type: ignore[union-attr]
    assert table(np.ones((4, 1)), group=np.array([9, 9, 9, 2])).order is None
    assert table(np.ones((4, 1)), group=np.array([9, 9, 2, 9])).order.tolist() == [2, 0, 1, 3]  # type: ignore[union-attr]


def test_weights_of_one_need_no_memory() -> None:
    ones = np.broadcast_to(np.float64(1.0), (4,))
    made = Rows(MADE.features, None, MADE.labels, ones, MADE.group)
    assert made.weight.strides == (0,)
    assert made.take(np.array([True, True, False, True])).weight.strides == (0,)
    assert made.take(np.array([1, 1])).weight.tolist() == [1.0, 1.0]
    assert made.take(np.array([2])).take(np.array([True])).weight.tolist() == [1.0]


def test_shares_and_constant_features_are_found_over_all_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows_module, "_BLOCK", 3)
    assert [(part.start, part.stop) for part in blocks(7)] == [(0, 3), (3, 6), (6, 7)]
    assert stage_share(MADE, 1).tolist() == [0.0, 0.75, 0.5, 1.0]
    assert stage_share(MADE, None).tolist() == [1.0] * 4
    columns = np.column_stack([np.full(4, 2.0), np.zeros(4), [2.0, 2.0, 2.0, 3.0]])
    assert constant_features(table(columns)).tolist() == [True, False, False]
    assert constant_features(table(np.array([[5.0, 0.0]]))).tolist() == [True, False]


def test_a_column_of_ones_is_added_beside() -> None:
    assert with_ones(MADE)[1].tolist() == [3, 4, 5, 1]
    assert features_of(MADE) is MADE.features


@pytest.mark.parametrize("values", [[], [4], [3, 3, 3], [5, 1, 5, 2]])
def test_different_values_are_counted(values: list[int]) -> None:
    assert count_different(np.array(values)) == len(set(values))


def test_pairs_are_whole_numbers() -> None:
    with pytest.raises(InputError, match="group: expected whole numbers of pairs, found float64"):
        table(np.ones((2, 1)), group=np.array([0.0, 0.5]))


def test_of_more_rows_than_asked_for_some_games_are_taken() -> None:
    rows = table(np.arange(800.0)[:, None], group=np.arange(800) // 4)
    assert some_games(rows, 800, 5) is rows
    for most in (799, 400, 100):
        found = some_games(rows, most, 5)
        assert found.features[:, 0].tolist() == np.flatnonzero(~split(rows.group, 1 - most / 800, 5)).tolist()
        assert found.n == pytest.approx(most, rel=0.15) and found.n % 4 == 0


def test_labels_are_blended_of_results_and_what_a_search_expected() -> None:
    rows = replace(MADE, expected=np.array([0.8, 0.5, 0.4, 0.0]))
    mixed = rows.blended(0.25)
    assert mixed.labels == pytest.approx([0.85, 0.5, 0.3, 0.25]) and mixed.expected is None
    assert mixed.judged_by.tolist() == [1.0, 0.5, 0.0, 1.0] == rows.judged_by.tolist()
    plain = rows.blended(1.0)
    assert plain.labels is rows.labels and plain.expected is None and plain.results is None
    assert MADE.blended(0.25) is MADE and MADE.blended(1.0) is MADE


def test_what_is_just_usable_is_accepted() -> None:
    """Numbers up to 1e100, weights of 0 beside others, shares that sum to 1 within a millionth."""
    made = table(
        np.array([[1e100, -1e100], [0.0, 0.0]]),
        stages=np.array([[0.5, 0.5 + 0.98e-6], [1.0, 0.0]]),
        labels=np.array([0.0, 1.0]),
        weight=np.array([0.0, 0.5]),
    )
    assert made.shape == (2, 2) and made.used().n == 1


ROW = {"features": np.ones((3, 2)), "stages": None, "labels": np.full(3, 0.5), "weight": np.ones(3)}
SPARSE = Sparse(sparse.csr_matrix(np.array([[1.0], [0.0], [2e100]])))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"labels": np.zeros((3, 1))}, r"labels: expected one number for each row, found shape (3, 1)"),
        ({"labels": np.zeros(0)}, "labels: expected one number for each row, found shape (0,)"),
        ({"features": np.ones(3)}, "features: expected a row of numbers for each of 3 labels, found shape (3,)"),
        ({"features": np.ones((2, 2))}, "features: expected a row of numbers for each of 3 labels, found shape (2, 2)"),
        ({"features": np.ones((3, 0))}, "features: expected a row of numbers for each of 3 labels, found shape (3, 0)"),
        ({"weight": np.ones(4)}, "weight: expected one number for each of 3 labels, found shape (4,)"),
        ({"expected": np.ones((3, 1))}, "expected: expected one number for each of 3 labels, found shape (3, 1)"),
        ({"labels": np.array([0.5, 1.02, 3.0])}, "labels: row 1: expected a result from 0 to 1, found 1.02"),
        ({"expected": np.array([0.5, 0.5, -0.1])}, "expected: row 2: expected a result from 0 to 1, found -0.1"),
        ({"features": np.array([[0, 1], [0, 1.02e100], [0, 0]])}, "features: row 1, column 1: expected a finite number of at most 1e+100, found 1.02e+100"),
        ({"features": SPARSE}, "features: expected finite numbers of at most 1e+100 and a single stage"),
        ({"features": SPARSE.take(np.zeros(3, dtype=np.int64)), "stages": np.ones((3, 1))}, "a single stage of sparse rows"),
        ({"weight": np.array([1.0, -0.01, 1.0])}, "weight: row 1: expected a finite number of at most 1e+100 that is not negative, found -0.01"),
        ({"weight": np.array([1.0, np.inf, 1.0])}, "weight: row 1: expected a finite number"),
        ({"weight": np.zeros(3)}, "weight: every row has weight 0, so there is nothing to fit on"),
        ({"stages": np.array([[1.0, 0.0], [-0.1, 1.1], [1, 0]])}, "stages: row 1, column 0: expected a share from 0 to 1, found -0.1"),
        ({"stages": np.array([[1.0, 0.0], [0.5, 0.5], [0.5, 0.5 + 1.02e-6]])}, "stages: row 2: expected shares that sum to 1, found 1.00000102"),
    ],
)  # fmt: skip
def test_what_cannot_be_fitted_on_is_named_with_its_row(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        Rows(**{**ROW, "group": np.arange(3), **changes})
    assert message in str(caught.value)
