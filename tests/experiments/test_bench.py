"""Speed beside other programs: what is compared is the same, and the table says what was measured."""

import json

import pytest

from tunesmith.experiments.bench import __main__ as command
from tunesmith.experiments.bench import rules, spiel
from tunesmith.experiments.bench.race import (
    Effort,
)
from tunesmith.experiments.bench.spiel import twin

pyspiel = pytest.importorskip("pyspiel")

TINY = Effort(
    seconds=0.001,
    rounds=2,
    games=2,
    perft={"kalah": 3, "pentago": 2},
    search={"kalah": 3, "pentago": 1},
    simulations=400,
    playouts=50,
    duel_pairs=1,
    move_time=0.001,
    tables=((400, 6, 0), (400, 8, 3)),
)


@pytest.fixture(params=["kalah", "pentago"])
def pair(request):
    return twin(request.param, pyspiel)


def without_open_spiel(monkeypatch) -> None:
    monkeypatch.setattr(command, "pyspiel", lambda: None)
    monkeypatch.setattr(spiel.importlib.util, "find_spec", lambda name: None)


# --- the command


def test_every_part_runs_in_small_and_is_written(tmp_path, capsys):
    out = tmp_path / "bench.json"
    assert command.main(["--only", "fit", "kalah", "--out", str(out)], TINY) == 0
    found = json.loads(out.read_text())
    assert found["parts"] == ["kalah", "fit"]
    assert found["machine"]["cores"] >= 1 and found["machine"]["versions"]["open-spiel"]
    assert len(found["rows"]) == 6 + 8
    for row in found["rows"]:
        assert row["ours"] >= 0 and row["work"] and row["checked"] and row["reference"] is not None, row
    text = capsys.readouterr().out
    assert "| Kalah 6×4: Monte Carlo search" in text and "scikit-learn, lbfgs" in text


def test_a_reference_that_is_not_installed_is_named_as_that(tmp_path, monkeypatch, capsys):
    without_open_spiel(monkeypatch)
    out = tmp_path / "bench.json"
    assert command.main(["--only", "kalah", "--out", str(out)], TINY) == 0
    for row in json.loads(out.read_text())["rows"]:
        assert row["ours"] > 0 and row["reference"] is None and row["ratio"] is None
        assert row["by"] == "open_spiel: not installed" and row["checked"] == ""
    assert capsys.readouterr().out.count("| open_spiel: not installed |") == 5


def test_a_mismatch_fails_the_run(monkeypatch, capsys):
    monkeypatch.setattr(rules, "count_leaves", lambda state, depth: 1)
    assert command.main(["--only", "kalah"], TINY) == 1
    assert "perft 3: ours 185, open_spiel 1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--only", "chess"], "--only: expected kalah, pentago, fit, found 'chess'"),
        (["--only", "fit", "--out", "none/b.json"], "--out: expected a file in a folder that exists"),
    ],
)
def test_wrong_input_is_refused_before_anything_is_measured(
    arguments, message, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "measure", lambda *_: pytest.fail("measured"))
    assert command.main(arguments, TINY) == 2
    assert message in capsys.readouterr().err
