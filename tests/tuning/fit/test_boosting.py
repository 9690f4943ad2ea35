"""Boosted trees split where the loss falls most, keep to one feature if told so, and take soft labels;
they find bends and products of features that a weighted sum cannot say."""

import numpy as np
import pytest
from scipy import sparse
from scipy.special import expit

from tests.support.simulated import fit, positions, table
from tunesmith.tuning.fit import boosting
from tunesmith.tuning.fit.boosting import BINS, DEPTH, LEAST, RATE, Binning, Grower, boost
from tunesmith.tuning.fit.loss import expected_result, mean_loss, scores
from tunesmith.tuning.fit.rows import Rows
from tunesmith.tuning.fit.sparse import Sparse
from tunesmith.tuning.fit.split import split

RNG = np.random.default_rng(5)
X = RNG.normal(size=(800, 4))
LABELS = (RNG.random(800) < expit(2 * X[:, 1] * X[:, 2] + X[:, 0])) * 1.0
WEIGHT = RNG.uniform(0.5, 2.0, 800)


def loss(model, x=X, labels=LABELS):
    logits = model.logits(x)
    return float(np.mean(np.logaddexp(0, logits) - labels * logits))


def test_a_value_is_in_one_bin_whatever_rows_it_comes_with():
    x = np.column_stack([RNG.integers(0, 5, 300), RNG.normal(size=300)]).astype(float)
    binning = Binning.of(x)
    codes = binning.codes(x)
    assert (codes[:, 0] == x[:, 0]).all()  # few different values: a bin each
    assert codes[:, 1].max() < BINS and (np.diff(codes[:, 1][np.argsort(x[:, 1])].astype(int)) >= 0).all()
    assert (binning.codes(x[7:9]) == codes[7:9]).all()


def test_the_first_split_is_the_best_of_all_there_are():
    """Every feature and bin tried one by one, by the fall of the loss to second order."""
    grower = Grower(X, LABELS, WEIGHT, False)
    codes = grower.binning.codes(X)
    weight = WEIGHT / WEIGHT.mean()
    chance = expit(grower.base)
    slope, bend = weight * (LABELS - chance), weight * chance * (1 - chance)

    def fall(side):
        return slope[side].sum() ** 2 / (bend[side].sum() + boosting._RIDGE)

    best = max(
        (fall(codes[:, f] <= b) + fall(codes[:, f] > b), f, b)
        for f in range(4) for b in range(BINS - 1)
        if min(bend[codes[:, f] <= b].sum(), bend[codes[:, f] > b].sum()) >= LEAST
    )  # fmt: skip
    tree = grower.grow()
    assert (tree.feature[0], tree.last[0]) == best[1:]


def test_a_leaf_takes_a_part_of_its_newton_step():
    grower = Grower(X, LABELS, WEIGHT, False)
    codes, weight, chance = grower.binning.codes(X), WEIGHT / WEIGHT.mean(), expit(grower.base)
    tree = grower.grow()
    steps = tree.steps(codes)
    for step in np.unique(steps):
        own = steps == step
        slope, bend = (weight * (LABELS - chance))[own].sum(), (weight * chance * (1 - chance))[own].sum()
        assert step == pytest.approx(RATE * slope / (bend + boosting._RIDGE)) and bend >= LEAST * 0.99
    assert len(np.unique(steps)) <= 2**DEPTH


