"""Turns as a tree of matrix games: narrowed turns against plain loops, unfinished depths, wins two turns ahead."""

import dataclasses
import random
from typing import Any

import numpy as np
import pytest

from tests.engine.search.test_simultaneous import (
    HANDS,
    MATRIX,
    chosen_by_matrix,
    searcher_of,
    tricky_hands,
)
from tests.naive import matrix as naive
from tests.naive import minimax
from tests.support.searching import as_python, random_board, score, weights
from tests.support.toys import hands
from tunesmith import games
from tunesmith.engine.board import Board
from tunesmith.engine.search.elo import to_elo
from tunesmith.engine.searcher import NODES, REACHED
from tunesmith.games.game import ONGOING, Game, State


def narrowed_value(game: Game, table: np.ndarray, history: list[State], kept: int) -> float:
    """Return what a last turn is worth between the `kept` choices that evaluations speak for."""
    result = minimax.ending(game, history)
    if result != ONGOING:
        return (result + 1) / 2
    payoffs = naive.payoffs_of(game, table, history, 2)
    row = int(np.argmax(payoffs[:, 0]))  # without hints the first choice is the likeliest
    own = np.argsort(-payoffs[:, 0], kind="stable")[:kept]
    other = np.argsort(payoffs[row], kind="stable")[:kept]
    return naive.value_of(payoffs[np.ix_(own, other)])


@pytest.mark.parametrize("kept", [1, 2, 4])
def test_later_turns_are_narrowed_to_what_does_best(kept: int) -> None:
    chosen = dataclasses.replace(MATRIX, joint_best=kept, deepening=False)
    rng = random.Random(kept)
    with as_python(tricky_hands()) as game:
        for plies in (0, 0, 2, 2):
            board = random_board(game, rng, plies)
            searcher = searcher_of(game, HANDS, "depth:4", chosen)
            chosen_by_matrix(searcher, board)
            payoffs = np.zeros((5, 5))
            for own in range(5):
                pending = game.apply_move(board.state, own)
                for other in range(5):
                    history = [*board.states, pending, game.apply_move(pending, other)]
                    payoffs[own, other] = narrowed_value(game, HANDS, history, kept)
            assert score(searcher) == pytest.approx(to_elo(naive.value_of(payoffs)), abs=2)


@pytest.mark.parametrize("kept", [5, 64])
def test_narrowing_to_all_choices_changes_nothing(kept: int) -> None:
    rng = random.Random(3)
    with as_python(tricky_hands()) as game:
        for plies in (0, 2):
            board = random_board(game, rng, plies)
            found = []
            for chosen in (MATRIX, dataclasses.replace(MATRIX, joint_best=kept)):
                searcher = searcher_of(game, HANDS, "depth:6", chosen)
                chosen_by_matrix(searcher, board)
                found.append(score(searcher))
            assert found[0] == found[1]


def test_a_narrowed_search_of_two_turns_looks_at_a_small_part_of_the_whole() -> None:
    with as_python(games.load("ropasci360")) as game:
        board = random_board(game, random.Random(2), 4)
        n_joint = len(board.legal_moves()) ** 2
        narrow = searcher_of(game, weights(game), "depth:4", dataclasses.replace(MATRIX, joint_best=2))
        chosen_by_matrix(narrow, board)
        counters = narrow.memory["counters"][0]
        assert counters[REACHED] == 4
        assert counters[NODES] < n_joint  # which is less than even one turn's matrix


def trap_apply_move(state: State, move: int) -> State:
    """Player 0's first choice, rock, wins a point now and loses three with the next turn; the others lose nothing."""
    first, second, pending, turns = state
    if pending == 0:
        return first, second, move + 1, turns
    if turns == 0:
        return int(pending == 1), 0, 0, 1
    return first, second + 3 * first, 0, turns + 1


def test_a_depth_that_is_cut_short_counts() -> None:
    """Between what the first turn alone says and what two turns say, a limit lets two turns decide."""
    with as_python(hands(apply_move=trap_apply_move)) as game:

        def played(limit: str) -> tuple[str, int]:
            searcher = searcher_of(game, HANDS, limit)
            move = chosen_by_matrix(searcher, Board(game))
            return game.move_to_text(game.initial(), move), int(searcher.memory["counters"][0, REACHED])

        assert played("depth:2")[0] == "rock"
        assert played("depth:4")[0] != "rock"
        found = [played(f"nodes:{n}") for n in range(6, 60)]
        assert any(move != "rock" and depth == 2 for move, depth in found)


def test_a_win_is_seen_two_turns_ahead() -> None:
    """Rock wins a point with the next turn, whatever is chosen then; nothing else ever does."""

    def apply_move(state: State, move: int) -> State:
        first, second, pending, turns = state
        if pending == 0:
            return first, second, move + 1, turns
        won = 2 * int(turns == 0 and pending == 1) + int(turns > 0 and first > 0)
        return first + won, second, 0, turns + 1

    def silent(state: State, out: Any) -> None:
        out[0] = 0.0

    with as_python(hands(apply_move=apply_move, features=silent)) as game:
        searcher = searcher_of(game, HANDS, "depth:6")
        assert chosen_by_matrix(searcher, Board(game)) == 0
        assert score(searcher) == to_elo(1.0)
