"""Positions whose values other programs have computed: Pentago and Fanorona, searched by the engine.

`experiments.proofs.solved_boards` takes all of them; here stand those that are quick."""

from typing import Any

import numpy as np
import pytest

from tests.support.searching import as_python, search
from tunesmith import games
from tunesmith.engine.board import Board
from tunesmith.engine.limits import Limit
from tunesmith.engine.options import SearchOptions
from tunesmith.experiments.proofs.solved_boards import (
    MOST,
    fanorona_endgames,
    forced,
    pentago,
    pentago_values,
    read,
)

PENTAGO = read("pentago")
PLAIN = 5  # empty places up to which plain Python is quick


def named(chosen: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(row, id=row["id"]) for row in chosen]


def n_empty(row: dict[str, Any]) -> int:
    return row["state"].count(".")


def expected(row: dict[str, Any]) -> tuple[int, dict[str, int]]:
    return row["value"], row.get("per_placement") or {}


@pytest.mark.slow
@pytest.mark.parametrize(
    "row", named([row for row in PENTAGO if row["variant"] == "classic" and n_empty(row) <= 10])
)
def test_endings_of_pentago(row: dict[str, Any]) -> None:
    assert Board(pentago(row), row["state"]).mover == (0 if row["turn"] == "w" else 1)
    assert pentago_values(pentago(row), row) == expected(row)


@pytest.mark.parametrize(
    "row", named([row for row in PENTAGO if row["variant"] != "classic" and n_empty(row) <= PLAIN])
)
def test_endings_of_other_variants_as_plain_python(row: dict[str, Any]) -> None:
    with as_python(pentago(row)) as game:
        assert pentago_values(game, row) == expected(row)


@pytest.mark.slow
def test_endings_of_fanorona() -> None:
    """A win or a loss that the search calls forced is one; most are found; none where best play never ends.

    The shipped game calls a repeated board a draw, which changes no value: who wins, wins without repeating."""
    game = games.load("fanorona")
    nothing = np.zeros((game.n_stages, game.n_features))
    endings = fanorona_endgames()
    limit = Limit("nodes", 400_000)
    scores = [search(Board(game, row["state"]), nothing, SearchOptions(), limit, mb=16)[0] for row in endings]
    found = [forced(score) for score in scores]
    assert all(result in (0, row["value"]) for result, row in zip(found, endings, strict=True))
    decided = sum(row["value"] != 0 for row in endings)
    assert decided > 40
    assert sum(map(abs, found)) >= MOST * decided
