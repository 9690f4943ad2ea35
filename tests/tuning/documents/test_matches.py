"""Stored figures of a match are those of its counts."""

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.tuning.proof.test_verdict import BETTER, run
from tunesmith.games.errors import StudyError
from tunesmith.tuning.documents.document import wrong_estimate
from tunesmith.tuning.documents.matches import Gain, Run, Verdict
from tunesmith.tuning.proof.verdict import _brief
from tunesmith.tuning.stats.elo import estimate

COUNTS = [10, 30, 50, 40, 20]


def test_the_figures_of_the_counts_are_right() -> None:
    found = estimate(COUNTS)
    assert wrong_estimate(COUNTS, {"score": found.score, "elo": found.elo}) is None


@pytest.mark.parametrize("figure", ["score", "elo"])
@pytest.mark.parametrize("change", [0.001, -30.0, float("nan")])
def test_another_figure_is_told_beside_the_right_one(figure: str, change: float) -> None:
    found = estimate(COUNTS)
    changed = replace(found, **{figure: getattr(found, figure) + change})
    text = wrong_estimate(COUNTS, {"estimate.score": changed.score, "estimate.elo": changed.elo})
    assert text is not None and text.startswith(
        f"estimate.{figure}: expected {getattr(found, figure):g}, by the counts"
    )


def test_counts_that_are_none_are_told() -> None:
    text = wrong_estimate([1, -2, 3], {"score": 0.5})
    assert text is not None and text.startswith("counts: ")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            lambda data: data["gain"].update(elo=data["gain"]["elo"] + 1),
            "gain.elo: expected .* the run measure",
        ),
        (lambda data: data["runs"][1].update(elo=0.5), "gain.elo: expected 0.5, that of the run measure"),
        (lambda data: data["runs"][0].update(elo=0.5), "runs.elo: expected .* by the counts"),
        (lambda data: data["runs"][0]["counts"].reverse(), "runs.elo: expected .* by the counts"),
    ],
)
def test_a_verdict_whose_figures_are_not_those_of_its_runs_is_refused(change: Any, told: str) -> None:
    runs = [run(BETTER, "main", "H1"), run(BETTER)]
    gain = {
        name: getattr(runs[1].estimate, name)
        for name in Gain.model_fields
        if name.startswith(("elo", "nelo"))
    }
    data = {
        "sentence": "kalah: it is stronger.",
        "outcome": "stronger",
        "candidate": "c0de",
        "baseline": {"name": "hand", "digest": "5f1d", "options": {}},
        "game": "kalah",
        "code": "ab1d",
        "decision": "H1",
        "gain": gain | {"run": "measure", "limit": "nodes:400", "games": 10},
        "runs": [_brief(one).content() for one in runs],
        "seed": 1,
        "command": "tunesmith run",
        "report": "report.html",
        "openings": "unused",
    }
    data = json.loads(json.dumps(data))
    assert Verdict.of(data, "verdict.json").outcome == "stronger"
    change(data)
    with pytest.raises(StudyError, match=f"verdict.json: {told}"):
        Verdict.of(data, "verdict.json")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            {"result_shares": {"first": 0.6, "draw": 0.0, "second": 0.5}},
            "result_shares.first: expected 0.5, by the",
        ),
        ({"games": 9}, "games: expected .*, by their ends"),
        ({"estimate": None}, "estimate: "),
    ],
)
def test_a_summary_whose_figures_are_not_those_of_its_games_is_refused(
    change: dict[str, Any], told: str
) -> None:
    data = json.loads(json.dumps(run(BETTER).content()))
    with pytest.raises(StudyError, match=f"main.json: {told}"):
        Run.of(data | change, "main.json")
