"""Ladders of search options: rungs add up, results are complete, a file with a mistake is refused."""

import json
from pathlib import Path

import pytest

from tunesmith import games
from tunesmith.engine import weights
from tunesmith.engine.options import SearchOptions
from tunesmith.games.errors import InputError
from tunesmith.tuning.cli import run
from tunesmith.tuning.play.ladder import Ladder, climb, grid, players
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.settings_file import load_as

FILES = sorted((Path(__file__).parents[3] / "experiments").glob("ladder-*.toml"))
TEXT = """
game = "kalah"
pairs = 3
limits = ["nodes:60"]
[[rung]]
name = "bare"
[[rung]]
name = "hints"
options = { hints = true }
[[rung]]
name = "table"
options = { table = true, replacement = "lru" }
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(TEXT)
    return path


def test_each_rung_keeps_what_the_ones_below_have(file: Path) -> None:
    ladder = load_as(Ladder, file)
    found = [player.search_options for player in players(ladder, weights.load("hand", games.load("kalah")))]
    assert found[0] == SearchOptions.plain()
    assert found[1] == SearchOptions.plain(hints=True)
    assert found[2] == SearchOptions.plain(hints=True, table=True, replacement="lru")


def test_a_ladder_plays_all_its_matches_and_goes_on_where_it_was(file: Path, tmp_path: Path) -> None:
    ladder, folder = load_as(Ladder, file), tmp_path / "out"
    found = climb(ladder, folder, Resources(1, "threads"))
    assert [(row.rung, row.pairs) for row in found.rows] == [("hints", 3), ("table", 3)]
    assert json.loads((folder / "ladder.json").read_text()) == found.content()
    rows = grid(ladder, found)
    assert rows[0] == ["bare", "-"] and [row[0] for row in rows] == ["bare", "hints", "table"]
    assert climb(ladder, folder, Resources(1, "threads")) == found


def test_limits_in_time_have_the_load_of_the_machine_below_them(file: Path, tmp_path: Path) -> None:
    file.write_text(TEXT.replace('"nodes:60"', '"nodes:60", "time:0.001"').replace("pairs = 3", "pairs = 1"))
    ladder = load_as(Ladder, file)
    found = climb(ladder, tmp_path / "out", Resources(1, "threads"))
    assert [row.load is not None for row in found.rows] == [False, False, True, True]
    name, nodes, timed = grid(ladder, found)[-1]
    assert (name, nodes) == ("load of the machine", "-") and " on " in timed


def test_mistakes_name_the_line(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(TEXT.replace("hints = true", "hint = true"))
    assert run(["ladder", str(file)]) == 2
    assert "did you mean 'hints'?" in capsys.readouterr().err
    file.write_text(TEXT.replace("pairs = 3", "pear = 3"))
    with pytest.raises(InputError, match=r"small.toml:3: pear: unknown key; did you mean 'pairs'\?"):
        load_as(Ladder, file)


def test_there_is_a_valid_ladder_for_every_game() -> None:
    ladders = [load_as(Ladder, path) for path in FILES]
    assert {ladder.game for ladder in ladders} == set(games.names())
    for ladder, path in zip(ladders, FILES, strict=True):
        assert players(ladder, weights.load(ladder.weights, games.load(ladder.game)))
        assert load_as(Ladder, path, "quick").pairs == 4
