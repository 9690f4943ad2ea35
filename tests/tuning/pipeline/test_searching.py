"""The search as a stage of a study: from the fit to the recommended weights, which are what is verified."""

import json
import shutil
import signal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.small_matches import hand, kalah, openings
from tunesmith.engine import weights as weight_files
from tunesmith.experiments.proofs._dying import played_for, started
from tunesmith.experiments.proofs.kills import left
from tunesmith.games.errors import InputError, StudyError
from tunesmith.tuning import config
from tunesmith.tuning.cli import run
from tunesmith.tuning.files import read_lines, write_json
from tunesmith.tuning.pipeline import searching
from tunesmith.tuning.pipeline.searching import search_study
from tunesmith.tuning.pipeline.study import run_study
from tunesmith.tuning.play.openings.opening import TooFewOpenings
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.report.study_page import write_report
from tunesmith.tuning.study import Study

CASES = Path(__file__).parents[2] / "golden" / "cases"
STUDY = """
name = "tiny"
game = "kalah"
hash_mb = 1
[openings]
plies = 5
max_score = 400.0
[play]
limit = "nodes:40"
pairs = 64
generations = 1
[fit]
quiet = "off"
ridge = 0.01
[search]
trials = 7
limit = "nodes:40"
pairs = 16
pilot = 6
directions = 1
opponents = ["baseline", "fit"]
[search.space]
aspiration = { low = 0, high = 200, step = 50 }
scale = {}
[verify]
limit = "nodes:40"
elo1 = 60.0
max_pairs = 20
measure_pairs = 6
second_limit = "nodes:80"
second_pairs = 2
"""


