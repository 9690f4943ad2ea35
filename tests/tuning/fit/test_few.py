"""What few rows prove of all: which columns depend on others, and which say nearly the same; else all are asked."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from tests.support.simulated import fit, table
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.fit import checks, parameters, texel
from tunesmith.tuning.fit.checks import few_of
from tunesmith.tuning.fit.loss import LOSSES, Ordered, most_curvature, products_with
from tunesmith.tuning.fit.parameters import Parameters, pose
from tunesmith.tuning.fit.rows import Floats, Rows
from tunesmith.tuning.fit.sparse import Sparse

N, PAIR = 6000, 3


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note of how many rows the products of columns are made where all may be asked."""
    seen: list[int] = []

    def noting(rows: Rows) -> Floats:
        seen.append(rows.n)
        return checks.gram_of(rows)

    monkeypatch.setattr(parameters, "gram_of", noting)
    return seen


def columns(seed: int = 5) -> Floats:
    """Return whole numbers (N, 6), a third of them 0."""
    rng = np.random.default_rng(seed)
    return rng.integers(1, 4, (N, 6)) * (rng.random((N, 6)) < 0.67) * 1.0


def rows_of(x: Floats, kind: str = "full") -> Rows:
    rng = np.random.default_rng(6)
    made = table(
        x, labels=rng.integers(0, 2, N) * 1.0, weight=rng.uniform(0.5, 2, N), group=np.arange(N) // PAIR
    )
    return replace(made, features=Sparse(sparse.csr_matrix(x))) if kind == "sparse" else made


def posed(rows: Rows, is_by_few: bool = True) -> Parameters:
    options, few = FitOptions(min_rows=1, keep_near_labels=True), few_of(rows)
    assert few is not None and few.rows.n < N / 2 and few.rows.n % PAIR == 0
    return pose(rows, np.zeros(rows.shape), options, few=few if is_by_few else None).parameters


def same(one: Parameters, other: Parameters) -> None:
    assert (one.status == other.status).all()
    assert one.size == pytest.approx(other.size) and one.spread == pytest.approx(other.spread)
    assert one.penalty == pytest.approx(other.penalty) and one.gram == pytest.approx(other.gram)
    for a, b in zip(one.dependencies, other.dependencies, strict=True):
        assert (a.column, a.others, a.is_frozen) == (b.column, b.others, b.is_frozen)
        assert a.coefficients == pytest.approx(b.coefficients, rel=1e-9)
        assert a.unexplained == pytest.approx(b.unexplained, abs=1e-12)


@pytest.mark.parametrize("kind", ["full", "sparse"])
def test_few_rows_prove_sums_of_columns_and_that_others_are_none(kind: str, asked: list[int]) -> None:
    x = columns()
    for n_sums, made in enumerate((x, np.column_stack([x, x[:, 0] - 2 * x[:, 3]])), start=0):
        rows = rows_of(made, kind)
        exact = posed(rows, is_by_few=False)
        asked.clear()
        found = posed(rows)
        assert not asked and len(found.dependencies) == n_sums
        same(found, exact)


def all_but(row: int, x: Floats) -> Floats:
    """Make column 5 twice column 0, but in one row."""
    x[:, 5] = 2 * x[:, 0]
    x[row, 5] += 7
    return x


def hidden(x: Floats) -> Floats:
    """Leave a column only in rows that are not among the few."""
    x[:, 4] *= ~np.isin(np.arange(N), of_few(x))
    return x


def of_few(x: Floats) -> Any:
    """Return the numbers of the few rows."""
    few = few_of(rows_of(np.column_stack([x[:, :5], np.arange(N)])))
    assert few is not None
    return few.rows.features[:, 5]  # type: ignore[index]


def near(noise: float, x: Floats) -> Floats:
    x[:, 5] = x[:, 0] + x[:, 1] + noise * np.random.default_rng(7).normal(size=N)
    return x


@pytest.mark.parametrize("case", ["sum but in one row outside", "only outside", 1e-4, 1e-2, 0.05])
def test_where_few_rows_leave_doubt_all_decide(case: Any, asked: list[int]) -> None:
    x = columns()
    if case == "sum but in one row outside":
        x = all_but(next(row for row in range(N) if row not in of_few(x)), x)
    else:
        x = hidden(x) if case == "only outside" else near(case, x)
    rows = rows_of(x)
    exact = posed(rows, is_by_few=False)
    asked.clear()
    same(posed(rows), exact)
    assert N in asked


def test_tied_columns_are_judged_by_the_products_of_all_rows() -> None:
    rows, ties = rows_of(columns()), np.array([[0, 0, -1, -1, -1, -1]])
    constraints = parameters.Constraints.of(rows.shape, ties=ties)
    options, few = FitOptions(min_rows=1), few_of(rows)
    one, other = (pose(rows, np.zeros(rows.shape), options, constraints, by).parameters for by in (few, None))
    same(one, other)
    assert one.near is None


@pytest.mark.parametrize("noise", [None, 0.3])
def test_redundant_columns_are_those_that_the_products_of_all_rows_tell(
    noise: float | None, asked: list[int]
) -> None:
    rows = rows_of(columns() if noise is None else near(noise, columns()))
    asked.clear()
    found = fit(rows, np.zeros(rows.shape), ridge=1e-3)
    assert (N in asked) == (noise is not None)
    exact = posed(rows, is_by_few=False)
    expected = checks.find_redundant(exact.gram)
    assert [one.columns for one in found.redundant] == [one.columns for one in expected]
    assert [one.inflation for one in found.redundant] == [pytest.approx(one.inflation) for one in expected]
    assert bool(expected) == (noise is not None)


def test_a_column_that_decides_results_needs_no_products_of_all_rows_to_be_told_apart(
    asked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it is there the Hessian is nearly flat, and proves nothing of it; a pass over all rows does."""
    rows, tried = rows_of(columns()), list[int]()
    rows = replace(rows, labels=np.where(rows.features[:, 2] > 0, 1.0, rows.labels))

    def noting(column: int, *others: Any) -> float:
        tried.append(column)
        return checks.most_inflation_of(column, *others)

    monkeypatch.setattr(texel, "most_inflation_of", noting)
    assert fit(rows, np.zeros(rows.shape), ridge=1e-5, keep_near_labels=True).redundant == ()
    assert tried == [2] and N not in asked


@pytest.mark.parametrize("kind", ["two stages", "one stage", "sparse"])
def test_the_gram_matrix_multiplies_weights_without_being_made(kind: str) -> None:
    rows = rows_of(columns(), kind)
    if kind == "two stages":
        share = np.random.default_rng(8).uniform(0, 1, N)
        rows = replace(rows, stages=np.column_stack([share, 1 - share]))
    weights = np.random.default_rng(9).normal(size=rows.shape)
    expected = checks.gram_of(rows) @ weights.ravel()
    assert products_with(rows, weights) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("loss", ["cross-entropy", "squared-error", Ordered(0.7, 1.3)], ids=str)
def test_no_row_is_bent_more_than_said(loss: Any) -> None:
    logits = np.linspace(-8, 8, 1601)
    bend = loss if isinstance(loss, Ordered) else LOSSES[loss]
    most = max(bend(logits, np.full(1601, label)).curvature.max() for label in (0.0, 0.5, 1.0))
    assert 0.5 * most_curvature(loss) < most <= most_curvature(loss)
