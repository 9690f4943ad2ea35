"""The commands `weights history`, `promote` and `rollback`, on a study of a user's game and on files."""

import json
import shlex
from pathlib import Path

import pytest

from tests.support.fitted_tables import fitted
from tests.support.made_up_fit import generation_fit
from tests.support.promoted import changed, proven, saved, tuned
from tests.tuning.proof.test_verdict import BETTER, EQUAL
from tests.tuning.proof.test_verdict import run as verify_run
from tunesmith import games
from tunesmith.engine import weights as weight_files
from tunesmith.games.game import Game
from tunesmith.tuning.cli import run
from tunesmith.tuning.cli.new_game import write_game
from tunesmith.tuning.config import StudyConfig
from tunesmith.tuning.pipeline.table_weights import write_weights
from tunesmith.tuning.proof import verdict
from tunesmith.tuning.study import Study, open_study


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A user's game, new for every test."""
    return write_game("mine", tmp_path)[0]


@pytest.fixture
def game(file: Path) -> Game:
    return games.load(str(file))


@pytest.fixture
def study(file: Path, game: Game, tmp_path: Path) -> Path:
    """A finished study of the user's game, as the pipeline leaves it; its games are made up."""
    config = StudyConfig(name="mine", game=str(file))
    made = open_study(tmp_path / "study", config, {})
    baseline, candidate = weight_files.load("hand", game), changed(game, 3.0)
    runs = [verify_run(BETTER, "main", "H1", digest=baseline.digest), verify_run(BETTER)]
    said = verdict.conclude(made, game, candidate, "hand", runs, "tunesmith run mine.toml")
    weight_files.save(baseline, made.path("weights", "baseline.json"))
    for generation in (1, 2):
        fitted = changed(game, 2.0 + generation / 2)
        weight_files.save(fitted, made.path("weights", f"gen-{generation}.json"))
        fit = generation_fit(generation, fitted.digest, 400 * generation)
        fit.write(made.path("fit", f"gen-{generation}.json"))
    weight_files.save(candidate.with_proof(said.content()), made.path("weights", "candidate.json"))
    made.write({"chosen": "gen-2", "digest": candidate.digest, "path": []}, "generations.json")
    said.write(made.path("verdict.json"))
    return made.root


