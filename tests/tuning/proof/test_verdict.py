"""The verdict: what it claims, and what it does not."""

from dataclasses import asdict

import pytest

from tunesmith.tuning.proof.verdict import judge, sentence
from tunesmith.tuning.stats import elo


def run(counts, name="measure", decision=None, limit="nodes:1000", opponent="hand"):
    return {
        "name": name,
        "opponent": {"name": opponent, "digest": "d"},
        "limit": limit,
        "counts": counts,
        "pairs": sum(counts),
        "games": 2 * sum(counts),
        "decision": decision,
        "estimate": asdict(elo.estimate(counts)),
        "games_needed": elo.games_needed(counts),
    }


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
    assert f"{elo.estimate(runs[0]['counts']).elo:+.0f}" not in text
    assert "nodes:4000" in text and "350 games" in text and "after 43 pairs" in text


def test_what_is_not_shown_says_how_many_games_would_show_it():
    counts = [20, 30, 50, 31, 20]
    text = sentence("kalah", "hand", "not shown", [run(counts, "main", "inconclusive"), run(counts)])
    assert "not shown to be stronger" in text and "would need about" in text
