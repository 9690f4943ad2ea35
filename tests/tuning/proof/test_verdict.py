"""The verdict: what it claims, and what it does not."""

import pytest

from tunesmith.tuning.documents.matches import Digest, Named, Run
from tunesmith.tuning.proof.verdict import judge, sentence
from tunesmith.tuning.stats import elo


def run(counts, name="measure", decision=None, limit="nodes:1000", opponent="hand", digest="d"):
    pairs = sum(counts)
    return Run(
        name=name,
        opponent=Named(name=opponent, digest=digest),
        candidate=Digest(digest="c"),
        limit=limit,
        counts=counts,
        estimate=elo.estimate(counts),
        games_needed=elo.games_needed(counts),
        games=2 * pairs,
        pairs=pairs,
        distinct_games=2 * pairs,
        results={"first": pairs, "draw": 0, "second": pairs},
        result_shares={"first": 0.5, "draw": 0.0, "second": 0.5},
        first_player_share=0.5,
        first_player_half_width=0.1,
        capped=0,
        adjudicated=0,
        faults=0,
        ends={"end": 2 * pairs},
        mean_length=40.0,
        warnings=[],
        kind="fixed" if decision is None else "sequential",
        sprt=None,
        decision=decision,
        path=[],
    )


BETTER, EQUAL, WORSE = [5, 20, 50, 60, 40], [20, 30, 50, 30, 20], [40, 60, 50, 20, 5]


@pytest.mark.parametrize(
    ("decision", "counts", "outcome"),
    [
        ("H1", BETTER, "stronger"),
        ("H1", WORSE, "weaker"),
        ("H1", [20, 31, 50, 29, 20], "not shown"),
        ("H0", EQUAL, "not shown"),
        ("H0", WORSE, "weaker"),
        ("inconclusive", BETTER, "not shown"),
        ("inconclusive", EQUAL, "not shown"),
    ],
)
def test_only_the_test_can_say_stronger_and_the_measurement_must_agree(decision, counts, outcome):
    assert judge(run(EQUAL, "main", decision), run(counts)) == outcome


def test_the_sentence_quotes_the_measurement_and_never_the_stopped_test():
    runs = [run([0, 0, 1, 2, 40], "main", "H1"), run(BETTER), run(EQUAL, "second-limit", limit="nodes:4000")]
    text = sentence("kalah", "hand", "stronger", runs)
    assert f"{elo.estimate(BETTER).elo:+.0f}" in text
    assert f"{elo.estimate(runs[0].counts).elo:+.0f}" not in text
    assert "nodes:4000" in text and "350 games" in text and "after 43 pairs" in text


def test_weights_against_themselves_prove_nothing():
    """A search that recommends its start is told so, and asked for no more games."""
    counts = [20, 30, 50, 31, 20]
    runs = [run(counts, "main", "inconclusive", digest="c"), run(counts, digest="c")]
    text = sentence("kalah", "hand", "not shown", runs)
    assert text.startswith("kalah: nothing to prove, the tuned weights are hand itself: ")
    assert "would need" not in text


def test_what_is_not_shown_says_how_many_games_would_show_it():
    counts = [20, 30, 50, 31, 20]
    text = sentence("kalah", "hand", "not shown", [run(counts, "main", "inconclusive"), run(counts)])
    assert "not shown to be stronger" in text and "would need about" in text
