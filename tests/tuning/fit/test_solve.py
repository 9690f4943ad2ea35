"""How a posed fit is solved: what is minimised, the head start on large tables, equal bits."""

from dataclasses import replace

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits  # type: ignore[import-untyped,unused-ignore]

from tests.support.simulated import fit, positions, table
from tests.tuning.fit.test_sparse import some as sparse_and_full
from tunesmith.games.errors import InputError
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.fit import solve as solve_module
from tunesmith.tuning.fit.constraints import Constraints
from tunesmith.tuning.fit.loss import mean_loss
from tunesmith.tuning.fit.newton import Minimum, Point
from tunesmith.tuning.fit.parameters import Parameters, pose
from tunesmith.tuning.fit.rows import Floats, Rows
from tunesmith.tuning.fit.solve import in_one_thread, settled, solve

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
    return solve(rows, parameters, RIDGE, "cross-entropy", place, 1e-9, 50)


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


# --- the head start


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note on how many rows each step of Newton's method looks."""
    seen: list[int] = []
    original = solve_module.derivatives

    def noting(rows: Rows, *others: object) -> object:
        seen.append(rows.n)
        return original(rows, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(solve_module, "derivatives", noting)
    return seen


def limited(monkeypatch: pytest.MonkeyPatch, **limits: float) -> None:
    for name, value in limits.items():
        monkeypatch.setattr(solve_module, name, value)


MANY = positions(WEIGHTS, 1000, per_pair=4)


def test_large_tables_get_a_head_start_from_a_quarter_and_end_where_they_would_without(
    monkeypatch: pytest.MonkeyPatch, passes: list[int]
) -> None:
    parameters = posed(MANY)
    slow = solved(MANY, parameters)
    assert set(passes) == {MANY.n} and slow.iterations > 1
    passes.clear()
    limited(monkeypatch, LARGE=MANY.n)
    quick = solved(MANY, parameters)
    assert quick.place == pytest.approx(slow.place, abs=1e-8)
    few = min(passes)
    assert few == pytest.approx(MANY.n / 4, rel=0.05)
    assert passes == [few, MANY.n] and quick.iterations == 1  # slopes lead to both places
    passes.clear()
    limited(monkeypatch, LARGE=MANY.n + 1)
    solved(MANY, parameters)
    assert set(passes) == {MANY.n}


def test_the_last_steps_take_the_curvature_of_all_rows_and_so_fewer_passes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is that of a place nearby, and as good as that of the minimum."""
    _, thin = sparse_and_full(rows=20_000, columns=30)
    parameters, slopes, original = posed(thin), [0], solve_module.gradient_of

    def counting(rows: Rows, *others: object) -> object:
        slopes[0] += rows.n == thin.n
        return original(rows, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(solve_module, "gradient_of", counting)
    taken, found = [], []
    for near in (1e-7, 1e-12):
        slopes[0] = 0
        limited(monkeypatch, _NEAR=near)
        found.append(solved(thin, parameters))
        taken.append(slopes[0])
    assert taken[0] < 0.85 * taken[1]
    assert found[0].place == pytest.approx(found[1].place, abs=1e-9)
    assert found[0].point.hessian == pytest.approx(found[1].point.hessian, rel=1e-7, abs=1e-8)
    assert max(one.slope for one in found) < 1e-9


@pytest.mark.parametrize(
    ("limits", "wanted"), [({"_SOME_ROWS": 500}, 500), ({"_SOME_NUMBERS": 2400}, 800)], ids=str
)
def test_the_part_is_limited_in_rows_and_in_numbers(
    limits: dict[str, int], wanted: int, monkeypatch: pytest.MonkeyPatch, passes: list[int]
) -> None:
    limited(monkeypatch, LARGE=1000, **limits)
    solved(MANY, posed(MANY))
    assert min(passes) == pytest.approx(wanted, rel=0.1)


def test_who_knows_where_to_start_needs_no_head_start(
    monkeypatch: pytest.MonkeyPatch, passes: list[int]
) -> None:
    limited(monkeypatch, LARGE=1000)
    solved(MANY, posed(MANY), np.full(6, 0.1))
    assert set(passes) == {MANY.n}


def test_a_part_that_is_empty_or_leaves_a_weight_free_is_no_start(
    monkeypatch: pytest.MonkeyPatch, passes: list[int]
) -> None:
    parameters = posed(MANY)
    limited(monkeypatch, LARGE=1000, _SOME_ROWS=1)
    assert solved(MANY, parameters).iterations > 1 and set(passes) == {MANY.n}
    passes.clear()
    limited(monkeypatch, _SOME_ROWS=8)  # two pairs, six weights and no ridge
    assert solved(MANY, replace(parameters, penalty=np.zeros(6))).iterations > 1


def test_bounds_are_kept_by_the_head_start(monkeypatch: pytest.MonkeyPatch, passes: list[int]) -> None:
    parameters = posed(MANY, upper=np.full(MANY.shape, 20.0))
    slow = solved(MANY, parameters)
    passes.clear()
    limited(monkeypatch, LARGE=1000)
    monkeypatch.setattr(solve_module, "descend", None)  # knows no bounds
    assert solved(MANY, parameters).place == pytest.approx(slow.place, abs=1e-8)
    assert passes.count(MANY.n) < 4


def test_sparse_rows_begin_with_few_rows_for_each_column(
    monkeypatch: pytest.MonkeyPatch, passes: list[int]
) -> None:
    """Wherever they start: a pass over all costs them little."""
    _, thin = sparse_and_full(rows=4000, columns=30)
    parameters = posed(thin)
    limited(monkeypatch, _FEW_ROWS=100, _PER_COLUMN=20, _MOST_FEW=5000)
    for start, limits, wanted in (
        (np.full(30, 0.1), {}, 600),
        (np.zeros(30), {"_FEW_ROWS": 1000}, 1000),
        (np.zeros(30), {"_FEW_ROWS": 100, "_MOST_FEW": 300}, 300),
        (np.zeros(30), {"_FEW_ROWS": 10**6}, thin.n),
    ):
        passes.clear()
        limited(monkeypatch, **limits)
        found = solved(thin, parameters, start)
        assert min(passes) == pytest.approx(wanted, rel=0.1)
        assert found.slope < 1e-9 and found.iterations <= 1
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
