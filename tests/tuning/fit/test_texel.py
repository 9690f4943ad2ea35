"""The fit finds planted weights, equals other solvers, and leaves alone what the data are silent about."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from tests.support.simulated import fit, positions, table
from tunesmith.games.errors import InputError
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.fit.loss import Loss, derivatives, expected_result, mean_loss, scores
from tunesmith.tuning.fit.ridge import choose_ridge
from tunesmith.tuning.fit.rows import Rows
from tunesmith.tuning.fit.split import split
from tunesmith.tuning.fit.texel import Fit
from tunesmith.tuning.fit.texel import fit as fit_under

WEIGHTS = np.array([[120.0, -45.0, 0.0], [30.0, 80.0, -60.0]])
NOTHING = np.zeros_like(WEIGHTS)
BOTH: list[Loss] = ["cross-entropy", "squared-error"]
ROWS = positions(WEIGHTS, 1500)
SMALL = positions(WEIGHTS, 80, seed=9)


def one_stage(features: np.ndarray, weights: list[float], seed: int = 5, per_pair: int = 1) -> Rows:
    """Simulate results of positions with the given features."""
    rng = np.random.default_rng(seed)
    chance = expected_result(features @ np.array(weights))
    labels = (rng.random(len(features)) < chance).astype(np.float64)
    return table(features, labels=labels, group=np.arange(len(features)) // per_pair)


def changed(rows: Rows, **changes: np.ndarray | None) -> Rows:
    """Replace some columns of a table."""
    columns = {name: getattr(rows, name) for name in ("features", "stages", "labels", "weight", "group")}
    return Rows(**{**columns, **changes})


# --- the optimum -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", BOTH)
def test_planted_weights_come_back_within_three_errors(loss: Loss) -> None:
    found = fit(ROWS, NOTHING, ridge=1e-6, loss=loss)
    assert (np.abs(found.weights - WEIGHTS) < 3 * found.errors).all()
    assert (found.errors < 15).all()
    assert found.training.fit < found.training.prior
    assert (found.status == "fitted").all()


@pytest.mark.parametrize("loss", BOTH)
def test_exact_expected_results_give_back_exact_weights(loss: Loss) -> None:
    """Labels need not be results: blended ones are fitted all the same."""
    rows = changed(ROWS, labels=expected_result(scores(ROWS, WEIGHTS)))
    assert fit(rows, NOTHING, ridge=0, loss=loss).weights == pytest.approx(WEIGHTS, abs=1e-5)


def test_optimum_is_that_of_scikit_learn() -> None:
    """scikit-learn has no draws: each row goes in twice, as won with weight R and as lost with 1 - R."""
    from sklearn.linear_model import LogisticRegression

    x = (ROWS.stages[:, :, None] * ROWS.features[:, None, :]).reshape(ROWS.n, -1)  # type: ignore[index]
    twice, sides = np.vstack([x, x]), np.repeat([1, 0], ROWS.n)
    share = np.concatenate([ROWS.labels, 1 - ROWS.labels])
    model = LogisticRegression(C=np.inf, fit_intercept=False, solver="newton-cholesky", tol=1e-12)
    model.fit(twice, sides, sample_weight=share)
    found = fit(ROWS, NOTHING, ridge=0)
    assert found.weights.ravel() == pytest.approx(model.coef_[0] * 400 / np.log(10), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("loss", BOTH)
def test_bounds_hold_and_the_rest_is_as_good_as_a_general_solver_finds(loss: Loss) -> None:
    lower, upper = np.full(WEIGHTS.shape, -30.0), np.full(WEIGHTS.shape, 70.0)
    found = fit(ROWS, NOTHING, ridge=0, loss=loss, lower=lower, upper=upper)

    def value(flat: np.ndarray) -> tuple[float, np.ndarray]:
        there = derivatives(ROWS, flat.reshape(WEIGHTS.shape), loss)
        return 1e4 * there.value, 1e4 * there.gradient

    other = minimize(value, NOTHING.ravel(), jac=True, bounds=[(-30, 70)] * 6, method="L-BFGS-B", tol=1e-14)
    assert found.weights.ravel() == pytest.approx(other.x, abs=1e-3)
    assert (found.status == [["at bound", "at bound", "fitted"], ["fitted", "at bound", "at bound"]]).all()
    assert found.weights[0, 0] == 70 and found.weights[1, 2] == -30
    assert (np.isnan(found.errors) == (found.status == "at bound")).all()


def test_fixed_weights_keep_their_prior_and_the_others_adapt() -> None:
    prior = np.array([[50.0, 0.1, 0.2], [0.3, 0.4, 0.7]])
    fixed = np.array([[True, False, False], [False, False, True]])
    found = fit(ROWS, prior, ridge=0, fixed=fixed)
    assert (found.weights[fixed] == prior[fixed]).all()
    assert (found.status[fixed] == "fixed").all()
    gradient = derivatives(ROWS, found.weights).gradient.reshape(WEIGHTS.shape)
    assert np.abs(gradient[~fixed]).max() < 1e-11 < np.abs(gradient[fixed]).min()


def test_tied_weights_are_one_weight() -> None:
    """A feature tied over its stages is the same feature without stages."""
    ties = np.array([[0, 1, 2], [0, 1, 2]])
    tied = fit(ROWS, NOTHING, ridge=0, ties=ties)
    plain = fit(changed(ROWS, stages=None), NOTHING[:1], ridge=0)
    assert tied.weights == pytest.approx(np.repeat(plain.weights, 2, axis=0), rel=1e-7)
    bounded = fit(ROWS, NOTHING, ridge=0, ties=ties, upper=np.full(WEIGHTS.shape, 0.3))
    assert bounded.weights[:, 0].tolist() == [0.3, 0.3] and bounded.status[1, 0] == "at bound"
    assert tied.errors == pytest.approx(np.repeat(plain.errors, 2, axis=0), rel=1e-7)


# --- the ridge -------------------------------------------------------------------------------------------


def test_ridge_draws_towards_the_prior() -> None:
    prior = WEIGHTS + 50
    distance = [np.abs(fit(ROWS, prior, ridge=r).weights - prior).max() for r in (0, 1e-2, 1.0, 1e6)]
    assert distance == sorted(distance, reverse=True)
    assert distance[-1] < 1e-3


def test_an_automatic_ridge_is_the_one_that_is_chosen() -> None:
    choice = choose_ridge(SMALL, NOTHING, FitOptions())
    options, constraints = choice.applied(FitOptions(), None, SMALL.shape)
    found = fit(SMALL, NOTHING, ridge="auto")
    assert found.ridge == choice.ridge and (found.firmness == constraints.firmness).all()
    assert found.weights == pytest.approx(fit_under(SMALL, NOTHING, options, constraints).weights)


def test_without_a_ridge_weights_that_nothing_stops_are_refused() -> None:
    rows = table(np.array([[1.0], [-1.0]] * 50), labels=np.array([1.0, 0.0] * 50))
    with pytest.raises(InputError, match="ridge: 0 lets the weight of stage 0, feature 0 grow for ever"):
        fit(rows, np.zeros((1, 1)), ridge=0, keep_near_labels=True)


# --- orders ----------------------------------------------------------------------------------------------


def test_orders_that_hold_weights_are_told_apart_from_bounds_that_do() -> None:
    upper = np.array([[70.0, np.inf, np.inf], [np.inf] * 3])
    free = fit(ROWS, NOTHING, ridge=1e-4, upper=upper, orders=((1, 0),))
    assert free.orders_held == () and free.weights[0, 0] == 70 and free.status[0, 0] == "at bound"
    held = fit(ROWS, NOTHING, ridge=1e-4, upper=upper, orders=((1, 4), (4, 3)))
    assert held.orders_held == ((4, 3),) and held.weights[1, 0] == held.weights[1, 1]


# --- invariances -----------------------------------------------------------------------------------------


def same(one: Fit, other: Fit, unit: float | np.ndarray = 1.0) -> None:
    """Expect the same weights and errors, the second counted in features `unit` times as large."""
    assert other.weights * unit == pytest.approx(one.weights, rel=1e-6, abs=1e-6)
    assert other.errors * unit == pytest.approx(one.errors, rel=1e-6)
    assert other.training == pytest.approx(one.training, rel=1e-9)
    assert other.n_effective == pytest.approx(one.n_effective)


@given(
    exponents=st.tuples(*[st.floats(-6, 6)] * 3), loss=st.sampled_from(BOTH), ridge=st.sampled_from([0, 0.01])
)
@settings(max_examples=15)
def test_units_of_features_do_not_matter(exponents: tuple[float, ...], loss: Loss, ridge: float) -> None:
    unit = 10.0 ** np.array(exponents)
    prior = WEIGHTS / 2
    scaled = fit(changed(SMALL, features=SMALL.features * unit), prior / unit, ridge=ridge, loss=loss)
    same(fit(SMALL, prior, ridge=ridge, loss=loss), scaled, unit)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=10)
def test_order_of_rows_does_not_matter(seed: int) -> None:
    order = np.random.default_rng(seed).permutation(SMALL.n)
    same(fit(SMALL, NOTHING, ridge=1e-3), fit(SMALL.take(order), NOTHING, ridge=1e-3))


@given(counts=st.lists(st.integers(0, 3), min_size=SMALL.n, max_size=SMALL.n))
@settings(max_examples=10)
def test_weight_says_how_often_a_position_occurs(counts: list[int]) -> None:
    """Duplicates merged into one row of their weight; what never occurs may as well be missing."""
    counts[:40] = [1] * 40
    merged = changed(SMALL, weight=np.array(counts, dtype=np.float64))
    repeated = SMALL.take(np.arange(SMALL.n).repeat(counts))
    same(fit(merged, NOTHING, ridge=1e-3, min_rows=1), fit(repeated, NOTHING, ridge=1e-3, min_rows=1))


# --- errors ----------------------------------------------------------------------------------------------


def test_copies_of_a_position_add_no_certainty() -> None:
    """Nine copies in a pair: same weights, errors as for one; counted as independent, a third of that."""
    once, copied = (positions(WEIGHTS, 400, n, copies=True) for n in (1, 9))
    clustered, single = fit(copied, NOTHING, ridge=1e-4), fit(once, NOTHING, ridge=1e-4)
    same(clustered, single)
    blind = fit(changed(copied, group=np.arange(copied.n)), NOTHING, ridge=1e-4)
    assert clustered.errors / blind.errors == pytest.approx(np.full(WEIGHTS.shape, 3), rel=0.02)
    assert clustered.n_effective == pytest.approx(blind.n_effective / 9, rel=0.02)


def test_intervals_cover_the_truth() -> None:
    """40 repetitions of three weights: 95 % of 120 intervals, give or take four standard errors."""
    true = np.array([[100.0, -40.0, 20.0]])
    inside = 0
    for seed in range(40):
        found = fit(positions(true, 250, 3, seed=seed), 0 * true, ridge=1e-6)
        lower, upper = found.interval()
        inside += int(((lower < true) & (true < upper)).sum())
    assert 0.95 * 120 - 4 * np.sqrt(120 * 0.95 * 0.05) <= inside <= 119


def test_an_interval_is_as_many_errors_wide_as_its_level_asks() -> None:
    found = fit(SMALL, NOTHING, ridge=1e-3)
    for level, errors in ((0.95, 1.959964), (0.5, 0.6744898)):
        lower, upper = found.interval() if level == 0.95 else found.interval(level)
        assert lower == pytest.approx(found.weights - errors * found.errors, rel=1e-6)
        assert upper == pytest.approx(found.weights + errors * found.errors, rel=1e-6)


def test_error_of_a_weight_that_only_the_ridge_holds_is_that_of_the_prior() -> None:
    """With ridge r and n effective rows the prior is certain to 174 / sqrt(r n) Elo."""
    found = fit(SMALL, NOTHING, ridge=100.0)
    prior_error = 400 / np.log(10) / np.sqrt(100.0 * found.n_effective)
    assert found.errors * found.size == pytest.approx(np.full(WEIGHTS.shape, prior_error), rel=0.01)


def test_single_pair_has_no_errors() -> None:
    found = fit(changed(SMALL, group=np.zeros(SMALL.n, dtype=np.int64)), NOTHING, ridge=1e-3)
    assert np.isnan(found.errors).all() and np.isfinite(found.weights).all()


# --- what is reported, and what is refused ---------------------------------------------------------------


def test_fit_counts_what_it_used() -> None:
    held = split(ROWS.group, 0.25)
    training, tested = ROWS.take(~held), ROWS.take(held)
    found = fit(training, WEIGHTS / 2, ridge=1e-4, judging=tested)
    assert (found.n_rows, found.n_groups) == (training.n, len(np.unique(training.group)))
    assert found.training == pytest.approx([mean_loss(training, w) for w in (WEIGHTS / 2, found.weights)])
    assert found.held_out == pytest.approx([mean_loss(tested, w) for w in (WEIGHTS / 2, found.weights)])
    assert found.prior_scale == pytest.approx(2, abs=0.3)
    sizes = [np.abs(scores(training, w)).mean() for w in (WEIGHTS / 2, found.weights)]
    assert found.mean_abs_score == pytest.approx(sizes)
    assert found.slope <= 1e-10 and 2 <= found.iterations <= 10
    assert np.isnan(fit(training, NOTHING, ridge=1e-4).prior_scale)


def test_weights_are_fitted_up_to_a_bound_and_scarce_below_a_hundred_pairs() -> None:
    found = replace(
        fit(SMALL, NOTHING, ridge=1e-4),
        status=np.array([["fitted", "at bound", "fixed"], ["fitted", "rare", "at bound"]]),
        groups_per_weight=np.array([[100, 99, 99], [99, 0, 200]]),
    )
    assert found.n_fitted == 4
    assert found.is_scarce.tolist() == [[False, False, False], [True, False, False]]
    assert np.isnan(found.data_errors).tolist() == [[False, True, True], [False, True, True]]


def test_rows_of_weight_zero_count_for_nothing() -> None:
    is_real = SMALL.group < 40
    features = np.where(is_real[:, None], SMALL.features, 1e9)
    ghosts = changed(SMALL, features=features, weight=is_real.astype(np.float64))
    one, other = fit(ghosts, NOTHING, ridge=1e-3), fit(SMALL.take(is_real), NOTHING, ridge=1e-3)
    same(one, other)
    assert (one.n_rows, one.n_groups) == (other.n_rows, other.n_groups)


def test_fit_that_does_not_converge_is_an_error() -> None:
    with pytest.raises(
        InputError, match="the fit did not converge: after 1 iterations the largest scaled gradient"
    ):
        fit(ROWS, NOTHING, ridge=0, max_iterations=1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prior": np.zeros((3, 2))}, r"prior: expected shape \(stages, features\) = \(2, 3\), found \(3, 2\)"),
        ({"prior": np.full((2, 3), np.nan)}, "prior: stage 0, feature 0: expected a finite weight, found nan"),
        ({"fixed": np.zeros(3, dtype=bool)}, r"fixed: expected true or false for each weight \(2, 3\), found bool \(3,\)"),
        ({"ties": np.zeros((2, 3))}, "ties: expected a whole number for each weight"),
        ({"ties": np.zeros((2, 3), dtype=int), "prior": WEIGHTS}, "ties: weights tied as 0 differ in prior"),
        ({"ties": np.zeros((2, 3), dtype=int), "upper": np.eye(2, 3)}, r"ties: weights tied as 0 differ in upper: \[0.0, 1.0\]"),
        ({"lower": np.full((2, 3), 5.0)}, "bounds: stage 0, feature 0: expected the prior 0.0 to lie within 5.0 to inf"),
        ({"upper": np.zeros(3)}, r"upper: expected one bound for each weight \(2, 3\), found \(3,\)"),
        ({"judging": SMALL}, "held_out: expected pairs of its own, found 80 also fitted on, such as 0"),
        ({"judging": changed(SMALL, stages=None)}, r"held_out: expected \(2, 3\) stages and features, found \(1, 3\)"),
    ],
)  # fmt: skip
def test_wrong_options_are_refused_with_what_was_found(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        fit(SMALL, **{"prior": NOTHING, "ridge": 1e-3, **options})  # type: ignore[arg-type]


def test_fit_imports_neither_scikit_learn_nor_a_compiler() -> None:
    """Both take seconds to import, and workers and --help must stay quick."""
    code = "import sys, tunesmith.tuning.fit.texel; print({'sklearn', 'numba', 'pandas', 'optuna'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"
