"""What is said of a figure: never more than its interval shows."""

from dataclasses import replace

import pytest

from tunesmith.experiments.proofs.few_pairs import all_counts
from tunesmith.tuning.stats.elo import estimate, games_needed
from tunesmith.tuning.stats.words import (
    claim,
    elo_words,
    first_move,
    interval_words,
    judged,
    place_between,
    saving,
)


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


def test_a_claim_stands_beside_the_figure_it_is_made_of() -> None:
    counts = (10, 60, 200, 130, 100)
    assert judged("A", "B", estimate(counts), digits=0) == "A is stronger than B: +89 ± 16 Elo"
    even = (5, 20, 30, 21, 5)
    said = judged("A", "B", estimate(even), games_needed(even), 0)
    assert said.startswith("not shown that A and B differ; a difference like this one needs about ")
    assert said.endswith(" games: +2 ± 39 Elo")


def test_rounding_does_not_hide_on_which_side_of_zero_an_interval_ends() -> None:
    """+25.4 ± 25.0 is a claim, +25 ± 25 is none."""
    found = replace(estimate((0, 0, 40, 0, 0)), elo=25.4, elo_low=0.4, elo_high=50.4)
    assert judged("A", "B", found, digits=0) == "A is stronger than B: +25.4 ± 25.0 Elo"
    found = replace(found, elo=24.4, elo_low=0.4, elo_high=48.4)
    assert interval_words(found, 0) == "+24.4 ± 24.0"
    assert interval_words(replace(found, elo=24.04, elo_low=0.04, elo_high=48.04), 0) == "+24.04 ± 24.00"


@pytest.mark.parametrize(
    ("share", "said"),
    [
        ((0.9, 0.85, 0.95), "saves nodes: 0.900 (0.850 .. 0.950)"),
        ((1.2, 1.1, 1.3), "costs nodes: 1.200 (1.100 .. 1.300)"),
        ((0.98, 0.93, 1.03), "not shown to save or cost nodes: 0.980 (0.930 .. 1.030)"),
        ((1.0, 1.0, 1.0), "not shown to save or cost nodes: 1.000 (1.000 .. 1.000)"),
        ((0.5, None, None), "not shown to save or cost nodes: 0.500 (one position)"),
    ],
)
def test_what_takes_less_saves_only_beyond_its_interval(share: tuple[float, float, float], said: str) -> None:
    assert saving("nodes", *share) == said


@pytest.mark.parametrize(
    ("share", "said"),
    [
        ((0.6, 0.07), "whoever moves first scores more than half: 60.0 ± 7.0 %"),
        ((0.4, 0.07), "whoever moves first scores less than half: 40.0 ± 7.0 %"),
        ((0.55, 0.07), "not shown that it matters who moves first: 55.0 ± 7.0 %"),
        ((0.53, 0.02), "whoever moves first scores more than half: 53.0 ± 2.0 %"),
        ((0.47, 0.02), "whoever moves first scores less than half: 47.0 ± 2.0 %"),
        ((0.52, 0.03), "not shown that it matters who moves first: 52.0 ± 3.0 %"),
        ((0.48, 0.03), "not shown that it matters who moves first: 48.0 ± 3.0 %"),
        ((1.0, None), "not shown that it matters who moves first: 100.0 %"),
    ],
)
def test_moving_first_matters_only_beyond_its_interval(share: tuple[float, float], said: str) -> None:
    assert first_move(*share) == said


def test_a_figure_has_as_many_digits_in_a_sentence_as_in_a_table() -> None:
    found = estimate((10, 60, 200, 130, 100))
    assert judged("A", "B", found) == f"A is stronger than B: {elo_words(found)}"
    assert elo_words(found) == f"{interval_words(found)} Elo"
    assert elo_words(replace(found, elo=5.0, elo_low=5.0, elo_high=5.0)) == "+5.0 ± 0.0 Elo"


def test_a_value_stands_in_its_picture_as_far_as_it_is_between_the_bounds() -> None:
    assert [place_between(value, -2.0, 6.0, 40) for value in (-9.0, -2.0, 0.0, 2.0, 6.0, 9.0)] == [
        0,
        0,
        10,
        20,
        40,
        40,
    ]
