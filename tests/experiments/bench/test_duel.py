"""Games against the reference: results are ours, times are of who moves."""

import pytest

from tests.experiments.test_bench import pyspiel
from tunesmith.experiments.bench import duel as duels
from tunesmith.experiments.bench import searches
from tunesmith.experiments.bench.race import (
    MismatchError,
)
from tunesmith.experiments.bench.spiel import Both, twin


@pytest.fixture(params=["kalah", "pentago"])
def pair(request):
    return twin(request.param, pyspiel)


def scripted(*, first):
    """A chooser of the first or the last legal move."""
    return lambda both: both.board.legal()[0 if first else -1]


def test_results_are_those_of_ours_and_times_go_to_who_moves(pair):
    times = ([], [])
    choosers = (scripted(first=True), scripted(first=False))
    start = duels.opening(pair, 3)
    both = Both(pair)
    for move in start.board.moves:
        both.play(pair.game.move_to_text(both.board.state, move))
    result = duels.play(start, choosers, 1, times)
    while not both.board.is_over:
        both.play(choosers[both.board.mover == 0](both))
    assert result == -both.board.result
    assert sum(map(len, times)) == len(both.board.moves) - duels.PLIES


def test_a_move_that_is_not_legal_ends_the_run(pair):
    with pytest.raises(MismatchError, match="move z9 of open_spiel is not legal"):
        duels.play(Both(pair), (scripted(first=True), lambda both: "z9"), 1, ([], []))


def test_openings_are_not_won_at_once_and_differ(pair):
    starts = [duels.opening(pair, number) for number in range(8)]
    assert not any(searches.winning(both.board) for both in starts)
    assert len({both.board.text for both in starts}) == 8
    assert duels.opening(pair, 3).board.text == starts[3].board.text
