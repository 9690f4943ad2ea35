"""Which weights a name means, and what they may be: bounds, signs, orders and ties as text."""

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.games.errors import InputError
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.fit.constraints import STUDY, Constraints, Names, circle, clash, make_constraints

NAMES = Names(("mg", "eg"), ("pawn", "pst_a", "pst_b"))


def made(**texts: Any) -> Constraints:
    return make_constraints(NAMES, FitOptions(**texts))


@pytest.mark.parametrize(
    ("pattern", "columns"),
    [("pawn", [0, 3]), ("mg.pawn", [0]), ("pst_*", [1, 2, 4, 5]), ("eg.*", [3, 4, 5]), ("*.pst_b", [2, 5])],
)
def test_a_pattern_means_every_weight_it_matches(pattern: str, columns: list[int]) -> None:
    assert NAMES.find(pattern, "--fixed") == columns
    assert np.flatnonzero(NAMES.mask([pattern], "--fixed")).tolist() == columns


def test_names_carry_their_stage_where_there_are_several() -> None:
    assert NAMES.full == ("mg.pawn", "mg.pst_a", "mg.pst_b", "eg.pawn", "eg.pst_a", "eg.pst_b")
    assert Names(("all",), ("a", "b")).full == ("a", "b")


def test_three_features_of_one_name_and_different_numbers_are_a_family() -> None:
    names = Names(("mg", "eg"), ("pst_1", "king2", "pst_12", "king3", "pst_3", "king"))
    assert names.stems == ("pst", "king", "pst", "king", "pst", "king")
    assert names.families.tolist() == [[1, 2, 1, 2, 1, 2]] * 2
    two = Names(("all",), ("pst_1", "pawn", "pst_2"))
    assert two.stems == ("", "", "") and two.families.tolist() == [[0, 0, 0]]


def test_nothing_said_is_nothing_held() -> None:
    assert np.isneginf(Constraints.of((1, 2)).lower).all() and np.isposinf(Constraints.of((1, 2)).upper).all()
    free = made()
    assert not free.fixed.any() and free.ties is None and free.orders == () and free.tied == []
    assert np.isneginf(free.lower).all() and np.isposinf(free.upper).all()


def test_all_but_the_chosen_are_fixed() -> None:
    assert made(only=("pst_*",), fixed=("eg.pst_b",)).fixed.tolist() == [
        [True, False, False],
        [True, False, True],
    ]


def test_bounds_of_several_texts_hold_together() -> None:
    limits = made(bounds=("pawn=50:200", "eg.pawn=100:", "pst_a=+", "mg.pst_b=-"))
    assert limits.lower.tolist() == [[50, 0, -np.inf], [100, 0, -np.inf]]
    assert limits.upper.tolist() == [[200, np.inf, 0], [200, np.inf, np.inf]]


def test_one_number_may_be_all_that_bounds_allow() -> None:
    limits = made(bounds=("pawn=5:5", "pst_a=:3", "pst_a=3:"))
    assert limits.lower.tolist() == [[5, 3, -np.inf]] * 2 and limits.upper.tolist() == [[5, 3, np.inf]] * 2


def test_orders_between_tied_weights_are_kept_by_the_tie() -> None:
    """Also by that of the first weight; an order with itself is a circle, not a tie."""
    held = made(ties=("pawn",), orders=("mg.pawn<=eg.pawn", "mg.pawn<=mg.pst_a"))
    assert held.orders == ((0, 1),) and [columns.tolist() for columns in held.tied] == [[0, 3]]
    with pytest.raises(InputError, match="--order: mg.pawn <= mg.pawn is a circle"):
        made(orders=("mg.pawn<=mg.pawn",))
    with pytest.raises(
        InputError, match="--order: mg.pst_a <= mg.pawn <= mg.pst_a is a circle|--order: mg.pawn"
    ):
        made(ties=("pawn",), orders=("eg.pawn<=mg.pst_a", "mg.pst_a<=mg.pawn"))


