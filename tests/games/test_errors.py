"""Errors are one line, whatever they quote, and a list where one is meant."""

import pickle

import pytest

from tunesmith.games.errors import GameError, InputError, StudyError, TunesmithError


@pytest.mark.parametrize("kind", [TunesmithError, InputError, GameError, StudyError])
def test_what_an_error_quotes_is_one_line(kind: type[TunesmithError]) -> None:
    error = kind("game.py: failed: two\r\n   lines\n\nand a third\n")
    assert str(error) == "game.py: failed: two lines and a third"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_what_is_listed_stands_below_a_line_each() -> None:
    error = StudyError("made with other settings:", "seed: 1, now 2", "game: a\nb, now c")
    assert str(error) == "made with other settings:\n  seed: 1, now 2\n  game: a b, now c"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
