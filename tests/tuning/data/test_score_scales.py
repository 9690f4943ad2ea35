"""Scores of players who count in units of their own, and of those who have none."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest

from tests.support.chosen_rows import rows_of
from tests.support.described_games import folder, games
from tests.support.small_matches import hand, kalah, play
from tunesmith.engine import weights as weight_files
from tunesmith.tuning.data.dataset import Dataset
from tunesmith.tuning.play import replay
from tunesmith.tuning.play.matchup import Opponent
from tunesmith.tuning.play.records import Games
from tunesmith.tuning.play.store import read_games

__all__ = ["folder", "games"]  # fixtures
EVERY = {"positions_per_game": 1000, "max_score": 400.0}


def test_scores_of_each_player_have_a_unit_of_their_own(games: Games) -> None:
    """Whether the one who plays along counts in Elo or in tenths of them, labels are the same."""
    table = games.table
    digest = table["first_weights"][0].as_py()
    plays_along = games.pair % 2 == 1

    def labels(unit: float) -> tuple[Dataset, npt.NDArray[np.float64]]:
        second = np.where(plays_along, "b", digest)
        sides = np.where(games.game == 0, digest, second), np.where(games.game == 0, second, digest)
        owner = np.repeat(np.arange(len(games)), np.diff(games.starts))
        marks = replay.mark_positions(kalah(), games.moves, games.starts, None)
        mover = np.where(marks & replay.SECOND != 0, sides[1][owner], sides[0][owner])
        scores = np.where(mover == "b", unit, 1.0) * np.clip(games.scores, -300, 300)
        cut = np.split(scores.astype(np.float32), games.starts[1:-1])
        changed = table
        for name, column in (("first_weights", sides[0]), ("second_weights", sides[1]), ("scores", cut)):
            at = changed.schema.get_field_index(name)
            field = changed.schema.field(name)
            changed = changed.set_column(at, field, pa.array(list(column), field.type))
        data = rows_of(kalah(), Games(changed, games.settings), quiet="off", blend=0.3, **EVERY)
        assert data.rows.expected is not None
        return data, data.rows.expected

    (one, expected), (other, in_tenths) = labels(1.0), labels(0.1)
    assert [scale.player for scale in one.score_scales] == [digest, "b"]
    assert other.score_scales[0] == one.score_scales[0]
    assert other.score_scales[1].scale == pytest.approx(10 * one.score_scales[1].scale, rel=1e-3)
    np.testing.assert_allclose(in_tenths, expected, atol=1e-3)


def test_moves_of_chance_have_no_scores_and_their_positions_the_result(tmp_path: Path) -> None:
    chance = Opponent(weight_files.load("random", kalah()), 0.5)
    play(tmp_path, range(12), opponents=(chance,))
    games = read_games(tmp_path)
    data = rows_of(kalah(), games, quiet="off", blend=0.0)
    assert [scale.player for scale in data.score_scales] == [hand().digest]
    _, seats = games.seats
    alone = data.rows.weight == 1
    by_chance = alone & (seats[data.place[:, 1]].max(axis=1) > 0)
    assert data.rows.expected is not None
    assert (data.rows.expected == data.rows.labels)[by_chance].mean() > 0.4
    assert (data.rows.expected == data.rows.labels)[alone & ~by_chance].mean() < 0.4
