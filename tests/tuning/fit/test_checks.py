"""Silent, rare, dependent and scarce features, features that are the label, and what a person is told."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from tests.support.simulated import fit, positions, table
from tests.tuning.fit.test_texel import one_stage
from tunesmith.games.errors import InputError
from tunesmith.tuning.fit import rows as rows_module
from tunesmith.tuning.fit.checks import (
    Redundancy,
    find_dependencies,
    find_redundant,
    gram_of,
    most_inflation,
    most_inflation_of,
    near_labels,
    redundancy_words,
    survey,
)
from tunesmith.tuning.fit.loss import scores
from tunesmith.tuning.fit.rows import Rows
from tunesmith.tuning.fit.sparse import Sparse

RNG = np.random.default_rng(4)
MINE, YOURS = RNG.integers(0, 5, 2000).astype(np.float64), RNG.integers(0, 5, 2000).astype(np.float64)
ODD_PRIOR = np.array([[0.1, 0.7, 1 / 3]])  # its bits must survive


def test_zero_feature_keeps_its_prior_to_the_last_bit() -> None:
    rows = one_stage(np.column_stack([MINE, 0 * MINE, YOURS]), [30, 0, -30])
    found = fit(rows, ODD_PRIOR, ridge=0)
    assert found.weights[0, 1] == ODD_PRIOR[0, 1]
    assert found.status.tolist() == [["fitted", "silent", "fitted"]]
    assert np.isnan(found.errors[0, 1]) and found.rows_per_weight[0, 1] == found.groups_per_weight[0, 1] == 0
    assert (found.covariance[1] == 0).all()


def test_stage_that_never_comes_keeps_its_prior() -> None:
    made = positions(np.array([[80.0, -20.0]]), 500)
    rows = Rows(made.features, np.eye(2)[np.zeros(made.n, dtype=int)], made.labels, made.weight, made.group)
    prior = np.array([[0.0, 0.0], [0.1, 0.7]])
    found = fit(rows, prior, ridge=1e-4)
    assert (found.weights[1] == prior[1]).all()
    assert found.status.tolist() == [["fitted", "fitted"], ["silent", "silent"]]


@pytest.mark.parametrize("ridge", [0, 1e-3])
def test_difference_beside_its_parts_is_found_and_keeps_its_prior(ridge: float) -> None:
    """A student's table had own, enemy and difference of both; the first weight stayed at exactly 1."""
    rows = one_stage(np.column_stack([MINE, YOURS, MINE - YOURS]), [30, -10, 0])
    found = fit(rows, ODD_PRIOR, ridge=ridge)
    assert found.status.tolist() == [["fitted", "fitted", "dependent"]]
    assert found.weights[0, 2] == ODD_PRIOR[0, 2]
    (dependency,) = found.dependencies
    assert (dependency.column, dependency.others, dependency.is_frozen) == (2, (0, 1), True)
    assert dependency.coefficients == pytest.approx((1, -1))
    # What can be told is the whole effect of each part, whoever carries it.
    plain = fit(one_stage(np.column_stack([MINE, YOURS]), [30, -10]), ODD_PRIOR[:, :2], ridge=0)
    effect = found.weights[0, :2] + found.weights[0, 2] * np.array([1, -1])
    if ridge == 0:
        assert effect == pytest.approx(plain.weights[0], abs=1e-6)
        assert found.errors[0, :2] == pytest.approx(plain.errors[0], rel=1e-6)


@given(st.permutations(range(6)), st.sampled_from([1e-5, 1.0, 1e5]))
@settings(max_examples=20)
def test_rank_is_found_in_any_order_and_unit(order: list[int], unit: float) -> None:
    """Six columns of rank 3: all but three are frozen, and the scores are those of three columns."""
    third = np.sin(np.arange(2000.0))
    columns = [MINE, YOURS, third, 2 * MINE, MINE - YOURS, (MINE + YOURS + third) * unit]
    rows = one_stage(np.column_stack([columns[i] for i in order]), [0] * 6)
    labels = one_stage(np.column_stack(columns[:3]), [30, -10, 50]).labels
    rows = table(rows.features, labels=labels)
    found = fit(rows, np.zeros((1, 6)), ridge=0)
    plain = table(np.column_stack(columns[:3]), labels=labels)
    assert (found.status == "dependent").sum() == 3
    best = fit(plain, np.zeros((1, 3)), ridge=0)
    assert scores(rows, found.weights) == pytest.approx(scores(plain, best.weights), abs=1e-5)


