"""Zero-sum matrix games: known equilibria, a general solver's values, dominance, nothing to gain by deviating."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.naive import matrix as naive
from tunesmith import games
from tunesmith.engine.compile.bind import bind
from tunesmith.engine.search.matrix import eliminate, solve_matrix

Solved = tuple[float, np.ndarray, np.ndarray]


def solved(payoffs: np.ndarray, solve: Callable[..., float] = solve_matrix) -> Solved:
    payoffs = np.array(payoffs, np.float64)
    rows, columns = np.zeros(payoffs.shape[0]), np.zeros(payoffs.shape[1])
    return solve(payoffs, rows, columns), rows, columns


def compiled() -> Any:
    return bind(solve_matrix, games.load("kalah"))


def gain(payoffs: np.ndarray, found: Solved) -> float:
    """Return the most that either side gains by another choice."""
    value, rows, columns = found
    return max((payoffs @ columns).max() - value, value - (rows @ payoffs).min())


@pytest.mark.parametrize(
    ("payoffs", "value", "rows", "columns"),
    [
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0, [1 / 3] * 3, [1 / 3] * 3),  # rock, paper, scissors
        ([[1, -1], [-1, 1]], 0, [1 / 2] * 2, [1 / 2] * 2),  # matching pennies
        (
            [[0, -2, 1], [2, 0, -1], [-1, 1, 0]],
            0,
            [0.25, 0.25, 0.5],
            [0.25, 0.25, 0.5],
        ),  # paper counts double
        ([[3, 0], [-1, 2]], 1, [1 / 2, 1 / 2], [1 / 3, 2 / 3]),
        ([[2, -3], [-3, 4]], -1 / 12, [7 / 12, 5 / 12], [7 / 12, 5 / 12]),  # two-finger morra
        ([[4, 2], [3, 1]], 2, [1, 0], [0, 1]),  # a saddle point
        ([[5]], 5, [1], [1]),
        ([[1, 2, 3]], 1, [1], [1, 0, 0]),
        ([[1], [7], [3]], 7, [0, 1, 0], [1]),
        ([[0.5, 0.5], [0.5, 0.5]], 0.5, [1, 0], [1, 0]),  # all equal: any mix will do
    ],
)
def test_known_games(
    payoffs: list[list[float]], value: float, rows: list[float], columns: list[float]
) -> None:
    found, mix, answer = solved(np.array(payoffs))
    assert found == pytest.approx(value, abs=1e-12)
    assert mix == pytest.approx(rows, abs=1e-12)
    assert answer == pytest.approx(columns, abs=1e-12)


@settings(max_examples=150)
@given(st.integers(1, 9).flatmap(lambda n: arrays(np.float64, (n, 5), elements=st.integers(-4, 4))))
@example(np.zeros((3, 5)))
@example(np.repeat([[1.0, 0, 2, 0, 1]], 4, axis=0))
def test_nobody_gains_by_another_choice(payoffs: np.ndarray) -> None:
    """Small whole numbers: many ties, where pivoting rules may cycle."""
    found = solved(payoffs)
    assert gain(payoffs, found) < 1e-9
    for mix in found[1:]:
        assert (mix >= 0).all()
        assert mix.sum() == pytest.approx(1)


@pytest.mark.parametrize("size", [(2, 3), (5, 5), (12, 30), (40, 40), (64, 64)])
def test_values_of_random_games_are_a_general_solvers(size: tuple[int, int]) -> None:
    rng = np.random.default_rng(size)
    for _ in range(4):
        payoffs = rng.random(size)
        found = solved(payoffs, compiled())
        assert found[0] == pytest.approx(naive.value_of(payoffs), abs=1e-9)
        assert gain(payoffs, found) < 1e-9


def test_rare_and_close_payoffs() -> None:
    """Expected results often differ by little, or are mostly equal."""
    rng = np.random.default_rng(1)
    for _ in range(10):
        close = 0.5 + 1e-4 * rng.random((20, 25))
        rare = np.where(rng.random((20, 25)) < 0.1, 1.0, 0.5)
        for payoffs in (close, rare):
            found = solved(payoffs)
            assert found[0] == pytest.approx(naive.value_of(payoffs), abs=1e-9)
            assert gain(payoffs, found) < 1e-9


def test_dominated_choices_are_never_mixed_in() -> None:
    rng, n_beaten = np.random.default_rng(2), 0
    for _ in range(60):
        payoffs = rng.integers(0, 6, (6, 6)) + 0.3 * rng.integers(0, 3, 6)[:, None]
        rows, columns = np.arange(6), np.arange(6)
        n_rows, n_columns = eliminate(payoffs, rows, columns)
        kept = naive.undominated(payoffs)
        assert (sorted(rows[:n_rows]), sorted(columns[:n_columns])) == kept
        _, mix, answer = solved(payoffs)
        assert set(np.flatnonzero(mix)) <= set(kept[0])
        assert set(np.flatnonzero(answer)) <= set(kept[1])
        n_beaten += 12 - len(kept[0]) - len(kept[1])
    assert n_beaten > 40


def test_a_choice_beaten_only_by_a_mix_is_not_played() -> None:
    """The third row is worse than half of each of the others, against everything."""
    payoffs = np.array([[4.0, 0.0], [0.0, 4.0], [1.0, 1.0]])
    assert solved(payoffs)[1].tolist() == [0.5, 0.5, 0.0]


def test_compiled_mixes_are_those_of_plain_python() -> None:
    rng = np.random.default_rng(3)
    for size in ((1, 1), (3, 8), (15, 15), (30, 20)):
        payoffs = rng.random(size)
        value, rows, columns = solved(payoffs, compiled())
        again = solved(payoffs)
        assert value == again[0]
        assert (rows == again[1]).all()
        assert (columns == again[2]).all()
