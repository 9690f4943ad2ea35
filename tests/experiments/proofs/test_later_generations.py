"""Ways to fit a second generation, beside that of a study: who plays, what is fitted, and what is told."""

from pathlib import Path

import pytest

from tunesmith.experiments.proofs import later_generations as later
from tunesmith.experiments.proofs.learning_curves import Terms
from tunesmith.tuning.play.resources import Resources

ALONE = Resources(1, "threads")


def test_all_ways_see_the_same_games_and_the_first_meets_itself(tmp_path: Path) -> None:
    terms = Terms("kalah", "nodes:20", 4)
    found = later.cell(terms, 16, 1, [*later.WAYS], tmp_path, ALONE)
    assert set(found) == set(later.WAYS) and all(sum(counts) == 4 for counts in found.values())
    assert found[later.ALL][2] == 4  # against itself every pair is even
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1-16-1", "1-16-2"]


def test_means_and_sums_are_told_and_a_way_that_wins_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(later, "cell", lambda *_: {later.NEWEST: [0, 2, 6, 6, 2]})
    assert later.main(["--seeds", "1", "2", "--pairs", "8"]) == 1
    assert f"| {later.NEWEST} | 2 | +89 ± 0 |" in capsys.readouterr().out
    monkeypatch.setattr(later, "cell", lambda *_: {later.NEWEST: [60, 20, 20, 0, 0]})
    assert later.main(["--seeds", "1", "2"]) == 0
