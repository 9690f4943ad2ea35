"""Replayed games show what playing them one move at a time shows."""

import numpy as np
import pytest

from tests.naive import dataset as naive
from tests.support.small_matches import hand, kalah, play
from tunesmith.engine import Board
from tunesmith.tuning.play import replay
from tunesmith.tuning.play.records import Games
from tunesmith.tuning.play.store import read_games


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Games:
    folder = tmp_path_factory.mktemp("games")
    play(folder, range(4))
    return read_games(folder)


def boards(games: Games) -> list[Board]:
    """Return a board for each position before a move, in the order of moves."""
    found = []
    for at in range(len(games)):
        board = Board(kalah())
        for move in games.moves[games.starts[at] : games.starts[at + 1]].tolist():
            found.append(Board(kalah(), board.text))
            board.play(move)
    return found


def test_features_are_those_of_plain_python(games: Games) -> None:
    chosen = np.zeros(len(games.moves), bool)
    chosen[::3] = True
    views = replay.view_positions(kalah(), games.moves, games.starts, chosen)
    seen = [board.states[-1] for board in boards(games)][::3]
    for row, state in enumerate(seen):
        values, shares = np.zeros(kalah().n_features), np.ones(kalah().n_stages)
        kalah().features(state, values)
        if kalah().stages is not None:
            kalah().stages(state, shares)
        assert views.features[row].tolist() == values.tolist()
        assert views.stages[row].tolist() == shares.tolist()
        assert views.seconds[row] == kalah().mover(state)
    assert len(views.keys) == len(seen)


def test_scores_are_the_weighted_sums_of_what_is_seen(games: Games) -> None:
    """Up to the hundredth of an Elo that the search reckons in."""
    chosen = np.ones(len(games.moves), bool)
    scores = replay.judge_positions(kalah(), hand(), games.moves, games.starts, chosen)
    views = replay.view_positions(kalah(), games.moves, games.starts, chosen)
    table = hand().array(kalah()).reshape(kalah().n_stages, -1)
    wanted = np.einsum("ns,sf,nf->n", views.stages, table, views.features) * hand().scale
    assert scores == pytest.approx(wanted, abs=0.011)


def test_marks_say_who_moves_and_what_is_quiet(games: Games) -> None:
    marks = replay.mark_positions(kalah(), games.moves, games.starts)
    known = {(p.pair, p.game, p.ply): p for p in naive.positions(kalah(), games)}
    assert known
    for at in range(len(games)):
        for ply, mark in enumerate(marks[games.starts[at] : games.starts[at + 1]].tolist()):
            found = known.get((int(games.pair[at]), int(games.game[at]), ply))
            if found is not None:
                assert bool(mark & replay.SECOND) == (kalah().mover(found.state) == 1)
                assert not mark & replay.PENDING


def test_games_are_split_where_their_start_changes() -> None:
    one, other = kalah().initial(), kalah().apply_move(kalah().initial(), 1)
    starts = np.array([0, 3, 5, 9, 10])
    chosen = np.array([True, False, True, True, True, False, False, False, True, True])
    found = list(replay.runs(kalah(), starts, [one, one, other, one], chosen))
    assert [(run.root, run.starts.tolist(), run.rows) for run in found] == [
        (one, [0, 3, 5], slice(0, 4)),
        (other, [5, 9], slice(4, 5)),
        (one, [9, 10], slice(5, 6)),
    ]


def test_a_state_after_moves_is_that_of_a_board() -> None:
    board = Board(kalah())
    moves = []
    for _ in range(5):
        moves.append(board.legal_moves()[-1])
        board.play(moves[-1])
    assert replay.state_at(kalah(), np.array(moves)) == board.states[-1]
    assert replay.state_at(kalah(), np.array(moves[2:]), board.states[2]) == board.states[-1]
