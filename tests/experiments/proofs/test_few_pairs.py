"""Intervals and claims hold from the first pair on: a small form of experiments/proofs/few_pairs.py."""

import numpy as np
import pytest
from scipy.stats import multinomial

from tunesmith.experiments.proofs.few_pairs import HAND_MADE, all_counts, main, row, worlds


@pytest.fixture(scope="module")
def some() -> list[tuple[str, tuple[float, ...]]]:
    return list(worlds(draws=(0.02, 0.5, 0.97), gains=(0.0, 100.0, 400.0)))


@pytest.mark.parametrize("pairs", [1, 2, 3, 5, 8])
def test_the_interval_holds_the_truth_and_equals_are_not_told_apart(
    pairs: int, some: list[tuple[str, tuple[float, ...]]]
) -> None:
    found = row(pairs, some, matches=0, seed=0)
    assert found.coverage >= 0.94, found
    assert found.false_claims <= 0.05, found


def test_drawn_matches_say_the_same_as_enumerated_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    named = [("equals", HAND_MADE[1])]
    whole = row(6, named, matches=0, seed=1)
    monkeypatch.setattr("tunesmith.experiments.proofs.few_pairs.ENUMERATED", 0)
    drawn = row(6, named, matches=4000, seed=1)
    assert drawn.coverage == pytest.approx(whole.coverage, abs=0.015)
    assert drawn.slack[0] > 0 and whole.slack == (0, 0)


def test_the_chances_of_all_counts_sum_to_one() -> None:
    counts = all_counts(4)
    assert len(counts) == 70 and set(counts.sum(axis=1)) == {4}
    assert np.isclose(multinomial.pmf(counts, 4, HAND_MADE[4]).sum(), 1)


def test_the_command_says_whether_all_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--pairs", "1", "2"]) == 0
    assert "false" in capsys.readouterr().out
