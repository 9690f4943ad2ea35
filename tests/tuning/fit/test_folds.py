"""Fits that begin at their neighbour's end where Newton's method ends, and are asked no more than the choice needs."""

from dataclasses import replace

import numpy as np
import pytest

from tests.support.simulated import positions
from tunesmith.tuning.config import FitOptions
from tunesmith.tuning.fit import folds, ridge, solve
from tunesmith.tuning.fit.constraints import Constraints
from tunesmith.tuning.fit.folds import Design, Tried, make_design, paired_errors
from tunesmith.tuning.fit.loss import expected_result, scores
from tunesmith.tuning.fit.rows import Rows

TRUE = np.array([[120.0, -45.0, 60.0, 30.0]])
NOTHING = np.zeros_like(TRUE)
POSITIVE = replace(Constraints.of(TRUE.shape), lower=np.zeros(TRUE.shape))


def rows(n_pairs: int = 80) -> Rows:
    made = positions(TRUE, n_pairs, seed=3)
    return replace(made, expected=expected_result(scores(made, 0.6 * TRUE)))


def design(constraints: Constraints | None = None) -> Design:
    return make_design(rows(), NOTHING, FitOptions(), constraints, ridge.RIDGES, folds.FOLDS)


@pytest.mark.parametrize("constraints", [None, POSITIVE])
@pytest.mark.parametrize("blend", [1.0, 0.4])
def test_fits_without_a_fold_are_those_of_newton(constraints: Constraints | None, blend: float) -> None:
    asked = design(constraints)
    first = Tried(asked.blended(1.0))
    tried = first if blend == 1 else Tried(asked.blended(blend), Tried(asked.blended(0.6), first))
    labelled = asked.rows.blended(blend)
    for at in (2, 5, 9):
        for number, place in enumerate(tried.places(at)):
            learnt = labelled.take(asked.fold != number)
            start = np.zeros(len(place))
            found = solve.solve(
                learnt, asked.parameters, asked.ridges[at], asked.loss, start, (1e-9, 100), asked.limits
            )
            assert place == pytest.approx(found.place, abs=2e-3)
            tested = labelled.take(asked.fold == number)
            expected = folds.losses_of(tested, asked.parameters, found.place, asked.loss)
            assert tried.left_out(at)[asked.fold == number] == pytest.approx(expected, abs=1e-3)
            assert tried.left_out(at)[asked.fold == number].mean() == pytest.approx(expected.mean(), abs=2e-5)


@pytest.mark.parametrize("around", [0, 3, 6, 10])
def test_a_choice_about_a_guess_is_that_of_all_ridges(around: int) -> None:
    asked = design()
    first = Tried(asked.blended(1.0))
    ridge.choose(first)
    expected = ridge.choose(Tried(asked.blended(0.6)))[1]
    assert ridge.choose(Tried(asked.blended(0.6), first), around)[1] == expected


def test_other_labels_take_few_hessians(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []
    derivatives = solve.derivatives
    monkeypatch.setattr(solve, "derivatives", lambda *given: taken.append(1) or derivatives(*given))
    asked = design()
    first = Tried(asked.blended(1.0))
    _, at = ridge.choose(first)
    of_first = len(taken)
    ridge.choose(Tried(asked.blended(0.8), first), at)
    assert of_first < 4 * len(ridge.RIDGES)  # none without a fold
    assert len(taken) - of_first <= len(ridge.RIDGES)  # one each for the evidence


@pytest.mark.parametrize("forgotten", ["walks", "line"])
def test_labels_on_a_line_take_fewer_passes_than_without_what_is_known(
    forgotten: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of what earlier walks have seen of the curvature, and of where two neighbours' fits lead."""
    slopes, original = [0], solve.gradient_of

    def counting(*given: object) -> object:
        slopes[0] += 1
        return original(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(solve, "gradient_of", counting)

    def passes() -> tuple[int, list[float]]:
        asked, tried, found = design(), None, []
        slopes[0] = 0
        for blend in (1.0, 0.8, 0.6, 0.4):
            tried = Tried(asked.blended(blend), tried)
            found += [tried.loss(at) for at in (4, 5, 6)]
        return slopes[0], found

    taken, losses = passes()
    if forgotten == "walks":
        monkeypatch.setattr(folds, "Curvature", lambda factor, seen: solve.Curvature(factor, []))
    else:
        line = Tried._line
        monkeypatch.setattr(Tried, "_line", lambda self, at: line(self, at)[:1])
    more, same = passes()
    assert taken < 0.95 * more and same == pytest.approx(losses, abs=1e-5)


def test_the_error_of_a_difference_counts_pairs_and_not_rows() -> None:
    made = rows(30)
    excess = np.random.default_rng(1).normal(size=made.n)
    means = np.bincount(made.group, excess) / np.bincount(made.group)
    twice = replace(
        made,
        **{
            name: np.repeat(getattr(made, name), 2, axis=0)
            for name in ("features", "stages", "labels", "expected", "group", "weight")
        },
    )
    (error,) = paired_errors(made, excess[None])
    assert error == pytest.approx(means.std() / 30**0.5, rel=0.05)
    assert paired_errors(twice, np.repeat(excess, 2)[None]) == pytest.approx([error])
