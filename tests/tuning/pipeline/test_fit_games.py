"""What is written is what was fitted: the engine evaluates every stored position as the fit does, or no file stays."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.support import simulated
from tests.support.small_matches import hand, kalah, openings, play
from tunesmith.engine import weights as weight_files
from tunesmith.games.errors import InputError, StudyError
from tunesmith.tuning.config import GameFitOptions
from tunesmith.tuning.data import dataset
from tunesmith.tuning.documents.fit import MOST_ERROR
from tunesmith.tuning.fit import calibration
from tunesmith.tuning.fit.loss import mean_loss, scores
from tunesmith.tuning.fit.scale import fit_scale
from tunesmith.tuning.fit.split import split
from tunesmith.tuning.pipeline import fit_games
from tunesmith.tuning.play.matchup import Noise
from tunesmith.tuning.play.store import read_games


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("games")
    play(folder, range(60), openings=openings(60, 3), noise=Noise(0.05, 20))
    settings = GameFitOptions(quiet="off")
    return fit_games.fit_weights(kalah(), hand(), [read_games(folder)], settings, seed=1)


def test_the_engine_evaluates_every_row_as_the_fit_does(fitted, tmp_path: Path):
    made, _, data = fitted
    assert len(np.unique(data.place[:, 1])) > 50
    apart = dataset.engine_scores(data, made) - scores(data.rows, made.array(kalah()))
    assert np.abs(apart).max() <= 0.005 + 1e-6 < np.abs(apart).max() + 0.004
    fit_games.write_checked(kalah(), made, tmp_path / "w.json", data)
    assert weight_files.load(tmp_path / "w.json", kalah()).digest == made.digest


def test_hand_made_weights_with_a_scale_evaluate_alike_too(fitted):
    _, _, data = fitted
    fit_games.check_evaluations(kalah(), hand(), data, Path("hand.json"))


@pytest.mark.parametrize("damage", ["feature", "row"])
def test_without_agreement_there_is_no_file(fitted, tmp_path: Path, damage):
    """A feature counted otherwise in one position, or positions that belong to other rows."""
    made, _, data = fitted
    if damage == "feature":
        features = data.rows.features.copy()
        features[7] += 0.5
        wrong = replace(data, rows=replace(data.rows, features=features))
    else:
        wrong = replace(data, place=np.roll(data.place, 1, axis=0))
    with pytest.raises(
        StudyError, match=r"w\.json: the engine evaluates .* differently from the fit, such as"
    ):
        fit_games.write_checked(kalah(), made, tmp_path / "w.json", wrong)
    assert not (tmp_path / "w.json").exists()


def test_the_facts_of_a_fit_say_what_a_reader_needs(fitted):
    _, facts, data = fitted
    assert facts.rows == data.rows.n == facts.rows_training + facts.rows_held_out
    assert {row.status for row in facts.weights} <= {
        "fitted",
        "rare",
        "silent",
        "dependent",
        "near label",
    }
    assert sum(row.n for row in facts.residuals_by_score) == pytest.approx(
        sum(data.rows.weight[split(data.rows.group, 0.2)])
    )
    assert facts.learning_curve.parts[-1].loss == pytest.approx(facts.loss.held_out.fit, abs=1e-6)
    assert len(facts.ridge_path.evidence) == len(facts.ridge_path.grid)


def test_residuals_by_score_add_up_to_those_of_all(fitted):
    _, _, data = fitted
    weights = np.full((data.rows.shape), 10.0)
    by_score = calibration.residuals_by_score(data.rows, weights)
    whole = calibration.residuals_by_stage(replace(data.rows, stages=None), weights[:1])
    seen = by_score.n > 0
    total = (by_score.n * np.nan_to_num(by_score.actual))[seen].sum() / by_score.n.sum()
    assert total == pytest.approx(whole.actual[0])


# --- what a study may ask for ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    folder = tmp_path_factory.mktemp("more-games")
    play(folder, range(60), openings=openings(60, 3), noise=Noise(0.05, 20))
    return [read_games(folder)]


def fit(games, baseline=None, start=None, **wishes):
    settings = GameFitOptions(**{"quiet": "off", "ridge": 1e-3, **wishes})
    return fit_games.fit_weights(kalah(), baseline or hand(), games, settings, 1, start)


def numbers(made):
    table = made.array(kalah()).tolist()
    return {
        stage: dict(zip(kalah().feature_names, row, strict=True))
        for stage, row in zip(kalah().stage_names, table, strict=True)
    }


def by_name(facts):
    return {(row.stage, row.feature): row for row in facts.weights}


def test_groups_are_frozen_or_fitted_alone_by_pattern(games):
    _, facts, _ = fit(games, fixed=["pond_*", "ending.bank"])
    fixed = {name for name, row in by_name(facts).items() if row.status == "fixed"}
    assert ("ending", "bank") in fixed and ("opening", "bank") not in fixed
    assert all((stage, f"pond_{i}") in fixed for stage in ("opening", "ending") for i in range(1, 6))
    made, facts, _ = fit(games, only=["free_turn_*"])
    free = {name for name, row in by_name(facts).items() if row.status != "fixed"}
    assert {feature for _, feature in free} == {f"free_turn_by_pond_{i}" for i in range(1, 7)}
    assert numbers(made)["opening"]["bank"] == pytest.approx(
        numbers(hand())["opening"]["bank"] * facts.scale_before, abs=1e-4
    )


def test_bounds_signs_orders_and_ties_hold(games):
    made, facts, _ = fit(
        games,
        bounds=["mobility=-5:0", "captures=-"],
        orders=["pond_1<=pond_2<=pond_3"],
        ties=["opening.bank=ending.bank"],
    )
    for stage in ("opening", "ending"):
        row = numbers(made)[stage]
        assert -5 <= row["mobility"] <= 0 and row["captures"] <= 0
        assert row["pond_1"] <= row["pond_2"] <= row["pond_3"]
    assert numbers(made)["opening"]["bank"] == numbers(made)["ending"]["bank"]
    assert facts.learning_curve.parts


def test_written_numbers_are_multiples_and_what_that_undid_is_named(games):
    made, facts, data = fit(games, round=25.0)
    assert all(value % 25 == 0 for row in numbers(made).values() for value in row.values())
    found = facts.rounding
    assert found.loss.before <= found.loss.repaired <= found.loss.rounded
    assert found.vanished
    assert any("rounding brought back the old number" in note for note in facts.notes)
    fit_games.check_evaluations(kalah(), made, data, Path("w.json"))


def test_draws_may_be_an_outcome_of_their_own(games):
    made, facts, data = fit(games, draws=True)
    assert set(data.rows.labels.tolist()) == {0.0, 0.5, 1.0}
    assert facts.draw_margin > 0
    # scores stay in Elo, of which the results ask for about one
    scale = fit_scale(scores(data.rows, made.array(kalah())), data.rows.labels, data.rows.weight)
    assert scale == pytest.approx(1, abs=0.3)
    with pytest.raises(InputError, match="fit.draws: expected fit.blend = 1, found 0.5"):
        fit(games, draws=True, blend=0.5)


def test_the_scores_of_a_blend_are_brought_to_elo_first(games):
    _, facts, data = fit(games, blend=0.3)
    assert len(facts.score_scales) == 1 and facts.score_scales[0].scale > 0
    told = any(f"one Elo of the scores of {hand().digest[:12]} is worth" in note for note in facts.notes)
    assert told == (not 0.8 < facts.score_scales[0].scale < 1.25)


def test_a_start_changes_the_way_and_not_the_end(games):
    made, facts, _ = fit(games)
    again, later, _ = fit(games, start=made)
    assert later.iterations < facts.iterations
    for stage, row in numbers(made).items():
        assert numbers(again)[stage] == pytest.approx(row, abs=1e-3)


def test_starting_from_zero_needs_a_named_unit(games):
    nothing = weight_files.from_array(kalah(), np.zeros((kalah().n_stages, kalah().n_features)))
    with pytest.raises(InputError, match='no scale; to start from zero, name the unit: fit.anchor = "elo"'):
        fit(games, nothing)
    _, facts, _ = fit(games, nothing, anchor="elo", only=["bank"])
    assert facts.scale_before is None
    bank = by_name(facts)["ending", "bank"]
    assert bank.before == 0 and bank.after > 2 * bank.error > 0


@pytest.mark.parametrize(
    ("wishes", "message"),
    [
        ({"fixed": ["bnk"]}, "fit.fixed: no weight is called 'bnk'; did you mean 'bank'"),
        ({"only": ["x_*"]}, "fit.only: no weight is called 'x_"),
        ({"bounds": ["bank"]}, "fit.bounds: expected NAME=LOW:HIGH, NAME=. or NAME=-, found 'bank'"),
        ({"bounds": ["bank=-"]}, "fit.bounds: expected the old weight of opening.bank from -inf to 0, found"),
        ({"orders": ["bank<=mobility"]}, "fit.orders: expected the old weights to keep opening.bank <= opening.mobility"),
        ({"ties": ["bank=mobility"]}, "fit.ties: expected equal old weights, found opening.bank .*, opening.mobility 0"),
    ],
)  # fmt: skip
def test_wishes_that_cannot_be_met_are_refused_by_name(games, wishes, message):
    with pytest.raises(InputError, match=message):
        fit(games, **wishes)


def test_held_out_loss_is_that_of_results_whatever_labels_are_blended_with(games):
    """The loss of the written weights on the results of pairs that no fit saw, told out of the same games."""
    made, facts, data = fit(games, blend=0.3)
    aside = split(data.rows.group, 0.2)
    plain = data.rows.take(aside)
    assert facts.loss.held_out.fit == pytest.approx(mean_loss(plain, made.array(kalah())), abs=1e-4)
    assert facts.blend == 0.3 and not facts.blend_path.grid
    assert set(data.rows.labels[data.rows.weight == 1].tolist()) <= {0.0, 0.5, 1.0}


def simulated_fit(ridge: float, silent: bool = False):
    """A fit of Kalah's shape: few games, and on request one move of the weights about which they say nothing."""
    game = kalah()
    shape = (len(game.stage_names), len(game.feature_names))
    rng = np.random.default_rng(2)
    found = simulated.fit(
        simulated.positions(rng.normal(0, 40, shape), 300, seed=4), np.zeros(shape), ridge=ridge
    )
    column = np.zeros((found.weights.size, 1))
    column[3] = 1.0
    return replace(found, data=found.data._replace(silent=column)) if silent else found


def test_directions_are_as_long_as_the_data_leave_them_whatever_the_ridge():
    """A strong ridge is sure of itself, not of the weights."""
    weak, strong = (fit_games.directions(kalah(), simulated_fit(ridge)) for ridge in (1e-6, 1.0))
    assert strong[0].elo > 0.7 * weak[0].elo > 10
    found = simulated_fit(1.0)
    assert found.errors.max() < 0.5 * found.data_errors.max()


def test_a_direction_that_the_data_do_not_know_is_first_and_as_long_as_a_search_will_go():
    found = simulated_fit(1e-3, silent=True)
    first = fit_games.directions(kalah(), found)[0]
    assert first.elo == pytest.approx(MOST_ERROR)
    size = found.size.ravel()[3]
    largest = max(first.weights, key=lambda part: abs(part.change))
    assert largest.feature == kalah().feature_names[3]
    assert largest.change * size == pytest.approx(MOST_ERROR, rel=0.02)
