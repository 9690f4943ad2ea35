"""The clocks of a search, told by a clock that the test brings along."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from tests.support.searching import as_python, reached, think, ticking, weights
from tunesmith import games
from tunesmith.engine.board import Board
from tunesmith.engine.compile import bind
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.search import time_control
from tunesmith.engine.searcher import FIRST_SECONDS, SECONDS_LEFT, SHARE, Searcher, new_searcher
from tunesmith.games.game import Game

TICK = 0.0001


@pytest.fixture
def kalah(monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    with as_python(games.load("kalah")) as game, ticking(monkeypatch, TICK):
        yield game


def searcher_of(game: Game, seconds: float, to_go: np.ndarray | None = None) -> Searcher:
    limit = parse_limit(f"game-time:{seconds}")
    return new_searcher(game, weights(game), 1.0, SearchOptions(), limit, 1, to_go)


def used(searcher: Searcher, board: Board) -> float:
    numbers = searcher.memory["numbers"][0]
    before = float(numbers[SECONDS_LEFT])
    think(searcher, board)
    return before - float(numbers[SECONDS_LEFT])


def test_a_game_clock_is_never_overrun(kalah: Game) -> None:
    searcher = searcher_of(kalah, 0.3)
    left = searcher.memory["numbers"][0]
    board, rng, before = Board(kalah), random.Random(1), 0.3
    while not board.is_over:
        think(searcher, board)
        assert 0.0 < left[SECONDS_LEFT] < before
        before = float(left[SECONDS_LEFT])
        board.play(rng.choice(board.legal_moves()))
    assert before < 0.3


def test_the_fewer_moves_there_are_to_go_the_more_time_has_one(kalah: Game) -> None:
    shares = []
    for to_go in (50.0, 5.0):
        searcher = searcher_of(kalah, 1.0, np.full((kalah.n_stages, 3), to_go))
        think(searcher, Board(kalah))
        shares.append(float(searcher.memory["numbers"][0][SHARE]))
    assert shares[1] == pytest.approx(10 * shares[0]) == pytest.approx((1 - time_control.RESERVE) / 5)


def test_moves_to_go_follow_the_plies_and_the_stage(kalah: Game) -> None:
    """Four plies are a cell; the last cell stands for all later plies; stages count by their share."""
    rows = np.array([[40.0, 20.0], [30.0, 10.0]])
    board = Board(kalah)
    opening = np.zeros(kalah.n_stages)
    assert kalah.stages is not None
    kalah.stages(board.state, opening)
    for plies, cell in ((0, 0), (3, 0), (4, 1), (399, 1)):
        searcher = searcher_of(kalah, 1.0, rows)
        to_go = bind.uncompiled(time_control.moves_to_go, kalah)(searcher.memory[0], board.state, plies)
        assert to_go == pytest.approx(float(opening @ rows[:, cell]))


def test_time_for_depth_1_of_later_moves_is_kept(kalah: Game) -> None:
    """What depth 1 took once is kept for 400 moves, as far as an eighth of the game's time goes."""
    fresh, slow, slower = (searcher_of(kalah, 10.0) for _ in range(3))
    slow.memory["numbers"][0][FIRST_SECONDS] = 0.001
    slower.memory["numbers"][0][FIRST_SECONDS] = 1.0
    shares = []
    for searcher in (fresh, slow, slower):
        think(searcher, Board(kalah))
        shares.append(20 * float(searcher.memory["numbers"][0][SHARE]))
    assert shares == pytest.approx([9.8, 9.8 - 1.25 * 0.001 * 400, 9.8 - time_control.MOST_KEPT * 10])


def test_depth_1_is_finished_when_almost_no_time_is_left(kalah: Game) -> None:
    searcher = searcher_of(kalah, 1.0)
    searcher.memory["numbers"][0][SECONDS_LEFT] = 100 * TICK
    think(searcher, Board(kalah))
    assert reached(searcher) >= 1


def test_a_forced_move_takes_no_more_than_depth_1(kalah: Game) -> None:
    free, forced = (f"[[{ponds}],[6,6,6,6,6,6],[0,0],0]" for ponds in ("1,0,1,0,0,9", "0,0,1,0,0,0"))
    searcher = searcher_of(kalah, 1.0)
    assert used(searcher, Board(kalah, forced)) < 0.2 * used(searcher, Board(kalah, free))
