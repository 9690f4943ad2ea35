"""The loss of given weights: published figures, derivatives, the naive twin, and refusals."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from tests.naive import texel as naive
from tests.support.simulated import as_naive, positions, table
from tunesmith.games.errors import InputError
from tunesmith.tuning.fit import rows as fit_rows
from tunesmith.tuning.fit.loss import (
    LOGITS_PER_ELO,
    LOSSES,
    Loss,
    Ordered,
    block_scores,
    derivatives,
    design,
    expected_result,
    gradient_of,
    group_sums,
    mean_loss,
    scores,
)
from tunesmith.tuning.fit.rows import Rows
from tunesmith.tuning.fit.sparse import Sparse

BOTH: list[Loss] = ["cross-entropy", "squared-error"]
WEIGHTS = np.array([[120.0, -45.0, 0.0], [30.0, 80.0, -60.0]])


def test_hundred_elo_ahead_scores_64_percent() -> None:
    """The textbook value of the logistic scale, and texelutil's +100 at 1.13 Elo a point."""
    assert expected_result(np.array([0.0, 100.0, -100.0])) == pytest.approx(
        [0.5, 0.640065, 0.359935], abs=1e-6
    )
    assert expected_result(np.array([1.13 * 100])) == pytest.approx([0.657119], abs=1e-6)


def test_far_scores_neither_overflow_nor_lose_the_loss() -> None:
    """100,000 Elo either way: the loss of the wrong side is the logit itself."""
    logits = LOGITS_PER_ELO * np.array([1e5, -1e5, 1e5, -1e5])
    bend = LOSSES["cross-entropy"](logits, np.array([1.0, 0.0, 0.0, 1.0]))
    assert bend.value == pytest.approx([0, 0, logits[0], logits[0]], abs=1e-12)
    assert bend.slope == pytest.approx([0, 0, 1, -1], abs=1e-12)


def grant_position() -> tuple[Rows, np.ndarray, float]:
    """The worked example of the tapered gradient: K 3 (base e), phase 16/24, endgame scale 1/2, rest 8.

    Its stages' shares sum to 5/6, so a third stage with the rest alone fills up; Elo = K * E / ln(10)."""
    unit = 3 / math.log(10)
    rho, xi = 16 / 24, 0.5
    shares = np.array([[rho, xi * (1 - rho), 1 - rho - xi * (1 - rho)]])
    weights = unit * np.array([[30.0, 10.0, 8.0], [60.0, -5.0, 8.0], [0.0, 0.0, 8.0]])
    return table(np.array([[1.0, -2.0, 1.0]]), shares, labels=np.array([1.0])), weights, unit


@pytest.mark.parametrize(
    ("loss", "middlegame", "endgame"),
    [
        ("squared-error", (-0.00111604, 0.00223209), (-0.00027901, 0.00055802)),
        ("cross-entropy", (-0.00225392, 0.00450785), (-0.00056348, 0.00112696)),
    ],
)
def test_gradient_of_a_tapered_position_is_the_published_one(
    loss: Loss, middlegame: tuple[float, float], endgame: tuple[float, float]
) -> None:
    """Both stages get their own share of the gradient, so they cannot move in lockstep."""
    rows, weights, unit = grant_position()
    score = scores(rows, weights)
    assert score / unit == pytest.approx([26.33333], abs=1e-5)
    assert expected_result(score) == pytest.approx([0.5492151], abs=1e-7)
    gradient = unit * derivatives(rows, weights, loss).gradient.reshape(3, 3)
    assert gradient[0, :2] == pytest.approx(middlegame, abs=6e-9)
    assert gradient[1, :2] == pytest.approx(endgame, abs=6e-9)


@pytest.mark.parametrize("loss", BOTH)
def test_gradient_equals_differences_of_the_loss_for_every_weight_and_stage(loss: Loss) -> None:
    """Central differences over 1/100 Elo."""
    rows = positions(WEIGHTS, 30)
    found = derivatives(rows, WEIGHTS, loss)
    assert found.value == pytest.approx(mean_loss(rows, WEIGHTS, loss), rel=1e-14)
    for column in range(WEIGHTS.size):
        step = 0.01 * unit_step(column)
        slope = (mean_loss(rows, WEIGHTS + step, loss) - mean_loss(rows, WEIGHTS - step, loss)) / 0.02
        assert found.gradient[column] == pytest.approx(slope, rel=1e-6, abs=1e-12)


