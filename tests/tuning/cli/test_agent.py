"""The command `tunesmith agent`."""

import json

import pytest

from tunesmith import games
from tunesmith.engine.weights import load
from tunesmith.tuning.cli import run


def test_the_command_writes_an_agent(tmp_path, capsys):
    assert (
        run(["agent", "kalah", "--weights", "hand-2", "--out", str(tmp_path / "a"), "--limit", "nodes:30"])
        == 0
    )
    assert "an agent for kalah, nodes:30" in capsys.readouterr().out
    digest = load("hand-2", games.load("kalah")).digest
    assert json.loads((tmp_path / "a" / "weights.json").read_text())["digest"] == digest


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--weights", "no.json", "--out", "new"], "no such file"),
        (["--weights", "broken.json", "--out", "new"], "broken.json"),
        (["--out", "full"], "--force"),
        (["--out", "file"], "found a file"),
        (["--out", "new", "--name", "no-name"], "--name"),
        (["--out", "new", "--limit", "nodes:0"], "limit"),
        (["--out", "new", "--options", "algorithm=uct", "--limit", "depth:3"], "limit"),
    ],
)
def test_what_is_wrong_writes_nothing(arguments, words, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("keep")
    (tmp_path / "file").write_text("")
    (tmp_path / "broken.json").write_text("{")
    assert run(["agent", "kalah", *arguments]) == 2
    assert words in capsys.readouterr().err
    assert not (tmp_path / "new").exists()
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["mine.txt"]
