"""Two players meet: games of a pair, how they end, and when they are adjudicated."""

from typing import Any

import numpy as np
import pytest

from tests.support.searching import as_python
from tests.support.toys import features, piles
from tunesmith.engine.board import Board
from tunesmith.engine.compile.bind import uncompiled
from tunesmith.engine.evaluation import ALL_FEATURES, Wanted
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.match import NO_RESULT, Arena, play_pair, streak
from tunesmith.engine.options import SearchOptions
from tunesmith.engine.searcher import OTHER_MASK, Searcher, new_searcher
from tunesmith.games.errors import GameError
from tunesmith.games.game import Game, State


def searcher(game: Game, depth: int = 2) -> Searcher:
    return new_searcher(game, np.zeros((2, 3)), 1.0, SearchOptions(), parse_limit(f"depth:{depth}"), 1)


@pytest.mark.parametrize("max_plies", [50, 3])
def test_a_record_replayed_ends_as_it_says(max_plies: int) -> None:
    with as_python(piles(max_plies=max_plies)) as game:
        for record in Arena(game, searcher(game), searcher(game, 6)).play_pair([1]):
            board = Board(game)
            for move in record.moves.tolist():
                assert move in board.legal_moves()
                board.play(move)
            assert (board.result, board.reason) == (record.result, record.reason)
            assert record.moves[0] == 1 and np.isnan(record.scores[0])


def test_noise_follows_from_the_seed() -> None:
    with as_python(piles()) as game:
        arena = Arena(game, searcher(game), searcher(game), noise=(1000, 9))
        played = [[r.moves.tolist() for r in arena.play_pair([], seed)] for seed in (1, 2, 3, 1)]
    assert played[0] == played[3]
    assert len({str(pair) for pair in played}) > 1


def test_a_game_of_the_most_moves_has_no_result() -> None:
    with as_python(piles()) as game:
        record = Arena(game, searcher(game), searcher(game), move_cap=2).play_pair([])[0]
    assert (len(record.moves), record.result, record.reason) == (2, NO_RESULT, "capped")


def test_an_unfinished_position_without_moves_is_an_error_of_the_game() -> None:
    with as_python(piles(legal_moves=lambda state, out: 0)) as game:
        arena = Arena(game, searcher(game), searcher(game))
        with pytest.raises(GameError, match="no legal move in the unfinished position '4 5 0 0'"):
            arena.play_pair([])


def test_a_streak_counts_one_sides_plies_in_a_row() -> None:
    """A side ahead by the bound counts on, the other begins anew, an even score ends it, no score waits."""
    count, counts = 0, []
    for score in (300.0, 500.0, np.nan, 299.0, -300.0, np.nan, -400.0, 300.0):
        count = streak(count, score, 300.0)
        counts.append(count)
    assert counts == [1, 2, 2, 0, -1, -1, -2, 1]


FEATURES_WANTED = -1
LOOKS = {"cheap": 0, "all": 0}


def counted(state: State, out: Any) -> None:
    LOOKS["all" if FEATURES_WANTED & 4 else "cheap"] += 1
    features(state, out)


def looks(limit: str) -> dict[str, int]:
    """Return how often cheap features and all were computed in two games of one player with a dear feature and one
    without."""
    LOOKS.update(cheap=0, all=0)
    with as_python(piles(features=counted)) as game:
        players = [
            new_searcher(game, np.array([row] * 2), 1.0, SearchOptions(), parse_limit(limit), 1)
            for row in ([1.0, 0.0, 0.0], [1.0, 0.0, 2.0])
        ]
        Arena(game, *players).play_pair([])
    return dict(LOOKS)


def test_under_a_clock_nobody_computes_what_only_the_other_needs() -> None:
    timed, counted_nodes = looks("time:0.001"), looks("nodes:50")
    assert timed["cheap"] > 0 and timed["all"] > 0
    assert counted_nodes["cheap"] == 0 and counted_nodes["all"] > 0


def test_who_computes_fewer_features_plays_the_same_moves() -> None:
    def of(row: list[float]) -> Searcher:
        return new_searcher(piles(), np.array([row] * 2), 1.0, SearchOptions(), parse_limit("depth:3"), 1)

    def played(wanted: Wanted) -> list[list[int]]:
        players = [of(row) for row in ([1.0, 0.0, 0.0], [1.0, 0.0, 2.0])]
        players[0].memory["counters"][0, OTHER_MASK] = 1
        with as_python(piles(features=counted)) as game:
            arena = Arena(game, *players)
            arena._play = uncompiled(play_pair, game, wanted)
            return [record.moves.tolist() for record in arena.play_pair([1])]

    LOOKS.update(cheap=0, all=0)
    assert played((ALL_FEATURES, 1)) == played(ALL_FEATURES)
    assert LOOKS["cheap"] > 0
