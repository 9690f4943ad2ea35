"""How firmly the data are held to the prior: unseen pairs and the evidence decide."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from tests.support.simulated import fit, positions, table
from tunesmith.games.errors import InputError
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.fit import folds as folds_module
from tunesmith.tuning.fit import ridge as ridge_module
from tunesmith.tuning.fit.constraints import Constraints, Names, make_constraints
from tunesmith.tuning.fit.loss import expected_result, mean_loss, scores
from tunesmith.tuning.fit.newton import Minimum
from tunesmith.tuning.fit.parameters import Problem, pose
from tunesmith.tuning.fit.ridge import RIDGES, RidgeChoice, choose_ridge
from tunesmith.tuning.fit.rows import Floats, Rows
from tunesmith.tuning.fit.shrinkage import GROUPS, ONE, TAILS, Case, groups_of, hold
from tunesmith.tuning.fit.solve import solve
from tunesmith.tuning.fit.split import fold_numbers

WEIGHTS = np.array([[120.0, -45.0, 0.0], [30.0, 80.0, -60.0]])


NOTHING = np.zeros_like(WEIGHTS)


ROWS = positions(WEIGHTS, 1500)


def changed(rows: Rows, **changes: np.ndarray | None) -> Rows:
    """Replace some columns of a table."""
    columns = {name: getattr(rows, name) for name in ("features", "stages", "labels", "weight", "group")}
    return Rows(**{**columns, **changes})


def test_cross_validation_trusts_signal_and_distrusts_noise() -> None:
    """On shuffled results the strongest ridge wins, and what it fits is nothing."""
    real = choose_ridge(ROWS, NOTHING, FitOptions())
    assert real.ridge <= 1e-2
    assert min(real.losses) < real.prior_loss == pytest.approx(np.log(2))
    noise = changed(ROWS, labels=np.random.default_rng(2).permutation(ROWS.labels))
    chosen = choose_ridge(noise, NOTHING, FitOptions())
    assert chosen.ridge == max(chosen.grid) == chosen.grid[0]
    assert min(chosen.losses) > chosen.prior_loss - 1e-3
    found = fit(noise, NOTHING, ridge=chosen.ridge)
    assert (np.abs(found.weights) < 3 * found.errors).all()


def test_cross_validation_keeps_the_positions_of_a_pair_together() -> None:
    """Twenty noise features learn by heart which result each pair had; only whole pairs left out show it."""
    rng = np.random.default_rng(1)
    features = rng.normal(size=(60, 20)).repeat(6, axis=0)
    labels, pairs = rng.integers(0, 2, 60).repeat(6).astype(np.float64), np.arange(60).repeat(6)
    by_pair = choose_ridge(table(features, labels=labels, group=pairs), np.zeros((1, 20)), FitOptions())
    by_row = choose_ridge(table(features, labels=labels), np.zeros((1, 20)), FitOptions())
    assert by_row.ridge < by_pair.ridge


SMALL = positions(WEIGHTS, 80, seed=9)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"grid": ()}, r"grid: expected finite ridges above 0, found \(\)"),
        ({"grid": (0.1, 0.0)}, "grid: expected finite ridges above 0"),
        ({"grid": (np.inf, 0.1)}, "grid: expected finite ridges above 0"),
        ({"folds": 1}, "folds: expected at least 2, found 1"),
    ],
)
def test_wrong_grids_and_folds_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        choose_ridge(SMALL, NOTHING, FitOptions(), **options)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="folds: expected pairs in several of 5 folds, found all in one"):
        choose_ridge(SMALL.take(SMALL.group == 3), NOTHING, FitOptions())


# --- the choice, by a naive twin

GRID = (0.3, 0.03, 0.003)


def mixed(n_pairs: int = 60) -> Rows:
    """Rows of different weight whose labels are blended: judged by results all the same; penalties are not 1."""
    rows = positions(WEIGHTS, n_pairs, seed=3)
    features = np.where(np.arange(rows.n)[:, None] % 3 == 0, 0.0, rows.features[:])
    rows = changed(rows, features=features, weight=np.resize([0.5, 1.0, 2.0], rows.n))
    return replace(rows, labels=0.2 + 0.6 * rows.labels, results=rows.labels)


def by_loops(
    rows: Rows, grid: tuple[float, ...], folds: int
) -> tuple[Floats, Callable[[Rows, float], Minimum]]:
    """Return each row's loss (ridges, n) under weights that were fitted without its pair, and how they were fitted."""
    parameters = pose(rows, NOTHING, FitOptions()).parameters

    def fitted(some: Rows, ridge: float) -> Minimum:
        start = np.zeros(parameters.spread.shape[1])
        return solve(some, parameters, ridge, "cross-entropy", start, (1e-9, 50))

    fold, losses = fold_numbers(rows.group, folds), np.zeros((len(grid), rows.n))
    for at, ridge in enumerate(grid):
        for number in range(folds):
            weights = parameters.weights(fitted(rows.take(fold != number), ridge).place)
            chance = expected_result(scores(rows, weights))
            value = -rows.judged_by * np.log(chance) - (1 - rows.judged_by) * np.log(1 - chance)
            losses[at, fold == number] = value[fold == number]
    return losses, fitted


