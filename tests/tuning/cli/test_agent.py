"""The command `tunesmith agent`."""

import json

import pytest

from tunesmith import games
from tunesmith.engine.weights import load
from tunesmith.tuning.cli import run
from tunesmith.tuning.export.agent import write
from tunesmith.tuning.export.agent.write import _folder


def test_the_command_writes_an_agent(tmp_path, capsys):
    assert (
        run(["agent", "kalah", "--weights", "hand-2", "--out", str(tmp_path / "a"), "--limit", "nodes:30"])
        == 0
    )
    assert "an agent for kalah, nodes:30" in capsys.readouterr().out
    digest = load("hand-2", games.load("kalah")).digest
    assert json.loads((tmp_path / "a" / "weights.json").read_text())["digest"] == digest


def test_unless_weights_are_named_an_agent_of_any_variant_has_the_best_known(tmp_path, monkeypatch):
    # Its weights matter, not its code.
    monkeypatch.setattr(write, "_faster", lambda builder, text, names: text)
    assert run(["agent", "kalah:seeds=4", "--out", str(tmp_path / "a"), "--limit", "nodes:30"]) == 0
    tuned = json.loads((games.load("kalah").folder / "weights" / "tuned.json").read_text())
    assert json.loads((tmp_path / "a" / "weights.json").read_text())["weights"] == tuned["weights"]


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


@pytest.mark.parametrize("name", ["random", "token", "queue", "referee"])
def test_a_package_that_would_hide_a_module_is_refused(name, tmp_path, capsys, monkeypatch):
    """Courses' referees import agents by name, with the current folder first on the path."""
    monkeypatch.chdir(tmp_path)
    for arguments in (["--out", name], ["--out", ".", "--name", name]):
        assert run(["agent", "ropasci360", *arguments]) == 2
        said = capsys.readouterr().err
        assert f"whoever imports {name!r}" in said and len(said.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["old team", "class", "Team-7"])
def test_a_team_may_have_any_other_name(name, tmp_path):
    assert _folder(games.load("ropasci360"), tmp_path / name, None, False) == tmp_path / name
