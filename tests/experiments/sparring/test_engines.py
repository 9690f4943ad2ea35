"""Games between two programs that speak UGI, told as ours."""

import shlex
import sys

import pytest

from tests.support.ugi_study import FAKE
from tunesmith.experiments.sparring import engines
from tunesmith.experiments.sparring.opponent import OURS, THEIRS, Played
from tunesmith.games.errors import InputError
from tunesmith.tuning.external.match import Player

GAME = "tests.support.toys:PILES"


def play(
    monkeypatch: pytest.MonkeyPatch, ours: str = "", theirs: str = "", n_games: int = 4
) -> list[Played]:
    monkeypatch.setattr(engines, "PLIES", 1)
    us, them = (
        engines.program(shlex.join((sys.executable, str(FAKE), *how.split())), "nodes:9")
        for how in (ours, theirs)
    )
    with engines.playing(GAME, us, them, n_games, 1, 1) as one:
        return [one(number % 2 == 0, 1 + number) for number in range(n_games)]


def test_our_engine_plays_the_weights_at_the_limit() -> None:
    us = engines.ours("kalah", "tuned", "movetime:50")
    assert us.command[-4:] == ("ugi", "kalah", "--weights", "tuned") and us.limit.value == 50


def test_each_opening_is_played_with_both_colours_and_results_are_ours(monkeypatch):
    played = play(monkeypatch)
    assert [game.we_begin for game in played] == [True, False, True, False]
    first, second = played[:2]
    assert first.moves == second.moves  # both sides are the same program
    assert first.result == -second.result
    assert played[2].moves != first.moves  # another opening


def test_seconds_are_those_of_the_side_that_thought(monkeypatch):
    """The slow engine waits for a tenth of a second at each of its moves, as the first player and as the second."""
    for game in play(monkeypatch, theirs="slow", n_games=2):
        n_theirs = len(game.moves[1:]) // 2  # at least
        assert game.seconds[1] >= 0.1 * n_theirs > 0


@pytest.mark.parametrize(("ours", "theirs", "fault"), [("crash", "", OURS), ("", "illegal", THEIRS)])
def test_faults_are_of_who_made_them(monkeypatch, ours, theirs, fault):
    played = play(monkeypatch, ours, theirs, 2)
    assert {(game.result, game.fault) for game in played if game.fault} == {(None, fault)}


def test_more_games_than_openings_are_refused(monkeypatch):
    with pytest.raises(InputError, match="--games: expected at most 8"):
        play(monkeypatch, n_games=100)


def test_our_engine_has_time_to_compile_before_the_first_game(monkeypatch):
    started = []
    start = Player.start
    monkeypatch.setattr(Player, "start", lambda player: started.append(player) or start(player))
    play(monkeypatch, theirs="theirs", n_games=2)
    assert started[0].patience == engines.COMPILING and "theirs" not in started[0].command
    assert {player.patience for player in started[1:]} == {engines.PATIENCE}
