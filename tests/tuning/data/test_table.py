"""Tables of other people's positions: every kind of dirt is counted by reason and line, and nothing hangs."""

import pytest

from tests.support.tables import DIRT, GOOD, HEADER, SURE, read
from tunesmith.games.errors import InputError
from tunesmith.tuning.data.table import read_table
from tunesmith.tuning.data.table.layout import TableOptions


def test_games_keep_their_number_when_others_are_added(tmp_path):
    before, after = read(tmp_path, HEADER + GOOD), read(tmp_path, HEADER + "5,5,1,new\n" + GOOD)
    assert (after.rows.group[1:] == before.rows.group).all()


def test_every_line_is_accounted_for(tmp_path):
    lines = list(DIRT) + ["1,2,1,a\n", "\n", "1,2,0,b\n", "   \n"]
    table = read(tmp_path, HEADER + "".join(lines), SURE)
    account = table.account
    assert account.kept == 2 and account.empty == 2
    assert account.left_out == len(DIRT)


def test_a_file_that_is_mostly_bad_is_refused_with_the_reasons(tmp_path):
    text = HEADER + GOOD + "x,1,1,a\n" * 3
    with pytest.raises(
        InputError,
        match=r"3 of 6 rows cannot be used: 3 left out: a feature is not a finite number: lines 5, 6, 7",
    ):
        read(tmp_path, text, TableOptions())
    assert read(tmp_path, text, TableOptions(max_bad=0.5)).account.kept == 3


def test_no_file_and_no_regular_file(tmp_path):
    """A pipe would keep the reader waiting for ever."""
    import os

    with pytest.raises(InputError, match="no such file"):
        read_table(tmp_path / "none.csv")
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(InputError, match="expected a regular file"):
        read_table(tmp_path / "pipe.csv")
