"""Games between two programs that speak UGI, told as ours."""

import shlex
import sys
from pathlib import Path

import pytest

from tests.support.ugi_study import FAKE
from tunesmith.experiments.sparring import engines
from tunesmith.experiments.sparring.opponent import OURS, THEIRS, Played
from tunesmith.games.errors import InputError
from tunesmith.tuning.external.match import Player

GAME = "tests.support.toys:PILES"


def play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ours: str = "", theirs: str = "", pairs: int = 2
) -> list[Played]:
    monkeypatch.setattr(engines, "PLIES", 1)
    us, them = (
        engines.program(shlex.join((sys.executable, str(FAKE), *how.split())), "nodes:9")
        for how in (ours, theirs)
    )
    return engines.play(GAME, us, them, tmp_path / "work", pairs, 1, 1)


def test_our_engine_plays_the_weights_at_the_limit() -> None:
    us = engines.ours("kalah", "tuned", "movetime:50")
    assert us.command[-4:] == ("ugi", "kalah", "--weights", "tuned") and us.limit.value == 50


def test_each_opening_is_played_with_both_colours_and_results_are_ours(tmp_path, monkeypatch):
    played = play(tmp_path, monkeypatch)
    assert [game.we_begin for game in played] == [True, False, True, False]
    first, second = played[:2]
    assert first.moves == second.moves  # both sides are the same program
    assert first.result == -second.result
    assert play(tmp_path, monkeypatch) == played  # from the file


@pytest.mark.parametrize(("ours", "theirs", "fault"), [("crash", "", OURS), ("", "illegal", THEIRS)])
def test_faults_are_of_who_made_them(tmp_path, monkeypatch, ours, theirs, fault):
    played = play(tmp_path, monkeypatch, ours, theirs, 1)
    assert {(game.result, game.fault) for game in played if game.fault} == {(None, fault)}


def test_more_games_than_openings_are_refused(tmp_path, monkeypatch):
    with pytest.raises(InputError, match="--games: expected at most 8"):
        play(tmp_path, monkeypatch, pairs=50)


def test_our_engine_has_time_to_compile_before_the_first_game(tmp_path, monkeypatch):
    started = []
    start = Player.start
    monkeypatch.setattr(Player, "start", lambda player: started.append(player) or start(player))
    play(tmp_path, monkeypatch, theirs="theirs", pairs=1)
    assert started[0].patience == engines.COMPILING and "theirs" not in started[0].command
    assert {player.patience for player in started[1:]} == {engines.PATIENCE}
