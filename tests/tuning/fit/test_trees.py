"""What a weighted sum leaves on the table: bends and products of features that were planted are found."""

import numpy as np
import pytest

from tests.support.simulated import fit, table
from tunesmith.tuning.fit import trees
from tunesmith.tuning.fit.loss import expected_result, mean_loss
from tunesmith.tuning.fit.rows import Rows
from tunesmith.tuning.fit.split import split


def planted(kind: str, n: int = 6000) -> tuple[Rows, Rows, np.ndarray]:
    """Simulate results with a sum alone, a bend of feature 0, or a product of 1 and 2; fit the sum."""
    rng = np.random.default_rng(4)
    features = rng.normal(size=(n, 3))
    score = features @ [100.0, -50.0, 30.0]
    score += {
        "sum": 0.0,
        "bend": 150 * (features[:, 0] ** 2 - 1),
        "product": 200 * features[:, 1] * features[:, 2],
    }[kind]
    rows = table(features, labels=(rng.random(n) < expected_result(score)) * 1.0, group=np.arange(n) // 4)
    held = split(rows.group, 0.3)
    training, judging = rows.take(~held), rows.take(held)
    return training, judging, fit(training, np.zeros((1, 3)), ridge=1e-6).weights


@pytest.mark.parametrize(("kind", "pair"), [("bend", (0, 0)), ("product", (1, 2))])
def test_what_was_planted_comes_first(kind: str, pair: tuple[int, int]) -> None:
    training, _, weights = planted(kind)
    found = trees.interactions(training, weights)
    assert (found[0].first, found[0].second) == pair and found[0].z > 5
    assert [one.fall for one in found] == sorted((one.fall for one in found), reverse=True)


def test_the_fall_is_about_what_the_product_saves_as_a_feature() -> None:
    """To second order; a small product, so that this is near."""
    rng = np.random.default_rng(1)
    features = rng.normal(size=(8000, 2))
    score = features @ [100.0, -50.0] + 40 * features[:, 0] * features[:, 1]
    rows = table(features, labels=expected_result(score))
    weights = fit(rows, np.zeros((1, 2)), ridge=0).weights
    (found,) = [one for one in trees.interactions(rows, weights) if (one.first, one.second) == (0, 1)]
    wider = table(np.column_stack([features, features[:, 0] * features[:, 1]]), labels=rows.labels)
    saved = mean_loss(rows, weights) - mean_loss(wider, fit(wider, np.zeros((1, 3)), ridge=0).weights)
    assert found.fall == pytest.approx(saved, rel=0.15)


def test_trees_find_what_the_sum_cannot_say() -> None:
    bend, product, plain = (trees.compare(*planted(kind)) for kind in ("bend", "product", "sum"))
    assert bend is not None and product is not None and plain is not None
    assert bend.fall > 4 * bend.error and bend.additive < bend.linear
    assert product.fall > 4 * product.error and product.boosted < product.additive
    assert plain.fall < 2 * plain.error
    training, judging, weights = planted("sum")
    assert plain.linear == pytest.approx(mean_loss(judging, weights)) and plain.rows == training.n


def test_too_few_rows_and_too_many_columns_say_nothing() -> None:
    few = table(np.random.default_rng(1).normal(size=(trees.FEWEST_ROWS - 1, 2)))
    assert trees.compare(few, few, np.zeros((1, 2))) is None
    assert trees.interactions(few, np.zeros((1, 2))) == []
    wide = table(np.ones((trees.FEWEST_ROWS, trees.MOST_COLUMNS + 1)))
    assert trees.interactions(wide, np.zeros(wide.shape)) == []
