"""Moves of a pair outlive its players: in memory, and in a file whoever dies."""

import tempfile
from pathlib import Path

import numpy as np
import pytest

from tests.support.small_matches import matchup, openings
from tunesmith.tuning.play.sandbox import recorder
from tunesmith.tuning.play.worker import _recorded

MATCH = matchup(limit="nodes:5")
OPENING = openings()[0].moves


def test_a_file_holds_what_was_played() -> None:
    path = recorder.new()
    arena = _recorded(MATCH, -1, path)
    records = arena.play_pair(OPENING, 7)
    for found in (arena.played(OPENING), recorder.read(path, OPENING)):
        assert [moves.tolist() for moves in found] == [record.moves.tolist() for record in records]
    recorder.discard(path)
    assert not Path(path).exists()


def test_of_a_game_under_way_the_moves_until_then_are_known(tmp_path: Path) -> None:
    """Two games of at most eight moves: three numbers on the end of each, then their moves."""
    none = recorder.NO_MOVE
    numbers = [none] * 6 + [1, 2, 5, 4, none, none, none, none] + [none] * 8
    np.array(numbers, np.int64).tofile(tmp_path / "moves")
    first, second = recorder.read(str(tmp_path / "moves"), (1, 2))
    assert first.tolist() == [1, 2, 5, 4]
    assert second.tolist() == [1, 2]


def test_a_file_that_says_nothing_leaves_the_opening(tmp_path: Path) -> None:
    for path in ("", str(tmp_path / "none")):
        assert [moves.tolist() for moves in recorder.read(path, (3, 1))] == [[3, 1]] * 2


def test_where_no_file_can_be_made_moves_stay_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: str) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(tempfile, "mkstemp", full)
    assert recorder.new() == ""
    recorder.discard("")
    arena = _recorded(MATCH, -1, "")
    records = arena.play_pair(OPENING, 7)
    assert [moves.tolist() for moves in arena.played(OPENING)] == [
        record.moves.tolist() for record in records
    ]
