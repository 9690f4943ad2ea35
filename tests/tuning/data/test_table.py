"""Tables of other people's positions: every kind of dirt is counted by reason and line, and nothing hangs."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunesmith.games.errors import InputError
from tunesmith.tuning import textlines
from tunesmith.tuning.data.table import read_csv, read_table
from tunesmith.tuning.data.table.columns import Account
from tunesmith.tuning.data.table.gather import Table
from tunesmith.tuning.data.table.layout import TableOptions
from tunesmith.tuning.textlines import Block

HEADER = "material,mobility,result_mover,game\n"
GOOD = "1,2.5,1,a\n-1,0.5,0,b\n0,-3,0.5,a\n"
LENIENT = TableOptions(max_bad=1.0)


def written(folder: Path, content: str | bytes, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def read(folder: Path, content: str | bytes, options: TableOptions = LENIENT, name: str = "t.csv") -> Table:
    return read_table(written(folder, content, name), options)


def counts(table: Table) -> dict[str, tuple[int, tuple[int, ...]]]:
    return {name: (reason.number, reason.lines) for name, reason in table.account.reasons.items()}


def same(one: Table, other: Table) -> None:
    for name in ("features", "labels", "weight", "group"):
        assert (getattr(one.rows, name) == getattr(other.rows, name)).all()
    assert one.features == other.features


def test_columns_by_name(tmp_path):
    table = read(tmp_path, HEADER + GOOD)
    assert table.features == ("material", "mobility")
    assert table.rows.features.tolist() == [[1, 2.5], [-1, 0.5], [0, -3]]
    assert table.rows.labels.tolist() == [1, 0, 0.5]
    assert table.rows.group[0] == table.rows.group[2] != table.rows.group[1]
    assert (table.perspective, table.format, table.account.kept) == ("mover", "CSV separated by comma", 3)


def test_games_keep_their_number_when_others_are_added(tmp_path):
    before, after = read(tmp_path, HEADER + GOOD), read(tmp_path, HEADER + "5,5,1,new\n" + GOOD)
    assert (after.rows.group[1:] == before.rows.group).all()


def test_byte_order_mark_line_ends_and_separators_change_nothing(tmp_path):
    plain, text = read(tmp_path, HEADER + GOOD), HEADER + GOOD
    for other in (b"\xef\xbb\xbf" + text.encode(), text.replace("\n", "\r\n"), text.replace("\n", "\r"),
                  text.replace(",", ";"), text.replace(",", "\t"), "\n" + text, '"material"' + text[8:]):  # fmt: skip
        same(plain, read(tmp_path, other))


DIRT = {
    "7,1,2,x,9\n": "wrong number of fields",
    "7,1\n": "wrong number of fields",
    "abc,1,1,x\n": "a feature is not a finite number",
    "nan,1,1,x\n": "a feature is not a finite number",
    "inf,1,1,x\n": "a feature is not a finite number",
    "1_000,1,1,x\n": "a feature is not a finite number",
    "0x10,1,1,x\n": "a feature is not a finite number",
    "1e999,1,1,x\n": "a feature is not a finite number",
    ",1,1,x\n": "a feature is missing",
    "1,1,,x\n": "no result",
    "1,1,2,x\n": "result not among the accepted spellings",
    "1,1,-1,x\n": "result not among the accepted spellings",
    "1,1,nan,x\n": "result not among the accepted spellings",
    "1,1,won?,x\n": "result not among the accepted spellings",
    "1,1,1-0,x\n": "a result that names the first player's points",
    "1,1,1,\n": "no game",
    '1,1,1,"x\n': "quotes that do not close",
    HEADER: "the header again",
    "1,1,1,\0x\n": "holds zero bytes",
}


@pytest.mark.parametrize("line", DIRT)
def test_a_bad_line_costs_one_row_and_is_named(tmp_path, line):
    table = read(tmp_path, HEADER + "1,2.5,1,a\n" + line + "-1,0.5,0,b\n")
    assert counts(table) == {DIRT[line]: (1, (3,))}
    assert table.line.tolist() == [2, 4] and table.rows.labels.tolist() == [1, 0]
    assert "line 3" in table.account.sentences()[0]


def test_latin_1_costs_one_row(tmp_path):
    table = read(tmp_path, (HEADER + GOOD).encode() + "1,1,1,Müller\n".encode("latin-1") + b"2,2,1,c\n")
    assert counts(table) == {"not UTF-8": (1, (5,))} and table.account.kept == 4
    with pytest.raises(InputError, match=r"t\.csv:1: header: expected UTF-8"):
        read(tmp_path, "größe,result_mover\n1,1\n".encode("latin-1"))


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


def test_every_line_is_accounted_for(tmp_path):
    lines = list(DIRT) + ["1,2,1,a\n", "\n", "1,2,0,b\n", "   \n"]
    table = read(tmp_path, HEADER + "".join(lines))
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


def test_no_file_and_no_regular_file(tmp_path):
    """A pipe would keep the reader waiting for ever."""
    import os

    with pytest.raises(InputError, match="no such file"):
        read_table(tmp_path / "none.csv")
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(InputError, match="expected a regular file"):
        read_table(tmp_path / "pipe.csv")


def test_results_may_be_spelt_in_ways_that_are_listed(tmp_path):
    text = "a,result_white\n" + "".join(
        f"1,{r}\n" for r in ("1-0", "0-1", "1/2-1/2", "win", "Draw", "loss", "1/2", ".25")
    )
    assert read(tmp_path, text).rows.labels.tolist() == [1, 0, 0.5, 1, 0.5, 0, 0.5, 0.25]
    signed = read(tmp_path, "# results: signed\na,result_mover\n1,1\n1,0\n1,-1\n")
    assert signed.rows.labels.tolist() == [1, 0.5, 0]


def test_results_of_the_first_player_are_turned_where_the_second_moves(tmp_path):
    text = "a,mover,score,result_first\n1,w,30,1\n1,b,30,1\n1,second,-5,0\n1,?,0,1\n"
    table = read(tmp_path, text)
    assert table.rows.labels.tolist() == [1, 0, 1] and table.scores is not None
    assert table.scores.tolist() == [30, -30, 5]
    assert list(counts(table)) == ["mover is none of first, white, w, second, black, b"]
    assert read(tmp_path, text.replace("result_first", "result_mover")).rows.labels.tolist() == [1, 1, 0]


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


def test_parquet_gives_the_same_as_csv(tmp_path):
    data = pa.table(
        {"material": [1, -1, 0], "mobility": [2.5, 0.5, -3], "result": [1.0, 0, 0.5], "game": ["a", "b", "a"]}
    )
    pq.write_table(data.replace_schema_metadata({"perspective": "mover"}), tmp_path / "t.parquet")
    table = read_table(tmp_path / "t.parquet")
    same(table, read(tmp_path, HEADER + GOOD))
    assert table.format == "Parquet"


def test_parquet_rows_with_holes_are_counted_and_damage_is_refused(tmp_path):
    data = pa.table({"a": [1.0, None, float("nan"), 2.0, 3.0], "result_mover": [1, 0, 1, None, 0]})
    pq.write_table(data, tmp_path / "t.parquet")
    table = read_table(tmp_path / "t.parquet", LENIENT)
    assert counts(table) == {"a feature is missing or not finite": (2, (2, 3)), "no result": (1, (4,))}
    whole = (tmp_path / "t.parquet").read_bytes()
    with pytest.raises(InputError, match=r"cut\.parquet: expected Parquet, found a damaged file"):
        read(tmp_path, whole[:-20], name="cut.parquet")
    pq.write_table(pa.table({"a": ["x"], "result_mover": [1]}), tmp_path / "s.parquet")
    with pytest.raises(InputError, match="column 'a': expected numbers, found string; --ignore a skips it"):
        read_table(tmp_path / "s.parquet")


SVM = "# perspective: mover\n1 qid:a 1:1 2:2.5 # fen\n0 qid:b 1:-1 2:0.5\n0.5 qid:a 2:-3\n"


def test_svmlight_gives_the_same_as_csv(tmp_path):
    table = read(tmp_path, SVM, name="t.svm")
    assert table.features == ("f1", "f2") and table.format == "svmlight"
    assert table.rows.features.tolist() == [[1, 2.5], [-1, 0.5], [0, -3]]
    named = read(tmp_path, "# features: material mobility\n" + SVM, name="told.by.content")
    same(named, read(tmp_path, HEADER + GOOD))
    assert read(tmp_path, SVM.replace(" 1:", " 0:").replace(" 2:", " 1:")).features == ("f0", "f1")


def test_svmlight_dirt_is_counted(tmp_path):
    dirt = {"1 2:1 1:1": "indices do not ascend", "1 1:1 1:2": "indices do not ascend", "1 1:x": "a feature is not a finite number",
            "1 a:1": "a field is not index:value", "1 1": "a field is not index:value", "1 1:nan": "a feature is not a finite number",
            "1 99999999:1": "an index above 20,000", "7 1:1": "result not among the accepted spellings"}  # fmt: skip
    table = read(tmp_path, SVM + "".join(f"{line}\n" for line in dirt) + "1 1:", name="t.svm")
    found = counts(table)
    assert sum(count for count, _ in found.values()) == len(dirt) + 1
    assert set(found) == {*dirt.values(), "last line without a line end, so it may be cut"}
    assert table.account.kept == 3
