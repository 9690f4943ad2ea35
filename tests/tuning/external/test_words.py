"""What came of a match of chess engines, in words: never more than its interval shows."""

from pathlib import Path
from typing import Any

import pytest

from tunesmith.tuning.documents.engines import EngineMatch
from tunesmith.tuning.external.words import MOST_FAULTS, contest_words


def match(**changes: Any) -> EngineMatch:
    """Return what `uci.json` says of a match of 10 pairs."""
    content = {
        "kind": "match", "openings": None, "first": engine("Swift"), "second": engine("Stout"),
        "games_needed": None, "estimate": estimate(), "pairs": 10, "counts": [0, 1, 5, 3, 1], "faults": [],
        "summary": {
            "games": 20, "distinct_games": 18, "faults": 0, "capped": 1, "ends": {"mate": 19}, "asked_again": 0,
            "results": {"white": 9, "draw": 2, "black": 8},
        },
        **changes,
    }  # fmt: skip
    return EngineMatch.of(content, Path("uci.json"))


def estimate(elo: float = 40.0) -> dict[str, Any]:
    return {
        "games": 20, "elo": elo, "elo_low": elo - 30, "elo_high": elo + 30, "elo_half_width": 30.0, "nelo": 50.0,
        "nelo_half_width": 40.0, "los": 0.99, "score": 0.557, "is_clamped": False, "level": 0.95,
    }  # fmt: skip


def engine(name: str, limit: str = "nodes:9") -> dict[str, Any]:
    return {"name": name, "digest": "d" * 16, "options": {}, "limit": limit}


@pytest.mark.parametrize(
    ("elo", "claim"),
    [
        (40.0, "Swift is stronger than Stout"),
        (-40.0, "Swift is weaker than Stout"),
        (29.0, "not shown that Swift and Stout differ"),
        (-30.0, "not shown that Swift and Stout differ"),
    ],
)
def test_a_match_claims_what_its_interval_leaves_no_doubt_of(elo: float, claim: str) -> None:
    found = match(estimate=estimate(elo))
    assert contest_words(found)[0].startswith(f"{claim}: {elo:+.1f} ± 30.0 Elo")


@pytest.mark.parametrize(
    ("decision", "claim"),
    [
        ("H1", "Swift is stronger than Stout"),
        ("H0", "Swift is not stronger than Stout"),
        ("inconclusive", "not shown that Swift is stronger than Stout"),
    ],
)
def test_with_a_sequential_test_the_test_decides_and_not_the_interval(decision: str, claim: str) -> None:
    sprt = {"elo0": 0.0, "elo1": 20.0, "alpha": 0.05, "beta": 0.05, "model": "normalized", "max_pairs": 400}
    found = match(sprt=sprt, decision=decision, llr=1.5, lower=-2.94, upper=2.94, after_test=None)
    lines = contest_words(found)
    assert lines[0].startswith(f"{claim}: ")
    assert lines[2] == (
        f"sequential test [0, 20] normalized: {decision}, ratio +1.50 between -2.94 and +2.94"
    )


def test_both_limits_are_told_where_they_differ() -> None:
    assert contest_words(match())[0].endswith("10 pairs at nodes:9")
    slower = match(second=engine("Stout", "depth:3"))
    assert contest_words(slower)[0].endswith("10 pairs at nodes:9 against depth:3")


def test_some_faults_are_told_one_by_one() -> None:
    row = {
        "pair": 3,
        "game": 1,
        "names": ["Swift", "Stout"],
        "fault": 1,
        "end_reason": "crash",
        "detail": "code 3",
        "seed": 7,
        "moves": ["a1a2"],
    }
    lines = contest_words(match(faults=[row] * (MOST_FAULTS + 2)))
    told = [line for line in lines if line.lstrip().startswith("fault:")]
    assert told == ["  fault: pair 3 game 1, Stout: crash: code 3"] * MOST_FAULTS
