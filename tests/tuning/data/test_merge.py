"""Which rows are one position: labels, weights and groups after merging, against plain Python."""

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.tuning.data.merge import Positions, merge, on_one_side
from tunesmith.tuning.fit.split import split

ROW = st.tuples(
    st.integers(0, 3), st.sampled_from([0.0, -0.0, 1.0]), st.sampled_from([0.0, 0.5, 1.0]), st.integers(0, 5)
)


def made(rows: list[tuple[int, float, float, int]]) -> Positions:
    """Return positions of key, feature, label and group, each of weight 1, numbered by place."""
    keys, features, labels, group = (np.array(column) for column in zip(*rows, strict=True))
    n = len(rows)
    return Positions(
        keys.astype(np.int64), features[:, None].astype(float), np.ones((n, 1)), labels.astype(float),
        labels.astype(float), np.ones(n), group.astype(np.int64), np.arange(n)[:, None], np.arange(n),
        np.zeros(n, np.int8),
    )  # fmt: skip


def merged(positions: Positions, by_label: bool = False) -> Positions:
    """Return positions after merging."""
    merge(positions, on_one_side(positions, held_out=0.0), by_label)
    return positions


@pytest.mark.parametrize("by_label", [False, True])
@given(rows=st.lists(ROW, min_size=1, max_size=25))
def test_merged_rows_are_those_of_plain_counting(
    by_label: bool, rows: list[tuple[int, float, float, int]]
) -> None:
    """One row for each position and view (and label): mean label, number, smallest group of the position."""
    smallest: dict[int, int] = {}
    views: dict[tuple[float, ...], list[float]] = defaultdict(list)
    for key, feature, label, group in rows:
        smallest[key] = min(group, smallest.get(key, group))
        views[(key, feature + 0.0, label if by_label else -1.0)].append(label)
    found = merged(made(rows), by_label)
    assert len(found.keys) == len(views)
    for key, feature, label, weight, group in zip(
        found.keys, found.features[:, 0], found.labels, found.weight, found.group, strict=True
    ):
        own = views[(int(key), float(feature) + 0.0, float(label) if by_label else -1.0)]
        assert (weight, group) == (len(own), smallest[int(key)])
        assert label == pytest.approx(sum(own) / len(own))
    assert (np.diff(found.group) >= 0).all() and found.weight.sum() == len(rows)


def test_held_out_pairs_carry_no_training_results_and_training_none_of_theirs() -> None:
    """A position stays on the side of its first pair, with the results of that side alone."""
    pairs = np.arange(200)
    aside = split(pairs, 0.3)
    for own, other in ((pairs[aside], pairs[~aside]), (pairs[~aside], pairs[aside])):
        first, later = int(own[0]), int(own[-1])
        others = [int(pair) for pair in other if pair > first][:2]
        rows = [
            (7, 0.0, 0.0, others[0]),
            (7, 0.0, 1.0, later),
            (7, 0.0, 0.0, others[1]),
            (7, 0.0, 1.0, first),
        ]
        found = made(rows)
        merge(found, on_one_side(found, held_out=0.3))
        assert (found.group.tolist(), found.labels.tolist(), found.weight.tolist()) == (
            [first],
            [1.0],
            [2.0],
        )


def test_results_and_what_searches_expected_are_merged_apart() -> None:
    rows = made([(1, 0.0, 1.0, 4), (1, 0.0, 0.0, 2), (1, 0.0, 0.0, 2)])
    found = merged(replace(rows, expected=np.array([0.9, 0.6, 0.6])))
    assert found.expected.tolist() == pytest.approx([0.7]) and found.labels.tolist() == pytest.approx([1 / 3])


def test_the_first_place_of_a_position_is_kept() -> None:
    found = merged(made([(1, 0.0, 1.0, 4), (2, 0.0, 0.0, 3), (1, 0.0, 0.0, 2)]))
    assert found.keys.tolist() == [1, 2] and found.lines.tolist() == [0, 1]
    assert (found.group.tolist(), found.labels.tolist()) == ([2, 3], [0.5, 0.0])


def test_sets_are_joined_in_their_order_and_taken_by_number() -> None:
    one, other = made([(1, 0.0, 1.0, 4)]), made([(2, 1.0, 0.0, 3), (3, 1.0, 0.5, 5)])
    joined = Positions.joined(iter([one, other]), 5)
    assert joined.keys.tolist() == [1, 2, 3] and joined.labels.tolist() == [1.0, 0.0, 0.5]
    joined.keep(np.array([2, 0]))
    assert joined.group.tolist() == [5, 4] and joined.labels.tolist() == [0.5, 1.0]
