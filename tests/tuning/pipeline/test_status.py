"""What a study has done and where its test stands: finished, running, not begun."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.support import report_fixture, small_matches
from tests.support.made_up_fit import generation_fit
from tunesmith.tuning import manifest
from tunesmith.tuning.cli import run
from tunesmith.tuning.config import StudyConfig
from tunesmith.tuning.documents.fit import Source
from tunesmith.tuning.documents.matches import Named
from tunesmith.tuning.documents.status import SprtState
from tunesmith.tuning.pipeline import status
from tunesmith.tuning.pipeline.prove import settings_test
from tunesmith.tuning.play import store
from tunesmith.tuning.play.summary import pair_results, summarise
from tunesmith.tuning.stats.sprt import walk
from tunesmith.tuning.study import Study, open_study

TRIALS = [f'{{"state": "{state}"}}\n' for state in ("COMPLETE", "PRUNED", "COMPLETE")]


def found_by_a_search(**trials: int) -> dict[str, Any]:
    """Return what the file of a search's result holds, by how its trials ended."""
    estimate = {"score": 0.5, "error": 0.1, "elo": 0.0, "elo_low": -9.0, "elo_high": 9.0}
    return {
        "setting": {"pvs": False},
        "estimate": estimate,
        "start": {"setting": {"pvs": True}, "estimate": estimate},
        "gain": {"score": 0.0, "error": 0.1, "better": 0.5},
        "at_bound": [],
        "effects": [],
        "observed_best": {
            "setting": {"pvs": False}, "trials": [0], "counts": [0, 0, 1, 0, 0], "score": 0.5, "elo": 0.0,
            "elo_half_width": 99.0,
        },
        "sampler": "clop",
        "limit": "nodes:60",
        "opponents": ["baseline"],
        "trials": trials,
        "settings": 2,
        "games": 48,
        "at_random": 0,
        "space": [],
        "weights": "weights/search.json",
        "digest": "d",
        "start_digest": "b",
    }  # fmt: skip


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


def test_a_fit_says_how_many_of_its_games_were_played_against_others(finished, played, capsys):
    own = dict(summarise(store.read_games(played)))
    names = [("baseline", "b"), ("greedy", "g"), ("mine.json", "m"), ("greedy", "g")]
    sources = [
        Source(generation=1, limit="nodes:40", first=Named(name="baseline", digest="b"),
               second=Named(name=name, digest=digest), **own)
        for name, digest in names
    ]  # fmt: skip
    made = generation_fit(1, "d", 64).model_copy(update={"sources": sources})
    made.write(finished / "fit" / "gen-1.json")
    assert run(["status", str(finished)]) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if "fit 1" in line)
    assert "64 games, 32 against greedy, 16 against mine.json, 100 positions" in line


def test_a_running_test_stands_where_its_pairs_in_order_have_brought_it(running):
    found = status.describe_status(running.root)
    test = settings_test(running.config)
    results = pair_results(store.read_games(running.root / "verify" / "main" / "games"))
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


@pytest.mark.parametrize("line", ['{"number": 0}', '{"state": 3}'])
def test_a_trial_without_a_state_is_one_line(line, tmp_path, capsys):
    study = open_study(tmp_path / "new", StudyConfig(name="new", game="kalah"), {})
    study.path("search", "trials.jsonl").write_text(f"{line}\n")
    assert run(["status", str(study.root)]) == 2
    assert "trials.jsonl: expected a state in each line" in capsys.readouterr().err


def test_a_document_that_is_lost_is_told(finished, caplog):
    path = finished / "fit" / "gen-1.json"
    manifest.write(path, path.read_text())
    path.unlink()
    status.tell_missing(finished)
    assert [fit.generation for fit in status.describe_status(finished).fits] == [2]
    assert f"{path} is missing; the command that wrote it makes it again" in caplog.text


@pytest.mark.parametrize("kept", [0, 2, 3])
def test_trials_that_are_missing_from_the_log_of_a_finished_search_are_told(kept, finished, caplog):
    folder = finished / "search"
    folder.mkdir()
    (folder / "result.json").write_text(json.dumps(found_by_a_search(complete=2, pruned=1)))
    (folder / "trials.jsonl").write_text("".join(TRIALS[:kept]))
    status.tell_missing(finished)
    assert sum(status.describe_status(finished).trials.values()) == kept
    told = f"trials.jsonl has {kept} of 3 trials: lines are missing"
    assert (told in caplog.text) is (kept < 3)
