"""Lines of a text file in blocks: none is lost, none is endless."""

import pytest

from tests.support.tables import GOOD, HEADER, counts, read, same
from tunesmith.tuning import textlines


def test_an_endless_line_is_left_out_without_being_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(textlines, "LONGEST", 1000)
    monkeypatch.setattr(textlines, "_BLOCK", 300)
    table = read(tmp_path, HEADER + GOOD + "9" * 5000 + ",1,1,z\n" + "4,4,1,d\n")
    assert counts(table) == {"longer than 1,000 bytes": (1, (5,))}
    assert table.line.tolist() == [2, 3, 4, 6]


@pytest.mark.parametrize("length", [400, 1001, 1500, 2200, 5000])
def test_whether_a_line_is_too_long_does_not_depend_on_where_blocks_end(tmp_path, monkeypatch, length):
    """A line may lie in one block, in two or in many, behind good lines or before them."""
    monkeypatch.setattr(textlines, "LONGEST", 1000)
    monkeypatch.setattr(textlines, "_BLOCK", 1900)
    line = "9,9,1," + "z" * (length - 6) + "\n"
    for n_before in (0, 1, 40, 110):
        text = HEADER + "1,1,1,a\n" * n_before + line + GOOD
        table = read(tmp_path, text)
        is_left_out = length > 1000
        assert counts(table) == ({"longer than 1,000 bytes": (1, (n_before + 2,))} if is_left_out else {})
        assert table.account.kept == n_before + 3 + (not is_left_out)


def test_a_last_line_without_an_end_is_ignored_with_a_note(tmp_path):
    """2 may have been 2.5: nobody can tell."""
    table = read(tmp_path, HEADER + GOOD + "1,2")
    assert counts(table) == {"last line without a line end, so it may be cut": (1, (5,))}
    same(table, read(tmp_path, HEADER + GOOD))
