"""The benchmark measures what it says, on work it can name."""

import games
from tuning.bench import bench


def test_every_figure_is_positive_and_names_its_work():
    rows = bench(games.load("kalah"), seconds=0.01)
    names = [row.name for row in rows]
    assert len(set(names)) == len(names)
    assert {"perft, bulk counted", "evaluations, all features", "games, 2 workers"} <= set(names)
    for row in rows:
        assert row.value > 0 and row.unit and row.work, row


def test_features_are_left_out_one_by_one():
    game = games.load("kalah")
    rows = bench(game, seconds=0.01, features=True)
    assert [row.name for row in rows if row.name.startswith("search, without")] == [
        f"search, without {name}" for name in game.feature_names
    ]