def test_histograms_of_children_are_those_of_their_rows():
    codes = np.ascontiguousarray(Binning.of(X).codes(X)[:, [1, 3]])
    sums, node = RNG.normal(size=(800, 2)), RNG.integers(0, 4, 800)
    every = np.arange(800)
    parents = boosting._histograms(codes, sums, node // 2, every, 2)
    assert boosting._of_children(codes, sums, node, parents) == pytest.approx(
        boosting._histograms(codes, sums, node, every, 4)
    )


def test_histograms_are_the_same_bits_with_numba_and_without(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = Binning.of(X).codes(X)
    sums, node, some = RNG.normal(size=(800, 2)), RNG.integers(0, 3, 800), np.arange(1, 800, 3)
    found = boosting._histograms(codes, sums, node, some, 3)
    monkeypatch.setattr(boosting, "compiled", lambda kernel: None)
    assert (boosting._histograms(codes, sums, node, some, 3) == found).all()
    assert found.sum(axis=(1, 3)) == pytest.approx(np.repeat(sums[some].sum(axis=0), 4).reshape(2, 4))
    plain = np.zeros((3, 4, BINS, 2))
    boosting._add_to_histograms(codes, sums, node, some, plain)
    assert (np.moveaxis(plain, -1, 0) == found).all()


def test_every_round_lowers_the_loss_and_products_need_free_trees():
    losses = [loss(boost(X, LABELS, WEIGHT, rounds)) for rounds in (1, 10, 40)]
    assert losses == sorted(losses, reverse=True)
    bends = boost(X, LABELS, WEIGHT, 40, bends_only=True)
    assert loss(bends) > losses[-1] + 0.1
    for tree in bends.trees:
        assert len(set(tree.feature[tree.last < BINS].tolist())) == 1


def test_trees_predict_as_well_as_those_of_scikit_learn():
    """Its histogram trees under the same number of rounds, on rows that neither has seen."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    rng = np.random.default_rng(8)
    x = rng.normal(size=(6000, 4))
    labels = (rng.random(6000) < expit(2 * x[:, 1] * x[:, 2] + x[:, 0])) * 1.0
    ours = loss(boost(x[:4000], labels[:4000], np.ones(4000), 60), x[4000:], labels[4000:])
    model = HistGradientBoostingClassifier(
        max_iter=60, max_leaf_nodes=15, early_stopping=False, random_state=0
    )
    chance = model.fit(x[:4000], labels[:4000]).predict_proba(x[4000:])[:, 1]
    theirs = -float(np.mean(labels[4000:] * np.log(chance) + (1 - labels[4000:]) * np.log1p(-chance)))
    assert ours == pytest.approx(theirs, abs=0.01) and ours < 0.6


def test_a_soft_label_is_a_won_and_a_lost_row(monkeypatch):
    monkeypatch.setattr(boosting, "LEAST", 0.0)  # counts rows, and there are twice as many
    monkeypatch.setattr(boosting, "_RIDGE", 1e-9)
    x, chance = np.rint(3 * X), 0.25 + 0.5 * LABELS
    soft = boost(x, chance, np.ones(800), 5)
    both = boost(
        np.vstack([x, x]), np.repeat([1.0, 0.0], 800), np.concatenate([chance, 1 - chance]), 5
    )  # fmt: skip
    assert (
        both.trees[0].feature[0] == soft.trees[0].feature[0]
        and both.trees[0].last[0] == soft.trees[0].last[0]
    )
    assert np.corrcoef(soft.logits(x), both.logits(x))[0, 1] > 0.99


def test_rows_that_say_nothing_keep_the_mean():
    flat = boost(np.ones((50, 2)), np.full(50, 0.5), np.ones(50), 3)
    assert flat.logits(np.zeros((4, 2))) == pytest.approx(0.0)
    won = boost(np.ones((50, 1)), np.ones(50), np.ones(50), 3)
    assert np.isfinite(won.logits(np.ones((2, 1)))).all()


# --- by hand, and by a naive twin


def test_ends_lie_between_few_values_and_at_ranks_of_many() -> None:
    few = np.repeat(np.arange(float(BINS)), 2)
    many = np.arange(float(BINS + 1))[::-1]
    skewed = np.concatenate([np.zeros(900), np.arange(1.0, 101.0)])
    ends = [Binning.of(column[:, None]).ends[0].tolist() for column in (few, many, skewed)]
    assert ends[0] == [at + 0.5 for at in range(BINS - 1)]
    assert ends[1] == [float(at) for at in range(1, BINS)]
    ranks = sorted({max(0, 999 * at // BINS - 899) for at in range(1, BINS)})
    assert ends[2] == [float(at) for at in ranks]


def test_the_first_guess_is_the_logit_of_the_mean_label() -> None:
    grower = Grower(X[:3], np.array([1.0, 0.5, 0.0]), np.array([2.0, 1.0, 1.0]), False)
    assert grower.base == pytest.approx(np.log(0.625 / 0.375))
    for label, sign in ((1.0, 1), (0.0, -1)):  # never certain
        sure = Grower(X[:3], np.full(3, label), np.ones(3), False)
        assert sure.base == pytest.approx(sign * np.log((1 - 1e-6) / 1e-6))


def grown_by_loops(codes, slope, bend, bends_only):
    """Return features, last bins and steps of a tree, every split tried one by one."""
    feature, last = [0] * (2**DEPTH - 1), [BINS] * (2**DEPTH - 1)
    rows = {0: np.arange(len(codes))}
    used = list(range(codes.shape[1]))

    def gain(own):
        return slope[own].sum() ** 2 / (bend[own].sum() + 1e-3)

    for node in range(2**DEPTH - 1):
        own, best = rows[node], 1e-9
        feature[node] = used[0]
        for f in used:
            for b in range(BINS - 1):
                left, right = own[codes[own, f] <= b], own[codes[own, f] > b]
                if min(bend[left].sum(), bend[right].sum()) < LEAST:
                    continue
                found = gain(left) + gain(right) - gain(own)
                if found > best * (1 + 1e-9):
                    best, feature[node], last[node] = found, f, b
        if bends_only and not node:
            used = [feature[0]]
        is_right = codes[own, feature[node]] > last[node]
        rows[2 * node + 1], rows[2 * node + 2] = own[~is_right], own[is_right]
    leaves = [rows[2**DEPTH - 1 + at] for at in range(2**DEPTH)]
    steps = [RATE * slope[own].sum() / (bend[own].sum() + 1e-3) for own in leaves]
    return feature, last, steps, leaves


@pytest.mark.parametrize("bends_only", [False, True])
def test_trees_are_those_of_the_naive_twin(bends_only: bool) -> None:
    """Three rounds on 500 rows of different weight; not every node has a split that gains."""
    x, labels, weight = np.column_stack([X[:500, :3], np.rint(X[:500, 3])]), LABELS[:500], WEIGHT[:500]
    grower = Grower(x, labels, weight, bends_only)
    codes, weight = grower.binning.codes(x), weight / weight.mean()
    logits = np.full(500, grower.base)
    for _ in range(3):
        chance = 1 / (1 + np.exp(-logits))
        expected = grown_by_loops(
            codes, weight * (labels - chance), weight * chance * (1 - chance), bends_only
        )
        tree = grower.grow()
        assert (tree.feature.tolist(), tree.last.tolist()) == expected[:2]
        assert tree.step == pytest.approx(np.array(expected[2]))
        assert BINS in expected[1] and len(set(expected[0])) > 1 - bends_only
        added = np.zeros(500)
        for own, step in zip(expected[3], expected[2], strict=True):
            added[own] = step
        assert tree.steps(codes) == pytest.approx(added)
        logits = logits + added


def test_predictions_add_the_steps_of_all_trees_to_the_first_guess() -> None:
    model = boost(X, LABELS, WEIGHT, 3)
    codes = model.binning.codes(X[:5])
    assert model.logits(X[:5]) == pytest.approx(model.base + sum(tree.steps(codes) for tree in model.trees))
    assert len(model.trees) == 3


# --- beside a weighted sum


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


def test_trees_find_what_the_sum_cannot_say() -> None:
    bend, product, plain = (boosting.compare(*planted(kind)) for kind in ("bend", "product", "sum"))
    assert bend is not None and product is not None and plain is not None
    assert bend.fall > 4 * bend.error and bend.additive < bend.linear
    assert product.fall > 4 * product.error and product.boosted < product.additive
    assert plain.fall < 2 * plain.error
    training, judging, weights = planted("sum")
    assert plain.linear == pytest.approx(mean_loss(judging, weights)) and plain.rows == training.n


def test_too_few_rows_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boosting, "_ROUNDS", 1)
    rng = np.random.default_rng(1)
    enough = table(rng.normal(size=(boosting.FEWEST_ROWS, 2)), labels=rng.random(boosting.FEWEST_ROWS))
    few, nothing = enough.take(np.arange(boosting.FEWEST_ROWS - 1)), np.zeros((1, 2))
    assert boosting.compare(few, enough, nothing) is None is not boosting.compare(enough, few, nothing)


def test_the_fall_from_sum_to_best_and_its_error_are_those_of_the_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Clustered by pair; the better of bent and free trees is the best."""
    monkeypatch.setattr(boosting, "_ROUNDS", 4)
    training, judging, weights = planted("bend", 2000)
    judging = Rows(
        judging.features, None, judging.labels, np.resize([0.5, 2.0, 1.0], judging.n), judging.group
    )
    original = boosting._boosted
    for worse in (True, False):  # as if trees were of no use if kept to single features, or if free
        monkeypatch.setattr(
            boosting, "_boosted", lambda a, b, bends, at=worse: original(a, b, bends) + 5 * (bends == at)
        )
        found = boosting.compare(training, judging, weights)
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
    monkeypatch.setattr(boosting, "_ROUNDS", 1)
    training, judging, weights = planted("sum", 8000)
    judged: list[int] = []
    original = boosting._boosted
    monkeypatch.setattr(boosting, "_boosted", lambda a, b, bends: judged.append(b.n) or original(a, b, bends))  # type: ignore[func-returns-value]

    def asked(rows: Rows, others: Rows) -> tuple[int, int]:
        found = boosting.compare(rows, others, weights)
        assert found is not None
        return found.rows, judged[-1]

    assert asked(training, judging) == (training.n, judging.n)
    monkeypatch.setattr(boosting, "MOST_ROWS", training.n)
    monkeypatch.setattr(boosting, "MOST_JUDGED", judging.n)
    assert asked(training, judging) == (training.n, judging.n)
    monkeypatch.setattr(boosting, "MOST_ROWS", 2000)
    monkeypatch.setattr(boosting, "MOST_JUDGED", 1200)
    assert asked(training, judging) == pytest.approx((2000, 1200), rel=0.05)
    with monkeypatch.context() as patch:
        patch.setattr(boosting, "_MOST_DENSE", 3 * 1000)
        assert asked(training, judging) == pytest.approx((1000, 1200), rel=0.07)
    monkeypatch.setattr(boosting, "_MOST_NUMBERS", 3 * 1000)
    thin = [
        Rows(Sparse(sparse.csr_matrix(rows.features)), None, rows.labels, rows.weight, rows.group)
        for rows in (training, judging)
    ]
    assert asked(*thin) == pytest.approx((1000, 1000), rel=0.07)
    assert (
        boosting.compare(training, judging.take(np.arange(0)) if judging.n == 0 else judging, weights)
        is not None
    )


def test_trees_see_the_shares_of_the_stages_beside_the_features() -> None:
    rows = positions(np.array([[90.0, -60.0, 20.0], [30.0, 10.0, -50.0]]), 5)
    assert boosting._columns(rows).shape == (20, 4)
    assert (boosting._columns(rows)[:, 3] == rows.stages[:, 1]).all()  # type: ignore[index]


def test_rounds_end_where_pairs_set_aside_are_predicted_best(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first smallest loss that is followed by fifteen rounds without a better one."""
    training, judging, _ = planted("sum", 2000)
    for rounds in (100, 7):
        monkeypatch.setattr(boosting, "_ROUNDS", rounds)
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
        assert boosting._best_rounds(training, judging, False) == waits[0] + 1


@pytest.mark.parametrize(("waits", "rounds"), [(14, 16), (15, 1)])
def test_a_better_round_is_waited_for_fifteen_rounds(
    monkeypatch: pytest.MonkeyPatch, waits: int, rounds: int
) -> None:
    """The first round is good, some are worse, and then one is better than all."""

    class Planned(Grower):
        steps = iter([1.0, *([-0.01] * waits), 5.0, *([-0.01] * 100)])

        def grow(self) -> boosting.Tree:
            return super().grow()._replace(step=np.full(2**boosting.DEPTH, next(self.steps)))

    monkeypatch.setattr(boosting, "Grower", Planned)
    won = table(np.zeros((30, 1)), labels=np.ones(30))
    assert boosting._best_rounds(table(np.zeros((30, 1))), won, False) == rounds
