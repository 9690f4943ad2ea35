"""Our games beside open_spiel's: the same rules, and other ones are found out."""

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.experiments.test_bench import pyspiel
from tunesmith import games
from tunesmith.experiments.bench.race import (
    MismatchError,
)
from tunesmith.experiments.bench.spiel import Both, compare_rules, twin


@pytest.fixture(params=["kalah", "pentago"])
def pair(request):
    return twin(request.param, pyspiel)


@pytest.mark.parametrize("name", ["kalah", "pentago"])
@given(seed=st.integers(0, 1 << 30))
@settings(max_examples=5)
def test_our_rules_are_those_of_open_spiel(name, seed):
    """Random games: players, legal moves, ends and results."""
    assert compare_rules(twin(name, pyspiel), 4, seed) > 4 * 10


@pytest.mark.parametrize(
    ("name", "spec"),
    [("kalah", "kalah:ponds=6,seeds=4,empty_capture=true"), ("pentago", "pentago:variant=swap")],
)
def test_other_rules_are_found_out(name, spec):
    other = dataclasses.replace(twin(name, pyspiel), game=games.load(spec))
    with pytest.raises((MismatchError, KeyError)):
        compare_rules(other, 30)


def test_turns_taken_for_their_opposite_are_found_out():
    """The board after a move shows in what is won and drawn."""
    pair = twin("pentago", pyspiel)
    swapped = dataclasses.replace(pair, text=lambda player, action: pair.text(player, action ^ 1))
    with pytest.raises(MismatchError, match="open_spiel"):
        compare_rules(swapped, 30)


def test_a_difference_is_told_with_its_position():
    both = Both(twin("kalah", pyspiel))
    both.board.push("3")  # ours alone: the same player moves again, from other ponds
    with pytest.raises(
        MismatchError, match=r"after 1 plies, .*: legal moves: ours \['1', '2', '4', '5', '6'\]"
    ):
        both.compare()
