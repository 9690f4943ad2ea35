"""How much of a label is the result: few games lean on what searches expect, many on their results."""

from dataclasses import replace

import numpy as np
import pytest

from tests.support.simulated import positions
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.fit.blend import BlendChoice, choose_blend
from tunesmith.tuning.fit.checks import near_labels
from tunesmith.tuning.fit.constraints import Constraints
from tunesmith.tuning.fit.loss import expected_result, scores
from tunesmith.tuning.fit.parameters import pose
from tunesmith.tuning.fit.ridge import RIDGES, choose_ridge
from tunesmith.tuning.fit.rows import Floats, Rows
from tunesmith.tuning.fit.run import run_fit
from tunesmith.tuning.fit.solve import solve
from tunesmith.tuning.fit.split import fold_numbers

TRUE = np.array([[120.0, -45.0, 60.0, 30.0]])
BIASED = np.array([[120.0, -45.0, 60.0, -120.0]])  # what a search believes that is wrong about one feature
NOTHING = np.zeros_like(TRUE)
GIVEN = FitOptions(ridge=1e-3)


def seen(n_pairs: int, believed: Floats = TRUE, seed: int = 1) -> Rows:
    """Return positions with results by the true weights, and what a search with `believed` ones expects."""
    rows = positions(TRUE, n_pairs, seed=seed)
    return replace(rows, expected=expected_result(scores(rows, believed)))


def chosen(rows: Rows, options: FitOptions = GIVEN) -> BlendChoice:
    return choose_blend(rows, NOTHING, options)


def test_few_games_lean_on_a_search_that_is_right_and_many_not_on_one_that_is_wrong() -> None:
    assert chosen(seen(40)).blend < 0.6
    assert chosen(seen(1500, BIASED)).blend >= 0.9


def test_judges_are_the_results_of_pairs_that_the_fit_did_not_see() -> None:
    """Expectations without a mistake lose most by the plain results if these say the contrary."""
    rows = seen(400)
    found = chosen(replace(rows, labels=1 - rows.labels))
    assert found.blend >= 0.9 and found.losses[0] == min(found.losses)
    assert found.grid == (1, 0.8, 0.6, 0.4, 0.2, 0) and found.errors[0] == 0


def test_the_choice_moves_little_when_a_few_games_are_added() -> None:
    """Where two blends predict as well, neither is taken for the other: they share the choice."""
    rows = seen(130, BIASED)
    blends = [chosen(rows.take(rows.group < n)).blend for n in range(110, 131, 2)]
    assert max(np.abs(np.diff(blends))) < 0.15


@pytest.mark.parametrize(
    "rows", [positions(TRUE, 40), seen(12), replace(seen(40), weight=np.arange(160) < 40.0)]
)
def test_without_expectations_or_with_a_handful_of_pairs_labels_are_the_results(rows: Rows) -> None:
    assert chosen(rows) == BlendChoice(1.0, (), (), ())
    assert chosen(seen(40), FitOptions(draws=True)).blend == 1


def test_a_fit_takes_the_choice_and_says_what_the_others_lose() -> None:
    rows = seen(60)
    found = run_fit(rows, None, NOTHING, GIVEN, Constraints.of(NOTHING.shape))
    choice = chosen(rows)
    assert found.options.blend == choice.blend < 1
    assert found.blend_path.losses == list(choice.losses)
    assert rows.expected is not None
    mixed = choice.blend * rows.labels + (1 - choice.blend) * rows.expected
    assert found.rows.labels == pytest.approx(mixed)
    told = found.blend_path.words(choice.blend)
    assert told.startswith(f"labels: {choice.blend:g} result") and f"0.2: {choice.losses[4]:.5f}" in told
    plain = run_fit(rows, None, NOTHING, FitOptions(ridge=1e-3, blend=1.0), Constraints.of(NOTHING.shape))
    assert plain.rows.labels.tolist() == rows.labels.tolist() and not plain.blend_path.grid


def test_what_nearly_is_the_result_is_found_behind_a_blended_label() -> None:
    rows = seen(200)
    leak = np.column_stack([rows.features, rows.labels - 0.5])  # type: ignore[arg-type]
    blended = replace(rows, features=leak).blended(0.2)
    assert [found.feature for found in near_labels(blended)] == [4]
    follows = replace(rows, labels=rows.labels, expected=expected_result(rows.features[:, 0] * 300)).blended(
        0.0
    )
    assert not near_labels(follows)


def by_pair(rows: Rows, ridge: float) -> list[tuple[float, float]]:
    """Return of each pair the sums of weight * loss of its results, fitted without it by Newton's method, and weight."""
    parameters, fold = pose(rows, NOTHING, FitOptions()).parameters, fold_numbers(rows.group, 5)
    values = np.zeros(rows.n)
    for number in range(5):
        start = np.zeros(parameters.spread.shape[1])
        learnt = rows.take(fold != number)
        place = solve(learnt, parameters, ridge, "cross-entropy", start, (1e-9, 50)).place
        chance = expected_result(scores(rows, parameters.weights(place)))
        value = -rows.judged_by * np.log(chance) - (1 - rows.judged_by) * np.log(1 - chance)
        values[fold == number] = value[fold == number]
    marks = [rows.group == pair for pair in np.unique(rows.group)]
    return [(float(rows.weight[own] @ values[own]), float(rows.weight[own].sum())) for own in marks]


@pytest.mark.parametrize("ridge", ["auto", 0.01, 0.0])
def test_losses_errors_and_choice_are_those_of_the_naive_twin(ridge: float | str) -> None:
    rows = seen(30, BIASED)
    rows = replace(rows, weight=np.resize([0.5, 1.0, 2.0], rows.n))
    found = chosen(rows, FitOptions(ridge=ridge))  # type: ignore[arg-type]
    grid = RIDGES if ridge == "auto" else (max(float(ridge), 1e-9),)
    blends = (1.0, 0.8, 0.6, 0.4, 0.2, 0.0)
    pairs = []
    for blend in blends:
        labels = blend * rows.labels + (1 - blend) * np.asarray(rows.expected)
        mixed = replace(rows, labels=labels, results=rows.labels, expected=None)
        pairs.append(by_pair(mixed, choose_ridge(mixed, NOTHING, FitOptions(), grid=grid).ridge))
    total = sum(weight for _, weight in pairs[0])
    losses = [sum(loss for loss, _ in own) / total for own in pairs]
    best = pairs[int(np.argmin(losses))]
    counted = []
    for own, loss in zip(pairs, losses, strict=True):
        mean = loss - min(losses)
        parts = [(a - b - mean * weight) / total for (a, weight), (b, _) in zip(own, best, strict=True)]
        error = np.sqrt(sum(part**2 for part in parts))
        assert found.errors[len(counted)] == pytest.approx(error, rel=1e-2, abs=1e-9)
        counted.append(np.exp(-((mean / error) ** 2) / 2) if error else 1.0)
    assert found.losses == pytest.approx(losses, rel=1e-5)
    blend = sum(blend * count for blend, count in zip(blends, counted, strict=True)) / sum(counted)
    assert found.blend == pytest.approx(blend, abs=0.00501) and found.blend == round(found.blend, 2)
    assert min(counted) < 0.9


def test_twenty_pairs_with_weight_are_enough_to_choose() -> None:
    rows = seen(20)
    assert chosen(rows).grid
    light = replace(rows, weight=(rows.group > 0) * 1.0)
    assert chosen(light) == BlendChoice(1.0, (), (), ())