def test_a_study_is_promoted_shown_and_taken_back_by_commands(study, file, game, tmp_path, capsys):
    first = saved(proven(game, 9.0), tmp_path)
    assert run(["weights", "promote", str(first), "--game", str(file)]) == 0
    assert "proof   mine: the tuned weights are stronger than hand" in capsys.readouterr().out
    assert run(["weights", "promote", str(study)]) == 0
    out = capsys.readouterr().out
    assert "tuned.json: now" in out and "kept" in out and "the proof says nothing of the tuned weights" in out
    assert "openings of edition 1 have proved earlier tuned weights too" in out and "--edition 2" in out
    assert tuned(game).scale == 3.0
    assert run(["weights", "history", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["file", "tuned-001.json", "tuned.json"]
    assert run(["weights", "rollback", str(file)]) == 0
    assert "tuned.json: back to" in capsys.readouterr().out
    assert tuned(game).scale == 9.0
    assert run(["weights", "rollback", str(file)]) == 2
    assert "no earlier tuned weights are kept" in capsys.readouterr().err


def test_commands_answer_in_json(study, file, game, tmp_path, capsys):
    run(
        [
            "weights",
            "promote",
            str(saved(changed(game, 9.0), tmp_path)),
            "--game",
            str(file),
            "--force",
            "why not",
        ]
    )
    capsys.readouterr()
    answers = []
    for command in (
        f"promote {shlex.quote(str(study))}",
        f"history {file}",
        f"rollback {file}",
        f"history {study}",
    ):
        assert run(["weights", *shlex.split(command), "--json"]) == 0
        answers.append(json.loads(capsys.readouterr().out))
    promoted, tuned, undone, steps = answers
    assert promoted["replaced"] == changed(game, 9.0).digest and promoted["compared"] is False
    assert [row["forced"] for row in tuned["weights"]] == ["why not", None]
    assert set(tuned["weights"][0]) == {"file", "digest", "on", "from", "forced", "proof"}
    assert undone["digest"] == changed(game, 9.0).digest and undone["undone"] == promoted["digest"]
    assert [row["step"] for row in steps["weights"]] == ["baseline hand", "fit 1", "fit 2", "candidate"]
    assert steps["weights"][-1]["elo"]["elo"] > 0 and steps["weights"][2]["games"] == 800


def test_a_damaged_proof_is_neither_shown_nor_promoted(file, game, tmp_path, capsys):
    path = saved(proven(game, 9.0), tmp_path)
    path.write_text(path.read_text(encoding="utf-8").replace("+9 Elo", "+8 Elo"), encoding="utf-8")
    for command in ("show", "check", "promote"):
        assert run(["weights", command, str(path), "--game", str(file)]) == 2
        out, err = capsys.readouterr()
        assert "+8 Elo" not in out and "new.json: proof, provenance or moves_to_go is damaged" in err
    assert not (file.parent / "weights" / "tuned.json").exists()


@pytest.mark.parametrize(
    ("is_covered", "told"), [(True, "are covered by a digest"), (False, "are not covered")]
)
def test_whether_a_proof_is_covered_is_told(is_covered, told, file, game, tmp_path, capsys):
    path = saved(proven(game, 9.0), tmp_path)
    if not is_covered:
        data = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps({name: data[name] for name in data if name != "proof_digest"}))
    run(["weights", "check", str(path), "--game", str(file)])
    assert f"; proof and provenance {told}" in capsys.readouterr().out
    for command in ("show", "promote"):
        assert run(["weights", command, str(path), "--game", str(file)]) == 0
        assert ("note    proof and provenance are not covered" in capsys.readouterr().out) != is_covered


def test_the_history_of_a_study_is_a_table(study, capsys):
    assert run(["weights", "history", str(study)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 5 and lines[0].split()[:2] == ["step", "digest"]
    assert "loss on held-out pairs 0.69000 -> 0.61000" in lines[2] and "stronger: +" in lines[4]


def test_an_unfinished_study_has_a_history_and_is_not_promoted(study, capsys):
    (study / "verdict.json").unlink()
    (study / "weights" / "candidate.json").unlink()
    assert run(["weights", "history", str(study)]) == 0
    assert "fit 2" in capsys.readouterr().out
    assert run(["weights", "promote", str(study), "--force", "now"]) == 2
    assert "the study has no verdict yet" in capsys.readouterr().err


def test_a_verdict_that_was_edited_is_refused(study, capsys):
    said = json.loads((study / "verdict.json").read_text())
    (study / "verdict.json").write_text(json.dumps({**said, "outcome": "weaker"}))
    assert run(["weights", "promote", str(study)]) == 2
    assert "verdict.json: damaged: its SHA-256 is" in capsys.readouterr().err


def test_what_was_not_shown_is_not_promoted(study, game, capsys):
    hand = weight_files.load("hand", game)
    runs = [verify_run(EQUAL, "main", "H0", digest=hand.digest), verify_run(EQUAL)]
    made = Study(study, StudyConfig(name="mine", game="mine"))
    said = verdict.conclude(made, game, changed(game, 3.0), "hand", runs, "")
    made.write({"chosen": "gen-2", "digest": said.candidate, "path": []}, "generations.json")
    said.write(made.path("verdict.json"))
    weight_files.save(changed(game, 3.0).with_proof(said.content()), made.path("weights", "candidate.json"))
    assert run(["weights", "promote", str(study)]) == 2
    assert "not proven: the verdict is 'not shown'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["history", "nothing"], "game 'nothing': expected one of"),
        (["promote", "nothing.json"], "expected a file, GAME/NAME such as kalah/hand"),
        (["promote", "kalah/hand"], "not proven: no proof in the file"),
        (["rollback", "kallah"], "did you mean 'kalah'?"),
    ],
)
def test_wrong_input_is_one_line(arguments, words, capsys):
    assert run(["weights", *arguments]) == 2
    message = capsys.readouterr().err.strip()
    assert words in message and len(message.splitlines()) == 1


def test_weights_of_a_game_of_ones_own_ask_for_its_file(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    weights = str(file.parent / "weights" / "hand.json")
    assert run(["weights", "show", weights]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "--game path/to/game.py for a game of your own, found 'mine'" in said
    assert run(["weights", "show", weights, "--game", str(file)]) == 0


def test_weights_are_named_by_game_and_name_by_name_or_by_path(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The game may be the path of a file, too."""
    for arguments in (["kalah/hand"], ["hand", "--game", "kalah"], [f"{file}/hand"], ["hand", "--game", str(file)],
                      ["kalah:ponds=6,seeds=4/hand", "--allow-variant"]):  # fmt: skip
        for command in ("show", "check"):
            assert run(["weights", command, *arguments, "--json"]) in (0, 1), arguments
            assert json.loads(capsys.readouterr().out)["digest"]
        assert run(["weights", "export", *arguments, "--to", "json"]) == 0
        capsys.readouterr()
    assert run(["weights", "show", "hand"]) == 2
    assert "or a name with --game GAME" in capsys.readouterr().err


@pytest.mark.parametrize("ending", ["json", "csv"])
def test_weights_of_a_table_are_shown_checked_compared_and_exported(
    ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target, other = tmp_path / f"w.{ending}", tmp_path / "old.json"
    write_weights(fitted(anchor="material=1"), target, {"table": "mine.csv"})
    write_weights(fitted(), other, {})
    assert run(["weights", "show", str(target)]) == 0
    shown = capsys.readouterr().out
    assert "weights of a table" in shown and "mobility" in shown
    assert run(["weights", "check", str(target), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["weights"] == 3
    assert run(["weights", "diff", str(target), str(other), "--json"]) == 0
    changed = json.loads(capsys.readouterr().out)["weights"]
    assert all(abs(row["first"] - row["second"]) < 1e-6 for row in changed)
    assert run(["weights", "diff", str(target), "kalah/hand"]) == 0
    assert "material" in capsys.readouterr().out
    assert run(["weights", "export", str(target), "--to", "c"]) == 0
    assert "material" in capsys.readouterr().out
