"""What a weighted sum leaves on the table: bends and products of features that were planted are found."""

import numpy as np
import pytest
from scipy import sparse

from tests.support.simulated import fit, positions, table
from tunesmith.tuning.fit import boosting, trees
from tunesmith.tuning.fit.boosting import Grower
from tunesmith.tuning.fit.loss import expected_result, mean_loss, scores
from tunesmith.tuning.fit.rows import Rows
from tunesmith.tuning.fit.sparse import Sparse
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


def test_too_few_rows_and_too_many_columns_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "_ROUNDS", 1)
    rng = np.random.default_rng(1)
    enough = table(rng.normal(size=(trees.FEWEST_ROWS, 2)), labels=rng.random(trees.FEWEST_ROWS))
    few, nothing = enough.take(np.arange(trees.FEWEST_ROWS - 1)), np.zeros((1, 2))
    assert trees.compare(few, enough, nothing) is None is not trees.compare(enough, few, nothing)
    assert trees.interactions(few, nothing) == [] != trees.interactions(enough, nothing)
    for columns, is_tried in ((3, True), (4, False)):
        monkeypatch.setattr(trees, "MOST_COLUMNS", 3)
        wide = table(rng.normal(size=(1000, columns)), labels=rng.random(1000))
        assert bool(trees.interactions(wide, np.zeros(wide.shape))) == is_tried


# --- naive twins


def naive_products(rows: Rows, weights: np.ndarray) -> dict[tuple[int, int], tuple[float, float]]:
    """Return fall and z of each product: what is new of it, against what the sum gets wrong, pair by pair."""
    assert rows.stages is not None and isinstance(rows.features, np.ndarray)
    chance = expected_result(scores(rows, weights))
    columns = np.stack([s * f for s in rows.stages.T for f in rows.features.T], axis=1)
    root = np.sqrt(rows.weight * chance * (1 - chance))
    found = {}
    for a in range(rows.shape[1]):
        for b in range(a, rows.shape[1]):
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
    found = trees.interactions(rows, weights)
    assert {(one.first, one.second) for one in found} == set(expected)
    for one in found:
        assert (one.fall, one.z) == pytest.approx(expected[one.first, one.second], rel=1e-6)
    assert trees.interactions(rows, weights, most=2) == found[:2]


def test_the_six_products_that_save_most_are_returned_whatever_the_unit_of_features() -> None:
    rng = np.random.default_rng(3)
    features, labels = rng.normal(size=(1000, 4)), rng.integers(0, 2, 1000) * 1.0
    found = trees.interactions(table(features, labels=labels), np.zeros((1, 4)))
    small = trees.interactions(table(1e-6 * features, labels=labels), np.zeros((1, 4)))
    assert len(found) == 6 and [one[:2] for one in small] == [one[:2] for one in found]
    assert [one.z for one in small] == pytest.approx([one.z for one in found], rel=1e-6)


def test_a_product_that_is_a_feature_already_and_one_that_no_row_judges_are_not_new() -> None:
    """The square of what is 0 or 1 is itself; a feature of rows that were expected as they came has no noise."""
    rng = np.random.default_rng(3)
    features = np.column_stack([rng.integers(0, 2, 1000), rng.normal(size=1000), np.zeros(1000)])
    rows = table(features.astype(np.float64), labels=rng.integers(0, 2, 1000) * 1.0)
    found = trees.interactions(rows, np.zeros((1, 3)))
    assert {(one.first, one.second) for one in found} == {(0, 1), (1, 1)}
    assert trees.interactions(table(features), np.zeros((1, 3))) == []


def test_of_many_rows_whole_pairs_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, weights, asked = weighed(2000), np.zeros((2, 3)), list[Rows]()
    monkeypatch.setattr(trees, "scores", lambda rows, weights: asked.append(rows) or scores(rows, weights))  # type: ignore[func-returns-value]
    found = trees.interactions(rows, weights, most_rows=2000)
    (some,) = asked
    assert some.n == pytest.approx(2000, rel=0.05)
    assert set(np.unique(some.group, return_counts=True)[1].tolist()) == {4}
    assert found == trees.interactions(some, weights) == trees.interactions(some, weights, most_rows=some.n)