def error_by_pair(rows: Rows, excess: Floats) -> float:
    """Return the standard error of a weighted mean, whole pairs being independent."""
    mean, parts = np.average(excess, weights=rows.weight), {pair: 0.0 for pair in rows.group.tolist()}
    for pair, weight, value in zip(rows.group.tolist(), rows.weight, excess, strict=True):
        parts[pair] += weight * (value - mean) / rows.weight.sum()
    return float(np.sqrt(sum(part**2 for part in parts.values())))


@pytest.mark.parametrize("folds", [2, 5])
def test_losses_errors_and_evidence_are_those_of_the_naive_twin(folds: int) -> None:
    rows = mixed()
    found = choose_ridge(rows, NOTHING, FitOptions(), grid=(0.03, 0.003, 0.3), folds=folds)
    losses, fitted = by_loops(rows, GRID, folds)
    means = losses @ rows.weight / rows.weight.sum()
    assert found.grid == GRID and found.rows == rows.n
    assert list(found.losses) == pytest.approx(means.tolist(), rel=1e-5)
    best = int(np.argmin(means))
    assert found.errors == pytest.approx(
        [error_by_pair(rows, one - losses[best]) for one in losses], rel=1e-2, abs=1e-9
    )
    assert found.prior_loss == pytest.approx(np.log(2))
    n = fit(rows, NOTHING, ridge=GRID[best]).n_effective
    evidence = []
    penalty = pose(rows, NOTHING, FitOptions()).parameters.penalty
    for ridge in GRID:
        there = fitted(rows, ridge)
        pulls, bends = np.log(ridge * penalty).sum(), np.log(np.linalg.eigvalsh(there.point.hessian)).sum()
        evidence.append(-n * there.point.value + (pulls - bends) / 2)
    assert found.evidence == pytest.approx(np.array(evidence) - max(evidence), rel=1e-4, abs=1e-4)
    assert found.kinds[0].name == ONE and (found.kinds[0].firmness == 1).all()
    assert found.kinds[0].loss == pytest.approx(found.losses[GRID.index(found.ridge)])


def test_five_folds_and_the_usual_grid_are_asked_unless_told_otherwise() -> None:
    rows = mixed(30)
    usual = choose_ridge(rows, NOTHING, FitOptions())
    assert usual.grid == RIDGES
    assert usual.losses == choose_ridge(rows, NOTHING, FitOptions(), folds=5).losses


def test_of_ridges_that_predict_nearly_as_well_the_most_likely_is_taken() -> None:
    """Within two standard errors, or a hundredth of the whole gain; beyond, evidence does not help."""
    for seed in range(8):
        rows = positions(WEIGHTS, 40, seed=seed)
        found = choose_ridge(rows, NOTHING, FitOptions())
        best, gain = min(found.losses), found.prior_loss - min(found.losses)
        allowed = [
            at for at, (loss, error) in enumerate(zip(found.losses, found.errors, strict=True))
            if loss <= best + max(2 * error, 0.01 * gain)
        ]  # fmt: skip
        assert found.ridge == found.grid[max(allowed, key=lambda at: found.evidence[at])]


