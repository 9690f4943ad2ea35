"""`tunesmith show`: pages that lead to each other, and games as text."""

import json
import re
from pathlib import Path

import pytest

from tests.tuning.report.test_game_source import stored
from tunesmith.tuning.cli import run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return stored(tmp_path / "games")


def test_a_page_names_the_players_and_the_command_of_the_next_game(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    assert run(["show", "kalah", "--study", str(folder), "--pair", "7", "--out", str(page)]) == 0
    assert "aaaaaaaaaaaa - bbbbbbbbbbbb: no result (capped), 3 moves" in capsys.readouterr().out
    text = page.read_text()
    assert "First player: " in text and "aaaaaaaaaaaa" in text and "+12 Elo" in text
    words = re.sub(r"<[^>]*>", "", text)
    assert "Next game: " in words and "--study games --pair 7 --game 1" in words  # no absolute path
    assert "Previous game" not in text


def test_pages_of_several_games_are_linked(folder: Path, tmp_path: Path) -> None:
    wanted = ["--pair", "7", "--count", "5", "--out", str(tmp_path / "p.html")]
    assert run(["show", "kalah", "--study", str(folder), *wanted]) == 0
    first, second = ((tmp_path / f"p-7-{game}.html").read_text() for game in (0, 1))
    assert 'href="p-7-1.html"' in first and 'href="p-7-0.html"' in second


def test_all_games_of_a_folder_go_into_one_file_of_text(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "games.txt"
    assert run(["show", "kalah", "--study", str(folder), "--out", str(target)]) == 0
    assert f"2 games: {target}" in capsys.readouterr().out
    parts = target.read_text().rstrip("\n").split("\n\n")
    assert [part.splitlines()[-1] for part in parts] == ["3 3 4 *", "3 3 4 *"]
    assert run(["show", "kalah", "--study", str(folder), "--game", "1", "--out", str(target), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["games"]
    assert len(told) == 1 and told[0]["line"] == ["3", "3", "4"]
    assert told[0]["scores"][0] is None and told[0]["scores"][1] == pytest.approx(12.4, abs=0.01)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--pair", "8"], "expected game 0 of pair 8, found no such game"),
        (["--pair", "8", "--out", "x.txt"], "--pair 8: no such game"),
        (["--out", "x.pgn"], "PGN is for games of chess engines"),
        (["--out", "x.doc"], "--out: expected a name that ends with .html, .txt or .pgn"),
    ],
)
def test_what_cannot_be_shown_is_one_line(
    folder: Path, more: list[str], words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert run(["show", "kalah", "--study", str(folder), *more]) == 2
    error = capsys.readouterr().err
    assert words in error and error.count("\n") == 1


def test_moves_that_somebody_types_may_be_evaluated_by_a_player(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["show", "kalah:ponds=6,seeds=4", "--moves", "3 1", "--out", str(tmp_path / "g.txt"), "--json"]
    assert run(command) == 0
    assert json.loads(capsys.readouterr().out)["games"][0]["scores"] == [None, None]
    assert run([*command, "--weights", "hand@sort=2"]) == 2  # weights of another variant
    capsys.readouterr()
    command[1] = "kalah"
    assert run([*command, "--weights", "hand"]) == 0
    scores = json.loads(capsys.readouterr().out)["games"][0]["scores"]
    assert len(scores) == 2 and all(isinstance(score, float) for score in scores)
    assert "# Elo " in (tmp_path / "g.txt").read_text()
