"""A whole study, tiny: the same numbers for any number of workers and any interruption."""

import json
import shutil
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.dying import started
from tunesmith.games.errors import StudyError
from tunesmith.tuning import cli, config
from tunesmith.tuning.pipeline.study import run_study
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.play.store import read_games
from tunesmith.tuning.proof import contest as verify
from tunesmith.tuning.report.study_page import write_report

STUDY = """
name = "tiny"
game = "kalah"
[openings]
plies = 5
max_score = 400.0
[play]
limit = "nodes:60"
pairs = 70
generations = 2
check_pairs = 12
[fit]
quiet = "off"
positions_per_game = 8
ridge = 0.01
[verify]
limit = "nodes:60"
elo1 = 60.0
max_pairs = 40
measure_pairs = 20
second_limit = "nodes:120"
second_pairs = 4
opponents = ["hand-1"]
opponent_pairs = 4
"""


@pytest.fixture(scope="module")
def study_file(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("study") / "tiny.toml"
    path.write_text(STUDY)
    return path


@pytest.fixture(scope="module")
def finished(study_file, tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("finished") / "tiny"
    run_study(config.load(study_file), root, Resources(), "tunesmith run tiny.toml")
    return root


def numbers(root: Path) -> dict[str, bytes]:
    """Everything in a study that must not depend on workers or interruptions."""
    kept = {}
    for path in sorted(root.rglob("*")):
        if path.is_file() and path.name not in ("study.json", "status.json", "report.html", ".lock"):
            kept[str(path.relative_to(root))] = path.read_bytes()
    return kept


def test_a_study_holds_games_fits_weights_and_a_verdict(finished):
    verdict = json.loads((finished / "verdict.json").read_text())
    assert verdict["outcome"] in ("stronger", "weaker", "not shown")
    assert verdict["sentence"].startswith("kalah: the tuned weights are ")
    fit = json.loads((finished / "fit" / "gen-2.json").read_text())
    assert fit["games"] == 280
    assert fit["loss"]["training"]["fit"] < fit["loss"]["training"]["prior"]


def test_the_proof_travels_with_the_weights_and_leaves_the_digest(finished):
    candidate = json.loads((finished / "weights" / "candidate.json").read_text())
    path = json.loads((finished / "generations.json").read_text())
    last = json.loads((finished / "weights" / f"{path['chosen']}.json").read_text())
    verdict = json.loads((finished / "verdict.json").read_text())
    assert candidate["digest"] == last["digest"] == verdict["candidate"]
    assert candidate["proof"] == [verdict]


def test_the_report_holds_a_game_of_the_proof_to_page_through(finished, tmp_path):
    from tests.support.pages import Page
    from tunesmith.tuning.report.study_page import write_report

    copy = shutil.copytree(finished, tmp_path / "tiny")
    page = Page(write_report(copy).read_text(encoding="utf-8"))
    assert page.defects == []
    told = page.section("game")
    assert "the first game of the match measure" in told
    steps = [
        attributes["id"] for tag, attributes in page.tags if (attributes.get("id") or "").startswith("move-")
    ]
    assert steps == [f"move-{i}" for i in range(len(steps))] and len(steps) > 10
    shutil.rmtree(copy / "verify" / "measure")
    assert "the first game of the match main" in Page(write_report(copy).read_text(encoding="utf-8")).text


def test_a_dashboard_hands_out_a_game_of_each_match(finished):
    from tests.tuning.report.dashboard.test_app import Visitor
    from tunesmith.tuning.report.dashboard.app import make_app

    visitor = Visitor(make_app([finished]))
    files = {row["filename"]: row["artifact_id"] for row in visitor.study(0)["artifacts"]}
    for name in ("main", "measure", "second-limit", "opponent-1"):
        status, page = visitor.ask(f"/artifacts/0/{files[f'game of {name}.html']}")
        assert status == 200
        assert b"Page through the game" in page


def test_as_json_the_verdict_is_one_object_and_events_are_lines_beside_it(
    study_file, finished, tmp_path, capsys
):
    shutil.copytree(finished, tmp_path / "tiny")
    for name in ("verdict.json", "verify/main.json", "fit/gen-2.json"):
        (tmp_path / "tiny" / name).unlink()
    assert cli.run(["run", str(study_file), "--out", str(tmp_path / "tiny"), "--jobs", "1", "--json"]) == 0
    said = capsys.readouterr()
    events = [json.loads(line) for line in said.err.splitlines()]
    stages = [event["stage"] for event in events if event["event"] == "stage"]
    assert stages == ["play", "play", "fit", "verify", "finished"]
    (test,) = (event for event in events if event["event"] == "test")
    main = json.loads((tmp_path / "tiny" / "verify" / "main.json").read_text())
    assert test["llr"] == pytest.approx(main["path"][-1][1]) and test["lower"] < 0 < test["upper"]
    assert json.loads(said.out)["sentence"].startswith("kalah: the tuned weights")
    assert any("fit 2" in event["text"] for event in events if event["event"] == "note")


def test_openings_of_play_and_proof_never_meet(finished):
    sets = [json.loads((finished / "openings" / f"{name}.json").read_text()) for name in ("train", "verify")]
    train, verify = ({tuple(row["moves"]) for row in rows} for rows in sets)
    assert len(train) == 164 and len(verify) == 68  # of which 24 for the checks of generations
    assert not train & verify


def test_two_workers_write_the_same_files(study_file, finished, tmp_path):
    run_study(config.load(study_file), tmp_path / "tiny", Resources(2), "tunesmith run tiny.toml")
    assert numbers(tmp_path / "tiny") == numbers(finished)


def test_a_finished_study_is_read_back(study_file, finished):
    before = numbers(finished)
    verdict = run_study(config.load(study_file), finished, Resources())
    assert verdict.content() == json.loads((finished / "verdict.json").read_text())
    assert numbers(finished) == before


@pytest.mark.parametrize("lost", ["fit", "verify/main", "weights", "games/gen-2", "check", "openings"])
def test_what_is_missing_is_made_again_the_same(study_file, finished, tmp_path, lost):
    root = tmp_path / "tiny"
    shutil.copytree(finished, root)
    (root / "verdict.json").unlink()
    shutil.rmtree(root / lost)
    (root / f"{lost}.json").unlink(missing_ok=True)
    run_study(config.load(study_file), root, Resources(), "tunesmith run tiny.toml")
    assert numbers(root) == numbers(finished)


def test_each_generation_is_played_by_the_last_good_weights(finished):
    path = json.loads((finished / "generations.json").read_text())
    good = "baseline"
    for number, step in enumerate(path["path"], 1):
        stored = json.loads((finished / "check" / f"gen-{number}.json").read_text())
        assert step["player"] == good and step["made"] == f"gen-{number}"
        assert stored == step["check"]
        assert step["is_kept"] == (stored["estimate"]["score"] > 0.5) == stored["is_better"]
        assert sum(stored["counts"]) == 12
        players = json.loads((finished / "weights" / f"{good}.json").read_text())["digest"]
        games = read_games(finished / "games" / f"gen-{number}")
        assert games.settings["players"] == [players, players]
        source = json.loads((finished / "fit" / f"gen-{number}.json").read_text())["sources"][-1]
        assert source["first"] == {"name": good, "digest": players}
        good = step["made"] if step["is_kept"] else good
    assert path["chosen"] == (good if good != "baseline" else "gen-2")


def test_openings_of_checks_are_played_by_no_generation(finished):
    seen = set()
    for folder in ("games/gen-1", "games/gen-2", "check/gen-1/games", "check/gen-2/games"):
        own = set(read_games(finished / folder).opening.tolist())
        assert not own & seen
        seen |= own
    assert len(seen) == 164


@pytest.mark.parametrize(("score", "kept"), [(0.51, ["gen-1", "gen-2"]), (0.5, [])])
def test_weights_that_are_not_better_do_not_play(study_file, finished, tmp_path, monkeypatch, score, kept):
    measure = verify.measure

    def measured(contest):
        found = measure(contest)
        return found.model_copy(update={"estimate": replace(found.estimate, score=score)})

    monkeypatch.setattr("tunesmith.tuning.proof.contest.measure", measured)
    root = tmp_path / "tiny"
    shutil.copytree(finished, root)
    shutil.rmtree(root / "check")
    shutil.rmtree(root / "games" / "gen-2")
    for name in ("verdict.json", "fit/gen-2.json", "weights/gen-2.json"):
        (root / name).unlink()
    shutil.rmtree(root / "verify")
    run_study(config.load(study_file), root, Resources())
    path = json.loads((root / "generations.json").read_text())
    assert [step["made"] for step in path["path"] if step["is_kept"]] == kept
    assert [step["player"] for step in path["path"]] == ["baseline", kept[0] if kept else "baseline"]
    assert path["chosen"] == "gen-2"
    page = (write_report(root)).read_text()
    assert "The path of the weights" in page
    assert ("not better, not kept" in page) == (not kept)


def test_random_moves_are_for_play_alone_and_on_record(finished):
    for folder in ("verify/main/games", "verify/measure/games", "check/gen-1/games"):
        assert read_games(finished / folder).settings["noise"] == [0, 0]
    games = read_games(finished / "games" / "gen-1")
    assert games.settings["noise"] == [100, 20]


def test_a_single_generation_is_not_checked(study_file, tmp_path):
    study = config.load(study_file, changes=["play.generations=1"])
    assert study.play.openings == 70 and not study.play.has_checks
    assert config.load(study_file, changes=["play.check_pairs=0"]).play.openings == 140


def test_changed_settings_are_refused_with_a_list(study_file, finished):
    changed = config.load(study_file, changes=["play.pairs=71", "fit.blend=0.5"])
    with pytest.raises(StudyError) as error:
        run_study(changed, finished, Resources())
    assert "fit.blend: stored 1.0, now 0.5" in str(error.value)
    assert "play.pairs: stored 70, now 71" in str(error.value)


def test_a_folder_with_other_files_is_left_alone(study_file, tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(StudyError, match=r"holds files but no study\.json"):
        run_study(config.load(study_file), tmp_path, Resources())
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def stopped(study_file: Path, root: Path, number: signal.Signals, writes: int, calls: int) -> tuple[int, str]:
    """Run a study until it has written so many files; return the exit code and the complaints."""
    command = ["run", str(study_file), "--out", str(root), "--jobs", "2"]
    process = started(number, number == signal.SIGKILL, writes, f"{root}/*", calls, *command)
    _, errors = process.communicate(timeout=240)
    return process.returncode, errors


@pytest.mark.slow
def test_fitted_weights_predict_unseen_pairs_better_than_the_weights_that_played(study_file, tmp_path):
    changes = ["play.pairs=600", "play.generations=1", 'fit.ridge="auto"', "verify.max_pairs=2"]
    changes += ["verify.measure_pairs=2", "verify.second_pairs=0", "verify.opponents=[]"]
    run_study(config.load(study_file, changes=changes), tmp_path / "tiny", Resources(2))
    fit = json.loads((tmp_path / "tiny" / "fit" / "gen-1.json").read_text())
    assert fit["rows_held_out"] > 1000
    assert fit["loss"]["held_out"]["fit"] < fit["loss"]["held_out"]["prior"]


@pytest.mark.slow
def test_killed_again_and_again_a_study_ends_with_the_same_numbers(study_file, finished, tmp_path):
    root = tmp_path / "tiny"
    for writes, calls in ((2, 900), (6, 50), (6, 3000), (5, 700), (4, 10)):
        assert stopped(study_file, root, signal.SIGKILL, writes, calls)[0] == -signal.SIGKILL
    assert cli.run(["run", str(study_file), "--out", str(root), "--jobs", "2"]) == 0
    ours, undisturbed = numbers(root), numbers(finished)
    for name in ("verdict.json", "weights/candidate.json"):  # they quote the command, which names the folder
        assert ours.pop(name) and undisturbed.pop(name)
    assert ours == undisturbed


@pytest.mark.slow
def test_interrupted_it_prints_the_command_that_continues(study_file, tmp_path):
    code, errors = stopped(study_file, tmp_path / "tiny", signal.SIGINT, 6, 100)
    assert code == 130
    assert f"tunesmith run {study_file} --out {tmp_path / 'tiny'} --jobs 2" in errors
