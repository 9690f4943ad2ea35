"""JSON that can be handled, how wrong values are shown, and what counts as a whole number."""

import pytest

from tunesmith.games.texts import DEEPEST, is_boxes, is_whole, parse_json, shown, squares_in


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[" * 100_000, "levels"),
        ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), "levels"),
        ('{"a":' * (DEEPEST + 1) + "1" + "}" * (DEEPEST + 1), "levels"),
        ("9" * 400, "within 64 bits"),
        ('{"seed": [' + "9" * 5000 + "]}", "within 64 bits"),
        (r'["a\u0000b"]', "NUL"),
        (r'{"\u0000": 1}', "NUL"),
        (r'"half \ud83d"', "Unicode"),
        ("{", "Expecting"),
    ],
)
def test_json_that_nobody_can_handle_is_refused(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        parse_json(text)


def test_other_json_is_read_as_it_stands() -> None:
    deep = "[" * DEEPEST + "]" * DEEPEST
    assert str(parse_json(deep)) == deep
    assert parse_json('{"é": [18446744073709551615, -1, 1e300, "😀"]}') == {"é": [2**64 - 1, -1, 1e300, "😀"]}


def test_a_value_is_shown_as_python_writes_it_and_cut_when_long() -> None:
    assert shown("a\n") == "'a\\n'" and shown([1, None]) == "[1, None]"
    assert shown("x" * 78) == repr("x" * 78)
    assert shown("x" * 79) == "'" + "x" * 79 + "..."


@pytest.mark.parametrize(
    ("value", "whole"), [(0, True), (-3, True), (1 << 70, True), (True, False), (1.0, False), ("1", False)]
)
def test_whole_numbers_are_ints_but_no_bools(value: object, whole: bool) -> None:
    assert is_whole(value) is whole


@pytest.mark.parametrize(
    ("text", "names", "found"),
    [
        ("d3e3A", ["d3", "e3", "a1"], ("d3", "e3")),
        ("stop", ["d3"], ()),
        ("L:-4,0>-4,1", ["-4,0", "-4,1", "4,0", "4,1"], ("-4,0", "-4,1")),
        ("a11", ["a1", "a11", "1"], ("a11",)),
        ("a+b.", [".", "+", "a"], ("a", "+", ".")),
        ("a1", [], ()),
    ],
)
def test_the_text_of_a_move_names_squares(text: str, names: list[str], found: tuple[str, ...]) -> None:
    assert squares_in(text, names) == found


@pytest.mark.parametrize(
    ("value", "is_good"),
    [
        ({"a1": (0, 0.5, 1, 2)}, True), ({}, True), ({"": (0, 0, 1, 1)}, False), ({1: (0, 0, 1, 1)}, False),
        ({"a": (0, 0, 1)}, False), ({"a": (0, 0, 1, 0)}, False), ({"a": (0, float("nan"), 1, 1)}, False),
        ({"a": "abcd"}, False), ([], False), (None, False),
    ],
)  # fmt: skip
def test_boxes_of_squares_are_known(value: object, is_good: bool) -> None:
    assert is_boxes(value) == is_good
