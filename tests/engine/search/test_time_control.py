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
from tunesmith.engine.searcher import NEEDED, SECONDS_LEFT, SHARE, Searcher, new_searcher
from tunesmith.games.game import Game

TICK = 0.001
SHORT, LONG = 0.0002, 0.01  # where a clock may not be overrun at all; where a game clock is long


@pytest.fixture
def tick() -> float:
    return TICK


@pytest.fixture
def kalah(monkeypatch: pytest.MonkeyPatch, tick: float) -> Iterator[Game]:
    with as_python(games.load("kalah")) as game, ticking(monkeypatch, tick):
        yield game


def searcher_of(game: Game, seconds: float, to_go: np.ndarray | None = None) -> Searcher:
    limit = parse_limit(f"game-time:{seconds}")
    return new_searcher(game, weights(game), 1.0, SearchOptions(), limit, 1, to_go)


def used(searcher: Searcher, board: Board) -> float:
    numbers = searcher.memory["numbers"][0]
    before = float(numbers[SECONDS_LEFT])
    think(searcher, board)
    return before - float(numbers[SECONDS_LEFT])


@pytest.mark.parametrize("tick", [SHORT])
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


@pytest.mark.parametrize("tick", [LONG])
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


@pytest.mark.parametrize(("left", "expected"), [(1.01, 5.0), (0.99, 60.0)])
def test_the_last_of_the_time_is_for_games_that_last_longer_than_others(
    kalah: Game, left: float, expected: float
) -> None:
    searcher = searcher_of(kalah, 1.0, np.full((kalah.n_stages, 3), 5.0))
    searcher.memory["numbers"][0][SECONDS_LEFT] = left * time_control.LAST
    to_go = bind.uncompiled(time_control.moves_to_go, kalah)
    assert to_go(searcher.memory[0], Board(kalah).state, 120) == pytest.approx(expected)


@pytest.mark.parametrize("tick", [LONG])
def test_time_for_depth_1_of_later_moves_is_kept(kalah: Game) -> None:
    """What depth 1 took once is kept for 400 moves, as far as a part of the game's time goes; one part is the move's."""
    fresh, slow, slower = (searcher_of(kalah, 10.0) for _ in range(3))
    slow.memory["numbers"][0][NEEDED] = 0.001
    slower.memory["numbers"][0][NEEDED] = 1.0
    shares = []
    for searcher in (fresh, slow, slower):
        think(searcher, Board(kalah))
        shares.append(20 * float(searcher.memory["numbers"][0][SHARE]))
    others = 399 / 400
    expected = [9.8, 9.8 - 1.25 * 0.001 * 400 * others, 9.8 - time_control.MOST_KEPT * 10 * others]
    assert shares == pytest.approx(expected)


def test_a_move_may_use_what_was_kept_for_it_when_nothing_else_is_left(kalah: Game) -> None:
    searcher = searcher_of(kalah, 10.0)
    numbers = searcher.memory["numbers"][0]
    numbers[NEEDED], numbers[SECONDS_LEFT] = 1.0, 0.2 + 1.0
    think(searcher, Board(kalah))
    assert numbers[SHARE] == pytest.approx(1.0 / 400)


def test_no_more_moves_are_reckoned_with_than_the_limit_of_plies_allows() -> None:
    with as_python(games.load("ropasci360")) as game:
        most = bind.uncompiled(time_control.most_moves, game)
        assert [most(plies) for plies in (0, 718, 720)] == [360, 1, 0]


@pytest.mark.parametrize(("needed", "is_short"), [(0.0, False), (0.001, False), (0.1, True)])
def test_time_is_short_where_it_cannot_be_kept_for_every_move(
    kalah: Game, needed: float, is_short: bool
) -> None:
    searcher = searcher_of(kalah, 10.0)
    searcher.memory["numbers"][0][NEEDED] = needed
    assert bind.uncompiled(time_control.is_short, kalah)(searcher.memory[0], 0) == is_short


def test_depth_1_is_finished_when_almost_no_time_is_left(kalah: Game) -> None:
    searcher = searcher_of(kalah, 1.0)
    searcher.memory["numbers"][0][SECONDS_LEFT] = 100 * TICK
    think(searcher, Board(kalah))
    assert reached(searcher) >= 1


def test_a_forced_move_takes_no_more_than_depth_1(kalah: Game) -> None:
    free, forced = (f"[[{ponds}],[6,6,6,6,6,6],[0,0],0]" for ponds in ("1,0,1,0,0,9", "0,0,1,0,0,0"))
    searcher = searcher_of(kalah, 1.0)
    assert used(searcher, Board(kalah, forced)) < 0.2 * used(searcher, Board(kalah, free))
