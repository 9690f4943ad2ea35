"""What is written down about a fit: weights, bins, residuals, and what the held-out pairs think of it."""

from dataclasses import replace

import numpy as np
import pytest

from tests.support.simulated import fit, positions
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.documents.fit import BlendPath, RidgePath, Shrinkage
from tunesmith.tuning.documents.limits import Bend, Product
from tunesmith.tuning.fit import facts
from tunesmith.tuning.fit.boosting import Comparison
from tunesmith.tuning.fit.calibration import Gain
from tunesmith.tuning.fit.constraints import Constraints, Names
from tunesmith.tuning.fit.learning_curve import LearningCurve
from tunesmith.tuning.fit.loss import expected_result, mean_loss, scores
from tunesmith.tuning.fit.run import FitResult
from tunesmith.tuning.fit.shape import MOST_COLUMNS
from tunesmith.tuning.fit.shrinkage import GROUPS, ONE, TAILS
from tunesmith.tuning.fit.split import split

WEIGHTS = np.array([[120.0, -45.0], [30.0, 80.0]])
NAMES = Names(("early", "late"), ("pawn", "king"))
ROWS = positions(WEIGHTS, 500)
HELD = split(ROWS.group, 0.3)
TRAINING, JUDGING = ROWS.take(~HELD), ROWS.take(HELD)
FOUND = fit(TRAINING, np.zeros((2, 2)), ridge=1e-4, judging=JUDGING)
GIVEN = RidgePath(grid=[], losses=[])
MISS = JUDGING.labels - expected_result(scores(JUDGING, FOUND.weights))


def test_each_weight_has_a_row_in_order_of_stages() -> None:
    rows = facts.weight_rows(NAMES, FOUND, np.rint(FOUND.weights))
    assert [(row.stage, row.feature) for row in rows] == [
        ("early", "pawn"), ("early", "king"), ("late", "pawn"), ("late", "king")
    ]  # fmt: skip
    assert [row.after for row in rows] == np.rint(FOUND.weights).ravel().tolist()
    assert [row.error for row in rows] == pytest.approx(FOUND.errors.ravel())
    assert {row.status for row in rows} == {"fitted"} and {row.before for row in rows} == {0.0}


def test_a_row_says_what_the_data_alone_say_where_they_say_something() -> None:
    rows = facts.weight_rows(NAMES, FOUND, FOUND.weights)
    assert [row.data.error for row in rows if row.data] == pytest.approx(FOUND.data_errors.ravel())
    assert [row.data.weight for row in rows if row.data] == pytest.approx(FOUND.data.weights.ravel())
    silent = FOUND.data._replace(silent=np.array([[1.0], [0.0], [0.0], [1.0]]))
    rows = facts.weight_rows(NAMES, replace(FOUND, data=silent), FOUND.weights)
    assert [row.data is None for row in rows] == [True, False, False, True]


def test_tied_weights_are_marked_and_no_others() -> None:
    """In the file, too: a fit without ties is written as it always was."""
    rows = facts.weight_rows(NAMES, FOUND, FOUND.weights, np.array([[0, -1], [-1, 0]]))
    assert [row.content().get("tied") for row in rows] == [True, None, None, True]
    assert all("tied" not in row.content() for row in facts.weight_rows(NAMES, FOUND, FOUND.weights))


def test_bins_hold_all_rows_once_and_once_by_stage() -> None:
    bins = facts.calibration_rows(NAMES, JUDGING, FOUND.weights)
    by_stage = {name: [row for row in bins if row.stage == name] for name in ("all", "early", "late")}
    assert sum(row.n for row in by_stage["all"]) == pytest.approx(JUDGING.n)
    assert sum(row.n for name in ("early", "late") for row in by_stage[name]) == pytest.approx(JUDGING.n)
    actual = sum(row.n * row.actual for row in by_stage["all"]) / JUDGING.n
    assert actual == pytest.approx(JUDGING.labels.mean())
    chance = expected_result(scores(JUDGING, FOUND.weights))
    tenths = np.bincount((10 * chance).astype(int), minlength=10)
    assert [row.n for row in by_stage["all"]] == tenths[tenths > 0].tolist()
    one = Names(("all",), ("pawn", "king"))
    assert sum(row.n for row in facts.calibration_rows(one, JUDGING, FOUND.weights)) == JUDGING.n
    assert {row.stage for row in facts.calibration_rows(one, JUDGING, FOUND.weights)} == {"all"}


