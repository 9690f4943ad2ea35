"""Stored figures of a match are those of its counts."""

from dataclasses import replace

import pytest

from tunesmith.tuning.documents.matches import wrong_estimate
from tunesmith.tuning.stats.elo import estimate

COUNTS = [10, 30, 50, 40, 20]


def test_the_figures_of_the_counts_are_right() -> None:
    found = estimate(COUNTS)
    assert wrong_estimate(COUNTS, found.score, found.elo) is None


@pytest.mark.parametrize("figure", ["score", "elo"])
@pytest.mark.parametrize("change", [0.001, -30.0, float("nan")])
def test_another_figure_is_told_beside_the_right_one(figure: str, change: float) -> None:
    found = estimate(COUNTS)
    changed = replace(found, **{figure: getattr(found, figure) + change})
    text = wrong_estimate(COUNTS, changed.score, changed.elo)
    assert text is not None and text.startswith(
        f"estimate.{figure}: expected {getattr(found, figure):g}, by the counts"
    )


def test_counts_that_are_none_are_told() -> None:
    text = wrong_estimate([1, -2, 3], 0.5, 0.0)
    assert text is not None and text.startswith("counts: ")
