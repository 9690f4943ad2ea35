"""How lines become rows, in memory or in a scratch file, and when a file must be doubted."""

from pathlib import Path

import numpy as np
import pytest

from tests.support.tables import GOOD, HEADER, read, write_games
from tunesmith.games.errors import InputError
from tunesmith.tuning.data.table import read_table
from tunesmith.tuning.data.table.gather import MOST_STAGES
from tunesmith.tuning.data.table.layout import TableOptions

RNG = np.random.default_rng(3)


def test_a_large_table_goes_to_a_scratch_file_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_games(tmp_path / "t.parquet", RNG, 400)
    monkeypatch.setattr("tunesmith.tuning.data.table.gather.IN_MEMORY", 400 * 5 * 8 - 1)
    assert read_table(path).scratch > 0
    assert read_table(path, TableOptions(out_of_core=False)).scratch == 0
    monkeypatch.setattr("tunesmith.tuning.data.table.gather.IN_MEMORY", 400 * 5 * 8)
    assert read_table(path).scratch == 0


def test_a_scratch_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = write_games(tmp_path / "t.parquet", RNG, 40)
    with pytest.raises(
        InputError, match="nowhere: scratch file cannot be written: .*--scratch names another"
    ):
        read_table(path, TableOptions(out_of_core=True, scratch=tmp_path / "nowhere"))


def test_a_file_of_which_much_is_bad_is_refused_with_the_share_that_goes_on(tmp_path: Path) -> None:
    text = HEADER + GOOD + "abc,1,1,x\n"
    with pytest.raises(
        InputError, match=r"1 of 4 rows cannot be used: .*--max-bad 0\.26 goes on all the same"
    ):
        read(tmp_path, text, TableOptions())
    assert read(tmp_path, text, TableOptions(max_bad=0.26)).rows.n == 3
    with pytest.raises(InputError, match="0 of 0 rows cannot be used: there are no rows"):
        read(tmp_path, HEADER, TableOptions())


def test_stages_are_named_in_the_order_in_which_they_come(tmp_path: Path) -> None:
    found = read(tmp_path, "a,result_mover,stage\n1,1,late\n2,0,early\n3,1,late\n")
    assert found.stages == ("late", "early")
    assert found.rows.stages.tolist() == [[1, 0], [0, 1], [1, 0]]  # type: ignore[union-attr]
    many = "a,result_mover,stage\n" + "".join(f"1,1,s{n}\n" for n in range(MOST_STAGES + 1))
    with pytest.raises(InputError, match="stage: expected at most 20 names, found 21 such as 's0'"):
        read(tmp_path, many)


def test_games_keep_their_number_when_others_are_added(tmp_path: Path) -> None:
    few = read(tmp_path, HEADER + GOOD)
    more = read(tmp_path, HEADER + "5,5,1,z\n" + GOOD)
    assert more.rows.group[1:].tolist() == few.rows.group.tolist()
    assert few.rows.group[0] == few.rows.group[2] != few.rows.group[1]
    assert few.has_games and few.line.tolist() == [2, 3, 4]  # type: ignore[union-attr]