def test_near_dependency_is_named_but_fitted() -> None:
    """One row in 2,000 differs: too little to rely on, enough to fit."""
    nearly = MINE.copy()
    nearly[7] += 1
    found = fit(one_stage(np.column_stack([MINE, nearly]), [20, 20]), np.zeros((1, 2)), ridge=1e-3)
    (dependency,) = found.dependencies
    assert not dependency.is_frozen and 1e-6 < dependency.unexplained < 1e-3
    assert (found.status == "fitted").all()
    assert (found.errors > 20).all()


def rare_winner(n_present: int) -> Rows:
    """A feature that was there a few times, and always won."""
    present = (np.arange(2000) < n_present).astype(np.float64)
    rows = one_stage(np.column_stack([MINE - YOURS, present]), [20, 0])
    return table(rows.features, labels=np.maximum(rows.labels, present))


def test_rare_feature_keeps_its_prior_below_the_floor() -> None:
    found = fit(rare_winner(29), ODD_PRIOR[:, :2], ridge=1e-4)
    assert found.status.tolist() == [["fitted", "rare"]]
    assert found.weights[0, 1] == ODD_PRIOR[0, 1]
    assert found.rows_per_weight.tolist()[0][1] == 29
    assert fit(rare_winner(30), ODD_PRIOR[:, :2], ridge=1e-4).status[0, 1] == "fitted"


def test_rare_feature_that_always_won_stays_finite() -> None:
    """The ridge holds it the firmer, the rarer it is."""
    few, many = (
        fit(rare_winner(n), np.zeros((1, 2)), ridge=1e-3, min_rows=1).weights[0, 1] for n in (3, 100)
    )
    assert 0 < few < 250 < many < 1500


@pytest.mark.parametrize("n_present", [3, 100])
def test_feature_that_always_won_is_refused_without_a_ridge(n_present: int) -> None:
    with pytest.raises(InputError, match="ridge: 0 lets the weight of stage 0, feature 1 grow for ever"):
        fit(rare_winner(n_present), np.zeros((1, 2)), ridge=0, min_rows=1)


def test_games_that_speak_about_a_weight_are_counted() -> None:
    """40 positions with the feature, but in 4 pairs only."""
    present = (np.arange(2000) < 40).astype(np.float64)
    rows = one_stage(np.column_stack([MINE - YOURS, present]), [20, 0], per_pair=10)
    found = fit(rows, np.zeros((1, 2)), ridge=1e-3)
    assert found.rows_per_weight.tolist() == [[int((MINE != YOURS).sum()), 40]]
    assert found.groups_per_weight.tolist() == [[200, 4]]
    assert found.is_scarce.tolist() == [[False, True]]


@pytest.mark.parametrize(
    "disguise", [lambda y, x: y, lambda y, x: 5 - 300 * y, lambda y, x: (y - 0.5) * np.exp(3 * x)]
)
def test_feature_that_nearly_is_the_label_is_named(disguise) -> None:  # type: ignore[no-untyped-def]
    """In any unit, and if only its sign tells: a margin does."""
    labels = RNG.integers(0, 2, 2000).astype(np.float64)
    blurred = np.where(np.arange(2000) % 50 == 0, 1 - labels, labels)
    rows = table(np.column_stack([MINE, disguise(blurred, RNG.normal(size=2000))]), labels=labels)
    ((feature, correlation),) = fit(rows, np.zeros((1, 2)), ridge=1e-3).near_labels
    assert feature == 1 and abs(correlation) > 0.9


def test_honest_feature_is_not_taken_for_the_label() -> None:
    rows = one_stage(np.column_stack([MINE - YOURS, np.ones(2000)]), [100, 0])
    assert fit(rows, np.zeros((1, 2)), ridge=1e-3).near_labels == ()


