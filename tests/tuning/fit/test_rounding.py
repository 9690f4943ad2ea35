"""Whole numbers: what they cost, and which are better rounded the other way."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.support.simulated import fit, positions, table
from tunesmith.games.errors import InputError
from tunesmith.tuning.fit import rounding
from tunesmith.tuning.fit.constraints import Constraints
from tunesmith.tuning.fit.loss import derivatives, expected_result, mean_loss
from tunesmith.tuning.fit.rounding import round_weights
from tunesmith.tuning.fit.rows import Rows
from tunesmith.tuning.fit.texel import Fit

WEIGHTS = np.array([[32.0, -17.0, 4.0]])
ROWS = positions(WEIGHTS, 300)
FREE = Constraints.of(WEIGHTS.shape)


def close(seed: int) -> Rows:
    """Make columns that nearly say the same, so that rounding errors add up."""
    rng = np.random.default_rng(seed)
    base = rng.normal(size=800) * 4
    features = np.column_stack([base, base + 0.05 * rng.normal(size=800), rng.normal(size=800)])
    return table(
        features, labels=expected_result(features @ rng.uniform(-20, 20, 3)), group=np.arange(800) // 4
    )


@pytest.mark.parametrize("seed", range(6))
def test_the_repair_is_as_good_as_the_best_of_all_neighbours(seed: int) -> None:
    """Against every rounding of three weights up or down; single and paired moves may even find a better one."""
    rows, step = close(seed), 5.0
    found = fit(rows, np.zeros((1, 3)), ridge=1e-9, keep_near_labels=True)
    made = round_weights(rows, found, step, FREE)
    floor = np.floor(found.weights / step)
    every = [mean_loss(rows, (floor + np.array([up])) * step) for up in itertools.product((0, 1), repeat=3)]
    plain = np.rint(found.weights / step) * step
    assert made.loss == pytest.approx([mean_loss(rows, w) for w in (found.weights, plain, made.weights)])
    assert (made.weights % step == 0).all() and made.loss[0] <= made.loss[2] <= made.loss[1]
    assert made.loss[2] <= min(every) * (1 + 1e-6)
    assert made.repaired == tuple(np.flatnonzero(made.weights != plain))


def test_fixed_weights_are_not_rounded() -> None:
    fixed = np.array([[False, True, False]])
    found = fit(ROWS, np.array([[0.0, -17.3, 0.0]]), ridge=1e-6, fixed=fixed)
    made = round_weights(ROWS, found, 10.0, Constraints.of(WEIGHTS.shape, fixed=fixed))
    assert made.weights[0, 1] == -17.3 and (made.weights[0, [0, 2]] % 10 == 0).all()


def test_bounds_orders_and_ties_are_kept() -> None:
    upper = np.array([[27.0, np.inf, np.inf]])
    made = round_weights(
        ROWS, fit(ROWS, 0 * WEIGHTS, ridge=1e-6, upper=upper), 10.0, Constraints.of((1, 3), upper=upper)
    )
    assert made.weights[0, 0] == 20
    orders = ((0, 2),)
    found = fit(ROWS, 0 * WEIGHTS, ridge=1e-6, orders=orders)
    made = round_weights(ROWS, found, 7.0, Constraints.of((1, 3), orders=orders))
    assert made.weights[0, 0] <= made.weights[0, 2]
    ties = np.array([[0, -1, 0]])
    found = fit(ROWS, 0 * WEIGHTS, ridge=1e-6, ties=ties)
    made = round_weights(ROWS, found, 7.0, Constraints.of((1, 3), ties=ties))
    assert made.weights[0, 0] == made.weights[0, 2]


def test_a_change_that_rounding_undoes_is_named() -> None:
    found = fit(ROWS, np.array([[30.0, 0.0, 0.0]]), ridge=1e-6)
    made = round_weights(ROWS, found, 1000.0, FREE)
    assert made.vanished == (0, 1, 2) and not made.weights.any()


def test_steps_that_cannot_be_are_refused() -> None:
    found = fit(ROWS, 0 * WEIGHTS, ridge=1e-6)
    for step in (0.0, -1.0, np.inf):
        with pytest.raises(InputError, match=f"step: expected a positive number, found {step}"):
            round_weights(ROWS, found, step, FREE)
    assert (round_weights(ROWS, found, 0.5, FREE).weights % 0.5 == 0).all()
    narrow = Constraints.of((1, 3), lower=np.full((1, 3), 1.0), upper=np.full((1, 3), 9.0))
    with pytest.raises(InputError, match="no multiple of 10.0 lies within the bounds of stage 0, feature 0"):
        round_weights(ROWS, found, 10.0, narrow)


def test_a_bound_that_is_a_multiple_but_for_the_last_bits_is_kept_as_one() -> None:
    """0.3 is three steps of 0.1, and 3 * 0.1 is a little more."""
    found = replace(fit(ROWS, 0 * WEIGHTS, ridge=1e-6), weights=np.array([[0.3, -0.3, 0.04]]))
    limits = Constraints.of((1, 3), lower=np.array([[-1, -0.3, 0.05]]), upper=np.array([[0.3, 1, 1]]))
    low, high = rounding._inner(found, 0.1, limits)
    assert low == pytest.approx(np.array([[-1, -0.3, 0.1]])) and high == pytest.approx(
        np.array([[0.3, 1, 1]])
    )
    free = rounding._inner(found, 0.1, FREE)
    assert np.isneginf(free[0]).all() and np.isposinf(free[1]).all()
    one = Constraints.of((1, 3), lower=np.full((1, 3), 10.0), upper=np.full((1, 3), 10.0))
    assert rounding._inner(found, 10.0, one)[0].tolist() == [[10.0] * 3]


def test_what_cannot_move_is_not_said_to_have_come_back() -> None:
    """A weight that never moved, and one that keeps its prior."""
    found = fit(ROWS, np.array([[30.0, 0.0, 0.0]]), ridge=1e-6)
    still = replace(
        found, weights=np.array([[31.0, 0.0, -4.0]]), status=np.array([["fitted", "fitted", "rare"]])
    )
    assert round_weights(ROWS, still, 1000.0, FREE).vanished == (0,)


def test_a_change_that_rounding_undoes_is_one_to_the_rounded_prior(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounding, "_repair", lambda rows, found, plain, *_: plain)
    found = fit(ROWS, np.array([[40.0, -20.0, 10.0]]), ridge=1e-6)
    near = replace(found, weights=np.array([[36.0, -20.0, 31.0]]))
    made = round_weights(ROWS, near, 20.0, FREE)
    assert made.weights.tolist() == [[40, -20, 40]] and made.vanished == (0,)


def test_a_repair_that_does_not_lower_the_loss_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    found = fit(ROWS, 0 * WEIGHTS, ridge=1e-6)
    monkeypatch.setattr(rounding, "_repair", lambda rows, found, plain, *_: plain + 500.0)
    made = round_weights(ROWS, found, 5.0, FREE)
    assert made.repaired == () and made.loss[2] == made.loss[1]
    assert made.weights.tolist() == (np.rint(found.weights / 5) * 5).tolist()


def naive_steps(slope: list[float], bend: np.ndarray) -> Iterator[dict[int, int]]:
    """Yield which moves a repair tries, in order: single ones, then both up or down, then one up and one down."""

    def fall(moves: dict[int, int]) -> float:
        linear = sum(slope[at] * way for at, way in moves.items())
        return (
            linear
            + sum(bend[a][b] * way * other for a, way in moves.items() for b, other in moves.items()) / 2
        )

    n = len(slope)
    singles = [min(({at: 1}, {at: -1}), key=fall) for at in range(n)]
    yield from (one for one in sorted(singles, key=fall) if fall(one) < -1e-15)
    if n <= 600:
        for sign in (1, -1):
            every = [
                min(({a: way, b: sign * way} for way in (1, -1)), key=fall)
                for a, b in itertools.combinations(range(n), 2)
            ]
            yield from (one for one in sorted(every, key=fall)[:n] if fall(one) < -1e-15)


def test_moves_are_tried_in_the_order_of_what_they_bring() -> None:
    rng = np.random.default_rng(2)
    for n in (1, 2, 5, 9):
        half, slope = rng.normal(size=(n, n)), 3 * rng.normal(size=n)
        bend = half @ half.T
        tried = [
            {int(at): int(step[at]) for at in np.flatnonzero(step)} for step in rounding._better(slope, bend)
        ]
        assert tried == list(naive_steps(slope.tolist(), bend))
        assert n < 5 or any(len(one) == 2 for one in tried)


def test_of_many_weights_only_single_ones_are_tried() -> None:
    for n in (600, 601):
        bend = np.eye(n) + 0.9 * (np.eye(n, k=1) + np.eye(n, k=-1)) / 2
        steps = [np.count_nonzero(step) for step in rounding._better(np.full(n, 0.49), bend - 0.5)]
        assert (2 in steps) == (n == 600)


def repaired_by_loops(
    rows: Rows, found: Fit, limits: Constraints, step: float, moves: list[list[int]]
) -> np.ndarray:
    """Round the weights of one stage, then take the first step that is allowed until there is none."""
    at = derivatives(rows, found.weights)
    units = np.array([[float(column in move) for column in range(3)] for move in moves])
    bend = step**2 * units @ at.hessian @ units.T
    plain = np.clip(
        np.rint(found.weights / step), np.ceil(limits.lower / step), np.floor(limits.upper / step)
    )[0]

    def next_place(place: np.ndarray) -> np.ndarray | None:
        slope = step * units @ (at.gradient + at.hessian @ (step * place - found.weights[0]))
        for one in naive_steps(slope.tolist(), bend):
            to = place + sum(way * units[move] for move, way in one.items())
            inside = (step * to >= limits.lower[0]) & (step * to <= limits.upper[0])
            if inside[to != place].all() and all(to[a] <= to[b] for a, b in limits.orders):
                return np.asarray(to)
        return None

    place = plain
    while (there := next_place(place)) is not None:
        place = there
    better = mean_loss(rows, step * place[None]) < mean_loss(rows, step * plain[None])
    return np.asarray(step * (place if better else plain))


@pytest.mark.parametrize("kind", ["free", "tied", "ordered", "bounded"])
def test_the_repair_takes_the_first_step_that_constraints_allow(kind: str) -> None:
    """Step by step on the quadratic model at the fit, from the plainly rounded weights."""
    allowed: dict[str, Any] = {
        "free": {},
        "tied": {"ties": np.array([[0, -1, 0]])},
        "ordered": {"orders": ((1, 0), (0, 2))},
        "bounded": {"lower": np.array([[-9.0, -3.0, -100.0]]), "upper": np.array([[6.0, 8.0, 100.0]])},
    }[kind]
    limits, n_repaired = Constraints.of((1, 3), **allowed), 0
    for seed in range(6):
        rows = close(seed)
        found = fit(rows, np.zeros((1, 3)), ridge=1e-9, keep_near_labels=True, **allowed)
        made = round_weights(rows, found, 2.0, limits)
        moves = [[0, 2], [1]] if kind == "tied" else [[0], [1], [2]]
        assert made.weights.tolist() == [repaired_by_loops(rows, found, limits, 2.0, moves).tolist()]
        n_repaired += len(made.repaired)
    assert n_repaired or kind == "ordered"
