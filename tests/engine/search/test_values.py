"""What leaves and ends are worth: whose view, results against margins, wins nearer to the root."""

from typing import Any

import numpy as np
import pytest

from tests.naive import minimax
from tests.support.searching import weights
from tests.support.toys import START, piles
from tunesmith.engine.compile.bind import uncompiled
from tunesmith.engine.evaluation import WIN
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.search.values import evaluate, final_value, for_mover, for_parent
from tunesmith.engine.searcher import new_searcher
from tunesmith.games.game import ONGOING, Game, State


def memory(game: Game, table: np.ndarray, **changes: Any) -> np.recarray:
    return new_searcher(game, table, 0.7, SearchOptions(**changes), parse_limit("depth:1"), 1).memory[0]


def test_points_of_view_turn_where_the_mover_does() -> None:
    game, other = piles(), (3, 5, 1, 1)
    view, parents = uncompiled(for_mover, game), uncompiled(for_parent, game)
    assert (view(7, START), view(7, other)) == (7, -7)
    assert (parents(7, other, START), parents(7, START, START)) == (-7, 7)


def test_a_leaf_is_worth_its_evaluation() -> None:
    game, table = piles(), weights(piles(), 4)
    value = uncompiled(evaluate, game)
    for state in (START, (1, 5, 1, 1), (2, 2, 0, 6)):
        assert value(memory(game, table), state) == minimax.evaluation(game, table, 0.7, state)


@pytest.mark.parametrize(("settled", "reach", "expected"), [(0, 3, 3), (2, 3, 5), (-9, 1, -8), (0, 100, 8)])
def test_a_margin_stays_within_what_is_still_possible(settled: int, reach: int, expected: int) -> None:
    """The evaluation is 8 points here."""
    game = piles(settled_margin=lambda state: settled, open_margin=lambda state: reach)
    table = np.array([[8.0, 0.0, 0.0], [8.0, 0.0, 0.0]])
    found = uncompiled(evaluate, game)(memory(game, table, objective="margin"), START)
    assert found == expected


def test_with_keys_of_margins_a_leaf_is_worth_what_is_settled() -> None:
    game = piles(settled_margin=lambda state: 2)
    assert (
        uncompiled(evaluate, game)(memory(game, np.ones((2, 3)), objective="margin", margin_keys=True), START)
        == 2
    )


@pytest.mark.parametrize(
    ("state", "objective", "expected"),
    [
        ((0, 0, 1, 9), "result", -(WIN - 4)),  # the first player took the last stone, the second is to move
        ((0, 0, 0, 9), "result", -(WIN - 4)),
        ((0, 0, 1, 9), "margin", -3),
        (START, "margin", 0),  # drawn by rule
    ],
)
def test_an_end_is_worth_its_result_or_its_margin_to_the_mover(
    state: State, objective: str, expected: int
) -> None:
    game = piles()
    searcher = memory(game, np.ones((2, 3)), objective=objective)
    result = game.outcome(state) if game.outcome(state) != ONGOING else 0
    assert uncompiled(final_value, game)(searcher, state, result, 4) == expected