def correlated(*columns: Any) -> Any:
    x = np.column_stack(columns)
    return x.T @ x / len(x)


def test_features_that_say_nearly_the_same_are_named_with_their_group() -> None:
    """Two near copies and a sum of three, beside two features of their own; inflation as by regression."""
    rng = np.random.default_rng(1)
    a, b, c, d, e, f = rng.normal(size=(6, 4000))
    copy, total = a + 0.1 * e, b + c + 0.1 * f
    columns = (a, d, copy, b, c, total)
    found = find_redundant(correlated(*columns))
    assert [group.columns for group in found] == [(0, 2), (3, 4, 5)]
    x = np.column_stack(columns)
    for group in found:
        for at, inflation in zip(group.columns, group.inflation, strict=True):
            others = np.delete(x, at, axis=1)
            rest = x[:, at] - others @ np.linalg.lstsq(others, x[:, at], rcond=None)[0]
            assert inflation == pytest.approx((x[:, at] @ x[:, at]) / (rest @ rest), rel=1e-6)
    assert redundancy_words(["a", "d", "copy"], found[0]._replace(inflation=(101.2, 99.8))) == (
        "a (101) and copy (100) say nearly the same (variance inflation): none of their weights is well known "
        "alone; tie them, or leave one out"
    )


def test_features_of_their_own_are_not_named_and_what_a_dependency_names_not_twice() -> None:
    a, b, e = np.random.default_rng(2).normal(size=(3, 2000))
    assert find_redundant(correlated(a, b, a + 0.5 * e)) == ()
    gram = correlated(a, b, a + 0.001 * e)
    assert find_redundant(gram, find_dependencies(gram)) == ()


def test_fit_names_weights_that_say_nearly_the_same_by_their_columns() -> None:
    """Though fixed, tied and dependent weights before them are no parameters; what a dependency names, not twice."""
    a, b, c, d, e, f = np.random.default_rng(3).normal(size=(6, 1000))
    rows = one_stage(np.column_stack([e, a, b, b, a, c, c + 0.1 * e, d, d + 0.01 * f]), [0.0] * 9)
    fixed = np.arange(9)[None] == 0
    ties = np.array([[-1, -1, 0, 0, -1, -1, -1, -1, -1]])
    found = fit(rows, np.zeros((1, 9)), ridge=1e-3, fixed=fixed, ties=ties)
    assert [(told.column, told.is_frozen) for told in found.dependencies] == [(4, True), (8, False)]
    assert [group.columns for group in found.redundant] == [(5, 6)]


# --- naive twins, and where each finding begins


def mixed(n_stages: int) -> Rows:
    """Forty rows of eleven pairs in no order, of different weight, a third of their cells 0."""
    rng = np.random.default_rng(6)
    features = np.where(rng.random((40, 3)) < 1 / 3, 0.0, rng.normal(size=(40, 3)))
    stages = rng.dirichlet(np.ones(2), size=40) * 1.0
    stages[:9] = [1.0, 0.0]
    group, weight = rng.integers(0, 11, 40), rng.uniform(0.5, 2, 40)
    labels = rng.integers(0, 3, 40) / 2
    return Rows(features, stages if n_stages > 1 else None, labels, weight, group)


def as_sparse(rows: Rows) -> Rows:
    return Rows(Sparse(sparse.csr_matrix(rows.features)), None, rows.labels, rows.weight, rows.group)


@pytest.mark.parametrize("kind", ["two stages", "one stage", "sparse"])
def test_columns_are_counted_and_multiplied_as_in_loops(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows_module, "_BLOCK", 7)
    full = mixed(2 if kind == "two stages" else 1)
    rows = as_sparse(full) if kind == "sparse" else full
    found, gram = survey(rows), gram_of(rows)
    shares = np.ones((40, 1)) if full.stages is None else full.stages[:]
    x = np.array([[s * f for s in shares[at] for f in full.features[at]] for at in range(40)])
    total = full.weight.sum()
    for a in range(x.shape[1]):
        there = [at for at in range(40) if x[at, a] != 0]
        assert found.n_rows[a] == len(there)
        assert found.n_groups[a] == len({int(full.group[at]) for at in there})
        assert found.share[a] == pytest.approx(sum(full.weight[at] for at in there) / total)
        for b in range(x.shape[1]):
            expected = sum(full.weight[at] * x[at, a] * x[at, b] for at in range(40)) / total
            assert gram[a, b] == pytest.approx(expected)
        assert found.squares[a] == pytest.approx(gram[a, a])


