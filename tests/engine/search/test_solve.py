"""Exact values of whole Kalah boards, found by the engine's own search run to the end; what the solver refuses.

Each number of ponds and each capture rule is a compilation of its own, seeds are not: compiled are those of six
ponds, the smallest boards run as plain Python, and `experiments.proofs.solved_boards` takes all."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import IMPORTS
from tests.naive import minimax
from tests.support.searching import as_python
from tests.support.toys import hands, piles
from tests.support.walk import never, peaceful_apply_move, walk
from tunesmith import games
from tunesmith.engine.board import Board
from tunesmith.engine.compile import jit
from tunesmith.engine.search.solve import Solver, solve, solve_moves
from tunesmith.experiments.proofs import solved_boards
from tunesmith.games.errors import GameError, InputError
from tunesmith.games.game import Game

ROOT = Path(__file__).parents[3]

PLAIN = {(ponds, seeds) for ponds in (1, 2) for seeds in range(1, 7)} | {(3, 1)}  # quick without a compiler


def size(row: dict[str, Any]) -> tuple[int, int]:
    return row["pits"], row["seeds"]


def kalah(ponds: int, seeds: int, empty_capture: bool = False) -> Game:
    return games.load(f"kalah:ponds={ponds},seeds={seeds},empty_capture={str(empty_capture).lower()}")


def named(rows: list[dict[str, Any]]) -> list[Any]:
    ordered = sorted(rows, key=lambda row: (row["pits"], row["variant"], row["seeds"]))
    return [pytest.param(row, id=f"{row['pits']}x{row['seeds']}-{row['variant']}") for row in ordered]


SOLVED = solved_boards.kalah_rows()


@pytest.mark.parametrize("row", named([row for row in SOLVED if size(row) in PLAIN]))
def test_the_smallest_boards_as_plain_python(row: dict[str, Any]) -> None:
    with as_python(solved_boards.kalah(row)) as game:
        assert solved_boards.kalah_values(game, row) == (row["value"], row["per_move"])


@pytest.mark.slow
@pytest.mark.parametrize("row", named([row for row in SOLVED if row["pits"] == 6]))
def test_boards_of_six_ponds(row: dict[str, Any]) -> None:
    assert solved_boards.kalah_values(solved_boards.kalah(row), row) == (row["value"], row["per_move"])


def test_every_known_board_is_solved_here_or_by_the_proof() -> None:
    large = solved_boards.large_rows()
    assert {size(row) for row in large} == solved_boards.LARGE
    assert len(SOLVED) + len(large) == len(solved_boards.read("kalah")) == 34


@pytest.mark.slow
@pytest.mark.parametrize(("seeds", "value"), [(1, 2), (2, 10), (3, 2)])
def test_published_values_with_empty_capture(seeds: int, value: int) -> None:
    """Irving, Donkers and Uiterwijk, Solving Kalah, ICGA Journal 23(3), 2000, table 9, six ponds."""
    assert solve(kalah(6, seeds, True)).value == value


# --- positions


def test_random_positions_against_plain_minimax() -> None:
    """Whatever the position, to the end of the game, for the margin of whoever moves."""
    rng = random.Random(1)
    with as_python(kalah(3, 1)) as game:
        solver = Solver(game, 1)
        for _ in range(20):
            board = Board(game)
            for _ in range(rng.randrange(8)):
                if not board.is_over:
                    board.play(rng.choice(board.legal_moves()))
            expected = minimax.margin(game, board.states, 60) if not board.is_over else None
            found = solver.solve(board.state).value
            own = (
                minimax.for_mover(game, board.state, game.final_margin(board.state))
                if board.is_over
                else expected
            )
            assert found == own


def test_results_where_there_is_no_margin() -> None:
    """Piles without history rules: every position of it, and every move."""
    bare = piles(repetition_limit=0, max_plies=0, history_key=None, final_margin=None, settled_margin=None)
    with as_python(bare) as game:
        for a in range(5):
            for b in range(5):
                if a + b == 0:
                    continue
                text = f"{a} {b} 1 0"
                expected = minimax.value(game, np.zeros((2, 3)), 1.0, [(a, b, 1, 0)], 20)
                assert solve(game, text, hash_mb=1).value == (expected > 0) - (expected < 0)
                moves = solve_moves(game, text, hash_mb=1)
                assert max(answer.value for answer in moves.values()) == (expected > 0) - (expected < 0)


def test_the_value_of_a_position_is_its_best_moves() -> None:
    """Free turns keep the mover, so their values are not turned."""
    with as_python(kalah(2, 4)) as game:
        board = Board(game)
        while not board.is_over:
            moves = solve_moves(game, board.text, hash_mb=1)
            assert sorted(moves) == board.legal()
            assert max(answer.value for answer in moves.values()) == solve(game, board.text, hash_mb=1).value
            board.push(board.legal()[-1])


@pytest.mark.parametrize("mb", [0, 1])
def test_a_table_too_small_costs_nodes_only(mb: int) -> None:
    with as_python(kalah(2, 4)) as game:
        small, large = (solve(game, hash_mb=size) for size in (mb, 64))
    assert small.value == large.value == -10
    assert small.nodes >= large.nodes > 0
    assert small.seconds >= 0


# --- what it refuses


@pytest.mark.parametrize("name", ["expendibots", "fanorona", "ropasci360"])
def test_games_whose_values_depend_on_history_are_refused(name: str) -> None:
    with pytest.raises(InputError, match=f"game '{name}.*': a value depends on the history that led to it"):
        solve(games.load(name))


def test_simultaneous_games_are_refused() -> None:
    with pytest.raises(InputError, match="moves are simultaneous, no single value is exact"):
        solve(hands())


def test_a_finished_game_is_refused() -> None:
    with pytest.raises(InputError, match="the game is over"):
        solve(games.load("kalah"), "[[0,0,0,0,0,0],[0,0,0,0,0,0],[40,32],null]")


def test_a_game_that_need_not_end_is_an_error_not_a_value() -> None:
    endless = walk(repetition_limit=0, history_key=None, apply_move=peaceful_apply_move, outcome=never)
    with as_python(endless) as game, pytest.raises(GameError, match="a line of play has more than 255 moves"):
        solve(game, hash_mb=1)


SOLVE_FOR_HOURS = """
import sys
from tunesmith.engine.search.solve import Solver
from tunesmith import games
solver = Solver(games.load("kalah:ponds=6,seeds=6"), 16)
solver.solve(solver._game.text_to_state("[[0,0,0,0,0,2],[1,1,1,1,1,1],[0,0],0]"))
try:
    print("ready", flush=True)
    solver.solve(solver._game.initial())
except KeyboardInterrupt:
    sys.exit(130)
"""


def wait_for_work(process: int) -> None:
    """Wait until a process has used a quarter of a second of processor time from now on."""

    def ticks() -> int:
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11])

    until = ticks() + os.sysconf("SC_CLK_TCK") // 4
    while ticks() < until:
        time.sleep(0.01)


@pytest.mark.slow
@pytest.mark.skipif(
    not jit.COMPILED or not Path("/proc/self/stat").exists(), reason="compiled code and /proc"
)
def test_ctrl_c_ends_a_long_search_at_once() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SOLVE_FOR_HOURS],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": IMPORTS},
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    wait_for_work(process.pid)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 130
