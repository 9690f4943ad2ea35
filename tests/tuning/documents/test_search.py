"""Stored figures of a trial are those of its counts."""

from typing import Any

import pytest

from tunesmith.games.errors import StudyError
from tunesmith.tuning.documents.search import PlayedTrial

PLAYED = {
    "digest": "c0de",
    "sampler": "clop",
    "from": 8,
    "openings": 100,
    "scores": [0.5, 0.25, 1.0, 0.75],
    "counts": [1, 1, 1, 2, 3],
    "wdl": [8, 3, 5],
    "opponents": {"hand": [1, 0, 1, 1, 1], "greedy": [0, 1, 0, 1, 2]},
    "games": 16,
    "score": 0.65625,
}
WHOLE = PLAYED | {"scores": [0.5, 0.25, 1.0, 0.875]}


@pytest.mark.parametrize("scores", [WHOLE["scores"], [0.5, None, 1.0, 0.875, 0.1]])
def test_the_figures_of_the_counts_are_right(scores: list[float | None]) -> None:
    """Where an opponent has no result on an opening, the scores alone cannot be compared with the counts."""
    assert PlayedTrial.of(WHOLE | {"scores": scores}, "log").counts == WHOLE["counts"]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            {"counts": [0, 1, 1, 2, 3]},
            r"counts: expected \[1, 1, 1, 2, 3\], those of all opponents, found \[0,",
        ),
        ({"opponents": {"hand": [1, 1, 1, 2]}}, "counts: expected five counts for each opponent"),
        ({"score": 0.75}, "score: expected 0.65625, by the counts"),
        ({"scores": PLAYED["scores"]}, "mean of scores: expected 0.65625, by the counts .* found 0.625"),
        ({"games": 1.5}, "games: expected a valid integer, found 1.5"),
    ],
)
def test_another_figure_is_told_beside_the_right_one(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(StudyError, match=f"log: {told}"):
        PlayedTrial.of(WHOLE | changes, "log")
