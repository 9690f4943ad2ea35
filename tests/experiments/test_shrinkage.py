"""Ways to hold weights are compared on games that no fit saw, and the page is written from what came of it."""

from pathlib import Path

import pytest

from tests.support.small_matches import hand, kalah, openings, play
from tunesmith.experiments import shrinkage
from tunesmith.experiments.proofs.recovery import CHOSEN
from tunesmith.tuning.fit.constraints import Names
from tunesmith.tuning.fit.shrinkage import GROUPS, ONE, TAILS
from tunesmith.tuning.play.matchup import Noise

GAME = kalah()
NAMES = Names(tuple(GAME.stage_names), tuple(GAME.feature_names))


@pytest.fixture(scope="module")
def rows(tmp_path_factory) -> shrinkage.Rows:
    folder = tmp_path_factory.mktemp("games")
    play(folder, range(200), openings=openings(200, 6), noise=Noise(0.15, 30))
    return shrinkage.game_rows(GAME, folder)


def test_disjoint_parts_are_judged_on_a_third_that_none_of_them_saw(rows) -> None:
    found = shrinkage.unseen(rows, hand().array(GAME), NAMES, pairs=40, most=3)
    assert (found.pairs, found.parts) == (40, 3) and sum(found.kinds.values()) == 3
    assert set(found.excess) == {CHOSEN, GROUPS, TAILS}
    assert all(half > 0 for way, (_, half) in found.excess.items() if way != CHOSEN)
    assert 0.3 < found.one < found.prior < 0.8


def cell(mean: float, half: float) -> dict[str, object]:
    """What is kept of one game, fitted at one size."""
    way = {"pairs": 40, "parts": 3, "prior": 0.5, "one": 0.45, "kinds": {GROUPS: 2, ONE: 1}}
    unseen = {**way, "excess": {CHOSEN: (mean, half), GROUPS: (-0.002, 0.0005)}}
    where = {"commit": "0067d6c", "seed": 1, "pairs": 7500}
    return {**where, "command": "python -m ...", "unseen": [unseen], "matches": []}


def test_the_sentence_counts_cells_that_are_better_and_worse_beyond_their_interval() -> None:
    cells = {"a": cell(-0.001, 0.0004), "b": cell(0.0002, 0.0004), "c": cell(0.0005, 0.0004)}
    assert "better than one ridge in 1 of 3 cells and worse in 1;" in shrinkage.verdict(cells)
    assert shrinkage.verdict(cells).endswith("On average of the cells its loss is 1.0 x 0.0001 nats lower.")


def test_the_page_shows_losses_intervals_and_matches(tmp_path: Path) -> None:
    made = cell(-0.001, 0.0004)
    played = {"kind": GROUPS, "pairs": 40, "played": 1000, "elo": 5.0, "low": -2.0, "high": 12.0}
    page = shrinkage.page_of({"kalah": {**made, "matches": [played]}})
    line = (
        "| kalah | 80 | 3 | 0.5000 | 0.4500 | -10.0 ± 4.0 | -20.0 ± 5.0 |  | a ridge a group 2, one ridge 1 |"
    )
    assert line in page
    assert "    tunesmith selfplay GAME --out games/GAME --pairs 7500" in page
    assert "    python -m ...   # commit 0067d6c, seed 1" in page
    assert "| kalah | 80 | a ridge a group | 1,000 | +5.0 (-2.0 to +12.0) |" in page
