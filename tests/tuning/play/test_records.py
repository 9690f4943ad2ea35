"""Tables of games: what is written is read, and some rows keep their moves."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from tests.support.games_by_hand import even, games_of
from tunesmith.engine.match import NO_RESULT
from tunesmith.tuning.play.records import settings_of, table_of, write_parquet


def test_tables_come_back_from_disk_as_they_were(tmp_path: Path) -> None:
    games = games_of([*even(3), (3, 0, NO_RESULT, "capped", [2, 3])])
    path = tmp_path / "games.parquet"
    write_parquet(games.table, path)
    back = table_of(path.read_bytes())
    assert back.equals(games.table)
    assert settings_of(back) == {"game": "kalah"}
    again = tmp_path / "again.parquet"
    write_parquet(pa.concat_tables([back.slice(0, 3), back.slice(3)]), again)
    assert again.read_bytes() == path.read_bytes()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


THREADS = """
import sys
from pathlib import Path
from tunesmith.tuning.play.records import table_of

def threads():
    return len(list(Path("/proc/self/task").iterdir()))

before = threads()
table = table_of(Path(sys.argv[1]).read_bytes())
print(table.num_rows, threads() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks at threads in /proc")
def test_reading_games_starts_no_thread_that_could_outlive_the_command(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    write_parquet(games_of(even(3)).table, path)
    call = [sys.executable, "-c", THREADS, str(path)]
    done = subprocess.run(call, check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["6", "0"]


def test_games_taken_keep_moves_with_their_rows() -> None:
    games = games_of([*even(3), (3, 0, NO_RESULT, "capped", [2, 3, 4])])
    some = games.take(np.array([6, 1]))
    assert some.pair.tolist() == [3, 0]
    assert some.starts.tolist() == [0, 3, 5]
    assert some.moves.tolist() == [2, 3, 4, 0, 1]
    assert some.is_capped.tolist() == [True, False]
