"""Batches played in a process of one's own: the same games, and the death of that process is told."""

from dataclasses import replace

import pytest

from tests.support.small_matches import matchup, openings
from tunesmith.games.errors import TunesmithError
from tunesmith.tuning.play import isolated
from tunesmith.tuning.play.isolated import WorkerDiedError, play_apart
from tunesmith.tuning.play.matchup import Batch, Pair
from tunesmith.tuning.play.worker import play_batch

MATCH = matchup("nodes:5")
BATCH = Batch(tuple(Pair(number, openings()[number].moves) for number in range(2)), 0.0)


def moves(answer: isolated.Answer) -> list[list[int]]:
    return [row.moves.tolist() for row in answer.games]


@pytest.fixture(autouse=True)
def own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TUNESMITH_NUMBA", "0")  # of the child: no compiler has to be waited for


def test_a_child_plays_the_same_games_and_is_asked_again() -> None:
    here = moves(play_batch(MATCH, BATCH))
    assert moves(play_apart(MATCH, BATCH)) == here
    child = isolated._child()
    assert moves(play_apart(MATCH, BATCH)) == here
    assert isolated._child() is child
    child.kill()
    child.wait()
    assert moves(play_apart(MATCH, BATCH)) == here  # another child takes its place


def test_what_cannot_be_loaded_there_is_the_error_that_it_is_here() -> None:
    with pytest.raises(TunesmithError, match="no-such-game"):
        play_apart(replace(MATCH, game="no-such-game"), BATCH)


def test_the_death_of_a_child_is_told_with_its_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def killing(stream: object, content: object) -> None:
        child = isolated._own.child
        child.kill()
        child.wait()
        raise BrokenPipeError

    isolated._child()
    monkeypatch.setattr(isolated, "_send", killing)
    with pytest.raises(WorkerDiedError) as error:
        play_apart(MATCH, BATCH)
    assert error.value.code == -9
