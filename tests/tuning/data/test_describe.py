"""Which positions a folder of games would teach from: the selection of a fit, described and written."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.support.chosen_rows import rows_of
from tests.support.searching import all_as_python
from tests.support.small_matches import hand, kalah, openings, play
from tunesmith.engine import weights
from tunesmith.games import registry
from tunesmith.games.errors import InputError
from tunesmith.tuning.cli import run
from tunesmith.tuning.cli.new_game import write_game
from tunesmith.tuning.config import GameFitOptions
from tunesmith.tuning.data.describe import as_text, describe, load
from tunesmith.tuning.play import selfplay
from tunesmith.tuning.play.matchup import Matchup, Noise
from tunesmith.tuning.play.openings.opening import Opening
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.play.store import read_games, shard_path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("games")
    play(found, range(20), openings=openings(30, 3), noise=Noise(0.05, 20))
    return found


def test_positions_are_those_that_a_fit_with_these_settings_takes(folder: Path) -> None:
    data, settings = load(folder, ["positions_per_game=3", "quiet=score"], None)
    assert settings == GameFitOptions(positions_per_game=3, quiet="score")
    expected = rows_of(
        kalah(), [read_games(folder)], positions_per_game=3, quiet="score", quiet_margin=settings.quiet_margin,
        max_score=settings.max_score, judge=hand(),
    )  # fmt: skip
    np.testing.assert_array_equal(data.rows.features, expected.rows.features)
    np.testing.assert_array_equal(data.rows.labels, expected.rows.labels)


def test_what_was_chosen_is_told_with_the_settings(folder: Path) -> None:
    facts = describe(folder, ["positions_per_game=2"])
    assert facts.settings["positions_per_game"] == 2
    assert facts.rows == load(folder, ["positions_per_game=2"], None)[0].rows.n
    assert facts.rows < describe(folder).rows


def test_of_many_games_the_positions_of_some_pairs_are_described_and_that_is_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = describe(folder)
    monkeypatch.setattr("tunesmith.tuning.data.describe.MOST_PAIRS", 8)
    some = describe(folder)
    assert whole.of_pairs is None and some.of_pairs == 20
    assert some.games == whole.games and some.sources == whole.sources
    assert some.selection["games"] == 16 and some.rows < whole.rows
    assert "those of 8 of 20 pairs, chosen by a hash" in some.notes[0]
    run(["dataset", str(folder), "--out", str(folder / "some.html")])
    assert "chosen from 20; 40 games, whose first player scored" in capsys.readouterr().out
    assert "chosen from 20 with 40 games" in (folder / "some.html").read_text(encoding="utf-8")


def test_facts_are_json_or_a_table_of_features(folder: Path) -> None:
    facts = describe(folder)
    assert json.loads(as_text(facts, ".json")) == json.loads(json.dumps(facts.content()))
    rows = list(csv.DictReader(io.StringIO(as_text(facts, ".csv"))))
    assert [(row["feature"], row["stage"]) for row in rows] == [
        (row.feature, row.stage) for row in facts.features
    ]
    assert float(rows[0]["mean"]) == pytest.approx(facts.features[0].mean)


def test_what_holds_no_games_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"expected a study\.json or files of games .*, found neither"):
        describe(tmp_path)
    with pytest.raises(InputError, match="expected the folder of a study or of games, found nothing there"):
        describe(tmp_path / "none")
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="expected the folder of a study or of games, found a file"):
        describe(tmp_path / "file")


def test_scores_are_no_outcomes(folder: Path) -> None:
    with pytest.raises(InputError, match=r"fit.draws: expected fit.blend = 1, found 0\.5"):
        describe(folder, ["draws=true", "blend=0.5"])


@pytest.fixture
def as_python() -> Iterator[None]:
    with all_as_python():
        yield


@pytest.mark.usefixtures("as_python")
def test_games_of_a_file_are_described_once_it_is_said_where_it_lies(tmp_path: Path) -> None:
    """Where a game lies is not in the files of its games: the same game elsewhere has the same bytes."""
    folders = [tmp_path / "here", tmp_path / "there"]
    for folder in folders:
        (file,) = write_game("mine", folder)[:1]
        game = registry.load(str(file))
        start = weights.load("hand", game)
        matchup = Matchup(str(file), start, start, ("nodes:10", "nodes:10"), 1, Noise(0.5, 30), hash_mb=1)
        selfplay.play(matchup, [Opening((), "")], range(1), folder / "games", Resources(1, "threads"))
    shards = [shard_path(folder / "games", 0).read_bytes() for folder in folders]
    assert shards[0] == shards[1] and str(tmp_path).encode() not in shards[0]
    with pytest.raises(InputError, match=r"holds games of .*\.py; --game PATH says where that lies"):
        describe(folders[0] / "games")
    assert describe(folders[0] / "games", game=str(file)).games.with_result == 2
    with pytest.raises(InputError, match="--game: expected .*, of which .* holds games, found kalah"):
        describe(folders[0] / "games", game="kalah")
