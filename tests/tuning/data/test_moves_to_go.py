"""What games say of the moves still to come, in the words of somebody who counts them."""

from pathlib import Path

import numpy as np
import pytest

from tests.support.small_matches import kalah, play
from tunesmith.engine.match import NO_RESULT
from tunesmith.engine.searcher import N_TO_GO, PLIES_A_CELL
from tunesmith.tuning.data.moves_to_go import SPENT, moves_to_go, table_of
from tunesmith.tuning.play import store


def taught(lengths: list[int], shares: np.ndarray | None = None) -> np.ndarray:
    """Return the table that a player's games of so many own moves teach, every second ply his own."""
    ply = np.concatenate([2 * np.arange(n) for n in lengths])
    to_come = np.concatenate([np.arange(n, 0, -1.0) for n in lengths])
    owner = np.repeat(np.arange(len(lengths)), lengths)
    return table_of(to_come, ply, owner, np.ones((len(ply), 1)) if shares is None else shares)


def spent(table: np.ndarray, n: int) -> float:
    """Return what n moves spend if each takes its part of what is left."""
    left = 1.0
    for at in range(n):
        left *= 1 - 1 / max(1.0, table[0, min(2 * at // PLIES_A_CELL, table.shape[1] - 1)])
    return 1 - left


def test_games_of_one_length_are_counted_down() -> None:
    table = taught([20] * 10)
    assert table[0].tolist() == [20 - 2 * cell - 0.5 for cell in range(10)]


@pytest.mark.parametrize("lengths", [[30] * 9, list(range(25, 36)), [5, 6, 8, 10, 20, 30, 60, 100, 200, 400]])
def test_games_from_the_median_length_up_spend_their_time(lengths: list[int]) -> None:
    table = taught(lengths * 5)
    long = [n for n in lengths if n >= np.median(lengths)]
    assert np.mean([spent(table, n) >= SPENT - 0.02 for n in long]) >= 0.9


def test_cells_that_no_game_ended_in_are_as_the_one_before() -> None:
    table = table_of(np.array([9.0, 1.0]), np.array([0, 40]), np.array([0, 0]), np.ones((2, 1)))
    assert table.shape == (1, 11)
    assert set(table[0, :10]) == {table[0, 0]} and table[0, 10] == 1.0


def test_plies_beyond_the_last_cell_are_in_it() -> None:
    assert taught([400]).shape == (1, N_TO_GO)


def test_a_stage_that_ends_soon_has_fewer_moves_to_go() -> None:
    lengths = [10] * 40 + [40] * 40
    is_short = np.concatenate([np.full(n, n == 10) for n in lengths])
    table = taught(lengths, np.stack([is_short, ~is_short], 1).astype(float))
    assert table[0, 0] < 0.5 * table[1, 0]


def test_games_are_counted_as_somebody_would_who_replays_them(tmp_path: Path) -> None:
    """Own moves to come at the start of play; extra turns of Kalah are moves like others."""
    play(tmp_path, range(4))
    games = store.read_games(tmp_path)
    found = moves_to_go(kalah(), [games])
    assert list(found) == list(kalah().stage_names)
    first = []
    for at in range(len(games)):
        movers, state = [], kalah().initial()
        for move in games.moves[games.starts[at] : games.starts[at + 1]].tolist():
            movers.append(kalah().mover(state))
            state = kalah().apply_move(state, move)
        first += [movers[ply:].count(movers[ply]) for ply in range(PLIES_A_CELL)]
    assert found["opening"][0] == pytest.approx(np.mean(first), abs=1.5)
    assert found["opening"][0] > found["opening"][len(found["opening"]) // 2] > 1.0


def test_games_without_a_result_teach_no_length(tmp_path: Path) -> None:
    play(tmp_path, range(2), move_cap=10)
    games = store.read_games(tmp_path)
    assert set(games.result) == {NO_RESULT}
    assert moves_to_go(kalah(), [games]) == {}
