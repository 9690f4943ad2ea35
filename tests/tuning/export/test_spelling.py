"""Names and comments of other languages: nothing in them ends them, and no two become one."""

import re

import pytest

from tests.support import exported
from tunesmith.tuning.export import spelling as words


@pytest.mark.parametrize("text", exported.HOSTILE)
def test_a_comment_is_one_line_of_ascii_that_ends_nothing(text):
    line = words.plain(text)
    assert line.isascii() and line.isprintable()
    assert not re.search(r"\\|\*/|\?\?|</|<!", line)


def test_names_that_become_the_same_word_stay_apart():
    found = words.identifiers(["a-b", "a_b", "A b", "a_b_2", "", "ß", "1"], words.capitals, "F_")
    assert found == ["F_A_B", "F_A_B_2", "F_A_B_3", "F_A_B_2_2", "F_5", "F_SS", "F_1"]


def test_long_and_many_names_are_distinct():
    names = [f"{'x' * 70}{i}" for i in range(200)]
    assert len(set(words.identifiers(names, words.capitals, "F_"))) == 200