def test_residuals_are_actual_minus_predicted_results() -> None:
    by_stage = facts.residual_rows(NAMES, JUDGING, FOUND.weights, FOUND.loss)
    for at, row in enumerate(by_stage):
        share = JUDGING.stages[:, at]  # type: ignore[index]
        assert row.mean == pytest.approx(float(share @ MISS / share.sum()), abs=1e-9)
    by_score = facts.score_rows(JUDGING, FOUND.weights, FOUND.loss)
    assert by_score[0].low is None or by_score[0].low > -1e9
    assert by_score[-1].high is None or by_score[-1].high < 1e9
    score = scores(JUDGING, FOUND.weights)
    for band in by_score:
        low, high = (-np.inf if band.low is None else band.low), (np.inf if band.high is None else band.high)
        assert band.n == pytest.approx(np.count_nonzero((score >= low) & (score < high)))
    (alone,) = facts.score_rows(
        JUDGING.take(np.array([3])), FOUND.weights, FOUND.loss
    )  # other bands are empty
    assert alone.n == 1


@pytest.mark.parametrize(
    ("mean", "error", "words"),
    [
        (0.03, 0.01, None),
        (0.01, 0.01, "predict no better than the old ones (loss -0.01000, error 0.01000)"),
        (-0.03, 0.01, "predict worse than the old ones (loss +0.03000, error 0.01000)"),
        (0.0, float("nan"), None),
        (0.5, 0.25, "predict no better than"),  # not by more than two errors
        (-0.5, 0.25, "predict no better than"),
    ],
)
def test_what_held_out_pairs_think_is_said_if_it_is_not_good(
    mean: float, error: float, words: str | None
) -> None:
    said = facts.judgement(Gain(mean, error), replace(FOUND, prior=WEIGHTS))
    assert said == [] if words is None else words in said[0]


def test_more_games_are_promised_where_the_figure_shows_it():
    """In one sentence, which does not name a gain that it then doubts."""
    small, clear = (LearningCurve((), fall, 0.00013) for fall in (0.0002, 0.0005))
    assert facts._words(NAMES, small, None) == [
        "that twice the pairs would lower the held-out loss is not shown: by 0.00020 (error 0.00013)"
    ]
    assert facts._words(NAMES, clear, None) == [
        "twice the pairs would lower the held-out loss by about 0.00050 (error 0.00013)"
    ]


@pytest.mark.parametrize(("fall", "is_shown"), [(0.5, False), (0.625, True)])
def test_a_gain_is_shown_from_two_errors_on(fall: float, is_shown: bool) -> None:
    curve, trees = LearningCurve((), fall, 0.25), Comparison(0.7, 0.66, 0.6, fall, 0.25, 100)
    (more, better) = facts._words(NAMES, curve, trees)
    assert more.startswith("that twice") != is_shown
    if is_shown:
        assert better == (
            "boosted trees on the same features predict better by 0.62500 nats a position (error 0.25000), "
            "0.04000 of it by bending single features: that much the weighted sum leaves on the table"
        )
    else:
        assert better == "boosted trees on the same features predict no better than the weighted sum"


def test_single_features_that_predict_worse_when_bent_leave_nothing_on_the_table() -> None:
    nothing, trees = LearningCurve((), np.nan, np.nan), Comparison(0.7, 0.8, 0.6, 0.1, 0.01, 100)
    (said,) = facts._words(NAMES, nothing, trees)
    assert "0.00000 of it by bending" in said


def product(first: str, second: str, fall: float, z: float) -> Product:
    return Product(first=first, second=second, fall=fall, z=z)


def test_the_three_products_that_save_most_are_named_if_they_are_sure() -> None:
    products = [product("pawn", "king", 0.004, 4.1), product("king", "rook", 0.003, -9.0)]
    told = facts.shape_words(
        NAMES, [], [*products, product("rook", "pawn", 0.002, 4.0), product("x", "y", 0.001, 9.0)]
    )
    assert told == [
        "products of features that would lower the loss most: pawn matters more where king is high (0.00400 nats, "
        "z +4.1); king matters less where rook is high (0.00300 nats, z -9.0)"
    ]
    many = Names(("all",), ("a",) * MOST_COLUMNS)
    assert facts.shape_words(many, [], []) == []
    wider = replace(many, features=("a",) * (MOST_COLUMNS + 1))
    assert facts.shape_words(wider, [], []) == [
        "bends and products of features were not tried: more than 200 features"
    ]


