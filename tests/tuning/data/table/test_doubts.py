"""A file that would be misread is refused, and the option that helps is named."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.support.tables import SURE, read
from tunesmith.games.errors import InputError
from tunesmith.tuning.data.table import read_table
from tunesmith.tuning.data.table.layout import TableOptions

STRICT = TableOptions()
MOVER = TableOptions(perspective="mover")


def table(results: list[str], name: str = "result_mover", separator: str = ",") -> str:
    """Return a table with these results."""
    return f"a{separator}{name}\n" + "".join(f"{n % 7}{separator}{r}\n" for n, r in enumerate(results))


@pytest.mark.parametrize("losses", [1, 5, 40])
@pytest.mark.parametrize("options", [STRICT, TableOptions(max_bad=1.0)])
def test_results_from_minus_1_to_1_ask_for_signed_however_few_are_losses(
    losses: int, options: TableOptions, tmp_path: Path
) -> None:
    text = table(["1", "0"] * 50 + ["-1"] * losses)
    with pytest.raises(
        InputError, match=r"t\.csv:102: result_mover '-1': expected results .* say --signed if"
    ) as told:
        read(tmp_path, text, options)
    assert "--max-bad" not in str(told.value)
    signed = read(tmp_path, text, TableOptions(signed=True)).rows.labels
    assert sorted(set(signed)) == [0, 0.5, 1] and (signed == 0).sum() == losses


def test_results_on_another_scale_are_refused_and_a_mark_for_no_result_is_left_out_when_asked(
    tmp_path: Path,
) -> None:
    with pytest.raises(InputError, match=r"t\.csv:4: result_mover '2': expected results .* divide them"):
        read(tmp_path, table(["0", "1", "2"] * 20), STRICT)
    marked = table(["1", "0.5", "0"] * 20 + ["-1"])
    with pytest.raises(InputError, match="--unsigned if 0 is a loss"):
        read(tmp_path, marked, STRICT)
    assert read(tmp_path, marked, TableOptions(signed=False)).rows.n == 60
    with pytest.raises(InputError, match="--signed reads -1, 0, 1$") as told:
        read(tmp_path, table(["1", "0", "-1"] * 20), TableOptions(signed=False))
    assert "--max-bad" not in str(told.value)
    assert read(tmp_path, "# results: unit\n" + marked, STRICT).rows.n == 60
    assert read(tmp_path, table(["1", "0", "*"] * 20), SURE).account.reasons["no result"].number == 20


def test_signed_is_refused_where_no_result_is_below_0(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="said to be -1, 0 and 1, but none is below 0: leave out --signed"):
        read(tmp_path, table(["1", "0.5", "0"] * 20), TableOptions(signed=True))


def test_svmlight_labels_of_minus_1_and_1_ask_for_signed(tmp_path: Path) -> None:
    rows = "".join(f"{(-1, 1)[n % 2]:+d} 1:{n} 2:1\n" for n in range(40))
    with pytest.raises(InputError, match=r"t\.svm:1: result '-1': .*--signed"):
        read(tmp_path, rows, MOVER, "t.svm")


def test_columns_of_text_are_named_with_the_option_that_skips_them(tmp_path: Path) -> None:
    rows = "".join(f"{n % 7},fen {n},{'wb'[n % 2]},{n % 2}\n" for n in range(40))
    with pytest.raises(
        InputError, match="--ignore fen --ignore side skips the columns; if side says who moves, rename it"
    ) as told:
        read(tmp_path, "a,fen,side,result_mover\n" + rows, STRICT)
    assert "--max-bad" not in str(told.value)
    columns = {"a": [1.0, 2.0], "fen": ["x", "y"], "side": ["w", "b"], "result_mover": [1, 0]}
    pq.write_table(pa.table(columns), tmp_path / "t.parquet")
    with pytest.raises(InputError, match="--ignore fen --ignore side skips them"):
        read_table(tmp_path / "t.parquet")


def test_a_column_with_many_holes_may_be_skipped_or_its_rows(tmp_path: Path) -> None:
    rows = "".join(f"{n % 7},{'' if n % 4 else n},{n % 2}\n" for n in range(40))
    with pytest.raises(InputError, match="--ignore b skips the column$"):
        read(tmp_path, "a,b,result_mover\n" + rows, STRICT)
    rows = "".join(f"{n % 7},{n if n % 4 else ''},{n % 2}\n" for n in range(40))
    with pytest.raises(InputError, match=r"--ignore b skips the column; --max-bad 0\.26 goes on"):
        read(tmp_path, "a,b,result_mover\n" + rows, STRICT)


def test_results_of_white_where_the_movers_are_expected_ask_for_whites_perspective(tmp_path: Path) -> None:
    results = ["1-0", "0-1", "1/2-1/2"] * 20
    with pytest.raises(
        InputError, match="results like 1-0 are White's.*: --perspective white says so"
    ) as told:
        read(tmp_path, table(results, "result"), MOVER)
    assert "--max-bad" not in str(told.value)
    assert read(tmp_path, table(results, "result"), TableOptions(perspective="white")).rows.n == 60
    with pytest.raises(InputError, match="the name result_white for their column says so"):
        read(tmp_path, table(results), STRICT)
    with pytest.raises(InputError, match="a line '# perspective: white' in the file says so"):
        read(tmp_path, "# perspective: mover\n" + table(results, "result"), STRICT)
    with pytest.raises(InputError, match="results like 1-0 are White's: --perspective white"):
        read(tmp_path, table(results, "result"), STRICT)


def test_results_that_are_not_understood_are_never_dropped_by_advice(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="results may be numbers from 0 to 1, 1/2, win, draw, loss") as told:
        read(tmp_path, table(["1", "0", "remis"] * 20), STRICT)
    assert "--max-bad" not in str(told.value)


@pytest.mark.parametrize(
    ("cell", "column"),
    [("1,5;1;0", "a"), ("1;0,5;0", "result_mover"), ("1;1;-0,25", "score"), ("1.234,5;1;0", "a")],
)
def test_one_decimal_comma_is_named_with_its_line(cell: str, column: str, tmp_path: Path) -> None:
    rows = "".join(f"{n % 7};{n % 2};{n % 3}\n" for n in range(40))
    with pytest.raises(
        InputError, match=rf"t\.csv:42: {column} '.*': a comma in a number; expected a decimal point"
    ):
        read(tmp_path, f"a;result_mover;score\n{rows}{cell}\n", STRICT)


def test_decimal_commas_in_a_file_that_is_separated_by_commas_are_suspected(tmp_path: Path) -> None:
    rows = "".join(f"{n % 7},5,{n % 2}\n" for n in range(40))
    with pytest.raises(InputError, match="expected 2, found 3: is there a decimal comma"):
        read(tmp_path, "a,result_mover\n" + rows, STRICT)
    svm = "1 1:2\n" + "".join(f"{n % 2} 1:{n},5\n" for n in range(40))
    with pytest.raises(InputError, match=r"1 '0,5': a comma in a number"):
        read(tmp_path, svm, MOVER, "t.svm")


@pytest.mark.parametrize("name", ["stm", "side", "turn"])
def test_who_moves_by_another_name_is_advised_to_be_renamed(name: str, tmp_path: Path) -> None:
    text = f"a,{name},result_white\n" + "1,w,1\n2,b,0\n"
    with pytest.raises(
        InputError, match=f"if {name} says who moves, rename it 'mover' .*white, w, second, black, b"
    ):
        read(tmp_path, text, STRICT)
    assert read(tmp_path, text.replace(name, "mover")).rows.labels.tolist() == [1, 1]
