"""CSV with every kind of dirt: a bad line costs one row, and is named."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.tables import DIRT, GOOD, HEADER, SURE, counts, read, same
from tunesmith.games.errors import InputError
from tunesmith.tuning import textlines
from tunesmith.tuning.data.table import read_csv
from tunesmith.tuning.data.table.columns import Account
from tunesmith.tuning.data.table.layout import TableOptions
from tunesmith.tuning.textlines import Block


def test_byte_order_mark_line_ends_and_separators_change_nothing(tmp_path):
    plain, text = read(tmp_path, HEADER + GOOD), HEADER + GOOD
    for other in (b"\xef\xbb\xbf" + text.encode(), text.replace("\n", "\r\n"), text.replace("\n", "\r"),
                  text.replace(",", ";"), text.replace(",", "\t"), "\n" + text, '"material"' + text[8:]):  # fmt: skip
        same(plain, read(tmp_path, other))


@pytest.mark.parametrize("line", DIRT)
def test_a_bad_line_costs_one_row_and_is_named(tmp_path, line):
    table = read(tmp_path, HEADER + "1,2.5,1,a\n" + line + "-1,0.5,0,b\n", SURE)
    assert counts(table) == {DIRT[line]: (1, (3,))}
    assert table.line.tolist() == [2, 4] and table.rows.labels.tolist() == [1, 0]
    assert "line 3" in table.account.sentences()[0]


def test_latin_1_costs_one_row(tmp_path):
    table = read(tmp_path, (HEADER + GOOD).encode() + "1,1,1,Müller\n".encode("latin-1") + b"2,2,1,c\n")
    assert counts(table) == {"not UTF-8": (1, (5,))} and table.account.kept == 4
    with pytest.raises(InputError, match=r"t\.csv:1: header: expected UTF-8"):
        read(tmp_path, "größe,result_mover\n1,1\n".encode("latin-1"))


CELL = st.sampled_from(
    ["1", "-2.5", "+3", " 4 ", "1e3", "nan", "", "x", '"5"', "1_0", "0x1", "1e400", ".5", "5."]
)


@given(st.lists(st.tuples(CELL, CELL, st.sampled_from(["1", "0", "0.5", "2", ""])), min_size=1, max_size=6))
@settings(max_examples=150)
def test_reading_at_once_gives_what_reading_line_by_line_gives(lines):
    names = ("a", "b", "result_mover")
    data = "".join(",".join(line) + "\n" for line in lines).encode()
    header = read_csv._Header(1, names, ",", {})
    layout = read_csv.make_layout(Path("x"), names, {}, TableOptions())
    quick = read_csv._at_once(header, layout, Block(2, data, False))
    account = Account()
    slow = read_csv._line_by_line(header, layout, Block(2, data, False), account)
    if quick is not None:
        assert account.left_out == account.empty == 0
        assert quick.line.tolist() == slow.line.tolist() and (quick.values == slow.values).all()
        said, same = (part.words["result_mover"].stripped() for part in (quick, slow))
        assert [said.at(i) for i in range(len(lines))] == [same.at(i) for i in range(len(lines))]


@given(content=st.binary(max_size=300), block=st.integers(1, 40))
@settings(max_examples=150)
def test_no_bytes_make_the_reader_hang_or_lose_lines(content, block, tmp_path_factory):
    path = tmp_path_factory.mktemp("bytes") / "x"
    path.write_bytes(content)
    with pytest.MonkeyPatch.context() as patch:
        whole = [pair for block_ in textlines.blocks(path) for pair in textlines.lines(block_)]
        patch.setattr(textlines, "_BLOCK", max(block, 3))
        if b"\r" not in content:
            assert [pair for block_ in textlines.blocks(path) for pair in textlines.lines(block_)] == whole
    assert [number for number, _ in whole] == list(range(1, len(whole) + 1))
