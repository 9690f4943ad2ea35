"""What a table says of itself: columns, results, stages."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.support.tables import GOOD, HEADER, counts, read, same
from tunesmith.games.errors import InputError
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.data.table import read_table
from tunesmith.tuning.data.table.layout import TableOptions
from tunesmith.tuning.fit.rows import with_ones
from tunesmith.tuning.fit.texel import fit

CASES = Path(__file__).parents[3] / "golden" / "cases"


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


@pytest.mark.parametrize(
    ("name", "label"), [("unnamed_0.csv", "Unnamed: 0"), ("from_pandas.parquet", "__index_level_0__")]
)
def test_row_labels_that_pandas_wrote_are_no_features(name, label):
    found, clean = (read_table(CASES / "04" / file) for file in (name, "clean.csv"))
    assert (found.labels, clean.labels) == ((label,), ())
    same(found, clean)


def test_an_index_of_pandas_keeps_its_meaning_if_it_has_one(tmp_path):
    table = pa.table({"game": ["a", "b"], "a": [1, 2], "b": [3, 5], "result_mover": [1, 0]})
    metadata = {"pandas": '{"index_columns": ["game", "b", {"kind": "range"}]}'}
    pq.write_table(table.replace_schema_metadata(metadata), tmp_path / "t.parquet")
    found = read_table(tmp_path / "t.parquet")
    assert (found.features, found.labels, found.has_games) == (("a",), ("b",), True)


@pytest.mark.parametrize("separator", [",", "\t"])
def test_a_first_column_without_a_name_labels_the_rows(tmp_path, separator):
    text = ",a,result_mover\n0,1,1\n1,1,0\n".replace(",", separator)
    found = read(tmp_path, text)
    assert (found.features, found.labels) == (("a",), ("",))
    assert found.rows.features.tolist() == [[1], [1]]


def numbered(numbers: list[int]) -> str:
    rng = np.random.default_rng(1)
    rows = [f"{n},{a},{a}.5,{a % 2}" for n, a in zip(numbers, rng.integers(-5, 6, len(numbers)), strict=True)]
    return "\n".join(["position,a,b,result_mover", *rows]) + "\n"


@pytest.mark.parametrize(
    ("numbers", "is_label"),
    [
        (list(range(60)), True),
        (list(range(1059, 999, -1)), True),
        (np.random.default_rng(2).permutation(5000)[:600].tolist(), True),
        (list(range(20)), False),  # too few to tell
        ([*range(59), 0], False),
        ((100_003 * np.arange(60) % 99_991).tolist(), False),
    ],
)
def test_a_column_that_numbers_the_rows_is_no_feature(tmp_path, numbers, is_label):
    found = read(tmp_path, numbered(numbers))
    assert found.labels == (("position",) if is_label else ())
    assert found.features == (("a", "b") if is_label else ("position", "a", "b"))
    asked = read(tmp_path, numbered(numbers), TableOptions(features=("position", "a")))
    assert (asked.features, asked.labels) == (("position", "a"), ())


def test_lines_count_once_though_a_column_is_found_to_number_them(tmp_path):
    text = numbered(list(range(60))) + "x,1,1.5,1\n60,?,1.5,1\n"
    found = read(tmp_path, text)
    assert counts(found) == {"a feature is not a finite number": (1, (63,))}
    assert (found.account.kept, found.line[-1]) == (61, 62)  # what a label of the row says is nothing to us
    table = pa.table({"at": range(60), "a": [None, *[1.0, 2.5] * 29, 0.0], "result_mover": [1, 0] * 30})
    pq.write_table(table, tmp_path / "t.parquet")
    packed = read_table(tmp_path / "t.parquet")
    assert counts(packed) == {"a feature is missing or not finite": (1, (1,))}
    assert (packed.labels, packed.account.kept) == (("at",), 59)


def test_columns_that_take_no_part_are_not_checked():
    table = read_table(CASES / "07" / "positions.csv", TableOptions(ignore=("fen", "score")))
    assert (table.account.kept, table.account.left_out, table.rows.n_groups) == (1800, 0, 600)
    rows = replace(table.rows, features=with_ones(table.rows))
    found = fit(rows, np.zeros((1, 3)), FitOptions(ridge=0.0, min_rows=0))
    assert found.weights.round(1).tolist() == [[82.4, 236.4, 10.4]]


@pytest.mark.parametrize(
    ("column", "word"),
    [
        ("weight", "heavy"),
        ("score", "#+1"),
        ("mover", "?"),
        ("game", ""),
        ("stage.x", "2"),
        ("result_first", "?"),
        ("text", "\xe4"),
    ],
)
def test_an_ignored_column_may_hold_anything(tmp_path, column, word):
    text = f"a,{column},result_mover\n1,{word},1\n2,{word},0\n7,{word},nobody knows\n"
    table = read(tmp_path, text.encode("latin-1"), TableOptions(ignore=(column,), max_bad=1.0))
    assert table.rows.features.tolist() == [[1], [2]]
    assert counts(table) == {"result not among the accepted spellings": (1, (4,))}


@pytest.mark.parametrize("name", ["game_id", "gameid", "Game", "game_no", "match_id"])
def test_a_game_by_another_name_is_no_feature(name, tmp_path):
    text = f"a,{name},result_mover\n" + "1,7,1\n2,8,0\n"
    with pytest.raises(
        InputError, match=f"column '{name}': is it the game .* rename it 'game'.* --ignore {name}"
    ):
        read(tmp_path, text)
    assert read(tmp_path, text, TableOptions(ignore=(name,))).features == ("a",)
    assert read(tmp_path, text, TableOptions(features=("a", name))).features == ("a", name)
    assert (
        name
        in read(
            tmp_path, text.replace("a,", "a,game,", 1).replace(",7", ",1,7").replace(",8", ",2,8")
        ).features
    )
