"""Positions whose values other programs have computed: Pentago and Fanorona, searched by the engine."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.searching import search
from tunesmith import games
from tunesmith.engine.board import Board
from tunesmith.engine.evaluation import EVALUATION_MAX
from tunesmith.engine.limits import Limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.search.solve import solve, solve_moves

GOLDEN = Path(__file__).parents[2] / "golden"


def rows(game: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((GOLDEN / game / "solved.json").read_text())
    return found


def named(chosen: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(row, id=row["id"]) for row in chosen]


def n_empty(row: dict[str, Any]) -> int:
    return row["state"].count(".")


def check(row: dict[str, Any]) -> None:
    game = games.load(f"pentago:variant={row['variant']}")
    assert Board(game, row["state"]).mover == (0 if row["turn"] == "w" else 1)
    assert solve(game, row["state"], hash_mb=64).value == row["value"]
    if not row.get("per_placement"):
        return
    values: dict[str, int] = {}
    for move, answer in solve_moves(game, row["state"], hash_mb=64).items():
        cell = move.partition("-")[0]
        values[cell] = max(answer.value, values.get(cell, -1))
    assert values == row["per_placement"]


PENTAGO = rows("pentago")


def is_quick(row: dict[str, Any]) -> bool:
    return row["variant"] == "classic" and n_empty(row) <= 10


@pytest.mark.parametrize("row", named([row for row in PENTAGO if is_quick(row)]))
def test_endings_of_pentago(row: dict[str, Any]) -> None:
    check(row)


@pytest.mark.slow
@pytest.mark.parametrize("row", named([row for row in PENTAGO if not is_quick(row)]))
def test_longer_endings_and_other_variants_of_pentago(row: dict[str, Any]) -> None:
    check(row)


def forced_result(row: dict[str, Any], nodes: int) -> tuple[int, int]:
    """Return 1, -1 or 0 = nothing forced found, and the plies to it."""
    width, height = row["size"]
    game = games.load(f"fanorona:width={width},height={height},draw_rule=none")
    nothing = np.zeros((game.n_stages, game.n_features))
    board = Board(game, row["state"])
    score, _ = search(board, nothing, SearchOptions(), Limit("nodes", nodes), mb=16)
    return int(score > EVALUATION_MAX) - int(score < -EVALUATION_MAX), 1_000_000_000 - abs(score)


def test_endings_of_fanorona() -> None:
    """A win or a loss that the search calls forced is one; most are found; none where best play never ends."""
    endings = [row for row in rows("fanorona") if row["size"] == [9, 5]]
    found = [forced_result(row, 400_000)[0] for row in endings]
    assert all(result in (0, row["value"]) for result, row in zip(found, endings, strict=True))
    decided = sum(row["value"] != 0 for row in endings)
    assert decided > 40
    assert sum(map(abs, found)) >= 0.85 * decided


@pytest.mark.slow
@pytest.mark.parametrize("size", [[3, 3], [5, 3], [3, 5], [3, 7]], ids=str)
def test_small_boards_of_fanorona_are_won_by_the_first_player(size: list[int]) -> None:
    (row,) = [row for row in rows("fanorona") if row["size"] == size]
    assert forced_result(row, 3_000_000)[0] == row["value"] == 1
