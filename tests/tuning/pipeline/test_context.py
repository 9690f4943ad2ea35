"""Which weights is a study about? One answer, and no stored match counts for other weights than those that played it.

The studies here are made up (`made_up_study`): their second generation is better than the baseline and worse than
the first, so a check rejects it, and it is the first that a study chooses."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support import made_up_study
from tests.support.promoted import changed, tuned
from tunesmith.engine import weights as weight_files
from tunesmith.games.errors import StudyError
from tunesmith.tuning.cli import run
from tunesmith.tuning.config import StudyConfig
from tunesmith.tuning.documents.matches import Named
from tunesmith.tuning.files import write_json
from tunesmith.tuning.pipeline import prove
from tunesmith.tuning.pipeline.prove import verify_study, verify_weights
from tunesmith.tuning.pipeline.status import describe_status
from tunesmith.tuning.pipeline.study import run_study
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.proof.lineage import lineage
from tunesmith.tuning.report.reading import read_study
from tunesmith.tuning.study import Chosen, chosen_weights


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StudyConfig:
    made_up_study.make_up(monkeypatch)
    return made_up_study.config(tmp_path)


@pytest.fixture
def killed(settings: StudyConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A study that was killed when all was played, before its verdict was written."""

    def die(*_: Any) -> None:
        raise KeyboardInterrupt

    root = tmp_path / "study"
    with monkeypatch.context() as patch:
        patch.setattr(prove, "conclude", die)
        with pytest.raises(KeyboardInterrupt):
            run_study(settings, root, Resources())
    assert read(root, "generations.json")["chosen"] == "gen-1"
    assert read(root, "verify/main.json")["decision"] == "H1"
    return root


def read(root: Path, name: str) -> Any:
    return json.loads((root / name).read_text())


def first_and_second(settings: StudyConfig) -> tuple[str, str]:
    game = made_up_study.game_of(settings)
    return changed(game, 3.0).digest, changed(game, 4.0).digest


def test_what_was_proved_before_a_kill_is_what_verify_concludes_on(settings, killed, capsys):
    """The weights that a check has rejected are not called stronger by the games of those that it kept."""
    kept, rejected = first_and_second(settings)
    assert run(["verify", str(killed)]) == 0
    assert "stronger than hand" in capsys.readouterr().out
    assert read(killed, "verdict.json")["candidate"] == kept
    assert read(killed, "weights/candidate.json")["digest"] == kept != rejected


def test_what_is_promoted_is_what_was_proved(settings, killed):
    kept, _ = first_and_second(settings)
    assert run(["verify", str(killed)]) == 0
    assert run(["weights", "promote", str(killed)]) == 0
    assert tuned(made_up_study.game_of(settings)).digest == kept


@pytest.fixture
def finished(settings: StudyConfig, tmp_path: Path) -> Path:
    root = tmp_path / "study"
    run_study(settings, root, Resources())
    return root


def write(root: Path, name: str, content: Any) -> None:
    write_json(root / name, content)


@pytest.mark.parametrize("who", ["candidate", "opponent"])
@pytest.mark.parametrize("name", ["verify/main", "verify/measure", "check/gen-1", "check/gen-2"])
def test_a_stored_match_counts_only_for_the_players_it_was_played_with(settings, killed, name, who):
    stored = read(killed, f"{name}.json")
    now = stored[who]["digest"]
    write(killed, f"{name}.json", {**stored, who: {**stored[who], "digest": "beef" * 16}})
    with pytest.raises(StudyError, match=rf"{name}\.json: {who}\.digest: stored {'beef' * 16}, now {now}"):
        run_study(settings, killed, Resources())
    assert not (killed / "verdict.json").exists()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"limit": "nodes:7"}, "limit: stored nodes:7, now nodes:1000"),
        ({"sprt": None}, r"sprt\.elo0: stored None, now 0\.0"),
    ],
)
def test_a_stored_test_counts_only_for_the_limit_and_the_terms_it_was_played_at(
    settings, killed, changes, words
):
    write(killed, "verify/main.json", {**read(killed, "verify/main.json"), **changes})
    with pytest.raises(StudyError, match=words):
        verify_study(killed, Resources())


