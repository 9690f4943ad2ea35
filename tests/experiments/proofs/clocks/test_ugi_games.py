"""Clocks that another process holds: what is counted of a game, without a process and without a real clock."""

from typing import Any

import pytest

from tests.support.toys import piles
from tunesmith.engine.board import Board
from tunesmith.experiments.proofs.clocks import ugi_games
from tunesmith.experiments.proofs.clocks.ugi_games import Played, cells, page, told
from tunesmith.tuning.external.engine import Answer
from tunesmith.tuning.external.limits import parse_go

GAME = piles()
TERMS = {"game": "piles", "clock": "1+0.1", "load": 2, "seed": 1, "longest_wait_ms": 7}


class Slow:
    """An engine that plays its first legal move and takes so many seconds for each."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.heard = seconds, list[tuple[int, int]]()

    def new_game(self) -> None:
        self.heard.clear()

    def go(self, fen: str, moves: Any, limit: Any, clocks: Any) -> Answer:
        board = Board(GAME)
        for move in moves:
            board.push(move)
        self.heard.append(clocks.left)
        return Answer(board.legal()[0], self.seconds, None)


def played(first: float, second: float) -> tuple[Played, list[Slow]]:
    engines = [Slow(first), Slow(second)]
    any_engines: Any = engines
    return ugi_games.play(any_engines, Board(GAME), parse_go("tc:1+0.1")), engines


def test_clocks_run_and_the_least_that_was_left_is_kept():
    found, engines = played(0.2, 0.1)
    assert sum(found.moves) == 9 and not found.is_lost
    assert found.spent == (pytest.approx(0.2 * found.moves[0]), pytest.approx(0.1 * found.moves[1]))
    assert engines[0].heard[:2] == [(1000, 1000), (900, 1000)]
    assert found.least == pytest.approx(1.0 - 0.2 - 0.1 * (found.moves[0] - 1))


def test_a_game_ends_when_a_clock_has_run_out():
    found, _ = played(0.6, 0.1)
    assert found.is_lost and found.moves == (2, 1)


def test_a_row_tells_of_games_from_the_median_length_up():
    games = [
        Played((10, 10), (1.0, 1.5), 0.2),
        Played((2, 2), (0.1, 0.1), 0.9),
        Played((10, 9), (2.0, 2.1), -0.1),
    ]
    one = told(games, [3.0, 5.0, 4.0], TERMS)
    assert (one["games"], one["moves"], one["lost"], one["least_left_ms"]) == (3, 43, 1, -100)
    assert one["spent"] == pytest.approx((0.5 + 0.75) / 2) and one["mean_load"] == 4.0
    assert cells(one)[:2] == ["piles", "1+0.1 s"] and "| piles | 1+0.1 s | 1 |" in page([one], "a command")


def test_a_sleeper_says_how_long_it_waited():
    sleeper = ugi_games.Sleeper()
    sleeper.start()
    assert sleeper.end() >= 0.0


def test_openings_are_positions_that_go_on():
    assert not ugi_games.opening(GAME, ugi_games.random.Random(1)).is_over
