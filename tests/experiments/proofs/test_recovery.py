"""On positions of real games, drawn results give back the teacher's weights, and intervals hold the truth."""

import numpy as np
import pytest

from tests.support.chosen_rows import rows_of
from tests.support.small_matches import hand, kalah, openings, play
from tunesmith.experiments.proofs import recovery
from tunesmith.tuning.fit.constraints import Constraints
from tunesmith.tuning.fit.rows import Rows
from tunesmith.tuning.fit.shrinkage import ONE
from tunesmith.tuning.play.matchup import Noise
from tunesmith.tuning.play.store import read_games


@pytest.fixture(scope="module")
def rows(tmp_path_factory) -> Rows:
    folder = tmp_path_factory.mktemp("games")
    play(folder, range(200), openings=openings(200, 6), noise=Noise(0.15, 30))
    return rows_of(kalah(), read_games(folder), positions_per_game=6, quiet="off").rows


FREE = Constraints.of((2, 24))


def test_the_teacher_comes_back(rows):
    """200 pairs with one draw each and some 40 weights, the ridge chosen anew for each repetition."""
    rows, teacher = recovery.with_rare(rows, recovery.made_teacher(rows, hand().array(kalah())))
    made = recovery.teach(rows, teacher, Constraints.of(teacher.shape), 2)
    found = made[recovery.CHOSEN]
    assert found.games == 200 and found.weights > 30
    assert found.cosines.mean() > 0.85
    assert 0.88 < found.coverage["data", "all"].mean() <= 1.0
    assert found.widths["posterior", "axes"].mean() < found.widths["data", "axes"].mean()
    assert sum(found.kinds.values()) == 2 and list(made) == list(recovery.WAYS)
    assert any("rare: no such weight was fitted" in line for line in recovery.lines(found))


def test_more_games_bring_the_fit_nearer_to_the_teacher(rows):
    teacher = recovery.made_teacher(rows, hand().array(kalah()))
    half = rows.take(np.isin(rows.group, np.unique(rows.group)[:60]))
    few, many = (recovery.teach(part, teacher, FREE, 2, ways=(ONE,))[ONE] for part in (half, rows))
    assert few.cosines.mean() < many.cosines.mean()
