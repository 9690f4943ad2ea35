"""What came of a match of chess engines, in words: never more than its interval shows."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from tunesmith.tuning.documents.engines import EngineMatch
from tunesmith.tuning.external.words import MOST_FAULTS, contest_words
from tunesmith.tuning.stats.elo import estimate

AHEAD = [5, 20, 50, 40, 10]
UNDECIDED = [0, 1, 5, 3, 1]


def match(counts: list[int] = UNDECIDED, **changes: Any) -> EngineMatch:
    """Return what `engines.json` says of a match with these pairs, worst for Swift first."""
    games = 2 * sum(counts)
    content = {
        "kind": "match", "openings": None, "first": engine("Swift"), "second": engine("Stout"),
        "games_needed": None, "estimate": asdict(estimate(counts)), "pairs": sum(counts), "counts": counts, "faults": [],
        "summary": {
            "games": games, "distinct_games": games - 2, "faults": 0, "capped": 1, "asked_again": 0,
            "ends": {"mate": games - 1, "move cap": 1}, "results": {"white": games - 10, "draw": 2, "black": 8},
        },
        **changes,
    }  # fmt: skip
    return EngineMatch.of(content, Path("engines.json"))


def engine(name: str, limit: str = "nodes:9") -> dict[str, Any]:
    return {"name": name, "digest": "d" * 16, "options": {}, "limit": limit}


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        (AHEAD, "Swift is stronger than Stout: +41.9 ± 29.4 Elo, score 56.0 %, 125 pairs"),
        (AHEAD[::-1], "Swift is weaker than Stout: -41.9 ± 29.4 Elo, score 44.0 %, 125 pairs"),
        # Here an end of the interval is 0: nothing is shown yet.
        ([5, 20, 50, 34, 8], "not shown that Swift and Stout differ: +29.8 ± 29.9 Elo, score 54.3 %, 117 pairs"),
        ([8, 34, 50, 20, 5], "not shown that Swift and Stout differ: -29.8 ± 29.9 Elo, score 45.7 %, 117 pairs"),
    ],
)  # fmt: skip
def test_a_match_claims_what_its_interval_leaves_no_doubt_of(counts: list[int], said: str) -> None:
    assert contest_words(match(counts))[0] == f"{said} at nodes:9"


@pytest.mark.parametrize(
    ("decision", "counts", "claim"),
    [
        ("H1", UNDECIDED, "Swift is stronger than Stout"),
        ("H0", AHEAD, "Swift is not stronger than Stout"),
        ("inconclusive", AHEAD, "not shown that Swift is stronger than Stout"),
    ],
)
def test_with_a_sequential_test_the_test_decides_and_not_the_interval(
    decision: str, counts: list[int], claim: str
) -> None:
    sprt = {"elo0": 0.0, "elo1": 20.0, "alpha": 0.05, "beta": 0.05, "model": "normalized", "max_pairs": 400}
    found = match(counts, sprt=sprt, decision=decision, llr=1.5, lower=-2.94, upper=2.94, after_test=None)
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
