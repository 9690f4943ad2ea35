"""What goes wrong when weights are fitted to results (section D of the field's list), asked of a study's own fit.

D1 games per weight: here. D2 a better loss is no proof: the pipeline's verification. D3 intervals, signs, big moves:
test_texel_checks. D4 gradients: test_texel. D5 K and a start from zero: here and test_fitting. D6 absolute weights, size of
scores: here. D7 calibration by stage: here. D8, D9 splits and symmetries: test_dataset, test_texel_split. D10 equal calm
positions: test_quiet. D11, D12 dependent and near-label features: test_texel_checks, test_table_fit, here. D13 rare ones:
test_texel_checks. D14 redundancy and rounding: here. D15 units, convergence, draws: test_texel. D16 what rounding undid,
D17 groups by name: test_fitting."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tests.support.simulated import fit as fit_simulated
from tests.support.small_matches import hand, kalah, openings, play
from tunesmith.engine.weights import Weights, from_array
from tunesmith.tuning.config import GameFitOptions
from tunesmith.tuning.fit.loss import scores
from tunesmith.tuning.fit.split import split
from tunesmith.tuning.pipeline import fit_games
from tunesmith.tuning.play.matchup import Noise
from tunesmith.tuning.play.records import Games
from tunesmith.tuning.play.store import read_games


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Games:
    folder = tmp_path_factory.mktemp("games")
    play(folder, range(60), openings=openings(60, 3), noise=Noise(0.05, 20))
    return read_games(folder)


def fit(games: Games, baseline: Weights | None = None, **wishes: Any) -> tuple[Weights, dict[str, Any], Any]:
    settings = GameFitOptions(**{"quiet": "off", **wishes})
    return fit_games.fit_weights(kalah(), baseline or hand(), [games], settings, 1)


def shuffled(games: Games, seed: int = 3) -> Games:
    """Give every game the result of another."""
    at = games.table.schema.get_field_index("result")
    results = np.random.default_rng(seed).permutation(games.result).astype(np.int8)
    column = pa.chunked_array([pa.array(results, games.table["result"].type)])
    return Games(games.table.set_column(at, games.table.field("result"), column), games.settings)


def test_shuffled_results_are_called_so_and_move_little(games: Games) -> None:
    """The old weights predict nothing then: K is small, and what is fitted is no better on unseen pairs."""
    real, mixed = fit(games)[1], fit(shuffled(games))[1]
    assert abs(mixed.scale_before) < 0.3 * real.scale_before
    assert any("on held-out pairs the new weights predict no better" in note for note in mixed.notes)
    moved = [abs(row.after - row.before) * row.size for row in mixed.weights if row.error is not None]
    assert np.nanmax(moved) < 60


def test_twenty_games_are_too_few_and_the_page_says_so(games: Games) -> None:
    _, facts, _ = fit(games.take(games.pair < 10))
    text = "\n".join(facts.notes)
    assert "neither weights nor errors can be trusted" in text and "expected at least 20 for each" in text
    assert facts.groups_per_weight < 1
    kept = [row for row in facts.weights if row.status in ("rare", "silent", "dependent")]
    assert kept and all(row.after == pytest.approx(row.before, abs=1e-4) for row in kept)


def test_the_old_weights_are_scaled_once_and_the_scale_is_kept(games: Games) -> None:
    """K times the hand-made numbers, whatever unit these are in (D5)."""
    tenth = from_array(kalah(), hand().array(kalah()) / 10, hand().scale * 10)
    _, plain, _ = fit(games, ridge=1e-3)
    _, other, _ = fit(games, tenth, ridge=1e-3)
    assert other.scale_before == pytest.approx(10 * plain.scale_before, rel=1e-6)
    for one, two in zip(plain.weights, other.weights, strict=True):
        assert two.before == pytest.approx(one.before, abs=1e-6)
        assert two.after == pytest.approx(one.after, abs=1e-3)


def test_written_weights_are_absolute_and_the_size_of_scores_is_told(games: Games) -> None:
    """Not changes, and in Elo; how far the mean absolute score moved is recorded (D6)."""
    made, facts, data = fit(games)
    after = np.array([row.after for row in facts.weights]).reshape(made.array(kalah()).shape)
    np.testing.assert_array_equal(made.array(kalah()), after)
    assert made.scale == 1
    held = split(data.rows.group, 0.2)
    training = data.rows.take(~held)
    sizes = np.abs(scores(training, after))
    assert facts.mean_abs_score[1] == pytest.approx(training.weight @ sizes / training.weight.sum(), rel=1e-4)


def test_calibration_and_counts_by_stage(games: Games) -> None:
    _, facts, _ = fit(games)
    stages = {row.stage for row in facts.calibration}
    assert stages == {"all", *kalah().stage_names}
    for row in facts.calibration:
        assert row.n > 0 and 0 <= row.predicted <= 1 and 0 <= row.actual <= 1
    assert [row.stage for row in facts.residuals] == list(kalah().stage_names)


def test_a_table_that_repeats_another_feature_keeps_its_number_also_when_rounded(games: Games) -> None:
    """Two equal columns: one is fitted, one keeps its prior to the rounding; the sum is what one alone would be (D14)."""
    _, _, data = fit(games)
    features = data.rows.features.copy()
    features[:, 10] = features[:, 0]
    doubled = replace(data.rows, features=features)
    found = fit_simulated(doubled, np.zeros(doubled.shape), ridge=1e-4)
    single = replace(data.rows, features=np.delete(features, 10, axis=1))
    alone = fit_simulated(single, np.zeros(single.shape), ridge=1e-4)
    assert (found.status[:, 10] == "dependent").all() and (found.weights[:, 10] == 0).all()
    assert found.weights[:, 0] == pytest.approx(alone.weights[:, 0], abs=1e-4)


def test_a_fit_lists_its_sources_and_its_positions(games: Games, tmp_path: Path) -> None:
    """Who played and under what (B19) is in the facts that the page shows."""
    _, facts, _ = fit(games)
    (source,) = facts.dataset.sources
    assert source.players == [[hand().digest, hand().digest]] and source.limits == ["nodes:40"] * 2
    assert facts.dataset.rows == facts.rows
    assert {"learning_curve", "boosted", "interactions", "remarks"} <= set(facts.content())