def test_bends_are_told_with_their_place_and_what_they_bring() -> None:
    one = Bend(
        feature="king", knot=4.0, odd=False, before=20.0, after=-5.5, chance=0.01, fall=0.002, error=0.0005
    )
    told = facts.shape_words(NAMES, [one, one.model_copy(update={"odd": True})], [])
    assert told[0] == (
        "king bends at 4: one more is worth +20 Elo up to there and -5.5 beyond; as one more feature, that lowers the "
        "held-out loss by 0.00200 nats a position (error 0.00050)"
    )
    assert told[1].startswith("king bends at +-4:")


def test_a_fit_from_nothing_has_no_old_weights():
    (text,) = facts.judgement(Gain(0.01, 0.01), FOUND)
    assert "predict no better than weights of 0, which they started from, (loss" in text


def test_a_fit_of_nothing_says_so() -> None:
    held = fit(TRAINING, WEIGHTS, ridge=1e-4, fixed=np.ones((2, 2), dtype=bool))
    assert facts.judgement(Gain(0.0, 0.1), held) == ["no weight could be fitted: all keep their prior"]


def test_it_is_said_when_only_some_rows_chose_the_ridge() -> None:
    assert facts.ridge_notes(RidgePath(grid=[], losses=[], rows=400), TRAINING) == [
        f"the ridge was chosen on 400 of {TRAINING.n:,} rows, whole games"
    ]
    assert facts.ridge_notes(GIVEN, TRAINING) == []


KINDS = [
    Shrinkage(name=ONE, loss=0.5, error=0.0),
    Shrinkage(name=GROUPS, loss=0.498, error=0.0004),
    Shrinkage(name=TAILS, loss=0.4995, error=0.0006),
]


def test_one_ridge_for_all_says_what_games_left_out_think_of_other_ways() -> None:
    path = RidgePath(grid=[], losses=[], kinds=KINDS, kind=ONE)
    assert facts.shrinkage_words(NAMES, FOUND, path) == [
        "one ridge holds all weights: that another way predicts games left out better is not shown, "
        "a ridge for each group of weights by 0.00200 (error 0.00040) and a ridge for each weight (heavy tails) by "
        "0.00050 (error 0.00060)"
    ]
    assert facts.shrinkage_words(NAMES, FOUND, GIVEN) == []
    two = RidgePath(grid=[], losses=[], kinds=[KINDS[0], KINDS[2]], kind=ONE)
    assert facts.shrinkage_words(NAMES, FOUND, two)[0].endswith(
        "is not shown, a ridge for each weight (heavy tails) by 0.00050 (error 0.00060)"
    )
    one = RidgePath(grid=[], losses=[], kinds=KINDS[:1], kind=ONE)
    assert facts.shrinkage_words(NAMES, FOUND, one) == []


def test_ridges_of_groups_are_named_with_what_games_left_out_gained() -> None:
    names = Names(("early", "late"), ("king", "pst_1", "pst_2", "pst_3"))
    found = replace(
        FOUND,
        ridge=0.01,
        status=np.full((2, 4), "fitted"),
        firmness=np.array([[1.0, 20.0, 20.0, 20.0], [0.3, 5.0, 5.0, 5.0]]),
    )
    path = RidgePath(grid=[], losses=[], kinds=KINDS, kind=GROUPS)
    assert facts.shrinkage_words(names, found, path) == [
        "a ridge for each group of weights predicts games left out better than one for all by 0.00200 (error 0.00040), "
        "and is used: least firmly late.others 0.003, early.others 0.01, most firmly early.pst_* 0.2"
    ]


def test_a_group_that_is_held_least_firmly_is_named_once() -> None:
    names = Names(("early", "late"), ("king", "pst_1", "pst_2", "pst_3"))
    firmness = np.array([[1.0, 0.1, 0.1, 0.1], [2.0, 5.0, 5.0, 5.0]])
    found = replace(FOUND, ridge=0.01, status=np.full((2, 4), "fitted"), firmness=firmness)
    (text,) = facts.shrinkage_words(names, found, RidgePath(grid=[], losses=[], kinds=KINDS, kind=GROUPS))
    assert text.endswith("least firmly early.pst_* 0.001, early.others 0.01, most firmly late.pst_* 0.05")


