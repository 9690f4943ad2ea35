"""Bends and products of features that were planted are named, and where there is none hardly ever one is."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from tests.support.simulated import fit, positions, table
from tunesmith.tuning.fit import shape
from tunesmith.tuning.fit.loss import expected_result, mean_loss, scores
from tunesmith.tuning.fit.rows import Rows
from tunesmith.tuning.fit.shape import Hinge
from tunesmith.tuning.fit.sparse import Sparse
from tunesmith.tuning.fit.split import split

SUM = np.array([20.0, -50.0, 15.0, -90.0])


def planted(
    more: float = 0.0, *, signed: bool = False, n: int = 6000, seed: int = 4
) -> tuple[Rows, Rows, np.ndarray]:
    """Simulate four positions a pair with one result: feature 0 is worth `more` Elo more beyond 4, or feature 2
    beyond 3 on either side; feature 1 follows feature 0. Fit the sum."""
    rng = np.random.default_rng(seed)
    count, margin = rng.integers(0, 10, n), rng.integers(-6, 7, n)
    features = np.column_stack([count, rng.normal(size=n) + 0.3 * (count - 4.5), margin, np.ones(n)])
    beyond = np.sign(margin) * np.maximum(abs(margin) - 3, 0) if signed else np.maximum(count - 4, 0)
    score = features @ SUM + more * beyond
    luck = np.repeat(rng.random(n // 4), 4)
    rows = table(features, labels=(luck < expected_result(score)) * 1.0, group=np.arange(n) // 4)
    held = split(rows.group, 0.3)
    return rows.take(~held), rows.take(held), fit(rows.take(~held), np.zeros((1, 4)), ridge=1e-6).weights


def test_a_bend_is_named_with_its_place_its_slopes_and_what_it_brings() -> None:
    training, judging, weights = planted(-60.0, n=12_000)
    (bend,) = shape.bends(training, judging, weights)
    assert bend.hinge.feature == 0 and not bend.hinge.odd and bend.hinge.knot in (3.0, 4.0, 5.0)
    assert bend.before == pytest.approx(20, abs=15) and bend.after == pytest.approx(-40, abs=15)
    assert bend.chance == 0.001 and bend.fall > 3 * bend.error


def test_what_bends_alike_on_both_sides_of_zero_has_a_mirrored_bend() -> None:
    training, judging, weights = planted(120.0, signed=True, n=12_000)
    first = shape.bends(training, judging, weights)[0]
    assert (first.hinge.feature, first.hinge.odd) == (2, True) and first.hinge.knot in (2.0, 3.0, 4.0)
    assert first.after > first.before + 60


def test_where_nothing_bends_one_fit_in_twenty_at_most_names_something() -> None:
    """100 fits; if it were one in twenty, more than 10 of them would name something once in ninety times."""
    named = [bool(shape.bends(*planted(n=1600, seed=seed))) for seed in range(100)]
    assert sum(named) <= 10


def test_held_out_rows_are_judged_as_if_the_bend_were_one_more_feature() -> None:
    """To second order; the fall is that of a fit with the hinge as a feature."""
    training, judging, weights = planted(-60.0, n=12_000)
    (bend,) = shape.bends(training, judging, weights)
    wider = [
        replace(rows, features=np.column_stack([rows.features, bend.hinge.of(rows.features[:, 0])]))  # type: ignore[call-overload]
        for rows in (training, judging)
    ]
    found = fit(wider[0], np.zeros((1, 5)), ridge=1e-6).weights
    assert bend.after - bend.before == pytest.approx(found[0, 4], rel=0.15)
    assert bend.fall == pytest.approx(mean_loss(judging, weights) - mean_loss(wider[1], found), rel=0.2)


def test_a_hinge_starts_at_its_knot_and_a_mirrored_one_at_both() -> None:
    x = np.array([-5.0, -2.0, 0.0, 2.0, 5.0])
    assert Hinge(0, 2.0, False).of(x).tolist() == [0, 0, 0, 0, 3]
    assert Hinge(0, -2.0, False).of(x).tolist() == [0, 0, 2, 4, 7]
    assert Hinge(0, 2.0, True).of(x).tolist() == [-3, 0, 0, 0, 3]


def test_knots_lie_between_the_ends_of_what_is_not_zero() -> None:
    assert shape._hinges(0, np.array([0.0, 1.0] * 50)) == []
    counts = [hinge.knot for hinge in shape._hinges(0, np.repeat(np.arange(4.0), 30))]
    assert counts == [1.0, 2.0]
    assert {hinge.odd for hinge in shape._hinges(0, np.linspace(-1, 1, 100))} == {True, False}
    assert len(shape._hinges(0, np.random.default_rng(1).random(1000))) == shape.KNOTS


def test_the_same_is_named_of_sparse_rows_and_rows_in_another_order() -> None:
    training, judging, weights = planted(-60.0)
    thin = [replace(rows, features=Sparse(sparse.csr_matrix(rows.features))) for rows in (training, judging)]
    mixed = training.take(np.random.default_rng(2).permutation(training.n))
    expected = shape.bends(training, judging, weights)
    (one,) = shape.bends(*thin, weights)
    assert [one.hinge] == [bend.hinge for bend in expected]
    assert one[1:] == pytest.approx(expected[0][1:], rel=1e-9)
    assert [one.hinge for one in shape.bends(mixed, judging, weights)] == [one.hinge for one in expected]


def test_too_few_rows_and_too_many_columns_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    training, judging, weights = planted(-60.0)
    few = training.take(np.arange(shape.FEWEST_ROWS - 1))
    assert shape.bends(few, judging, weights) == [] == shape.interactions(few, weights)
    assert shape.bends(training, judging, weights) and shape.interactions(training, weights)
    monkeypatch.setattr(shape, "MOST_COLUMNS", 3)
    assert shape.bends(training, judging, weights) == [] == shape.interactions(training, weights)


# --- products


def test_the_product_that_was_planted_comes_first() -> None:
    rng = np.random.default_rng(4)
    features = rng.normal(size=(4000, 3))
    score = features @ [100.0, -50.0, 30.0] + 200 * features[:, 1] * features[:, 2]
    rows = table(
        features, labels=(rng.random(4000) < expected_result(score)) * 1.0, group=np.arange(4000) // 4
    )
    found = shape.interactions(rows, fit(rows, np.zeros((1, 3)), ridge=1e-6).weights)
    assert (found[0].first, found[0].second) == (1, 2) and found[0].z > 5
    assert [one.fall for one in found] == sorted((one.fall for one in found), reverse=True)


def test_the_fall_is_about_what_the_product_saves_as_a_feature() -> None:
    """To second order; a small product, so that this is near."""
    rng = np.random.default_rng(1)
    features = rng.normal(size=(8000, 2))
    score = features @ [100.0, -50.0] + 40 * features[:, 0] * features[:, 1]
    rows = table(features, labels=expected_result(score))
    weights = fit(rows, np.zeros((1, 2)), ridge=0).weights
    (found,) = [one for one in shape.interactions(rows, weights) if (one.first, one.second) == (0, 1)]
    wider = table(np.column_stack([features, features[:, 0] * features[:, 1]]), labels=rows.labels)
    saved = mean_loss(rows, weights) - mean_loss(wider, fit(wider, np.zeros((1, 3)), ridge=0).weights)
    assert found.fall == pytest.approx(saved, rel=0.15)


# --- naive twins


def naive_products(rows: Rows, weights: np.ndarray) -> dict[tuple[int, int], tuple[float, float]]:
    """Return fall and z of each product: what is new of it, against what the sum gets wrong, pair by pair."""
    assert rows.stages is not None and isinstance(rows.features, np.ndarray)
    chance = expected_result(scores(rows, weights))
    columns = np.stack([s * f for s in rows.stages.T for f in rows.features.T], axis=1)
    root = np.sqrt(rows.weight * chance * (1 - chance))
    found = {}
    for a in range(rows.shape[1]):
        for b in range(a + 1, rows.shape[1]):
            product = rows.features[:, a] * rows.features[:, b]
            shares = np.linalg.lstsq(root[:, None] * columns, root * product, rcond=None)[0]
            new = product - columns @ shares
            slopes = {pair: 0.0 for pair in rows.group.tolist()}
            for pair, weight, label, p, x in zip(
                rows.group.tolist(), rows.weight, rows.labels, chance, new, strict=True
            ):
                slopes[pair] += weight * (label - p) * x
            slope = sum(slopes.values())
            bend = sum(rows.weight * chance * (1 - chance) * new**2)
            z = slope / np.sqrt(sum(one**2 for one in slopes.values()))
            found[a, b] = (slope**2 / (2 * bend) / rows.weight.sum(), z)
    return found


def weighed(n_pairs: int) -> Rows:
    rows = positions(np.array([[90.0, -60.0, 20.0], [30.0, 10.0, -50.0]]), n_pairs)
    return Rows(rows.features, rows.stages, rows.labels, np.resize([0.5, 1.0, 2.0], rows.n), rows.group)


def test_products_are_ranked_as_the_naive_twin_does() -> None:
    rows = weighed(250).take(np.random.default_rng(3).permutation(1000))
    weights = np.array([[80.0, -50.0, 20.0], [20.0, 0.0, -50.0]])
    expected = naive_products(rows, weights)
    found = shape.interactions(rows, weights)
    assert {(one.first, one.second) for one in found} == set(expected)
    for one in found:
        assert (one.fall, one.z) == pytest.approx(expected[one.first, one.second], rel=1e-6)
    assert shape.interactions(rows, weights, most=2) == found[:2]


def test_the_six_products_that_save_most_are_returned_whatever_the_unit_of_features() -> None:
    rng = np.random.default_rng(3)
    features, labels = rng.normal(size=(1000, 4)), rng.integers(0, 2, 1000) * 1.0
    found = shape.interactions(table(features, labels=labels), np.zeros((1, 4)))
    small = shape.interactions(table(1e-6 * features, labels=labels), np.zeros((1, 4)))
    assert len(found) == 6 and [one[:2] for one in small] == [one[:2] for one in found]
    assert [one.z for one in small] == pytest.approx([one.z for one in found], rel=1e-6)


def test_a_product_that_is_a_feature_already_and_one_that_no_row_judges_are_not_new() -> None:
    """The square of what is 0 or 1 is itself; a feature of rows that were expected as they came has no noise."""
    rng = np.random.default_rng(3)
    features = np.column_stack([rng.integers(0, 2, 1000), rng.normal(size=1000), np.zeros(1000)])
    rows = table(features.astype(np.float64), labels=rng.integers(0, 2, 1000) * 1.0)
    found = shape.interactions(rows, np.zeros((1, 3)))
    assert {(one.first, one.second) for one in found} == {(0, 1)}
    assert shape.interactions(table(features), np.zeros((1, 3))) == []


def test_of_many_rows_whole_pairs_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, weights, asked = weighed(2000), np.zeros((2, 3)), list[Rows]()
    monkeypatch.setattr(shape, "scores", lambda rows, weights: asked.append(rows) or scores(rows, weights))  # type: ignore[func-returns-value]
    found = shape.interactions(rows, weights, most_rows=2000)
    (some,) = asked
    assert some.n == pytest.approx(2000, rel=0.05)
    assert set(np.unique(some.group, return_counts=True)[1].tolist()) == {4}
    assert found == shape.interactions(some, weights) == shape.interactions(some, weights, most_rows=some.n)
