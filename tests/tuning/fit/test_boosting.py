"""Boosted trees split where the loss falls most, keep to one feature if told so, and take soft labels."""

import numpy as np
import pytest
from scipy.special import expit

from tunesmith.tuning.fit import boosting
from tunesmith.tuning.fit.boosting import BINS, DEPTH, LEAST, RATE, Binning, Grower, boost

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
    assert (codes[0] == x[:, 0]).all()  # few different values: a bin each
    assert codes[1].max() < BINS and (np.diff(codes[1][np.argsort(x[:, 1])].astype(int)) >= 0).all()
    assert (binning.codes(x[7:9]) == codes[:, 7:9]).all()


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
        (fall(codes[f] <= b) + fall(codes[f] > b), f, b)
        for f in range(4) for b in range(BINS - 1)
        if min(bend[codes[f] <= b].sum(), bend[codes[f] > b].sum()) >= LEAST
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
    codes = Binning.of(X).codes(X)
    sums, node = RNG.normal(size=(2, 800)), RNG.integers(0, 4, 800)
    used = np.array([1, 3])
    parents = boosting._histograms(codes, used, sums, node // 2, 2)
    assert boosting._of_children(codes, used, sums, node, parents) == pytest.approx(
        boosting._histograms(codes, used, sums, node, 4)
    )


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