def test_heavy_tails_name_the_weights_that_they_let_go() -> None:
    found = replace(FOUND, ridge=0.01, firmness=np.array([[0.1, 2.0], [3.0, 0.4]]))
    path = RidgePath(grid=[], losses=[], kinds=KINDS, kind=TAILS)
    (text,) = facts.shrinkage_words(NAMES, found, path)
    assert text.endswith("least firmly early.pawn 0.001, late.king 0.004, most firmly late.pawn 0.03")
    assert {row.firmness for row in facts.weight_rows(NAMES, found, WEIGHTS)} == {0.1, 2.0, 3.0, 0.4}
    assert {row.firmness for row in facts.weight_rows(NAMES, FOUND, WEIGHTS)} == {None}


def test_the_whole_record_counts_rows_and_judges_the_written_weights() -> None:
    written = np.rint(FOUND.weights)
    made = facts.fit_facts(
        NAMES,
        FitResult(
            FOUND,
            FitOptions(ridge=1e-4),
            Constraints.of((2, 2)),
            GIVEN,
            BlendPath(grid=[], losses=[], errors=[]),
            None,
            TRAINING,
        ),
        TRAINING,
        JUDGING,
        written,
        with_trees=False,
    )
    assert (made.rows_training, made.rows_held_out) == (TRAINING.n, JUDGING.n)
    assert made.blend == 1  # nothing was mixed in, and nobody chose
    assert made.rows_per_weight == TRAINING.n / 4 and made.groups_per_weight == TRAINING.n_groups / 4
    fall = mean_loss(JUDGING, np.zeros((2, 2))) - mean_loss(JUDGING, written)
    assert made.gain_held_out.mean == pytest.approx(fall) and made.boosted is None
    assert any("twice the pairs would lower the held-out loss" in text for text in made.remarks)


def test_a_single_fitted_weight_has_all_rows_to_itself() -> None:
    fixed = np.array([[False, True], [True, True]])
    found = fit(TRAINING, np.zeros((2, 2)), ridge=1e-4, judging=JUDGING, fixed=fixed)
    made = facts.fit_facts(
        NAMES,
        FitResult(
            found, FitOptions(ridge=1e-4), Constraints.of((2, 2), fixed=fixed), GIVEN,
            BlendPath(grid=[], losses=[], errors=[]), None, TRAINING,
        ),
        TRAINING, JUDGING, found.weights, with_trees=False,
    )  # fmt: skip
    assert (made.rows_per_weight, made.groups_per_weight) == (TRAINING.n, TRAINING.n_groups)


def test_weights_where_positions_usually_are_lie_between_the_stages() -> None:
    """At the mean shares of the stages; the error counts that errors of the stages go together."""
    made = facts.usual_mix(NAMES, FOUND, TRAINING, FOUND.weights)
    assert made is not None and TRAINING.stages is not None
    shares = np.average(TRAINING.stages, axis=0, weights=TRAINING.weight)
    assert made.shares == pytest.approx(shares) and sum(made.shares) == pytest.approx(1)
    assert [made.low, made.high] == np.quantile(TRAINING.stages, (0.25, 0.75), axis=0).tolist()  # type: ignore[call-overload]
    assert all(low < share < high for low, share, high in zip(made.low, made.shares, made.high, strict=True))
    assert [row.after for row in made.weights] == pytest.approx(shares @ FOUND.weights)
    jacobian = np.kron(shares, np.eye(2))
    errors = np.sqrt(np.diag(jacobian @ FOUND.covariance @ jacobian.T))
    assert [row.error for row in made.weights] == pytest.approx(errors)


def test_one_stage_has_no_usual_mix() -> None:
    names = Names(("all",), ("pawn", "king"))
    for stages in (None, np.ones((TRAINING.n, 1))):
        assert facts.usual_mix(names, FOUND, replace(TRAINING, stages=stages), FOUND.weights[:1]) is None


def test_a_mix_of_weights_that_are_known_exactly_has_no_error_and_of_fixed_ones_none_at_all() -> None:
    errors = np.array([[np.nan, 1.0], [np.nan, np.nan]])
    sure = replace(FOUND, covariance=0 * FOUND.covariance, errors=errors)
    made = facts.usual_mix(NAMES, sure, TRAINING, FOUND.weights)
    assert made is not None and [row.error for row in made.weights] == [None, 0.0]
