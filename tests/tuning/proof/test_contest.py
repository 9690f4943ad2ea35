"""Contests on made-up pairs: what stops a test, what is said, and that nothing else can be said.

What went wrong elsewhere, and the test that it cannot here (others than these in `tests/tuning`):
peeking at a running test: `test_between_the_bounds_nothing_is_decided`, and in pipeline/test_prove.py
`test_an_interrupted_proof_...`;
rules made up on the way: `test_terms_cannot_change_once_games_are_played` there;
short games arriving first: `test_pairs_count_in_the_order_of_their_number`;
0 %, 100 %, all drawn: `test_extreme_matches_end_with_finite_figures`;
a stopped test's figure taken for the gain: `test_both_estimates_of_a_stopped_test_are_there_and_named`;
no feel for noise: `test_the_sentence_says_what_is_shown_and_what_more_games_would_show`;
strong against one opponent only: cli/test_verify.py `test_a_greedy_player_is_met_unless_nobody_is_asked_for`;
circles: report/test_gauntlet_page.py; openings used twice: pipeline/test_prove.py
`test_every_run_has_openings_of_its_own`."""

import json
import math

import numpy as np
import pytest

from tests.support import small_matches
from tests.support.made_up_contest import contest, proven
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.proof.contest import WAVE, Contest, decide, measure, recall, terms_in_words
from tunesmith.tuning.stats import elo
from tunesmith.tuning.stats.sprt import Sprt, walk

TEST = Sprt(0, 20, max_pairs=2000)


def drawn(shares: list[float], n: int, seed: int) -> list[int]:
    return [int(x) for x in np.random.default_rng(seed).choice(5, n, p=shares)]


EVEN = [0.15, 0.2, 0.3, 0.2, 0.15]
BETTER = [0.08, 0.14, 0.28, 0.25, 0.25]


def test_a_better_player_is_stronger_and_an_equal_one_is_not() -> None:
    better, words, main = proven(TEST, drawn(BETTER, 2000, 1), drawn(BETTER, 500, 2))
    assert better == "stronger" and main.decision == "H1" and "is stronger" not in words
    equal, words, main = proven(TEST, drawn(EVEN, 2000, 3), drawn(EVEN, 500, 4))
    assert equal == "not shown" and main.decision == "H0"
    assert "not shown to be stronger than hand" in words and "would need about" in words


@pytest.mark.parametrize("model", ["normalized", "logistic", "bayesian"])
def test_every_model_decides(model: str) -> None:
    test = Sprt(0, 20, model=model, max_pairs=2000)  # type: ignore[arg-type]
    found = decide(contest(drawn(BETTER, 2000, 1)), test)
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
    assert decide(contest(results), TEST).pairs == stop
    later = results[:stop] + [0] * (2000 - stop)
    assert decide(contest(later), TEST).decision == "H1"  # what comes after the stop does not count


def test_no_more_is_played_than_the_waves_of_the_test() -> None:
    asked: list[int] = []
    found = decide(contest(drawn(BETTER, 2000, 1), asked=(asked,)), TEST)
    assert asked[-1] - found.pairs < WAVE


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
    found = decide(contest(drawn(BETTER, 2000, 1)), TEST)
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
        searched = rng.multinomial(128, EVEN, size=50)
        best = max(searched.tolist(), key=lambda counts: elo.moments(counts).score)
        looked_good += elo.estimate(best).elo_low > 0
        outcome, _, _ = proven(TEST, drawn(EVEN, 2000, 1000 + repeat), drawn(EVEN, 500, 2000 + repeat))
        shown += outcome == "stronger"
    assert looked_good >= 10 and shown <= 3


def test_terms_are_told_before_the_first_game() -> None:
    lines = terms_in_words(Sprt(0, 20, max_pairs=500))
    assert lines[0] == ("sequential test [0, 20] normalised Elo, at most 500 pairs")
    assert "errors 5% and 5%, about 800 pairs if the gain is 20, at most 1,308 on average" in lines[1]
    assert (
        lines[2]
        == "within the limit a gain of 20 is accepted in 35% of such tests, rejected in 2%, undecided in 63%"
    )
    assert lines[3] == (
        "it shows a gain of 39 or more in 90% of such tests; for a gain of 20 that takes a limit of about 1,912 pairs"
    )
    assert len(terms_in_words(Sprt(0, 20, max_pairs=4000))) == 3  # enough for what it is about
    assert "it shows no gain in 90% of such tests" in terms_in_words(Sprt(0, 20, max_pairs=1))[3]


@pytest.mark.parametrize(("limit", "is_told"), [("nodes:40", False), ("time:0.001", True)])
def test_a_run_does_not_outlive_its_games_and_says_when_they_are_others(tmp_path, limit, is_told):
    own = Contest(
        "measure", small_matches.matchup(limit), "hand", small_matches.openings()[:2], tmp_path / "games",
        Resources(1, "threads"),
    )  # fmt: skip
    path = tmp_path / "measure.json"
    before = measure(own)
    before.write(path)
    assert recall(own, path) == before
    shard = own.folder / "shard-00000.parquet"
    shard.write_bytes(shard.read_bytes()[:-1] + b"?")
    assert recall(own, path) is None
    told = "a damaged file of games was played again under a time limit: these are other games than the first"
    assert (told in measure(own).warnings) == is_told


def test_counts_that_the_games_do_not_have_are_made_anew(tmp_path, caplog):
    own = Contest(
        "measure", small_matches.matchup(), "hand", small_matches.openings()[:2], tmp_path / "games",
        Resources(1, "threads"),
    )  # fmt: skip
    found = measure(own)
    counts = [*found.counts[1:], found.counts[0]]
    other = found.model_copy(update={"counts": counts, "estimate": elo.estimate(counts)})
    other.write(tmp_path / "measure.json")
    assert recall(own, tmp_path / "measure.json") is None
    assert f"its games come to {found.counts}: made anew" in caplog.text
