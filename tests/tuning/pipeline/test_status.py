"""`tunesmith status`: what a study has done, where its test stands, once and live; on finished and running studies."""

import json
import shutil
from pathlib import Path

import pytest

from tests.support import report_fixture, small_matches
from tests.support.made_up_fit import generation_fit
from tunesmith.tuning.cli import run
from tunesmith.tuning.cli import status as cli_status
from tunesmith.tuning.config import StudyConfig
from tunesmith.tuning.documents import Status, Verdict
from tunesmith.tuning.documents.status import SprtState
from tunesmith.tuning.pipeline import status
from tunesmith.tuning.pipeline.prove import settings_test
from tunesmith.tuning.play import store
from tunesmith.tuning.stats.sprt import walk
from tunesmith.tuning.study import Study, open_study


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    fits = {f"fit/gen-{n}.json": generation_fit(n, "d", 400 * n).content() for n in (1, 2)}
    files = {**report_fixture.small_study(), **fits, "status.json": {"stage": "finished"}}
    return report_fixture.write(tmp_path / "done", files)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of a sequential test, of which pair 5 is still on its way."""
    folder = tmp_path_factory.mktemp("games")
    small_matches.play(folder, range(5))
    small_matches.play(folder, range(6, 9))
    return folder


@pytest.fixture
def running(tmp_path: Path, played: Path) -> Study:
    """A study in the middle of its sequential test."""
    config = StudyConfig(name="half", game="kalah")
    study = open_study(tmp_path / "half", config, {})
    study.note_stage("verify", run="main")
    shutil.copytree(played, study.path("verify", "main", "games"))
    return study


def test_a_finished_study_says_its_verdict_and_where_the_test_ended(finished, capsys):
    assert run(["status", str(finished)]) == 0
    out = capsys.readouterr().out
    verdict = json.loads((finished / "verdict.json").read_text())
    main = json.loads((finished / "verify" / "main.json").read_text())
    assert verdict["sentence"] in out and "finished" in out.splitlines()[0]
    assert f"sequential test: {main['path'][-1][0]:,} pairs" in out and main["decision"] in out


def test_a_running_test_stands_where_its_pairs_in_order_have_brought_it(running):
    found = status.describe(running.root)
    test = settings_test(running.config)
    results = store.pair_results(store.read_games(running.root / "verify" / "main" / "games"))
    at = walk(test, [results.get(pair) for pair in range(5)]).decision
    assert found.games == {"verify/main/games": 16}
    assert found.test == SprtState(pairs=5, llr=at.llr, lower=at.lower, upper=at.upper, decision=None)


@pytest.mark.parametrize(("llr", "place"), [(-9.0, 0), (-2.0, 0), (0.0, 12), (1.0, 18), (2.0, 24), (9.0, 24)])
def test_the_picture_shows_the_ratio_between_its_bounds(llr, place):
    line = status.test_line(SprtState(pairs=10, llr=llr, lower=-2.0, upper=2.0, decision=None))
    assert line.partition("[")[2].partition("]")[0].index("*") == place


def test_a_study_that_has_not_begun_and_no_study(tmp_path, capsys):
    study = open_study(tmp_path / "new", StudyConfig(name="new", game="kalah"), {})
    assert run(["status", str(study.root), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["stage"], found["games"], found["test"], found["verdict"]) == ("not begun", {}, None, None)
    assert run(["status", str(tmp_path)]) == 2
    assert "not a study" in capsys.readouterr().err


@pytest.fixture
def unfolding(monkeypatch: pytest.MonkeyPatch) -> None:
    """A study that goes on between looks; a look takes no time."""
    steps = [("play", 0), ("play", 64), ("play", 64), ("play", 128), ("finished", 128)]
    end = Verdict.model_construct(sentence="x" * 300)
    facts = [
        Status(
            stage=stage, study="s", name="s", game="kalah", games={"games/gen-1": games}, fits=[], checks=[],
            trials={}, chosen=None, runs=[], test=None, verdict=end if stage == "finished" else None,
        )
        for stage, games in steps
    ]  # fmt: skip
    monkeypatch.setattr(status, "describe", lambda root: facts.pop(0))
    monkeypatch.setattr(cli_status.time, "sleep", lambda seconds: None)


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


@pytest.mark.usefixtures("unfolding")
def test_watched_on_a_terminal_it_draws_in_place(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "30")
    assert run(["status", "s", "--watch"]) == 0
    out = capsys.readouterr().out
    assert out.count("\x1b[2A\x1b[J") == 4 and out.endswith("x" * 300 + "\n")
    assert all(len(line.rpartition("\x1b[J")[2]) < 30 for line in out.splitlines()[:-3])


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