@pytest.fixture(scope="module")
def study_file(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("study") / "tiny.toml"
    path.write_text(STUDY)
    return path


@pytest.fixture(scope="module")
def finished(study_file, tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("finished") / "tiny"
    run_study(config.load(study_file), root, Resources(1, "threads"))
    return root


def read(root: Path, name: str):
    return json.loads((root / name).read_text())


def test_what_is_recommended_is_what_is_verified(finished):
    recommended = weight_files.load(finished / "weights" / "search.json", kalah())
    assert read(finished, "verdict.json")["candidate"] == recommended.digest
    assert read(finished, "weights/candidate.json")["digest"] == recommended.digest


def test_trial_nought_is_the_fit(finished):
    first = read_lines(finished / "search" / "trials.jsonl")[0]
    assert first["digest"] == read(finished, "weights/gen-1.json")["digest"]
    assert first["opponents"]["fit"] == [0, 0, 16, 0, 0]
    assert first["games"] == 32  # against the baseline only


def test_search_openings_are_nobody_elses(finished):
    sets = [read(finished, f"openings/{name}.json") for name in ("train", "search", "verify")]
    train, search, verify = ({tuple(row["moves"]) for row in rows} for rows in sets)
    assert len(search) >= 16
    assert not (search & train or search & verify)


@pytest.mark.parametrize("there", [16, 15])
def test_where_there_are_too_few_openings_they_come_again(study_file, tmp_path, monkeypatch, caplog, there):
    """One trial's must be there: a pair is played once from an opening."""
    few = openings()[:there]

    def refuse(*_, **__):
        raise TooFewOpenings("only a few", few)

    monkeypatch.setattr(searching, "choose_openings", refuse)
    study = Study(tmp_path, config.load(study_file))
    players: Any = SimpleNamespace(game=kalah(), baseline=hand(), openings=None)
    if there < 16:
        with pytest.raises(TooFewOpenings, match="only a few"):
            searching._openings(study, players)
        return
    assert searching._openings(study, players) == list(few)
    assert "16 openings for 112 pairs: each is played by about 7.0 trials" in caplog.text
    assert searching._openings(study, players) == list(few)  # as they are stored


def test_the_result_names_every_parameter_with_its_worth(finished):
    result = read(finished, "search/result.json")
    names = ["aspiration", "scale", "direction-1"]
    assert list(result["setting"]) == names
    assert [row["name"] for row in result["effects"]] == names
    assert [row["name"] for row in read(finished, "search/pilot.json")] == names
    assert sum(result["trials"].values()) == 7
    assert result["opponents"] == ["baseline", "fit"]


def test_the_report_shows_the_search(finished):
    page = write_report(finished).read_text(encoding="utf-8")
    assert 'href="#search"' in page
    for text in ("Search by playing", "Best observed, which is part luck", "direction-1", "Every trial"):
        assert text in page


def test_a_study_without_a_search_has_no_such_section(tmp_path):
    from tests.support.report_fixture import write

    assert "Search by playing" not in write_report(write(tmp_path)).read_text(encoding="utf-8")


def test_the_report_stands_a_search_that_is_not_finished(finished, tmp_path):
    """Also a log with rubbish in the middle: it is told, with the number of the line."""
    (tmp_path / "search").mkdir()
    lines = (finished / "search" / "trials.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "search" / "trials.jsonl").write_text("".join([*lines[:3], "rubbish\n", lines[3], '{"numb']))
    (tmp_path / "study.json").write_text((finished / "study.json").read_text())
    page = write_report(tmp_path).read_text(encoding="utf-8")
    assert "has not come to its end" in page
    assert "search/trials.jsonl:4: damaged" in page


@pytest.mark.slow
def test_the_number_of_workers_changes_nothing(study_file, finished, tmp_path):
    run_study(config.load(study_file), tmp_path / "tiny", Resources(2))
    for name in ("search/trials.jsonl", "search/result.json", "weights/search.json", "verdict.json"):
        assert (tmp_path / "tiny" / name).read_bytes() == (finished / name).read_bytes(), name


def test_a_finished_search_is_read_back(study_file, finished):
    before = (finished / "search" / "journal.log").read_bytes()
    found = search_study(config.load(study_file), finished, Resources())
    assert found.content() == read(finished, "search/result.json")
    assert (finished / "search" / "journal.log").read_bytes() == before


def test_a_search_needs_no_opponent_of_the_proof(study_file, finished):
    wanted = config.load(study_file, changes=["verify.opponents=['./gone.json']"])
    assert search_study(wanted, finished, Resources(1, "threads")).trials["complete"] == 7
    with pytest.raises(InputError, match=r"gone\.json"):
        run_study(wanted, finished, Resources(1, "threads"))


def test_damaged_games_of_a_finished_search_are_played_again(study_file, finished):
    whole = {path: path.read_bytes() for path in finished.glob("search/games/*/*/*.parquet")}
    for path in (*list(whole)[::3], finished / "verify" / "main" / "games" / "shard-00000.parquet"):
        whole.setdefault(path, path.read_bytes())
        path.write_bytes(whole[path][:-9])
    run_study(config.load(study_file), finished, Resources())
    assert {path: path.read_bytes() for path in whole} == whole
    for path in finished.rglob("*.damaged"):
        path.unlink()


def test_other_settings_are_refused(study_file, finished):
    with pytest.raises(StudyError, match=r"search\.space\.aspiration\.high: stored 200\.0, now 100\.0"):
        search_study(
            config.load(study_file, changes=["search.space.aspiration.high=100"]), finished, Resources()
        )


def quick(tmp_path: Path, **changes: str) -> tuple[Path, list[str]]:
    """A study that searches from the baseline, and the options that say so."""
    path = tmp_path / "quick.toml"
    path.write_text(STUDY)
    settings = {
        "search.start": "baseline",
        "search.directions": "0",
        "search.pilot": "0",
        "search.opponents": '["baseline"]',
        **changes,
    }
    return path, [part for key, value in settings.items() for part in ("--set", f"{key}={value}")]


def test_the_command_searches_from_the_baseline_without_self_play(tmp_path, capsys):
    path, options = quick(tmp_path, **{"search.trials": "3"})
    out = tmp_path / "out"
    code = run(
        ["search", str(path), "--out", str(out), "--backend", "threads", "--jobs", "1", "--json", *options]
    )
    assert code == 0
    found = json.loads(capsys.readouterr().out)
    assert sum(found["trials"].values()) == 3
    assert found["start"]["setting"] == {"aspiration": 0, "scale": 1.0}
    assert not (out / "games").exists()
    assert weight_files.load(found["weights"], kalah()).features == hand().features


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("search.space.aspirations.low", "1", "did you mean 'aspiration'"),
        ("search.sampler", "tpee", "search.sampler"),
        ("search.trials", "0", "asks for no search"),
        ("search.directions", "1", "the fit knows 0"),
        ("search.opponents", '["nobody"]', "nobody"),
    ],
)
def test_wrong_input_is_one_line_before_the_first_game(tmp_path, capsys, key, value, message):
    path, options = quick(tmp_path, **{key: value})
    code = run(["search", str(path), "--out", str(tmp_path / "out"), *options])
    err = capsys.readouterr().err
    assert code == 2
    assert message in err
    assert not list(tmp_path.rglob("*.parquet"))


@pytest.mark.parametrize("command", ["search", "run"])
@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("nonsense", "--storage: expected an address"),
        ("sqlite:////no/such/folder/trials.db", "--storage: cannot be opened"),
    ],
)
def test_a_storage_is_opened_before_the_first_game(tmp_path, capsys, command, address, message):
    path, options = quick(tmp_path, **{"search.start": "fit", "search.pilot": "8"})
    code = run([command, str(path), "--out", str(tmp_path / "out"), "--storage", address, *options])
    assert code == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.rglob("*.parquet"))