@pytest.mark.parametrize(("n_pairs", "seed"), [(400, 1), (40, 0), (40, 4), (40, 5), (80, 0)])
def test_a_gain_without_errors_is_lost_in_a_hundredth_at_most(
    n_pairs: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of small gains that is less than evidence would like."""
    monkeypatch.setattr(ridge_module, "AS_GOOD", 0.0)
    rows = positions(WEIGHTS, n_pairs, seed=seed)
    found = choose_ridge(rows, NOTHING, FitOptions())
    best, gain = min(found.losses), found.prior_loss - min(found.losses)
    allowed = [at for at, loss in enumerate(found.losses) if loss <= best + 0.01 * gain]
    assert len(allowed) < len(found.losses)
    assert found.ridge == found.grid[max(allowed, key=lambda at: found.evidence[at])]


def test_errors_are_those_of_the_difference_to_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a fifth of an error allowed, evidence does not get what it likes best."""
    monkeypatch.setattr(ridge_module, "AS_GOOD", 0.2)
    monkeypatch.setattr(ridge_module, "NEGLIGIBLE", 0.0)
    is_denied = False
    for seed in (0, 4, 5):
        found = choose_ridge(positions(WEIGHTS, 40, seed=seed), NOTHING, FitOptions())
        excess = np.array(found.losses) - min(found.losses)
        allowed = np.flatnonzero(excess <= 0.2 * np.array(found.errors))
        assert found.ridge == found.grid[max(allowed, key=lambda at: found.evidence[at])]
        is_denied |= found.evidence[found.grid.index(found.ridge)] < 0
    assert is_denied


def test_one_family_of_weights_may_have_heavy_tails() -> None:
    """There are no groups then; firmness is found without the pairs that judge it all the same."""
    truth = np.zeros((1, 12))
    truth[0, 7] = 250.0
    found = choose_ridge(positions(truth, 60), 0 * truth, FitOptions(), grid=GRID)
    assert [kind.name for kind in found.kinds] == [ONE, TAILS]
    assert found.kinds[1].loss < found.kinds[0].loss and found.kinds[1].error > 0 == found.kinds[0].error


def kinds_by_loops(rows: Rows, found: RidgeChoice, groups: np.ndarray, folds: int) -> dict[str, Floats]:
    """Return each row's loss for each way to hold the weights, all of it found without the row's pair."""
    losses, fitted = by_loops(rows, (found.ridge,), folds)
    parameters, values = pose(rows, NOTHING, FitOptions()).parameters, {ONE: losses[0]}
    best = found.grid[int(np.argmin(found.losses))]
    n, fold = fit(rows, NOTHING, ridge=best).n_effective, fold_numbers(rows.group, folds)
    for kind in (GROUPS, TAILS):
        values[kind] = np.zeros(rows.n)
        for number in range(folds):
            learnt = rows.take(fold != number)
            share = learnt.weight.sum() / rows.weight.sum()
            case = Case(learnt, parameters, None, "cross-entropy", found.ridge, groups, n * share)
            weights = parameters.weights(hold(case, kind, fitted(learnt, found.ridge)).minimum.place)
            chance = expected_result(scores(rows, weights))
            value = -rows.judged_by * np.log(chance) - (1 - rows.judged_by) * np.log(1 - chance)
            values[kind][fold == number] = value[fold == number]
    return values


@pytest.mark.parametrize("n_pairs", [40, 120])
def test_ways_to_hold_weights_are_compared_as_the_naive_twin_does(n_pairs: int) -> None:
    rows = mixed(n_pairs)
    names = Names(("early", "late"), ("a", "b", "c"))
    limits = make_constraints(names, FitOptions())
    found = choose_ridge(rows, NOTHING, FitOptions(), limits, grid=GRID, folds=3)
    groups = groups_of(pose(rows, NOTHING, FitOptions()).parameters, limits.families)
    assert groups.tolist() == [0, 0, 0, 1, 1, 1]
    values = kinds_by_loops(rows, found, groups, 3)
    assert [kind.name for kind in found.kinds] == [ONE, GROUPS, TAILS]
    for kind in found.kinds:
        assert kind.loss == pytest.approx(np.average(values[kind.name], weights=rows.weight), rel=1e-5)
        assert kind.error == pytest.approx(
            error_by_pair(rows, values[kind.name] - values[ONE]), rel=1e-2, abs=1e-9
        )
    better = [kind for kind in found.kinds if kind.loss + kind.error <= found.kinds[0].loss]
    assert found.kind is min(better, key=lambda kind: kind.loss)
    assert [(kind.firmness == 1).all() for kind in found.kinds] == [True, False, False]


def test_of_many_rows_some_pairs_are_asked_with_firmer_ridges(monkeypatch: pytest.MonkeyPatch) -> None:
    """So much firmer that the prior is as certain beside them as the ridge makes it beside all."""
    rows, asked = positions(WEIGHTS, 500, seed=3), list[Rows]()

    def noted(rows: Rows, *others: object) -> Problem:
        asked.append(rows)
        return pose(rows, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(folds_module, "pose", noted)
    monkeypatch.setattr(folds_module, "MOST_ROWS", 600)
    found = choose_ridge(rows, NOTHING, FitOptions(), grid=GRID)
    (some,) = asked
    assert some.n == found.rows == pytest.approx(600, rel=0.1)
    firmer = tuple(ridge * rows.n / some.n for ridge in GRID)
    monkeypatch.setattr(folds_module, "MOST_ROWS", some.n)
    same = choose_ridge(some, NOTHING, FitOptions(), grid=firmer)
    assert same.losses == found.losses and same.rows == some.n
    assert found.grid == GRID and GRID.index(found.ridge) == same.grid.index(same.ridge)


def test_a_choice_is_put_into_options_and_constraints() -> None:
    found = choose_ridge(SMALL, NOTHING, FitOptions(), grid=GRID)
    options, held = found.applied(FitOptions(), None, (2, 3))
    assert options.ridge == found.ridge and held.firmness is found.kind.firmness
    fixed = Constraints.of((2, 3), fixed=np.ones((2, 3), dtype=bool))
    assert found.applied(FitOptions(), fixed, (2, 3))[1].fixed is fixed.fixed
    assert mean_loss(SMALL, NOTHING) == pytest.approx(found.prior_loss)


def test_a_single_feature_and_two_folds_are_enough() -> None:
    found = choose_ridge(
        table(np.ones((40, 1)), labels=np.arange(40) % 2 * 1.0), np.zeros((1, 1)), FitOptions(), folds=2
    )
    assert [kind.name for kind in found.kinds] == [ONE]
