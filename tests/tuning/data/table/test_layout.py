"""What a table says of itself: columns, results, stages."""

import pytest

from tests.support.tables import GOOD, HEADER, counts, read
from tunesmith.games.errors import InputError
from tunesmith.tuning.data.table.layout import TableOptions


def test_columns_by_name(tmp_path):
    table = read(tmp_path, HEADER + GOOD)
    assert table.features == ("material", "mobility")
    assert table.rows.features.tolist() == [[1, 2.5], [-1, 0.5], [0, -3]]
    assert table.rows.labels.tolist() == [1, 0, 0.5]
    assert table.rows.group[0] == table.rows.group[2] != table.rows.group[1]
    assert (table.perspective, table.format, table.account.kept) == ("mover", "CSV separated by comma", 3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,result\n1,1\n", "perspective: expected to be stated"),
        ("# perspective: me\na,result\n1,1\n", "perspective: expected mover, first, white, found 'me'"),
        ("# perspective: white\na,result_mover\n1,1\n", "perspective: stated twice, as first and mover"),
        ("a,b\n1,1\n", "expected one column 'result', found none"),
        ("a,result_mover,result_first\n1,1,1\n", "expected one column 'result', found result_mover, result_first"),
        ("a,a,result_mover\n1,1,1\n", "expected each name once, found twice: a"),
        ("a,,result_mover\n1,1,1\n", "column 2: expected a name"),
        ("result_mover,game\n1,1\n", "expected columns of features, found none"),
        ("# tunesmith-table: 2\na,result_mover\n1,1\n", "expected version 1, found '2'"),
        ("a,stage,stage.x,result_mover\n1,1,1,1\n", "found both"),
        ("a,result_mover\n", "there are no rows"),
        ("", "found an empty file"),
        ("\xff\xfe".encode("latin-1") + b"a\0", "found UTF-16"),
        (b"\x1f\x8b\x08\0", "found gzip"),
    ],
)  # fmt: skip
def test_a_file_that_does_not_say_what_it_holds_is_refused(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        read(tmp_path, text)


def test_stages_by_name_and_by_share(tmp_path):
    named = read(tmp_path, "a,stage,result_mover\n1,mid,1\n1,end,1\n1,mid,0\n")
    assert named.stages == ("mid", "end") and named.rows.stages is not None
    assert named.rows.stages.tolist() == [[1, 0], [0, 1], [1, 0]]
    shares = read(tmp_path, "a,stage.mid,stage.end,result_mover\n1,0.25,0.75,1\n1,0.5,0.6,1\n1,x,1,1\n")
    assert shares.stages == ("mid", "end") and shares.rows.stages is not None
    assert shares.rows.stages.tolist() == [[0.25, 0.75]] and shares.account.left_out == 2
    with pytest.raises(InputError, match="expected at most 20 names, found 21"):
        read(tmp_path, "a,stage,result_mover\n" + "".join(f"1,{i},1\n" for i in range(21)))


def test_weights_and_columns_to_skip(tmp_path):
    text = "a,b,fen,weight,result_mover\n1,2,xyz,2,1\n3,4,xyz,-1,0\n5,6,xyz,0.5,0\n"
    table = read(tmp_path, text, TableOptions(ignore=("fen",), max_bad=1.0))
    assert table.rows.weight.tolist() == [2, 0.5] and table.features == ("a", "b")
    assert counts(table) == {"weight is not a number from 0 up": (1, (3,))}
    assert read(tmp_path, text, TableOptions(features=("b",), max_bad=1.0)).rows.features.tolist() == [
        [2],
        [6],
    ]
    with pytest.raises(InputError, match="no such column: c; found a, b, fen"):
        read(tmp_path, text, TableOptions(ignore=("c",)))
