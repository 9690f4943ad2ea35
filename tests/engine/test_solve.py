"""Exact values of whole Kalah boards, found by the engine's own search run to the end.

Each number of ponds and each capture rule is a compilation of its own, seeds are not: rows are grouped so."""

import json
from pathlib import Path

import pytest

import games
from engine.solve import solve, solve_moves
from games.errors import InputError
from games.game import Game

ROWS = json.loads((Path(__file__).parents[1] / "golden" / "kalah" / "solved.json").read_text())
QUICK = {
    (1, 1),
    (1, 3),
    (1, 5),
    (2, 2),
    (2, 4),
    (2, 6),
    (3, 1),
    (3, 3),
    (3, 5),
    (4, 2),
    (5, 1),
    (5, 3),
    (6, 2),
}
HOURS = {(4, 6), (5, 5), (6, 4)}  # not known to finish within a minute each


def board(row: dict) -> Game:
    empty = "false" if row["variant"] == "standard" else "true"
    return games.load(f"kalah:ponds={row['pits']},seeds={row['seeds']},empty_capture={empty}")


def named(rows: list[dict]) -> list:
    return [pytest.param(row, id=f"{row['pits']}x{row['seeds']}-{row['variant']}") for row in rows]


def check(row: dict) -> None:
    game = board(row)
    assert solve(game, hash_mb=64).value == row["value"]
    values = solve_moves(game, hash_mb=64)
    assert {move: values[move].value for move in row["per_move"]} == row["per_move"]


def size(row: dict) -> tuple[int, int]:
    return row["pits"], row["seeds"]


@pytest.mark.parametrize("row", named([row for row in ROWS if size(row) in QUICK and row["pits"] in (3, 6)]))
def test_small_boards_have_their_known_values(row):
    check(row)


@pytest.mark.slow
@pytest.mark.parametrize(
    "row", named([r for r in ROWS if size(r) not in HOURS and not (size(r) in QUICK and r["pits"] in (3, 6))])
)
def test_all_boards_of_less_than_a_minute_have_their_known_values(row):
    check(row)


def test_a_game_whose_values_depend_on_history_is_refused():
    with pytest.raises(InputError, match="depends on the history"):
        solve(games.load("expendibots"))


def test_a_finished_game_is_refused():
    with pytest.raises(InputError, match="the game is over"):
        solve(games.load("kalah"), "[[0,0,0,0,0,0],[0,0,0,0,0,0],[40,32],null]")
