"""What is compiled ahead is what commands use, and each part is told with its time."""

import pytest

from tests.support.searching import all_as_python
from tunesmith.engine.player import Player
from tunesmith.games.errors import InputError
from tunesmith.tuning.play.precompile import precompile


def test_each_part_is_told_and_what_is_compiled_already_too(monkeypatch: pytest.MonkeyPatch) -> None:
    with all_as_python():
        monkeypatch.setattr(Player, "takes_long", property(lambda player: not player._has_thought))
        parts = list(precompile("kalah"))
    assert [part.name.partition(" (")[0] for part in parts] == [
        "search of a move",
        "whole games",
        "replay of games",
    ]
    assert [part.was_stored for part in parts] == [False, True, True]
    assert all(part.seconds >= 0 for part in parts)


def test_a_game_or_weights_that_are_not_there_are_refused_first() -> None:
    with pytest.raises(InputError, match="game 'nothing'"):
        next(precompile("nothing"))
    with pytest.raises(InputError, match="weights 'nobody'"):
        next(precompile("kalah", "nobody"))
