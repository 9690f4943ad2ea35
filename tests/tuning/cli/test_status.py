"""`tunesmith status`, once and live: a terminal, a file, a program; a damaged study."""

import json
from pathlib import Path

import pytest

from tests.support.folder_of_studies import root
from tests.support.ugi_study import BOOK, engine, study
from tunesmith.tuning.cli import run
from tunesmith.tuning.cli import status as cli_status
from tunesmith.tuning.documents.matches import Verdict
from tunesmith.tuning.documents.status import Status
from tunesmith.tuning.pipeline import status

__all__ = ["root", "study"]  # fixtures


@pytest.fixture
def unfolding(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """A study that goes on between looks; a look takes no time. Returned is where lost files are looked for."""
    steps = [("play", 0), ("play", 64), ("play", 64), ("play", 128), ("finished", 128)]
    end = Verdict.model_construct(sentence="x" * 300)
    facts = [
        Status(
            stage=stage, study="s", name="s", game="kalah", games={"games/gen-1": games}, fits=[], checks=[],
            trials={}, chosen=None, runs=[], test=None, verdict=end if stage == "finished" else None,
        )
        for stage, games in steps
    ]  # fmt: skip
    monkeypatch.setattr(status, "describe_status", lambda root: facts.pop(0))
    searched: list[Path] = []
    monkeypatch.setattr(status, "tell_missing", searched.append)
    monkeypatch.setattr(cli_status.time, "sleep", lambda seconds: None)
    return searched


@pytest.mark.usefixtures("unfolding")
def test_watched_without_a_terminal_it_prints_what_has_changed(capsys):
    assert run(["status", "s", "--watch"]) == 0
    out = capsys.readouterr().out
    assert [line for line in out.splitlines() if "games/gen-1" in line] == [
        "  games/gen-1: 0 games",
        "  games/gen-1: 64 games",
        "  games/gen-1: 128 games",
        "  games/gen-1: 128 games",
    ]
    assert "games/s" in out and "\x1b" not in out and out.endswith("x" * 300 + "\n")


def test_lost_files_are_looked_for_once(unfolding):
    assert run(["status", "s", "--watch"]) == 0
    assert unfolding == [Path("s")]


@pytest.mark.usefixtures("unfolding")
def test_watched_on_a_terminal_it_draws_in_place(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("TERM", "xterm")
    assert run(["status", "s", "--watch"]) == 0
    drawn, _, end = capsys.readouterr().out.rpartition("\x1b[2K")
    assert drawn.startswith("s (kalah): play") and "\x1b[1A" in drawn
    assert end.endswith("x" * 300 + "\n")


@pytest.mark.usefixtures("unfolding")
def test_watched_as_json_it_prints_one_object_a_line(capsys):
    assert run(["status", "s", "--watch", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["games"]["games/gen-1"] for row in rows] == [0, 64, 64, 128, 128]
    assert rows[0]["games_per_second"] is None and rows[1]["games_per_second"] > 0


@pytest.mark.parametrize("command", [["status"], ["dataset"], ["verify"], ["weights", "promote"]])
@pytest.mark.parametrize("content", ["{}", '{"config": 3}', "null"])
def test_a_damaged_study_is_refused_in_one_line(tmp_path, capsys, command, content):
    (tmp_path / "study.json").write_text(content)
    assert run([*command, str(tmp_path)]) == 2
    err = capsys.readouterr().err
    assert "study.json: " in err and ": expected " in err and err.count("\n") == 1


def test_the_command_lists_compares_and_answers_in_json(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["studies", str(root)]) == 0
    shown = capsys.readouterr().out
    assert "stronger" in shown and "damaged" in shown and "two" in shown
    assert run(["studies", str(root), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["studies"]) == 3
    assert run(["studies", str(root / "one"), str(root / "more" / "two")]) == 0
    shown = capsys.readouterr().out
    assert "seed" in shown and "note: " in shown
    assert run(["studies", str(root / "one"), str(root / "more" / "two"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["settings"][0]["name"] == "seed"
    assert run(["studies", "a", "b", "c"]) == 2
    assert run(["studies", str(root / "nowhere")]) == 2


def test_studies_of_engines_are_listed_with_their_games_and_what_came_of_them(study, capsys):
    text = "pairs = 2\n" + engine(skill=2, name="A") + engine(skill=0, name="B") + BOOK
    assert study(text)[0] == 0
    assert run(["studies", "out", "--json"]) == 0
    (line,) = json.loads(capsys.readouterr().out)["studies"]
    assert (line["game"], line["stage"], line["games"]) == ("of the engines", "finished", 4)
    assert "A" in line["told"] and "2 pairs at nodes:9" in line["told"]