def test_a_storage_by_address_holds_the_trials(tmp_path, capsys):
    """SQLite stands for any database; the plain log is written all the same."""
    path, options = quick(tmp_path, **{"search.trials": "2"})
    address = f"sqlite:///{tmp_path / 'trials.db'}"
    arguments = ["search", str(path), "--out", str(tmp_path / "out"), "--storage", address, *options]
    assert run([*arguments, "--backend", "threads", "--jobs", "1"]) == 0
    import optuna

    assert len(optuna.load_study(study_name="tiny", storage=address).trials) == 2
    assert len(read_lines(tmp_path / "out" / "search" / "trials.jsonl")) == 2
    assert not (tmp_path / "out" / "search" / "journal.log").exists()


def test_the_number_of_trials_is_a_total_that_may_grow(tmp_path, capsys):
    shutil.copy(CASES / "12" / "tpe.toml", tmp_path)
    words = ["search", str(tmp_path / "tpe.toml"), "--out", str(tmp_path / "out"), "--jobs", "1"]
    words += ["--backend", "threads"]
    assert run(words) == 0
    first = read_lines(tmp_path / "out" / "search" / "trials.jsonl")
    assert run([*words, "--set", "search.trials=6", "--set", "verify.limit=nodes:77"]) == 0
    rows = read_lines(tmp_path / "out" / "search" / "trials.jsonl")
    assert (len(first), len(rows), rows[:4]) == (4, 6, first)
    found = read(tmp_path / "out", "search/result.json")
    assert sum(found["trials"].values()) == 6
    assert found["digest"] == read(tmp_path / "out", "weights/search.json")["digest"]
    log = tmp_path / "out" / "search" / "trials.jsonl"
    log.write_text(log.read_text()[:-20])  # a finished search, too, says what its storage says
    assert run([*words, "--set", "search.trials=6", "--set", "verify.limit=nodes:77"]) == 0
    assert read_lines(log) == rows


def stopped(number: signal.Signals, arguments: list[str]) -> tuple[str, str]:
    """Run a search until three of its trials have ended; return what it printed and what it complained of."""
    return started(number, False, 3, "*/trials.jsonl", 200, *arguments).communicate(timeout=240)


@pytest.mark.slow
def test_a_search_killed_while_it_plays_goes_on(tmp_path):
    path, options = quick(tmp_path, **{"search.trials": "8"})
    arguments = ["search", str(path), "--out", str(tmp_path / "out"), "--jobs", "1", *options]
    stopped(signal.SIGKILL, arguments)
    assert not (tmp_path / "out" / "search" / "result.json").exists()
    assert run(arguments) == 0
    counted = [
        row for row in read_lines(tmp_path / "out" / "search" / "trials.jsonl") if not row.get("ghost")
    ]
    assert len(counted) == 8


@pytest.mark.slow
def test_ctrl_c_ends_a_search_and_its_workers_and_says_how_to_go_on(tmp_path):
    """Several trials are in flight when it comes (FIELD G6, G10, G16)."""
    path, options = quick(tmp_path, **{"search.trials": "12"})
    arguments = ["search", str(path), "--out", str(tmp_path / "out"), "--jobs", "2", *options]
    out, errors = stopped(signal.SIGINT, arguments)
    assert "This continues" in errors
    children = played_for(out)
    assert children and left(children) == 0
    found = json.loads((tmp_path / "out" / "study.json").read_text())
    assert found["config"]["search"]["trials"] == 12
    assert run(arguments) == 0
    rows = read_lines(tmp_path / "out" / "search" / "trials.jsonl")
    assert len([row for row in rows if not row.get("ghost")]) == 12


def test_a_search_that_started_from_other_weights_is_refused(study_file, finished, tmp_path):
    root = tmp_path / "tiny"
    shutil.copytree(finished, root)
    path = root / "search" / "result.json"
    stored = json.loads(path.read_text())
    write_json(path, {**stored, "start_digest": "0" * 64})
    with pytest.raises(
        StudyError, match=r"result\.json: start_digest: stored 0{64}, now \w+: a search counts only"
    ):
        search_study(config.load(study_file), root, Resources(1, "threads"))
