"""A search that moves for the opponent by the opponent's own evaluation."""

import random

from tests.support.searching import as_python, random_board, weights
from tests.support.toys import piles
from tunesmith.engine.board import Board
from tunesmith.engine.weights import from_array
from tunesmith.experiments.questions import foreseen
from tunesmith.experiments.questions.foreseen import Evaluation, Mind
from tunesmith.games.game import Game
from tunesmith.tuning.play.openings.opening import Opening

INFINITE = float("inf")


def made(game: Game, seed: int) -> Evaluation:
    return foreseen.evaluation(game, from_array(game, weights(game, seed)))


def minimax(board: Board, me: int, own: Evaluation, depth: int) -> float:
    if board.is_over:
        return (board.result or 0) * (1 if me == 0 else -1) * (foreseen.WIN - board.n_plies)
    if depth == 0:
        return own(board.state) * (1 if board.mover == me else -1)
    values = [minimax(after(board, move), me, own, depth - 1) for move in board.legal_moves()]
    return max(values) if board.mover == me else min(values)


def after(board: Board, move: int) -> Board:
    other = Board(board.game)
    for one in [*board.moves, move]:
        other.play(one)
    return other


def test_who_expects_the_own_evaluation_plays_minimax() -> None:
    rng = random.Random(1)
    with as_python(piles()) as game:
        for seed in range(15):
            board, own = random_board(game, rng, 3), made(game, seed)
            me = board.mover
            values = {move: minimax(after(board, move), me, own, 2) for move in board.legal_moves()}
            chosen = Mind(own, own, 3).choose(board)
            assert values[chosen] == max(values.values())


def test_the_other_is_expected_to_move_as_it_does_move() -> None:
    """Two plies deep, the value of a move is that of the answer which the other gives, one ply deep."""
    rng, seen = random.Random(2), 0
    with as_python(piles()) as game:
        for seed in range(15):
            board, own, other = random_board(game, rng, 2), made(game, seed), made(game, seed + 100)
            me = board.mover
            for move in board.legal_moves():
                child = after(board, move)
                if child.is_over or child.mover == me:
                    continue
                answer = after(child, Mind(other, own, 1).choose(child))
                assert Mind(own, other, 2).values(child, me, 1)[0] == minimax(answer, me, own, 0)
                seen += 1
    assert seen > 10


def test_a_game_begins_with_its_opening_and_is_played_twice() -> None:
    with as_python(piles()) as game:
        minds = Mind(made(game, 1), made(game, 1), 1), Mind(made(game, 2), made(game, 2), 1)
        opening = Opening((1,), "1")
        points = foreseen.play_pairs(game, *minds, [opening])
        one, two = foreseen.play(game, minds, opening), foreseen.play(game, minds[::-1], opening)
    assert points == [one + 1 - two]
    row = foreseen.figures("hand", [0.0, 0.5, 2.0, 2.0])
    assert row["counts"] == [1, 1, 0, 0, 2] and row["each"] == [0.0, 0.5, 2.0, 2.0]
