"""How a posed fit is solved: what is minimised, slopes and few rows' curvature, equal bits."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_info, threadpool_limits  # type: ignore[import-untyped,unused-ignore]

from tests.support.simulated import fit, positions, table
from tests.tuning.fit.test_sparse import some as sparse_and_full
from tunesmith.games.errors import InputError
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.fit import checks
from tunesmith.tuning.fit import solve as solve_module
from tunesmith.tuning.fit.constraints import Constraints
from tunesmith.tuning.fit.loss import Loss, mean_loss
from tunesmith.tuning.fit.newton import Minimum, Point
from tunesmith.tuning.fit.parameters import Parameters, pose
from tunesmith.tuning.fit.rows import Floats, Rows
from tunesmith.tuning.fit.solve import in_one_thread, settled, solve
from tunesmith.tuning.fit.sparse import Sparse

WEIGHTS = np.array([[120.0, -45.0, 0.0], [30.0, 80.0, -60.0]])
NOTHING = np.zeros_like(WEIGHTS)
ROWS = positions(WEIGHTS, 300)
RIDGE = 0.3


def posed(rows: Rows = ROWS, **allowed: object) -> Parameters:
    """Return parameters of which some are held three times as firmly as others."""
    firmness = np.where(np.arange(rows.shape[0] * rows.shape[1]) % 2, 3.0, 1.0).reshape(rows.shape)
    constraints = Constraints.of(rows.shape, **allowed)  # type: ignore[arg-type]
    return pose(rows, np.zeros(rows.shape), FitOptions(), replace(constraints, firmness=firmness)).parameters


def solved(rows: Rows, parameters: Parameters, start: Floats | None = None) -> Minimum:
    place = np.zeros(parameters.spread.shape[1]) if start is None else start
    return solve(rows, parameters, RIDGE, "cross-entropy", place, (1e-9, 50))


# --- what is minimised


def test_what_is_minimised_is_the_mean_loss_and_half_the_ridge_of_each_squared_move() -> None:
    parameters = posed()
    found = solved(ROWS, parameters)

    def value(place: Floats) -> float:
        held = sum(RIDGE * p * x**2 for p, x in zip(parameters.penalty, place, strict=True))
        return mean_loss(ROWS, parameters.weights(place)) + held / 2

    assert parameters.penalty == pytest.approx([1, 3] * 3, rel=0.02)
    assert found.point.value == pytest.approx(value(found.place), rel=1e-12)
    assert np.abs(found.place).min() > 0.01
    steps = 1e-3 * np.eye(6)
    around = [value(found.place + step) - value(found.place) for step in (*steps, *-steps)]
    assert min(around) > 0
    sums = [[value(found.place + a + b) - value(found.place + a - b)
             - value(found.place - a + b) + value(found.place - a - b) for a in steps] for b in steps]  # fmt: skip
    assert found.point.hessian == pytest.approx(np.array(sums) / 4e-6, abs=1e-5)


# --- slopes, with the curvature of few rows


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note of how many rows a Hessian is taken."""
    seen: list[int] = []
    original = solve_module.derivatives

    def noting(rows: Rows, *others: object) -> object:
        seen.append(rows.n)
        return original(rows, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(solve_module, "derivatives", noting)
    return seen


def limited(monkeypatch: pytest.MonkeyPatch, **limits: float) -> None:
    """Let few rows be others."""
    for name, value in limits.items():
        monkeypatch.setattr(checks, name, value)


MANY = positions(WEIGHTS, 1000, per_pair=4)


def newton(rows: Rows, parameters: Parameters, ridge: float = RIDGE) -> Minimum:
    """Minimise by Newton's method on all rows."""
    start = np.zeros(parameters.spread.shape[1])
    return solve_module._newton(rows, parameters, ridge, "cross-entropy", start, 1e-12, 100, None)


def test_the_hessian_of_a_quarter_leads_to_the_minimum_and_that_of_all_rows_waits_to_be_asked_for(
    passes: list[int],
) -> None:
    parameters = posed(MANY)
    slow = newton(MANY, parameters)
    passes.clear()
    quick = solved(MANY, parameters)
    (few,) = passes
    assert few == pytest.approx(MANY.n / 4, rel=0.05)
    assert quick.place == pytest.approx(slow.place, abs=1e-8) and quick.iterations > 1
    assert quick.point.value == pytest.approx(slow.point.value, rel=1e-13)
    for _ in range(2):
        assert quick.point.hessian == pytest.approx(slow.point.hessian, rel=1e-8, abs=1e-10)
    assert passes == [few, MANY.n]


@given(
    seed=st.integers(0, 10**6), ridge=st.sampled_from([1e-6, 1e-3, 0.1]), is_sparse=st.booleans(),
    is_separable=st.booleans(), is_squared=st.booleans(),
)  # fmt: skip
@settings(max_examples=25)
def test_odd_rows_end_where_newton_ends(
    seed: int, ridge: float, is_sparse: bool, is_separable: bool, is_squared: bool
) -> None:
    """Columns nearly alike, a rare and an empty one, units far apart, results that a column decides, weights of rows."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 3, (1200, 7)) * 10.0 ** rng.uniform(-2, 2, 7)
    x[:, 1] = x[:, 0] * (1 + 1e-4 * rng.normal(size=1200))
    x[:, 2] *= rng.random(1200) < 0.02
    x[:, 3] = 0
    hidden = (x[:, 4] > 0) if is_separable else rng.random(1200) < 0.4
    rows = table(x, labels=hidden.astype(np.float64))
    rows = replace(rows, weight=rng.uniform(0, 2, 1200) * (rng.random(1200) < 0.9)).used()
    if is_sparse:
        rows = replace(rows, features=Sparse(rows.features))
    parameters = posed(rows)
    loss: Loss = "squared-error" if is_squared else "cross-entropy"
    start = np.zeros(parameters.spread.shape[1])
    with pytest.MonkeyPatch.context() as patch:
        limited(patch, _LEAST=300, _PER_COLUMN=30)
        found = solve(rows, parameters, ridge, loss, start, (1e-11, 100))
    slow = solve_module._newton(rows, parameters, ridge, loss, found.place, 1e-12, 100, None)
    assert slow.iterations <= 1 and found.slope <= 1e-11
    assert found.point.value == pytest.approx(slow.point.value, rel=1e-13)
    assert found.place == pytest.approx(slow.place, rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("limit", [{"_SOME_ROWS": 500}, {"_SOME_NUMBERS": 1500}], ids=str)
def test_the_few_are_limited_in_rows_and_in_numbers(
    limit: dict[str, int], monkeypatch: pytest.MonkeyPatch, passes: list[int]
) -> None:
    limited(monkeypatch, **limit)
    solved(MANY, posed(MANY))
    assert passes == [pytest.approx(500, rel=0.1)]


def test_who_knows_where_to_start_or_the_curvature_looks_at_few_rows_less(
    monkeypatch: pytest.MonkeyPatch, passes: list[int]
) -> None:
    parameters, walked = posed(MANY), list[int]()
    found = solved(MANY, parameters)
    bend = found.point.hessian - np.diag(RIDGE * parameters.penalty)
    original = solve_module.gradient_of

    def noting(rows: Rows, *others: object) -> object:
        walked.append(rows.n)
        return original(rows, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(solve_module, "gradient_of", noting)
    passes.clear()
    again = solved(MANY, parameters, found.place)
    assert again.iterations <= 1 and set(walked) == {MANY.n} and len(passes) == 1
    passes.clear()
    start = np.zeros(len(found.place))
    other = solve(MANY, parameters, RIDGE, "cross-entropy", start, (1e-9, 50), known=bend)
    assert passes == [] and set(walked) == {MANY.n}
    assert other.place == pytest.approx(found.place, abs=1e-8)


def test_where_the_known_curvature_leads_nowhere_that_of_all_rows_is_taken_on_the_way(
    monkeypatch: pytest.MonkeyPatch, passes: list[int]
) -> None:
    parameters = posed(MANY)
    slow = newton(MANY, parameters)
    passes.clear()
    monkeypatch.setattr(solve_module, "_MOST_PASSES", 12)
    poor, start = np.diag([1e-3, 1e3] * 3), np.zeros(6)
    found = solve(MANY, parameters, RIDGE, "cross-entropy", start, (1e-11, 50), known=poor)
    assert passes == [MANY.n] and found.place == pytest.approx(slow.place, abs=1e-9)
    passes.clear()
    monkeypatch.setattr(solve_module, "_MOST_PASSES", 2)
    found = solve(MANY, parameters, RIDGE, "cross-entropy", start, (1e-11, 50), known=poor)
    assert len(passes) > 2 and found.place == pytest.approx(slow.place, abs=1e-9)  # Newton's method, at last


def test_few_rows_that_are_none_or_leave_a_weight_free_are_no_help(
    monkeypatch: pytest.MonkeyPatch, passes: list[int]
) -> None:
    parameters = posed(MANY)
    limited(monkeypatch, _SOME_ROWS=200)  # fewer than _PER_COLUMN for each weight
    assert solved(MANY, parameters).iterations > 1 and set(passes) == {MANY.n}
    limited(monkeypatch, _SOME_ROWS=8, _PER_COLUMN=1)  # two pairs, six weights and no ridge
    assert solved(MANY, replace(parameters, penalty=np.zeros(6))).slope < 1e-9
    limited(monkeypatch, _SOME_ROWS=6)  # perhaps none
    assert solved(MANY, parameters).slope < 1e-9


def test_bounds_are_kept_from_the_few_rows_on(monkeypatch: pytest.MonkeyPatch, passes: list[int]) -> None:
    parameters = posed(MANY, upper=np.full(MANY.shape, 20.0))
    monkeypatch.setattr(solve_module, "descend", None)  # knows no bounds
    quick = solved(MANY, parameters)
    assert passes.count(MANY.n) < 4 and min(passes) < MANY.n / 3
    limited(monkeypatch, _SOME_ROWS=1)
    assert quick.place == pytest.approx(solved(MANY, parameters).place, abs=1e-8)


def test_of_sparse_rows_the_curvature_is_that_of_so_many_for_each_column_or_of_a_part(
    monkeypatch: pytest.MonkeyPatch, passes: list[int]
) -> None:
    _, thin = sparse_and_full(rows=4000, columns=30)
    parameters = posed(thin)
    limited(monkeypatch, _LEAST=100, _PER_COLUMN=20, _MOST=5000, _BENT=10**6)
    for limits, wanted in (
        ({}, 600),
        ({"_LEAST": 1000}, 1000),
        ({"_LEAST": 100, "_MOST": 300}, 300),
        ({"_BENT": 3}, thin.n / 3),
        ({"_MOST_BENT": 900}, 900),
        ({"_LEAST": 10**6}, thin.n),
    ):
        passes.clear()
        limited(monkeypatch, **limits)
        found = solved(thin, parameters)
        assert passes[0] == pytest.approx(wanted, rel=0.1) and found.slope < 1e-9
    full, _ = sparse_and_full(rows=4000, columns=30)
    assert solved(full, posed(full)).place == pytest.approx(found.place, abs=1e-8)


# --- at a bound, and without one


def test_a_number_within_rounding_of_its_bound_stands_on_it_and_is_not_free() -> None:
    """Within 1e-9 of it, on either side; without constraints of sums, Newton's method says itself what is free."""
    parameters = replace(
        posed(), lower=np.array([0.0, 0, -2, -2, -2, -2]), upper=np.array([2.0, 2, 1e-9, 2, 2, 1])
    )
    place = np.array([1e-9, 1.02e-9, 0.0, 0.5, 2.0, 1.5])
    point = Point(0.0, np.zeros(6), np.eye(6))
    found = settled(parameters, Minimum(place, point, np.ones(6, dtype=bool), 0, 0.0, np.eye(6)))
    assert found.place.tolist() == [0.0, 1.02e-9, 1e-9, 0.5, 2.0, 1.0]
    assert found.free.tolist() == [False, True, False, True, False, False]
    own = Minimum(place, point, np.ones(6, dtype=bool), 0, 0.0)
    assert settled(parameters, own) is own


def test_without_a_ridge_the_weight_that_would_grow_for_ever_is_named_whatever_its_unit() -> None:
    """The second feature, counted in millions, is there in won positions only."""
    rng = np.random.default_rng(3)
    common, rare = rng.normal(size=400), np.repeat([1e6, 0.0], [50, 350])
    labels = np.where(rare > 0, 1.0, rng.integers(0, 2, 400))
    rows = table(np.column_stack([common, rare]), labels=labels)
    with pytest.raises(InputError, match="ridge: 0 lets the weight of stage 0, feature 1 grow for ever"):
        fit(rows, np.zeros((1, 2)), ridge=0, keep_near_labels=True)
    assert np.isfinite(fit(rows, np.zeros((1, 2)), ridge=1e-4, keep_near_labels=True).weights).all()


# --- equal bits


def test_equal_rows_give_equal_bits_for_any_number_of_threads() -> None:
    """A digest of the weights must not depend on the machine's cores."""
    rows = positions(WEIGHTS, 3000)
    found = []
    for threads in (1, 2, 2):
        with threadpool_limits(limits=threads):
            found.append(fit(rows, NOTHING, ridge=1e-4))
    assert len({one.weights.tobytes() + one.errors.tobytes() for one in found}) == 1


def test_sums_are_made_in_one_thread_meanwhile() -> None:
    @in_one_thread
    def threads() -> set[int]:
        return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}

    with threadpool_limits(limits=2):
        assert threads() == {1}


def test_squared_errors_tell_two_columns_apart_that_differ_in_none_of_few_rows() -> None:
    """Their loss has a second minimum, where both columns share the effect of one."""
    rng = np.random.default_rng(1)
    x = rng.integers(-4, 5, (20_000, 6)) * 1.0
    alike = x[:, 0].copy()
    alike[rng.choice(len(x), 3, replace=False)] += 100.0
    labels = (rng.random(len(x)) < 1 / (1 + 10 ** (-x @ np.array([-28, 50, 26, -17, -6, 20]) / 400))) * 1.0
    rows = table(np.column_stack([x, alike]), labels=labels, weight=np.ones(len(x)))
    found = fit(rows, np.zeros((1, 7)), ridge=1e-3, loss="squared-error", min_rows=0).weights[0]
    assert found[0] == pytest.approx(-28, abs=4) and abs(found[6]) < 3


def test_an_order_of_weights_that_few_rows_hold_keeps_the_prior() -> None:
    rows, prior = positions(WEIGHTS, 12), np.arange(6.0).reshape(2, 3)
    found = fit(rows, prior, ridge=1.0, min_rows=10_000, orders=((0, 1),))
    assert (found.weights == prior).all()
