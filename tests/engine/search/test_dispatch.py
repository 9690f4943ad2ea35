"""Which search plays: of one player, and what two players need between them."""

from typing import Any

import numpy as np
import pytest

from tests.support.toys import hands, piles
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.search import dispatch
from tunesmith.engine.search.deepening import think_once
from tunesmith.engine.search.mcts import think_uct_once
from tunesmith.engine.search.simultaneous import think_matrix_once
from tunesmith.engine.searcher import Searcher, new_searcher

KINDS: dict[str, dict[str, Any]] = {
    "alphabeta": {},
    "uct": {"algorithm": "uct"},
    "random": {"algorithm": "random"},
    "matrix": {"joint": "matrix"},
}


def searcher(kind: str) -> Searcher:
    game = hands() if kind == "matrix" else piles()
    table = np.ones((game.n_stages, game.n_features))
    return new_searcher(game, table, 1.0, SearchOptions(**KINDS[kind]), parse_limit("nodes:9"), 1)


@pytest.mark.parametrize("kind", KINDS)
def test_a_searcher_knows_what_was_asked_for(kind: str) -> None:
    assert dispatch.kind_of(searcher(kind)) == kind == SearchOptions(**KINDS[kind]).kind


@pytest.mark.parametrize(
    ("one", "other", "taken"),
    [
        ("alphabeta", "alphabeta", None),
        ("alphabeta", "random", None),
        ("random", "random", None),
        ("uct", "uct", dispatch.by_uct),
        ("uct", "random", dispatch.by_uct),
        ("alphabeta", "uct", dispatch.by_alphabeta_or_uct),
        ("alphabeta", "matrix", dispatch.by_alphabeta_or_matrix),
        ("matrix", "matrix", dispatch.by_matrix),
        ("uct", "matrix", dispatch.by_uct_or_matrix),
    ],
)
def test_two_players_compile_their_own_searches_alone(one: str, other: str, taken: Any) -> None:
    """Whoever plays first; a player that draws its moves never searches."""
    expected = None if taken is None else (dispatch.decide, taken)
    assert dispatch.deciding(searcher(one), searcher(other)) == expected
    assert dispatch.deciding(searcher(other), searcher(one)) == expected


def test_one_position_is_searched_by_the_players_own_search() -> None:
    found = [dispatch.thinking_once(searcher(kind)) for kind in ("alphabeta", "uct", "matrix")]
    assert found == [think_once, think_uct_once, think_matrix_once]


@pytest.mark.parametrize(
    ("template", "algorithm", "joint", "called"),
    [
        (dispatch.by_alphabeta_or_uct, 0, 0, "think"),
        (dispatch.by_alphabeta_or_uct, 1, 0, "think_uct"),
        (dispatch.by_alphabeta_or_matrix, 0, 0, "think"),
        (dispatch.by_alphabeta_or_matrix, 0, 1, "think_matrix"),
        (dispatch.by_uct_or_matrix, 1, 0, "think_uct"),
        (dispatch.by_uct_or_matrix, 0, 1, "think_matrix"),
    ],
)
def test_among_two_searches_the_players_option_decides(
    monkeypatch: pytest.MonkeyPatch, template: Any, algorithm: int, joint: int, called: str
) -> None:
    for name in ("think", "think_uct", "think_matrix"):
        monkeypatch.setattr(dispatch, name, lambda *_, name=name: name)
    memory = searcher("alphabeta").memory[0]
    memory.options[[dispatch.ALGORITHM, dispatch.JOINT]] = algorithm, joint
    assert template(memory, None, None, None, 0, 0) == called
