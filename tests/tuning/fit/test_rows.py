"""Positions as plain numbers: what is chosen, counted and refused."""

import numpy as np
import pytest

from tests.support.simulated import table
from tunesmith.games.errors import InputError
from tunesmith.tuning.fit import rows as rows_module
from tunesmith.tuning.fit.rows import (
    Rows,
    blocks,
    constant_features,
    count_different,
    features_of,
    stage_share,
    with_ones,
)

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
    assert table(np.ones((3, 1)), group=np.array([9, 9, 2])).order is None


def test_weights_of_one_need_no_memory() -> None:
    ones = np.broadcast_to(np.float64(1.0), (4,))
    made = Rows(MADE.features, None, MADE.labels, ones, MADE.group)
    assert made.weight.strides == (0,)
    assert made.take(np.array([True, True, False, True])).weight.strides == (0,)
    assert made.take(np.array([1, 1])).weight.tolist() == [1.0, 1.0]


def test_shares_and_constant_features_are_found_over_all_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows_module, "_BLOCK", 3)
    assert [(part.start, part.stop) for part in blocks(7)] == [(0, 3), (3, 6), (6, 7)]
    assert stage_share(MADE, 1).tolist() == [0.0, 0.75, 0.5, 1.0]
    assert stage_share(MADE, None).tolist() == [1.0] * 4
    columns = np.column_stack([np.full(4, 2.0), np.zeros(4), [2.0, 2.0, 2.0, 3.0]])
    assert constant_features(table(columns)).tolist() == [True, False, False]


def test_a_column_of_ones_is_added_beside() -> None:
    assert with_ones(MADE)[1].tolist() == [3, 4, 5, 1]
    assert features_of(MADE) is MADE.features


@pytest.mark.parametrize("values", [[], [4], [3, 3, 3], [5, 1, 5, 2]])
def test_different_values_are_counted(values: list[int]) -> None:
    assert count_different(np.array(values)) == len(set(values))


def test_pairs_are_whole_numbers() -> None:
    with pytest.raises(InputError, match="group: expected whole numbers of pairs, found float64"):
        table(np.ones((2, 1)), group=np.array([0.0, 0.5]))
