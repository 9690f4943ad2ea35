"""Searches in both: a wrong value is no race."""

import pytest

from tests.experiments.test_bench import TINY, pyspiel
from tunesmith.experiments.bench import searches
from tunesmith.experiments.bench.race import (
    MismatchError,
)
from tunesmith.experiments.bench.spiel import twin


@pytest.fixture(params=["kalah", "pentago"])
def pair(request):
    return twin(request.param, pyspiel)


def test_a_wrong_value_is_no_race(monkeypatch):
    pair = twin("kalah", pyspiel)
    monkeypatch.setattr(searches, "_banked", lambda both: lambda state: 0.25)
    with pytest.raises(MismatchError, match="alpha-beta: value: ours .*, open_spiel 0.25"):
        searches.alpha_beta(pair, 3, TINY)


def test_positions_to_be_won_are_not_won_by_any_move(pair):
    for both in searches.won_positions(pair):
        wins = searches.winning(both.board)
        assert 0 < len(wins) < len(both.board.legal())
        for text in wins:
            assert both.state.child(both.actions()[text]).returns()[both.board.mover] == 1