def unit_step(column: int) -> np.ndarray:
    """One Elo in one weight."""
    return np.eye(WEIGHTS.size)[column].reshape(WEIGHTS.shape)


@pytest.mark.parametrize(("margin", "unit"), [(0.4, 1.0), (1.5, 0.7)])
@pytest.mark.parametrize("label", [0.0, 0.5, 1.0])
def test_outcomes_in_order_have_the_chances_slope_and_curvature_they_say(
    margin: float, unit: float, label: float
) -> None:
    """Win s(uz - margin), loss s(-uz - margin), draw the rest; slope and curvature are differences of the loss."""
    assert Ordered(margin) == Ordered(margin, 1.0)  # scores are in Elo as they are
    loss, logits, step = Ordered(margin, unit), np.linspace(-4, 4, 17), 1e-5
    labels = np.full(len(logits), label)
    win, lost = (1 / (1 + np.exp(margin - sign * unit * logits)) for sign in (1, -1))
    chance = {1.0: win, 0.5: 1 - win - lost, 0.0: lost}[label]
    found, up, down = loss(logits, labels), loss(logits + step, labels), loss(logits - step, labels)
    assert found.value == pytest.approx(-np.log(chance), rel=1e-9)
    assert found.slope == pytest.approx((up.value - down.value) / (2 * step), abs=1e-8)
    assert found.curvature == pytest.approx((up.slope - down.slope) / (2 * step), abs=1e-8)


@pytest.mark.parametrize("loss", BOTH)
def test_hessian_equals_differences_of_the_gradient(loss: Loss) -> None:
    """For squared error Gauss and Newton's Hessian is exact where every result is the predicted one."""
    rows = positions(WEIGHTS, 30)
    if loss == "squared-error":
        rows = table(rows.features, rows.stages, labels=expected_result(scores(rows, WEIGHTS)))
    hessian = derivatives(rows, WEIGHTS, loss).hessian
    assert (hessian == hessian.T).all()
    for column in range(WEIGHTS.size):
        step = 0.01 * unit_step(column)
        after, before = (derivatives(rows, WEIGHTS + sign * step, loss).gradient for sign in (1, -1))
        assert hessian[column] == pytest.approx((after - before) / 0.02, rel=1e-5, abs=1e-12)


@st.composite
def small_tables(draw: st.DrawFn) -> tuple[Rows, np.ndarray]:
    """A handful of positions with any stages, results, weights and pairs."""
    n, n_stages, n_features = draw(st.integers(1, 12)), draw(st.integers(1, 3)), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    stages = rng.dirichlet(np.ones(n_stages), size=n) if n_stages > 1 or draw(st.booleans()) else None
    labels = rng.choice([0.0, 0.5, 1.0, 0.3], n)
    weight, group = rng.uniform(0.1, 3, n), rng.integers(0, 4, n)
    rows = Rows(rng.normal(size=(n, n_features)), stages, labels, weight, group)
    return rows, rng.normal(size=(n_stages, n_features)) * 300


@given(small_tables(), st.sampled_from(BOTH))
@settings(max_examples=60)
def test_loss_is_that_of_the_naive_twin(made: tuple[Rows, np.ndarray], loss: Loss) -> None:
    rows, weights = made
    slow = as_naive(rows)
    assert scores(rows, weights) == pytest.approx([naive.score(p, weights.tolist()) for p in slow], abs=1e-9)
    assert mean_loss(rows, weights, loss) == pytest.approx(naive.mean_loss(slow, weights.tolist(), loss))
    by_pair = naive.gradients_by_pair(slow, weights.tolist(), loss)
    found = derivatives(rows, weights, loss)
    assert found.gradient == pytest.approx(np.sum(by_pair, axis=0), abs=1e-14)
    value, gradient = gradient_of(rows, weights, loss)
    assert value == pytest.approx(found.value) and gradient == pytest.approx(found.gradient, abs=1e-14)
    whole, bend = design(rows, slice(None)), LOSSES[loss](LOGITS_PER_ELO * scores(rows, weights), rows.labels)
    factor = rows.weight * bend.curvature * LOGITS_PER_ELO**2 / rows.weight.sum()
    assert found.hessian == pytest.approx(whole.T @ (factor[:, None] * whole), abs=1e-14)