def test_orders_and_ties_go_stage_by_stage_or_across() -> None:
    assert made(orders=("pst_a<=pst_b<=pawn",)).orders == ((1, 2), (4, 5), (2, 0), (5, 3))
    assert made(orders=("mg.pawn<=eg.pawn",)).orders == ((0, 3),)
    tied = made(ties=("pst_a=pst_b", "mg.pst_b=eg.pst_b")).tied
    assert [columns.tolist() for columns in tied] == [[1, 2, 4, 5]]
    assert made(ties=("pawn",)).ties.tolist() == [[0, -1, -1], [0, -1, -1]]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ({"fixed": ("pwan",)}, "--fixed: no weight is called 'pwan'; did you mean 'pawn'?"),
        ({"bounds": ("pawn=3",)}, "--bound: expected NAME=LOW:HIGH, NAME=+ or NAME=-, found 'pawn=3'"),
        (
            {"bounds": ("pawn=9:3",)},
            "--bound: expected NAME=LOW:HIGH, NAME=+ or NAME=-, found 'pawn=9:3': the low end, 9, is above the high end, 3",
        ),
        ({"orders": ("pawn",)}, "--order: expected A<=B, found 'pawn'"),
        ({"ties": ("pawn=eg.pst_a",)}, "--tie: 'pawn' means 2 weights and 'eg.pst_a' 1"),
        ({"bounds": ("pawn=5:", "mg.*=:3")}, "--bound: mg.pawn: no number is at least 5 and at most 3"),
        (
            {"bounds": ("mg.pst_a=9:", "mg.pst_b=:4"), "orders": ("pst_a<=pst_b",)},
            "--bound: mg.pst_a is at least 9 and mg.pst_b at most 4, but --order asks for mg.pst_a <= mg.pst_b",
        ),
    ],
)
def test_what_cannot_be_kept_is_refused_by_name(texts: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as caught:
        made(**texts)
    assert str(caught.value) == words


def test_a_study_is_told_its_own_settings() -> None:
    with pytest.raises(InputError, match=r"^fit\.orders: .* is a circle: .* is said with fit\.ties "):
        make_constraints(NAMES, FitOptions(orders=("pst_a<=pst_b", "pst_b<=pst_a")), STUDY)


pairs = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(lambda p: p[0] != p[1]), max_size=7)


def reaches(orders: list[tuple[int, int]], start: int, end: int) -> bool:
    """Whether `start` <= ... <= `end` follows from at least one order."""
    seen, front = set(), {start}
    while front:
        front = {b for a, b in orders if a in front} - seen
        seen |= front
    return end in seen


@given(pairs)
def test_a_circle_is_found_if_a_weight_is_below_itself(orders: list[tuple[int, int]]) -> None:
    found = circle(orders)
    assert bool(found) == any(reaches(orders, at, at) for at in range(5))
    assert all(step in orders for step in itertools.pairwise(found))
    assert not found or found[0] == found[-1]


@given(
    pairs,
    st.lists(st.integers(0, 9), min_size=5, max_size=5),
    st.lists(st.integers(0, 9), min_size=5, max_size=5),
)
def test_bounds_clash_if_a_smaller_weight_must_be_larger(
    orders: list[tuple[int, int]], low: list[int], room: list[int]
) -> None:
    orders = [(min(pair), max(pair)) for pair in orders]  # no circle
    lower = {at: float(value) for at, value in enumerate(low)}
    upper = {at: lower[at] + room[at] for at in range(5)}
    broken = {
        (a, b) for a in range(5) for b in range(5) if reaches(orders, a, b) and lower[a] > upper[b]
    }  # fmt: skip
    found = clash(orders, lower, upper)
    assert (found is not None) == bool(broken)
    if found is not None:
        assert (found.low, found.high) in broken
        assert (found.at_least, found.at_most) == (lower[found.low], upper[found.high])
