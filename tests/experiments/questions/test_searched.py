"""Answers without games: the plain search behind them finds what minimax finds."""

import random

import pytest

from tests.support.searching import all_as_python, random_board, weights
from tests.support.toys import piles
from tunesmith.engine.board import Board
from tunesmith.engine.player import evaluation_parts
from tunesmith.engine.weights import Weights, from_array
from tunesmith.experiments.questions import searched
from tunesmith.experiments.questions.terms import Squash, Techniques
from tunesmith.games.game import Game


def minimax(board: Board, own: Weights, depth: int, is_squashed: bool) -> float:
    """Return the mover's value by all moves."""
    if board.is_over:
        return searched.WIN * (board.result or 0) * (1 if board.mover == 0 else -1)
    if depth == 0:
        score = evaluation_parts(board.game, own, board.state)[0]
        return score / (1 + abs(score)) if is_squashed else score
    values = []
    for move in board.legal_moves():
        board.play(move)
        values.append(-minimax(board, own, depth - 1, is_squashed))
        board.pop()
    return max(values)


def made(game: Game, seed: int) -> Weights:
    return from_array(game, weights(game, seed))


@pytest.mark.parametrize("is_squashed", [False, True])
def test_the_search_chooses_a_best_move_with_fewer_positions(is_squashed: bool) -> None:
    game, rng, fewer = piles(), random.Random(1), 0
    for seed in range(25):
        board, own = random_board(game, rng, rng.randrange(5)), made(game, seed)
        if board.is_over:
            continue
        text, values = board.text, {}
        for move in board.legal_moves():
            board.play(move)
            values[move] = -minimax(board, own, 2, is_squashed)
            board.pop()
        search = searched.Count(own, is_squashed)
        assert search.choose(board, 3) == next(m for m, v in values.items() if v == max(values.values()))
        assert board.text == text
        everything = searched.Count(own, is_squashed)
        for move in board.legal_moves():
            everything._after(board, move, 3, -float("inf"), float("inf"))
        fewer += search.nodes < everything.nodes
    assert fewer > 5


def test_squashing_keeps_the_order_of_leaves() -> None:
    """At depth 1 every leaf is compared with every other: the same move."""
    game, rng = piles(), random.Random(2)
    for seed in range(25):
        board, own = random_board(game, rng, rng.randrange(5)), made(game, seed)
        if not board.is_over:
            plain, squashed = searched.Count(own, False), searched.Count(own, True)
            assert plain.choose(board, 1) == squashed.choose(board, 1)


def test_the_table_of_techniques_compares_each_rung_with_the_first() -> None:
    part = Techniques.model_validate(
        {"name": "order", "depth": 2, "rounds": 1,
         "rung": [{"name": "plain"}, {"name": "table", "options": {"table": True}}, {"name": "hints", "options": {"hints": True}}]}
    )  # fmt: skip
    with all_as_python():
        found = searched.techniques("kalah", part)
    n = len(found["figures"][0]["values"])
    assert found["name"] == f"order ({n} positions to depth 2)"
    assert [one["rung"] for one in found["figures"]] == ["plain", "table", "hints"]
    assert all(one["same"] == n for one in found["figures"])
    assert found["figures"][2]["options"] == {"table": True, "hints": True}


def test_the_answer_about_squashing_counts_positions() -> None:
    with all_as_python():
        found = searched.squash("kalah", Squash(name="squash", depth=1, rounds=1))
    n = found["figures"]["positions"]
    assert 0 < n <= 5 and found["figures"] == {"positions": n, "depth": 1, "same_move": n, "same_nodes": n}