@pytest.mark.parametrize("loss", BOTH)
def test_rows_of_mostly_zeros_have_the_loss_slope_and_curvature_of_full_ones(loss: Loss) -> None:
    rng = np.random.default_rng(1)
    matrix = rng.normal(size=(60, 5)) * (rng.random((60, 5)) < 0.2)
    full = table(matrix, labels=rng.choice([0, 0.5, 1], 60), weight=rng.uniform(0.5, 2, 60))
    thin = Rows(Sparse(sparse.csr_matrix(matrix)), None, full.labels, full.weight, full.group)
    place = 100 * rng.normal(size=(1, 5))
    one, other = derivatives(full, place, loss), derivatives(thin, place, loss)
    assert scores(thin, place) == pytest.approx(scores(full, place))
    assert block_scores(thin, place, slice(7, 20)) == pytest.approx(scores(full, place)[7:20])
    value, gradient = gradient_of(thin, place, loss)
    assert [other.value, value] == pytest.approx([one.value, one.value])
    assert other.gradient == pytest.approx(one.gradient) and gradient == pytest.approx(one.gradient)
    assert other.hessian == pytest.approx(one.hessian)


@given(made=small_tables(), block=st.integers(1, 13))
@settings(max_examples=60)
def test_sums_do_not_depend_on_where_blocks_end(made: tuple[Rows, np.ndarray], block: int) -> None:
    """Pairs that lie across blocks, even across several, are summed once, and the rows stay as they are."""
    rows, weights = made
    before = rows.features[:].copy()
    wanted = derivatives(rows, weights)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fit_rows, "_BLOCK", block)
        found = derivatives(rows, weights)
        sums = np.concatenate(list(group_sums(rows, lambda at: design(rows, at))))
    assert found.value == pytest.approx(wanted.value)
    assert found.gradient == pytest.approx(wanted.gradient, abs=1e-14)
    assert found.hessian == pytest.approx(wanted.hessian, abs=1e-14)
    assert (rows.features[:] == before).all()
    whole = design(rows, slice(None))
    together = rows.group if rows.order is None else rows.group[rows.order]
    assert sums == pytest.approx(
        np.array([whole[rows.group == g].sum(0) for g in dict.fromkeys(together.tolist())])
    )


GOOD: dict[str, Any] = {
    "features": np.zeros((3, 2)),
    "stages": np.full((3, 2), 0.5),
    "labels": np.array([0.0, 0.5, 1.0]),
    "weight": np.ones(3),
    "group": np.arange(3),
}


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("features", [[0, 0], [0, np.nan], [0, 0]], "features: row 1, column 1: expected a finite number of at most 1e.100, found nan"),
        ("features", np.zeros((2, 2)), r"features: expected a row of numbers for each of 3 labels, found shape \(2, 2\)"),
        ("features", np.zeros((3, 0)), r"found shape \(3, 0\)"),
        ("labels", [0, 1.5, 1], "labels: row 1: expected a result from 0 to 1, found 1.5"),
        ("labels", [0, -1, 1], "labels: row 1: expected a result from 0 to 1, found -1.0"),
        ("labels", np.zeros((3, 1)), r"labels: expected one number for each row, found shape \(3, 1\)"),
        ("labels", [], r"labels: expected one number for each row, found shape \(0,\)"),
        ("weight", [1, -2, 1], "weight: row 1: expected a finite number of at most 1e.100 that is not negative, found -2.0"),
        ("weight", [0, 0, 0], "every row has weight 0"),
        ("stages", [[0.5, 0.5], [0.5, 0.4], [1, 0]], "stages: row 1: expected shares that sum to 1, found 0.9"),
        ("stages", [[0.5, 0.5], [1.5, -0.5], [1, 0]], "stages: row 1, column 1: expected a share from 0 to 1, found -0.5"),
        ("group", [0.0, 1.0, 2.0], "group: expected whole numbers of pairs, found float64"),
    ],
)  # fmt: skip
def test_bad_tables_are_refused_with_the_place_and_the_value(name: str, value: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Rows(**{**GOOD, name: np.asarray(value)})
