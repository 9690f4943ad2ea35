"""Proofs: what is fixed beforehand, what stops a test, what is said, and that nothing else can be said.

What went wrong elsewhere, and the test that it cannot here:
peeking at a running test: `test_between_the_bounds_nothing_is_decided`, `test_an_interrupted_proof_...`;
rules made up on the way: `test_terms_cannot_change_once_games_are_played`;
short games arriving first: `test_pairs_count_in_the_order_of_their_number`;
0 %, 100 %, all drawn: `test_extreme_matches_end_with_finite_figures`;
a stopped test's figure taken for the gain: `test_both_estimates_of_a_stopped_test_are_there_and_named`;
no feel for noise: `test_the_sentence_says_what_is_shown_and_what_more_games_would_show`;
strong against one opponent only: `test_a_greedy_player_is_met_unless_nobody_is_asked_for`;
circles: tests/tuning/play/test_gauntlet.py; openings used twice: `test_every_run_has_openings_of_its_own`."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.listening import Listening
from tests.support.made_up_contest import contest, proven
from tunesmith.games.errors import StudyError
from tunesmith.tuning.cli import run
from tunesmith.tuning.config import StudyConfig
from tunesmith.tuning.pipeline.prove import four_times, verify_study, verify_weights
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.proof import contest as verify
from tunesmith.tuning.stats import elo
from tunesmith.tuning.stats.sprt import Sprt, walk

TEST = Sprt(0, 20, max_pairs=2000)
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


def drawn(shares: list[float], n: int, seed: int) -> list[int]:
    return [int(x) for x in np.random.default_rng(seed).choice(5, n, p=shares)]


EVEN = [0.15, 0.2, 0.3, 0.2, 0.15]
BETTER = [0.08, 0.14, 0.28, 0.25, 0.25]


# The test, on made-up pairs


def test_a_better_player_is_stronger_and_an_equal_one_is_not() -> None:
    better, words, main = proven(TEST, drawn(BETTER, 2000, 1), drawn(BETTER, 500, 2))
    assert better == "stronger" and main.decision == "H1" and "is stronger" not in words
    equal, words, main = proven(TEST, drawn(EVEN, 2000, 3), drawn(EVEN, 500, 4))
    assert equal == "not shown" and main.decision == "H0"
    assert "not shown to be stronger than hand" in words and "would need about" in words


@pytest.mark.parametrize("model", ["normalized", "logistic", "bayesian"])
def test_every_model_decides(model: str) -> None:
    test = Sprt(0, 20, model=model, max_pairs=2000)  # type: ignore[arg-type]
    found = verify.decide(contest(drawn(BETTER, 2000, 1)), test)
    assert found.decision == "H1" and found.sprt is not None and found.sprt.model == model
    assert found.sprt.expected_pairs < found.sprt.longest_pairs


def test_between_the_bounds_nothing_is_decided() -> None:
    few = drawn(BETTER, 60, 1)
    outcome, words, main = proven(Sprt(0, 20, max_pairs=60), few, drawn(BETTER, 500, 2))
    assert main.decision == "inconclusive" and outcome == "not shown"
    assert "undecided after 60 pairs" in words


def test_pairs_count_in_the_order_of_their_number() -> None:
    """Draws that arrive first count where they belong: the decision is that of the numbers."""
    results = drawn(BETTER, 2000, 1)
    stop = walk(TEST, results).stop
    assert verify.decide(contest(results), TEST).pairs == stop
    later = results[:stop] + [0] * (2000 - stop)
    assert verify.decide(contest(later), TEST).decision == "H1"  # what comes after the stop does not count


def test_no_more_is_played_than_the_waves_of_the_test() -> None:
    asked: list[int] = []
    found = verify.decide(contest(drawn(BETTER, 2000, 1), asked=(asked,)), TEST)
    assert asked[-1] - found.pairs < verify.WAVE


@pytest.mark.parametrize("result", [0, 2, 4])
def test_extreme_matches_end_with_finite_figures(result: int) -> None:
    outcome, words, main = proven(TEST, [result] * 2000, [result] * 50)
    assert outcome == {0: "weaker", 2: "not shown", 4: "stronger"}[result]
    assert main.decision == {0: "H0", 2: "H0", 4: "H1"}[result]
    written = main.content()
    for figures in (written["estimate"], written["after_test"], written["sprt"]):
        assert all(math.isfinite(x) for x in figures.values() if isinstance(x, float))
    assert "nan" not in words and "inf" not in words
    json.dumps(written, allow_nan=False)


def test_both_estimates_of_a_stopped_test_are_there_and_named() -> None:
    found = verify.decide(contest(drawn(BETTER, 2000, 1)), TEST)
    assert found.after_test is not None
    assert found.after_test.elo < found.estimate.elo  # the stop made it look larger
    assert "bias of stopping removed" in found.after_test.meaning


def test_the_sentence_says_what_is_shown_and_what_more_games_would_show() -> None:
    measured = drawn([0.14, 0.2, 0.31, 0.2, 0.15], 500, 9)
    _, words, _ = proven(Sprt(0, 20, max_pairs=60), drawn(EVEN, 60, 3), measured)
    needed = elo.games_needed([measured.count(kind) for kind in range(5)])
    assert f"would need about {needed:,.0f} games" in words


def test_the_best_of_fifty_equal_candidates_is_not_shown_to_be_stronger() -> None:
    """Its search games look like proof; its own openings say what it is."""
    shown = looked_good = 0
    for repeat in range(20):
        rng = np.random.default_rng([50, repeat])
        searched = rng.multinomial(64, EVEN, size=50)
        best = max(searched.tolist(), key=lambda counts: elo.moments(counts).score)
        looked_good += elo.estimate(best).elo_low > 0
        outcome, _, _ = proven(TEST, drawn(EVEN, 2000, 1000 + repeat), drawn(EVEN, 500, 2000 + repeat))
        shown += outcome == "stronger"
    assert looked_good >= 10 and shown <= 3


def test_terms_are_told_before_the_first_game() -> None:
    lines = verify.terms_in_words(Sprt(0, 20, max_pairs=500))
    assert lines[0] == (
        "sequential test [0, 20] normalised Elo, chance of error 0.05 and 0.05, at most 500 pairs"
    )
    assert "about 800 pairs if the gain is 20, at most 1,308 on average" in lines[1]
    assert lines[2].startswith("with that limit a gain of ")
    assert len(verify.terms_in_words(TEST)) == 2
    assert "too low to show any gain" in verify.terms_in_words(Sprt(0, 20, max_pairs=1))[2]


# Whole proofs


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


# The command

COMMAND = [
    "verify",
    "kalah",
    "hand",
    "random",
    "--limit",
    "nodes:40",
    "--second-limit",
    "nodes:80",
    "--plies",
    "6",
]
COMMAND += ["--max-pairs", "60", "--measure-pairs", "8", "--second-pairs", "2", "--opponent-pairs", "2"]
COMMAND += ["--jobs", "1", "--backend", "threads", "--hash", "1"]


def test_a_greedy_player_is_met_unless_nobody_is_asked_for(tmp_path: Path, capsys) -> None:
    assert run([*COMMAND, "--out", str(tmp_path / "v"), "--json", "--require", "stronger"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["outcome"] == "stronger"
    assert [one["opponent"]["name"] for one in found["runs"]] == ["random", "random", "random", "greedy"]
    assert run([*COMMAND, "--out", str(tmp_path / "w"), "--json", "--opponent", "none"]) == 0
    assert len(json.loads(capsys.readouterr().out)["runs"]) == 3
    assert run(["verify", str(tmp_path / "w")]) == 0
    assert capsys.readouterr().out.startswith("kalah: hand is stronger than random: ")


def test_what_is_required_and_not_shown_fails(tmp_path: Path, capsys) -> None:
    swapped = [*COMMAND[:2], "random", "hand", *COMMAND[4:], "--out", str(tmp_path / "v")]
    assert run([*swapped, "--require", "stronger"]) == 1
    assert "random is weaker than hand" in capsys.readouterr().out
    assert run(swapped) == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["kalah", "hand"], "expected STUDY or GAME A B, found 'kalah hand'"),
        (
            ["kalah", "hand", "hand-1", "--model", "elo"],
            "--model: input should be 'normalized', 'logistic' or",
        ),
        (["kalah", "hand", "hand-1", "--elo1", "-3"], "elo0 must be below elo1, found [0.0, -3.0]"),
        (["kalah", "hand", "hand-1", "--alpha", "2"], "--alpha: input should be less than 0.5, found 2.0"),
        (["kalah", "hand", "hand-1", "--limit", "5"], "limit: expected depth:N"),
        (["kalah", "nobody", "hand"], "weights 'nobody'"),
        (["kalah", "hand", "hand-1", "--require", "luck"], "--require: expected stronger, found 'luck'"),
        (["nowhere"], "nowhere: not a study"),
    ],
)
def test_wrong_input_is_one_line(arguments: list[str], words: str, tmp_path: Path, capsys) -> None:
    assert (
        run(
            ["verify", *arguments, "--out", str(tmp_path / "v")]
            if len(arguments) > 1
            else ["verify", *arguments]
        )
        == 2
    )
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert words in said
