"""Random games: their positions follow from the seed, and end where the rules end them."""

import itertools
import random

import pytest

from tests.support.toys import START, piles
from tunesmith.engine.board import Board
from tunesmith.engine.check.asking import Asker
from tunesmith.engine.check.games import LONGEST, MOST_FAILED, answers, check_repeats, play_games
from tunesmith.games.game import ONGOING


def test_positions_are_those_of_whole_games() -> None:
    """Each comes from the one before by a legal move, each game from the start to its end."""
    seen = play_games(Asker(piles(repetition_limit=0)), 60, seed=1)
    assert len(seen) >= 60 and seen[-1].outcome != ONGOING
    board = Board(piles(repetition_limit=0))
    for before, after in itertools.pairwise(seen):
        if before.outcome != ONGOING:
            assert after.state == START
            continue
        board = Board(board.game, board.game.state_to_text(before.state))
        assert after.state in {board.game.apply_move(before.state, move) for move in board.legal_moves()}


def test_one_seed_gives_one_course() -> None:
    courses = [[s.state for s in play_games(Asker(piles()), 40, seed)] for seed in (1, 1, 2)]
    assert courses[0] == courses[1] != courses[2]


@pytest.mark.parametrize("changes", [{"max_plies": 2}, {"max_plies": 2, "plies": None}])
def test_a_limit_of_plies_ends_a_game(changes: dict[str, object]) -> None:
    seen = play_games(Asker(piles(**changes)), 12, seed=1)
    assert [s.state[3] for s in seen[:6]] == [0, 1, 2, 0, 1, 2]


def test_a_game_that_never_ends_is_given_up_and_said_so() -> None:
    asker = Asker(piles(apply_move=lambda state, move: state, repetition_limit=0, max_plies=0))
    seen = play_games(asker, 1, seed=1)
    assert len(seen) == 3 * (LONGEST + 1)
    assert [(p.rule, p.times) for p in asker.problems] == [("endless", 3)]


def test_games_that_fail_are_not_tried_for_ever() -> None:
    asker = Asker(piles(mover=lambda state: 2))
    assert play_games(asker, 1000, seed=1) == []
    assert [(p.rule, p.times) for p in asker.problems] == [("mover", MOST_FAILED)]


def test_an_answer_that_changes_is_noted() -> None:
    rng = random.Random(1)
    asker = Asker(piles(is_quiet=lambda state: rng.random() < 0.5))
    check_repeats(asker, play_games(asker, 200, seed=1), seed=1)
    assert {(p.rule, p.function) for p in asker.problems} == {("pure", "is_quiet")}


def test_a_finished_position_is_asked_what_it_can_answer() -> None:
    assert answers(Asker(piles()), (0, 0, 1, 9), []) == {"mover": 1, "outcome": 1, "history_key": 1}
