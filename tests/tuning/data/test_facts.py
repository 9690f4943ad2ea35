"""What is said of a dataset is what plain counting says."""

from typing import Any

import numpy as np
import pytest

from tests.naive import dataset as naive
from tests.support.described_games import data, facts, folder, games, made
from tests.support.small_matches import kalah
from tunesmith.tuning.data.dataset import Dataset
from tunesmith.tuning.data.facts import dataset_facts, histogram
from tunesmith.tuning.play.records import Games

__all__ = ["data", "facts", "folder", "games", "made"]  # fixtures


def taken(games: Games) -> list[naive.Position]:
    return [p for p in naive.positions(kalah(), games) if p.is_quiet and not naive.is_decided(p, 400)]


def test_counts_and_results_are_those_of_plain_counting(games: Games, facts: dict[str, Any]) -> None:
    positions = taken(games)
    assert facts["positions"] == len(positions) and facts["selection"]["rows"] == facts["rows"]
    whole = facts["balance"][0]
    assert whole["mean"] == pytest.approx(np.mean([p.label for p in positions]))
    assert whole["won"] + whole["drawn"] + whole["mixed"] + whole["lost"] == pytest.approx(len(positions))
    assert 0 < whole["won"] <= sum(p.label == 1 for p in positions)
    for at, row in enumerate(facts["balance"][1:]):
        share = np.array([p.stages[at] for p in positions])
        assert row["positions"] == pytest.approx(share.sum())
        assert row["mean"] == pytest.approx(share @ [p.label for p in positions] / share.sum())
    assert sum(row["positions"] for row in facts["by_ply"]) == len(positions)


def test_features_are_described_as_plain_counting_describes_them(
    games: Games, data: Dataset, facts: dict[str, Any]
) -> None:
    positions, rows = taken(games), {(r["feature"], r["stage"]): r for r in facts["features"]}
    values = np.array([p.features for p in positions])
    for at, name in enumerate(kalah().feature_names):
        row, column = rows[name, "all"], values[:, at]
        assert row["not_zero"] == pytest.approx((column != 0).mean())
        assert (row["least"], row["greatest"]) == (column.min(), column.max())
        assert row["mean"] == pytest.approx(column.mean()) and row["spread"] == pytest.approx(column.std())
        assert (
            row["quantiles"]
            == np.quantile(column, [0.05, 0.25, 0.5, 0.75, 0.95], method="inverted_cdf").tolist()
        )
        assert sum(row["bins"]["counts"]) == pytest.approx(len(positions))
        if column.std() > 0:
            merged = np.vstack([data.rows.features[:, at], data.rows.labels])
            spread = np.cov(merged, aweights=data.rows.weight)
            expected = spread[0, 1] / np.sqrt(spread[0, 0] * spread[1, 1])
            assert row["correlation"] == pytest.approx(expected)
        shares = np.array([p.stages for p in positions])
        late = rows[name, kalah().stage_names[1]]
        assert late["not_zero"] == pytest.approx(shares[:, 1] @ (column != 0) / shares[:, 1].sum())


def test_games_and_sources_are_told(games: Games, facts: dict[str, Any]) -> None:
    known, lengths = games.result[games.result != 2], np.diff(games.starts)[games.result != 2]
    assert facts["games"]["first_player_share"] == pytest.approx((known.mean() + 1) / 2)
    assert facts["games"]["length"]["mean"] == pytest.approx(lengths.mean())
    assert sum(facts["games"]["length"]["bins"]["counts"]) == len(lengths)
    (source,) = facts["sources"]
    assert (source["limits"], source["noise"], source["noise_plies"]) == (["nodes:40"] * 2, 0.05, 20)
    assert source["opening_plies"] == [3, 3] and source["openings"] == len(set(games.opening.tolist()))


def test_what_is_odd_is_said(data: Dataset) -> None:
    from dataclasses import replace

    features = data.rows.features.copy()
    features[:, 5] = features[:, 0] + features[:, 1]
    features[:, 6] = np.where(np.arange(len(features)) < 7, 1.0, 0.0)
    features[:, 7], features[:, 8] = 0.0, 2.0
    features[:, 9] = data.rows.labels - 0.5
    odd = dataset_facts(replace(data, rows=replace(data.rows, features=features)), 30)
    text = "\n".join(odd.notes)
    names = kalah().feature_names
    assert f"{names[9]} is nearly the result (correlation 1.00)" in text
    assert f"opening.{names[5]} is +1*opening.bank +1*opening.ponds in these positions" in text
    assert f"{names[6]} is not zero in only 7 positions" in text
    assert f"{names[7]} is zero in every position" in text and f"{names[8]} is 2 in every position" in text


def test_a_histogram_keeps_every_value() -> None:
    values = np.array([-3.0, -3.0, 0.1, 2.0, 5.0])
    assert histogram(values, np.ones(5), -3.0, 5.0, 4).counts == [2, 1, 1, 1]
    assert histogram(np.full(3, 7.0), np.ones(3), 7.0, 7.0, 4).counts == [3]
