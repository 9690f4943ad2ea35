"""Columns have types, units and views; names of somebody's own do not hide others."""

import numpy as np
import pandas as pd

from tunesmith.games import load
from tunesmith.tuning.notebook import frames
from tunesmith.tuning.notebook.frames import Column, frame, no_positions, own_names, trials_frame


def test_a_frame_has_types_a_named_index_units_and_views():
    made = frame(
        {"row": Column([4, 7], "int64", "number")},
        {
            "elo": Column([1.5, None], "float64", "Elo", "the candidate"),
            "wins": Column([None, 2], "Int64", "games"),
        },
    )
    assert made.index.name == "row" and made.index.tolist() == [4, 7]
    assert made.dtypes.to_dict() == {"elo": np.dtype("float64"), "wins": pd.Int64Dtype()}
    assert made.attrs == {
        "units": {"row": "number", "elo": "Elo", "wins": "games"}, "views": {"elo": "the candidate"}
    }  # fmt: skip


def test_a_name_that_is_taken_says_what_it_is_of():
    assert own_names(["bank", "weight"], ["weight"], "feature") == {
        "bank": "bank",
        "weight": "feature.weight",
    }


def test_settings_of_a_search_have_the_types_of_their_values():
    lines = [
        {"number": 0, "state": "COMPLETE", "setting": {"depth": 2, "scale": 1, "pvs": True, "objective": "result",
         "games": 3}, "score": 0.5, "counts": [0, 0, 8, 0, 0], "games": 16, "sampler": "given", "digest": "ab"},
        {"number": 1, "state": "FAIL", "setting": {"depth": 3, "scale": 1.5, "pvs": False, "objective": "margin"}},
    ]  # fmt: skip
    made = trials_frame(lines)
    kinds = {name: str(kind) for name, kind in made.dtypes.items()}
    assert kinds["depth"] == "Int64" and kinds["scale"] == "float64" and kinds["pvs"] == "boolean"
    assert kinds["objective"] == kinds["state"] == "category" and kinds["LL"] == kinds["games"] == "Int64"
    assert made["setting.games"].tolist()[0] == 3 and made["games"].isna().tolist() == [False, True]
    assert made.index.name == "number" and made["elo"].tolist()[0] == 0 and np.isnan(made["elo"].iloc[1])


def test_what_is_not_there_is_a_frame_without_rows_and_with_all_columns():
    game = load("kalah")
    empty = no_positions(game)
    assert len(empty) == 0 and list(empty.index.names) == ["run", "pair", "game", "ply"]
    assert set(game.feature_names) < set(empty.columns) and empty.attrs["views"]["bank"] == "the side to move"
    assert list(frames.games_frame([], {}).dtypes.astype(str)[:3]) == ["category", "category", "Int8"]
    assert (
        len(trials_frame([])) == len(frames.matches_frame([])) == len(frames.weights_frame(game, {}, [])) == 0
    )
