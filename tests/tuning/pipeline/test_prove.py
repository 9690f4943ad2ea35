"""Whole proofs: every run on openings of its own, the same end after an interruption, terms that stay."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.listening import Listening
from tunesmith import games
from tunesmith.games.errors import InputError, StudyError
from tunesmith.tuning.config import StudyConfig
from tunesmith.tuning.documents.matches import Verdict
from tunesmith.tuning.pipeline.prove import four_times, verify_study, verify_weights
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.proof.promotion import of_study, promote

QUICK = {
    "limit": "nodes:40", "second_limit": "nodes:80", "max_pairs": 30, "measure_pairs": 8, "second_pairs": 4,
    "opponents": ["greedy"], "opponent_pairs": 4, "elo1": 60.0,
}  # fmt: skip


def terms(**changes: Any) -> StudyConfig:
    return StudyConfig.model_validate(
        {
            "name": "proof",
            "game": "kalah",
            "baseline": "hand-1",
            "hash_mb": 1,
            "openings": {"plies": 6},
            "verify": {**QUICK, **changes},
        }
    )


def content(root: Path) -> dict[str, bytes]:
    kept = [path for path in root.rglob("*.json") if path.name != "status.json"]
    return {str(path.relative_to(root)): path.read_bytes() for path in kept if "provenance" not in path.name}


@pytest.fixture(scope="module")
def proof(tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("proof") / "p"
    verify_weights(terms(), "hand", root, Resources(1, "threads"))
    return root


def test_a_proof_holds_all_runs_and_a_sentence(proof: Path) -> None:
    verdict = json.loads((proof / "verdict.json").read_text())
    assert [one["name"] for one in verdict["runs"]] == ["main", "measure", "second-limit", "opponent-1"]
    assert verdict["sentence"].startswith("kalah: hand is ")
    assert verdict["runs"][0]["after_test"]["elo"] is not None and verdict["runs"][1]["after_test"] is None
    assert verdict["outcome"] in ("stronger", "weaker", "not shown")


def test_every_run_has_openings_of_its_own(proof: Path) -> None:
    from tunesmith.tuning.play import store

    seen: list[str] = []
    for folder in sorted(proof.glob("verify/*/games")):
        seen += set(store.read_games(folder).opening.tolist())
    assert len(seen) == len(set(seen)) >= 16


def test_another_edition_is_proved_on_openings_of_its_own_and_says_so(proof: Path, tmp_path: Path) -> None:
    second = terms(max_pairs=4, measure_pairs=8, second_pairs=0, opponents=[])
    later = second.model_copy(update={"openings": second.openings.model_copy(update={"edition": 2})})
    verdict = verify_weights(later, "hand", tmp_path / "p", Resources(1, "threads"))
    first = Verdict.read(proof / "verdict.json")
    assert (first.edition, verdict.edition) == (1, 2)
    sets = [
        {row["text"] for row in json.loads((root / "openings" / "verify.json").read_text())}
        for root in (proof, tmp_path / "p")
    ]
    assert sets[0] and sets[1] and not sets[0] & sets[1]


def test_an_interrupted_proof_is_inconclusive_and_goes_on_to_the_same_end(
    proof: Path, tmp_path: Path
) -> None:
    said: list[str] = []
    calls = 0

    def stop(what: str, done: int, total: int) -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        verify_weights(terms(), "hand", tmp_path / "p", Resources(1, "threads", Listening(stop, said.append)))
    assert "inconclusive, nothing is decided" in said[-1]
    assert not (tmp_path / "p" / "verdict.json").exists()
    assert not (tmp_path / "p" / "verify" / "main.json").exists()
    verify_weights(terms(), "hand", tmp_path / "p", Resources(2, "threads"))
    assert content(tmp_path / "p") == content(proof)


def test_terms_cannot_change_once_games_are_played(proof: Path) -> None:
    with pytest.raises(StudyError, match=r"verify\.elo1: stored 60\.0, now 5\.0"):
        verify_weights(terms(elo1=5.0), "hand", proof, Resources())
    with pytest.raises(StudyError, match="digest of the candidate: stored"):
        verify_weights(terms(), "hand-2", proof, Resources())


def test_a_finished_proof_is_read_back(proof: Path) -> None:
    assert verify_study(proof, Resources()).content() == json.loads((proof / "verdict.json").read_text())


def test_an_unproven_study_is_not_promoted_because_of_its_verdict(tmp_path: Path) -> None:
    """Its weights hold the verdict as the study does, with the reason."""
    verdict = verify_weights(
        terms(max_pairs=4, measure_pairs=2, opponents=[]), "hand", tmp_path / "p", Resources(1, "threads")
    )
    assert verdict.outcome == "not shown" and verdict.reason is not None
    candidate = json.loads((tmp_path / "p" / "weights" / "candidate.json").read_text())
    assert candidate["proof"][-1] == verdict.content()
    with pytest.raises(InputError, match="not proven: the verdict is 'not shown'"):
        promote(games.load("kalah"), of_study(tmp_path / "p"))


def test_a_study_without_weights_is_sent_back(tmp_path: Path) -> None:
    from tunesmith.tuning.pipeline.context import load_players, pins
    from tunesmith.tuning.study import open_study

    open_study(tmp_path / "s", terms(), pins(load_players(terms())))
    with pytest.raises(StudyError, match=r"has no weights to verify yet"):
        verify_study(tmp_path / "s", Resources())


@pytest.mark.parametrize(
    ("limit", "more"), [("nodes:500", "nodes:2000"), ("depth:3", "depth:4"), ("time:0.1", "time:0.4")]
)
def test_the_second_limit_is_four_times_the_first(limit: str, more: str) -> None:
    assert four_times(limit) == more
