"""The command that makes a book, and a match that plays from it."""

import json
from pathlib import Path

import pytest

from tunesmith import games
from tunesmith.engine import weights
from tunesmith.engine.book import Book, Entry
from tunesmith.tuning.cli import run
from tunesmith.tuning.play.matchup import Matchup
from tunesmith.tuning.play.openings.opening import Opening
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.play.selfplay import play
from tunesmith.tuning.play.store import read_games


def test_a_book_is_made_and_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "book.json"
    small = [
        "--games",
        "20",
        "--plies",
        "3",
        "--limit",
        "nodes:50",
        "--judge",
        "nodes:500",
        "--min-games",
        "2",
    ]
    assert run(["book", "kalah", "--out", str(path), *small]) == 0
    n = len(json.loads(path.read_text())["entries"])
    assert f"{n} positions of the first 3 plies, from 20 games" in capsys.readouterr().out
    terms = ["--pairs", "3", "--limit", "nodes:50", "--plies", "2", "--json", "--backend", "threads"]
    kept = [*terms, "--jobs", "1", "--out", str(tmp_path / "games")]
    assert run(["match", "kalah", f"hand@book={path}", "hand", *kept]) == 0
    assert json.loads(capsys.readouterr().out)["pairs"] == 3
    assert run(["match", "kalah", "hand", "hand", *kept]) == 2  # the folder holds games with a book
    assert "books" in capsys.readouterr().err
    assert run(["match", "kalah", f"hand@book={tmp_path / 'none.json'}", "hand", *terms]) == 2


def test_a_folder_that_is_missing_is_told_before_the_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["book", "kalah", "--out", str(tmp_path / "none" / "book.json"), "--games", "1000000"]) == 2
    assert "--out: expected a file in a folder that exists" in capsys.readouterr().err


def test_a_book_changes_the_games_of_its_player_only(tmp_path: Path) -> None:
    """In one process, too, where the players of an earlier match may still be at hand."""
    game = games.load("kalah")
    hand = weights.load("hand", game)
    text = game.state_to_text(game.initial())
    books = [Book("kalah", dict(game.variant), 1, (Entry(text, move, 0.0, 1, 0.5),)) for move in "12"]
    openings = [Opening((), "")]
    first_moves = []
    for number, pair in enumerate([(None, None), (books[0], books[1]), (books[1], books[0])]):
        folder = tmp_path / str(number)
        matchup = Matchup("kalah", hand, hand, ("nodes:50", "nodes:50"), 1, books=pair)
        play(matchup, openings, range(1), folder, Resources(1, "threads"))
        played = read_games(folder)
        first_moves.append(
            [game.move_to_text(game.initial(), int(played.moves[at])) for at in played.starts[:-1]]
        )
    assert first_moves[1:] == [["1", "2"], ["2", "1"]]
    assert first_moves[0][0] == first_moves[0][1]
