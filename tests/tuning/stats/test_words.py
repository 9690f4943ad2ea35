"""What is said of a figure: never more than its interval shows."""

from dataclasses import replace

import pytest

from tunesmith.experiments.proofs.few_pairs import all_counts
from tunesmith.tuning.stats.elo import estimate, games_needed
from tunesmith.tuning.stats.words import claim, elo_words


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ((10, 60, 200, 130, 100), "A is stronger than B"),
        ((100, 130, 200, 60, 10), "A is weaker than B"),
        ((0, 0, 0, 0, 1), "not shown that A and B differ; a difference like this one needs about 26 games"),
        ((0, 0, 40, 0, 0), "not shown that A and B differ"),
    ],
)
def test_a_claim_is_what_the_interval_shows(counts: tuple[int, ...], said: str) -> None:
    found = estimate(counts)
    assert claim("A", "B", found, games_needed(counts)) == said


def test_an_interval_with_unlike_sides_is_written_with_its_ends() -> None:
    assert elo_words(estimate((34, 54, 63, 64, 75))) == "+55.6 ± 27.7 Elo"
    few = replace(estimate((0, 0, 0, 0, 6)), elo_high=2500.0)
    assert elo_words(few, 0) == "+669 (+62 .. +2500) Elo"


def test_what_is_written_with_plus_minus_claims_what_its_ends_claim() -> None:
    """Every match of up to seven pairs, and some that lie near the border."""
    for counts in [*all_counts(7).tolist(), *([20, 20, 40, 20, more] for more in range(20, 60))]:
        found = estimate(counts)
        said = elo_words(found)
        if "±" in said:
            middle, half = (float(part) for part in said.removesuffix(" Elo").split(" ± "))
            assert abs(middle) > half or claim("A", "B", found).startswith("not shown")