def correlation(x: np.ndarray, y: np.ndarray, weight: np.ndarray) -> float:
    x, y = x - np.average(x, weights=weight), y - np.average(y, weights=weight)
    return float(weight @ (x * y) / np.sqrt((weight @ x**2) * (weight @ y**2)))


@pytest.mark.parametrize("is_sparse", [False, True])
def test_near_labels_are_those_of_weighted_correlations(
    is_sparse: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By value or by sign, whichever says more, at least 0.9 of it; of plain results where labels are blended."""
    monkeypatch.setattr(rows_module, "_BLOCK", 50)
    rng = np.random.default_rng(8)
    results, weight = rng.integers(0, 3, 300) / 2, rng.uniform(0.5, 2, 300)
    noise = rng.normal(size=300)
    centred = results - np.average(results, weights=weight)
    noise -= np.average(noise, weights=weight) + centred * (weight @ (noise * centred)) / (
        weight @ centred**2
    )
    noise *= np.sqrt((weight @ centred**2) / (weight @ noise**2))
    columns = [r * centred + np.sqrt(1 - r * r) * noise for r in (0.92, 0.89, -0.92)]
    columns += [3 + 100 * columns[0], np.sign(centred) * np.exp(2 * noise * 2), np.full(300, 7.0)]
    x = np.column_stack(columns)
    features = Sparse(sparse.csr_matrix(x)) if is_sparse else x
    rows = Rows(features, None, np.full(300, 0.5), weight, np.arange(300), results=results)
    both = [(correlation(c, results, weight), correlation(np.sign(c), results, weight)) for c in columns[:5]]
    best = [max(pair, key=abs) for pair in both]
    assert [round(value, 2) for value in best[:4]] == [0.92, 0.89, -0.92, 0.92] and abs(both[4][0]) < 0.5
    expected = [(f, value) for f, value in enumerate(best) if abs(value) >= 0.9]
    found = near_labels(rows)
    assert (
        [one.feature for one in found]
        == [f for f, _ in expected]
        == [0, 2, 3, *([4] if abs(best[4]) >= 0.9 else [])]
    )
    assert [one.correlation for one in found] == pytest.approx([value for _, value in expected])


def test_a_number_that_hardly_varies_beside_its_size_is_no_label() -> None:
    """Rounding may be all that varies: below a billionth of the mean square nothing is told."""
    labels = np.arange(400) % 2 * 1.0
    for height, is_told in ((62.7, False), (63.8, True)):  # a quarter of its square beside 1e12
        column = sparse.csr_matrix((1e6 + height * labels)[:, None])
        rows = Rows(Sparse(column), None, labels, np.ones(400), np.arange(400))
        assert bool(near_labels(rows)) == is_told


def explained(part: float) -> Any:
    """Return products of two columns of which the first leaves `part` of the second."""
    return np.array([[1.0, np.sqrt(1 - part)], [np.sqrt(1 - part), 1.0]])


def test_a_column_is_dependent_from_a_millionth_on_and_nearly_so_from_a_thousandth() -> None:
    for part, is_named, is_frozen in ((0.98e-6, True, True), (1.02e-6, True, False), (0.98e-3, True, False), (1.02e-3, False, False)):  # fmt: skip
        found = find_dependencies(explained(part))
        assert bool(found) == is_named
        if found:
            assert found[0].is_frozen == is_frozen and found[0].unexplained == pytest.approx(part, rel=1e-6)


def test_columns_that_hardly_take_part_are_not_named() -> None:
    """A thousandth of the largest part, in mean squares of 1; coefficients are in the units of the features."""
    a, b, c = np.eye(3)
    x = np.column_stack([4 * a, b, c, a + 1.02e-3 * b + 0.9e-3 * c, 2 * b])
    found = find_dependencies(x.T @ x)
    assert [(one.column, one.others) for one in found] == [(3, (0, 1)), (4, (1,))]
    assert found[0].coefficients == pytest.approx((0.25, 1.02e-3)) and found[1].coefficients == pytest.approx(
        (2.0,)
    )
    assert all(one.is_frozen for one in found)


def test_a_column_is_redundant_from_an_inflation_of_twenty_on() -> None:
    assert find_redundant(explained(1 / 19.6)) == ()
    (found,) = find_redundant(explained(1 / 20.4))
    assert found.columns == (0, 1) and found.inflation == pytest.approx((20.4, 20.4))


def test_redundant_columns_are_one_group_if_half_of_them_is_left_in_common() -> None:
    """Two pairs, and a column of the first that takes part in the second."""
    for partial, groups in ((0.51, [(0, 1, 2, 3)]), (0.49, [(0, 1), (2, 3)])):
        shared = partial / np.sqrt(1 - partial**2)
        first, second = np.array([1.0, 1, 0, 0]), np.array([0, shared, 1, 1])
        precision = 1e4 * (np.outer(first, first) + np.outer(second, second)) + np.eye(4)
        found = find_redundant(np.linalg.inv(precision))
        assert [one.columns for one in found] == groups
        assert min(value for one in found for value in one.inflation) > 100


def test_a_column_that_all_others_explain_together_stands_alone() -> None:
    assert redundancy_words(["a", "b"], Redundancy((1,), (33.4,))) == (
        "b (33) is nearly explained by the others (variance inflation): its weight is hardly known alone"
    )


def test_less_of_a_gram_matrix_bounds_the_inflation_from_above() -> None:
    """By some rows, or by rows that weigh less; of the whole matrix it is the inflation itself."""
    rng = np.random.default_rng(4)
    x = rng.normal(size=(200, 5))
    x[:, 4] = x[:, 0] + x[:, 1] + 0.3 * x[:, 4]
    x /= np.sqrt((x**2).mean(axis=0))
    gram = x.T @ x / 200
    others = [np.delete(x, at, axis=1) for at in range(5)]
    left = [np.linalg.lstsq(other, x[:, at], rcond=None)[1][0] / 200 for at, other in enumerate(others)]
    assert most_inflation(gram) == pytest.approx(1 / np.array(left))
    for lower in (x[:80].T @ x[:80] / 200, (rng.uniform(0, 1, 200)[:, None] * x).T @ x / 200):
        assert (most_inflation(lower) > most_inflation(gram)).all()
    assert np.isinf(most_inflation(x[:4].T @ x[:4] / 200)).all()


@pytest.mark.parametrize("rows", [100, 200])
def test_what_some_rows_guess_bounds_the_inflation_of_a_column_closely(rows: int) -> None:
    rng = np.random.default_rng(4)
    x = rng.normal(size=(200, 5))
    x[:, 4] = x[:, 0] + x[:, 1] + 0.3 * x[:, 4]
    x /= np.sqrt((x**2).mean(axis=0))
    gram, near = x.T @ x / 200, x[:rows].T @ x[:rows] / rows
    for column, exact in enumerate(most_inflation(gram)):
        found = most_inflation_of(column, gram / 9, near, lambda place: gram @ place)
        assert exact * (1 - 1e-12) <= found < most_inflation(gram / 9)[column] / 3
        if rows == 200:
            assert found == pytest.approx(exact)


def test_a_guess_that_is_none_bounds_nothing() -> None:
    gram = np.eye(3)
    assert most_inflation_of(0, gram, gram, lambda place: gram @ place) == pytest.approx(1)
    for near in (np.zeros((3, 3)), 1e-9 * gram, np.diag([1e-16, 1, 1])):
        assert np.isinf(most_inflation_of(0, gram, near, lambda place: gram @ place))
