"""Results of the first-named player, who is the second player in the second game of a pair."""

import numpy as np
import pytest

from tunesmith.tuning.play.point_of_view import for_first_named


@pytest.mark.parametrize(
    ("result", "game", "own"), [(1, 0, 1), (1, 1, -1), (0, 0, 0), (0, 1, 0), (-1, 0, -1), (-1, 1, 1)]
)
def test_in_the_second_game_the_players_have_changed_sides(result: int, game: int, own: int) -> None:
    assert for_first_named(result, game) == own


def test_arrays_are_turned_row_by_row() -> None:
    own = for_first_named(np.array([1, 1, 0, -1]), np.array([0, 1, 1, 1]))
    assert own.tolist() == [1, -1, 0, 1]