def test_the_fall_from_sum_to_best_and_its_error_are_those_of_the_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Clustered by pair; the better of bent and free trees is the best."""
    monkeypatch.setattr(trees, "_ROUNDS", 4)
    training, judging, weights = planted("bend", 2000)
    judging = Rows(
        judging.features, None, judging.labels, np.resize([0.5, 2.0, 1.0], judging.n), judging.group
    )
    original = trees._boosted
    for worse in (True, False):  # as if trees were of no use if kept to single features, or if free
        monkeypatch.setattr(
            trees, "_boosted", lambda a, b, bends, at=worse: original(a, b, bends) + 5 * (bends == at)
        )
        found = trees.compare(training, judging, weights)
        assert found is not None
        logits = [np.log(10) / 400 * scores(judging, weights)]
        logits += [original(training, judging, bends) + 5 * (bends == worse) for bends in (True, False)]
        losses = [np.logaddexp(0, own) - judging.labels * own for own in logits]
        means = [np.average(own, weights=judging.weight) for own in losses]
        assert found[:3] == pytest.approx(means)
        better = losses[0] - losses[2 if worse else 1]
        assert (
            found.fall
            == pytest.approx(np.average(better, weights=judging.weight))
            == means[0] - min(means[1:])
        )
        parts = {pair: 0.0 for pair in judging.group.tolist()}
        for pair, weight, one in zip(judging.group.tolist(), judging.weight, better, strict=True):
            parts[pair] += weight * (one - found.fall) / judging.weight.sum()
        assert found.error == pytest.approx(np.sqrt(sum(part**2 for part in parts.values())))


def test_large_tables_are_compared_on_some_pairs_and_sparse_ones_on_fewer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trees, "_ROUNDS", 1)
    training, judging, weights = planted("sum", 8000)
    judged: list[int] = []
    original = trees._boosted
    monkeypatch.setattr(trees, "_boosted", lambda a, b, bends: judged.append(b.n) or original(a, b, bends))  # type: ignore[func-returns-value]

    def asked(rows: Rows, others: Rows) -> tuple[int, int]:
        found = trees.compare(rows, others, weights)
        assert found is not None
        return found.rows, judged[-1]

    assert asked(training, judging) == (training.n, judging.n)
    monkeypatch.setattr(trees, "MOST_ROWS", training.n)
    monkeypatch.setattr(trees, "MOST_JUDGED", judging.n)
    assert asked(training, judging) == (training.n, judging.n)
    monkeypatch.setattr(trees, "MOST_ROWS", 2000)
    monkeypatch.setattr(trees, "MOST_JUDGED", 1200)
    assert asked(training, judging) == pytest.approx((2000, 1200), rel=0.05)
    with monkeypatch.context() as patch:
        patch.setattr(trees, "_MOST_DENSE", 3 * 1000)
        assert asked(training, judging) == pytest.approx((1000, 1200), rel=0.07)
    monkeypatch.setattr(trees, "_MOST_NUMBERS", 3 * 1000)
    thin = [
        Rows(Sparse(sparse.csr_matrix(rows.features)), None, rows.labels, rows.weight, rows.group)
        for rows in (training, judging)
    ]
    assert asked(*thin) == pytest.approx((1000, 1000), rel=0.07)
    assert (
        trees.compare(training, judging.take(np.arange(0)) if judging.n == 0 else judging, weights)
        is not None
    )


def test_trees_see_the_shares_of_the_stages_beside_the_features() -> None:
    rows = weighed(5)
    assert trees._columns(rows).shape == (20, 4)
    assert (trees._columns(rows)[:, 3] == rows.stages[:, 1]).all()  # type: ignore[index]


def test_rounds_end_where_pairs_set_aside_are_predicted_best(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first smallest loss that is followed by fifteen rounds without a better one."""
    training, judging, _ = planted("sum", 2000)
    for rounds in (100, 7):
        monkeypatch.setattr(trees, "_ROUNDS", rounds)
        grower = Grower(training.features, training.labels, training.weight, False)  # type: ignore[arg-type]
        codes = grower.binning.codes(judging.features)  # type: ignore[arg-type]
        logits, losses = np.full(judging.n, grower.base), []
        for _ in range(rounds):
            logits = logits + grower.grow().steps(codes)
            losses.append(np.mean(np.logaddexp(0, logits) - judging.labels * logits))
        best = [min(losses[: n + 1]) for n in range(rounds)]
        waits = [
            n
            for n in range(rounds)
            if losses[n] == best[n] and best[min(n + boosting.PATIENCE, rounds - 1)] == best[n]
        ]
        assert trees._best_rounds(training, judging, False) == waits[0] + 1


@pytest.mark.parametrize(("waits", "rounds"), [(14, 16), (15, 1)])
def test_a_better_round_is_waited_for_fifteen_rounds(
    monkeypatch: pytest.MonkeyPatch, waits: int, rounds: int
) -> None:
    """The first round is good, some are worse, and then one is better than all."""

    class Planned(Grower):
        steps = iter([1.0, *([-0.01] * waits), 5.0, *([-0.01] * 100)])

        def grow(self) -> boosting.Tree:
            return super().grow()._replace(step=np.full(2**boosting.DEPTH, next(self.steps)))

    monkeypatch.setattr(trees, "Grower", Planned)
    won = table(np.zeros((30, 1)), labels=np.ones(30))
    assert trees._best_rounds(table(np.zeros((30, 1))), won, False) == rounds
