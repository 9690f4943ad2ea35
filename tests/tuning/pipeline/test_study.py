"""A whole study, tiny: the same numbers for any number of workers and any interruption."""

import json
import shutil
import signal
from pathlib import Path

import pytest

from tests.support.stopping import stopped
from tunesmith.tuning import cli, config
from tunesmith.tuning.files import write_json
from tunesmith.tuning.pipeline.study import run_study
from tunesmith.tuning.play.resources import Resources


def numbers(root: Path) -> dict[str, bytes]:
    """Everything in a study that must not depend on workers or interruptions."""
    kept = {}
    for path in sorted(root.rglob("*")):
        if path.is_file() and path.name not in (
            "study.json",
            "status.json",
            "history.jsonl",
            "report.html",
            ".lock",
        ):
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


def test_a_dashboard_hands_out_a_game_of_each_match(finished):
    from tests.tuning.report.dashboard.test_app import Visitor
    from tunesmith.tuning.report.dashboard.app import make_dashboard

    visitor = Visitor(make_dashboard([finished]))
    files = {row["filename"]: row["artifact_id"] for row in visitor.study(0)["artifacts"]}
    for name in ("main", "measure", "second-limit", "opponent-1"):
        status, page = visitor.ask(f"/artifacts/0/{files[f'game of {name}.html']}")
        assert status == 200
        assert b"Page through the game" in page


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


@pytest.mark.parametrize("where", ["games/gen-1", "check/gen-2/games", "verify/main/games"])
def test_damaged_games_are_refused_then_played_again_the_same(study_file, finished, tmp_path, capsys, where):
    root = tmp_path / "tiny"
    shutil.copytree(finished, root)
    shard = root / where / "shard-00000.parquet"
    content = bytearray(shard.read_bytes())
    content[len(content) // 2] ^= 4
    shard.write_bytes(content)
    assert cli.run(["status", str(root)]) == 2
    said = capsys.readouterr().err
    assert f"{shard}: damaged: " in said
    assert f"the command that made {root} (`tunesmith run`, `search` or `verify`) sets it aside" in said
    run_study(config.load(study_file), root, Resources(), "tunesmith run tiny.toml")
    shard.with_suffix(".damaged").unlink()
    assert numbers(root) == numbers(finished)


@pytest.mark.parametrize("lost", ["fit", "verify/main", "weights", "games/gen-2", "check", "openings"])
def test_what_is_missing_is_made_again_the_same(study_file, finished, tmp_path, lost):
    root = tmp_path / "tiny"
    shutil.copytree(finished, root)
    (root / "verdict.json").unlink()
    shutil.rmtree(root / lost)
    (root / f"{lost}.json").unlink(missing_ok=True)
    run_study(config.load(study_file), root, Resources(), "tunesmith run tiny.toml")
    assert numbers(root) == numbers(finished)


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
    for name in (
        "verdict.json",
        "SHA256SUMS",
        "weights/candidate.json",
    ):  # they quote the command: its folder
        assert ours.pop(name) and undisturbed.pop(name)
    assert ours == undisturbed


def changed(path, change, is_entered):
    """Change a stored document, with or without its entry."""
    content = change(json.loads(path.read_text()))
    if is_entered:
        write_json(path, content)
    else:
        path.write_text(json.dumps(content))


@pytest.mark.parametrize("command", ["run", "report", "status"])
@pytest.mark.parametrize("is_entered", [False, True])
def test_a_changed_figure_is_refused_by_every_command(
    study_file, finished, tmp_path, capsys, command, is_entered
):
    root = tmp_path / "tiny"
    shutil.copytree(finished, root)
    path = root / "verify" / "measure.json"
    changed(path, lambda run: run | {"estimate": run["estimate"] | {"elo": 99.0}}, is_entered)
    arguments = [str(study_file), "--out", str(root)] if command == "run" else [str(root)]
    code = cli.run([command, *arguments])
    said = capsys.readouterr().err
    if command == "report" and is_entered:  # a report tells as much as can be told
        assert "estimate.elo: expected" in (root / "report.html").read_text(encoding="utf-8")
        return
    assert code == 2
    why = "estimate.elo: expected" if is_entered else "damaged: its SHA-256 is"
    assert f"{path}: {why}" in said
    assert "makes it again" in said


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({}, "expected a list of openings, found"),
        ([], "expected 68 openings, found 0"),
        ([{"moves": [1]}], "text: expected this field"),
    ],
)
def test_an_opening_file_that_is_none_or_too_short_is_refused(
    study_file, finished, tmp_path, capsys, content, words
):
    root = tmp_path / "tiny"
    shutil.copytree(finished, root)
    (root / "verdict.json").unlink()
    changed(root / "openings" / "verify.json", lambda _: content, is_entered=True)
    assert cli.run(["run", str(study_file), "--out", str(root)]) == 2
    said = capsys.readouterr().err
    assert f"{root}/openings/verify.json: {words}" in said
