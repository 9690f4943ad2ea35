"""The command `tunesmith dataset`."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.described_games import folder
from tests.support.small_matches import hand, kalah, play
from tests.tuning.data.test_imported import line, played
from tunesmith import games
from tunesmith.engine import weights as weight_files
from tunesmith.tuning.cli import run
from tunesmith.tuning.play.matchup import Opponent

__all__ = ["folder"]  # fixtures


def test_the_command_describes_a_folder_of_games(folder: Path, tmp_path: Path, capsys: Any) -> None:
    targets = [tmp_path / f"d.{ending}" for ending in ("html", "json", "csv")]
    options = [part for target in targets for part in ("--out", str(target))]
    assert (
        run(["dataset", str(folder), "--set", "positions_per_game=3", "--set", "fit.quiet=score", *options])
        == 0
    )
    shown = capsys.readouterr().out
    assert "positions (" in shown and "free_turn_by_pond_1" in shown and f"written {targets[2]}" in shown
    facts = json.loads(targets[1].read_text())
    assert facts["settings"]["quiet"] == "score" and facts["per_game"]["quartiles"][4] <= 3
    with targets[2].open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 3 * kalah().n_features
    assert float(rows[0]["mean"]) == pytest.approx(facts["features"][0]["mean"])
    assert run(["dataset", str(folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["written"] == []
    assert not (folder / "dataset.html").exists()
    assert run(["dataset", str(folder)]) == 0 and (folder / "dataset.html").is_file()


def test_who_played_which_share_of_the_pairs_is_told(tmp_path: Path, capsys: Any) -> None:
    play(tmp_path, range(12), opponents=(Opponent(hand("hand-1"), 0.25),))
    assert run(["dataset", str(tmp_path)]) == 0
    own, other = (hand(name).digest[:12] for name in ("hand", "hand-1"))
    assert f"pairs of set 1 by opponent: {own} 9, {other} 3" in capsys.readouterr().out
    page = (tmp_path / "dataset.html").read_text(encoding="utf-8")
    assert "Pairs by opponent" in page and "25.0" in page


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--set", "quit=off"], "--set: quit: unknown key; did you mean 'quiet'?"),
        (
            ["--set", "quiet=loud"],
            "--set: quiet: input should be 'off', 'game', 'score' or 'resolve', found 'loud'",
        ),
        (["--out", "d.txt"], "--out: expected a name that ends with .html, .json or .csv, found 'd.txt'"),
        (["--set", "draws=true", "--set", "blend=0.5"], "fit.draws: expected fit.blend = 1"),
    ],
)
def test_wrong_options_are_one_line(folder: Path, capsys: Any, options: list[str], message: str) -> None:
    assert run(["dataset", str(folder), *options]) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


def test_folders_without_games_are_refused(tmp_path: Path, capsys: Any) -> None:
    assert run(["dataset", str(tmp_path)]) == 2
    assert "expected a study.json or files of games" in capsys.readouterr().err
    assert run(["dataset", str(tmp_path / "none")]) == 2
    assert "expected the folder of a study or of games, found nothing there" in capsys.readouterr().err


def test_games_that_somebody_has_are_imported_described_and_fitted(tmp_path: Path, capsys: Any) -> None:
    """What is left out is named; the fit says what a fit to a table says, and writes a weight file."""
    boards = [played(games.load("kalah"), seed) for seed in range(60)]
    path, out, made = tmp_path / "mine.txt", tmp_path / "mine", tmp_path / "weights.json"
    path.write_text("\n".join([*map(line, boards), "3 9 1-0"]) + "\n")
    assert run(["import", "kalah", str(path), "--out", str(out)]) == 0
    told = capsys.readouterr()
    assert "60 games" in told.out and "mine.txt:61: move 2: '9' is not legal" in told.err
    assert run(["dataset", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"]["with_result"] == 60
    assert run(["fit", str(out), "--out", str(made)]) == 0
    said = capsys.readouterr().out
    assert "opening.bank" in said and "loss, held out games" in said
    assert weight_files.load(made, games.load("kalah")).scale == 1


def test_a_folder_of_games_knows_nothing_of_tables(folder: Path, tmp_path: Path, capsys: Any) -> None:
    assert run(["fit", str(folder), "--perspective", "first"]) == 2
    assert "--perspective: is for tables" in capsys.readouterr().err
    assert run(["fit", str(tmp_path)]) == 2
    assert "expected files of games" in capsys.readouterr().err
