"""How wrong values are shown, and what counts as a whole number."""

import pytest

from tunesmith.games.texts import is_whole, shown


def test_a_value_is_shown_as_python_writes_it_and_cut_when_long() -> None:
    assert shown("a\n") == "'a\\n'" and shown([1, None]) == "[1, None]"
    assert shown("x" * 78) == repr("x" * 78)
    assert shown("x" * 79) == "'" + "x" * 79 + "..."


@pytest.mark.parametrize(
    ("value", "whole"), [(0, True), (-3, True), (1 << 70, True), (True, False), (1.0, False), ("1", False)]
)
def test_whole_numbers_are_ints_but_no_bools(value: object, whole: bool) -> None:
    assert is_whole(value) is whole