def test_a_study_that_still_tunes_has_nothing_to_verify(settings, killed):
    (killed / "generations.json").unlink()
    assert chosen_weights(killed) is None
    with pytest.raises(StudyError, match="has no weights to verify yet; tunesmith run goes on"):
        verify_study(killed, Resources())


@pytest.mark.parametrize("go_on", [lambda settings, root: verify_study(root, Resources()),
                                   lambda settings, root: run_study(settings, root, Resources())])  # fmt: skip
def test_other_weights_under_the_name_of_the_chosen_ones_are_refused(settings, killed, go_on):
    kept, rejected = first_and_second(settings)
    (killed / "weights" / "gen-1.json").write_bytes((killed / "weights" / "gen-2.json").read_bytes())
    words = rf"weights/gen-1\.json: digest: expected {kept[:12]}.*found {rejected[:12]}"
    with pytest.raises(StudyError, match=words):
        go_on(settings, killed)


def test_a_verdict_on_other_weights_is_nobodys(settings, finished, capsys):
    kept, rejected = first_and_second(settings)
    write(finished, "verdict.json", {**read(finished, "verdict.json"), "candidate": rejected})
    words = f"is of the weights {rejected[:12]}, and of this study it chose gen-1, {kept[:12]}"
    for go_on in (
        lambda: run_study(settings, finished, Resources()),
        lambda: verify_study(finished, Resources()),
    ):
        with pytest.raises(StudyError, match=words):
            go_on()
    for command in ("weights promote", "weights history", "status"):
        assert run([*command.split(), str(finished)]) == 2
        assert words in capsys.readouterr().err


def test_a_candidate_that_is_not_the_proved_one_is_not_promoted(settings, finished, capsys):
    kept, rejected = first_and_second(settings)
    other = changed(made_up_study.game_of(settings), 4.0).with_proof(read(finished, "verdict.json"))
    weight_files.save(other, finished / "weights" / "candidate.json")
    assert run(["weights", "promote", str(finished)]) == 2
    assert f"expected {kept[:12]}, which the study chose and proved, found {rejected[:12]}" in (
        capsys.readouterr().err
    )


def test_report_history_and_status_speak_of_the_chosen_weights(settings, finished, capsys):
    kept, _ = first_and_second(settings)
    study = read_study(finished)
    assert study.candidate == kept and study.fit.text("digest") == kept
    assert [row.file for row in lineage(finished) if row.is_chosen] == ["weights/gen-1.json"]
    assert describe_status(finished).chosen == Named(name="gen-1", digest=kept)
    assert run(["status", str(finished)]) == 0
    assert f"chosen: gen-1, {kept[:12]}" in capsys.readouterr().out
    assert run(["weights", "history", str(finished)]) == 0
    assert "fit 1 (chosen)" in capsys.readouterr().out


def test_matches_of_other_weights_are_in_no_report_and_in_no_test(settings, finished):
    for name in ("verify/main.json", "verify/measure.json"):
        write(finished, name, {**read(finished, name), "candidate": {"digest": "beef" * 16}})
    study = read_study(finished)
    assert study.runs == ()
    assert any(
        problem.startswith("verify/main.json is of other weights (beefbeefbeef)")
        for problem in study.problems
    )
    found = describe_status(finished)
    assert found.test is None and not any(one.is_of_chosen for one in found.runs)


def test_a_proof_is_about_the_weights_it_was_asked_about(settings, tmp_path):
    other = changed(made_up_study.game_of(settings), 4.0)
    weight_files.save(other, tmp_path / "other.json")
    verdict = verify_weights(settings, str(tmp_path / "other.json"), tmp_path / "proof", Resources())
    assert chosen_weights(tmp_path / "proof") == Chosen("candidate", other.digest)
    assert verdict.candidate == other.digest and verify_study(tmp_path / "proof", Resources()) == verdict


def test_a_proof_of_other_weights_is_not_shown_with_a_file(settings, finished, capsys):
    other = changed(made_up_study.game_of(settings), 4.0).with_proof(read(finished, "verdict.json"))
    weight_files.save(other, finished / "other.json")
    assert run(["weights", "show", str(finished / "other.json"), "--game", settings.game]) == 0
    assert capsys.readouterr().out.endswith("proof   none\n")
