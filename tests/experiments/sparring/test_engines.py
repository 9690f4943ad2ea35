"""Games between two programs that speak UGI, told as ours."""

import shlex
import sys

import pytest

from tests.support.toys import PILES
from tests.support.ugi_study import FAKE
from tunesmith import games
from tunesmith.engine.limits import parse_limit
from tunesmith.engine.player import Player as Searching
from tunesmith.experiments.sparring import engines
from tunesmith.experiments.sparring.opponent import OURS, THEIRS, Played
from tunesmith.tuning.external.match import Player
from tunesmith.tuning.external.rules import EngineOpening, OwnRules
from tunesmith.tuning.play.player import read_weights


def play(ours: str = "", theirs: str = "", n_games: int = 4) -> list[Played]:
    us, them = (
        engines.program(shlex.join((sys.executable, str(FAKE), *how.split())), "nodes:9")
        for how in (ours, theirs)
    )
    openings = [EngineOpening("", (move,)) for move in ("a1", "b2")]
    with engines.playing(PILES, us, them, openings, 1, 1) as one:
        return [one(number % 2 == 0, 1 + number) for number in range(n_games)]


def test_our_engine_plays_the_weights_at_the_limit() -> None:
    us = engines.ours("kalah", "tuned", "movetime:50")
    assert us.command[-4:] == ("ugi", "kalah", "--weights", "tuned") and us.limit.value == 50


def test_each_opening_is_played_with_both_colours_and_results_are_ours():
    played = play()
    assert [game.we_begin for game in played] == [True, False, True, False]
    first, second = played[:2]
    assert first.moves == second.moves  # both sides are the same program
    assert first.result == -second.result
    assert played[2].moves != first.moves  # another opening


def test_seconds_are_those_of_the_side_that_thought():
    """The slow engine waits for a tenth of a second at each of its moves, as the first player and as the second."""
    for game in play(theirs="slow", n_games=2):
        n_theirs = len(game.moves[1:]) // 2  # at least
        assert game.seconds[1] >= 0.1 * n_theirs > 0


@pytest.mark.parametrize(("ours", "theirs", "fault"), [("crash", "", OURS), ("", "illegal", THEIRS)])
def test_faults_are_of_who_made_them(ours, theirs, fault):
    played = play(ours, theirs, 2)
    assert {(game.result, game.fault) for game in played if game.fault} == {(None, fault)}


def test_openings_are_balanced_and_of_a_seed():
    game = games.load("kalah")
    judge = read_weights("hand", game)
    found = engines.balanced(game, judge, 6, 3)
    assert found == engines.balanced(game, judge, 6, 3) != engines.balanced(game, judge, 6, 4)
    assert len(set(found)) == 6 and {len(opening.moves) for opening in found} == {engines.OPENINGS.plies}
    player = Searching(game, judge, parse_limit(engines.LOOK))
    for opening in found:
        player.new_game()
        assert abs(player.analyse(OwnRules(game).board(opening)).score) <= 100 * engines.OPENINGS.max_score


def test_our_engine_has_time_to_compile_before_the_first_game(monkeypatch):
    started = []
    start = Player.start
    monkeypatch.setattr(Player, "start", lambda player: started.append(player) or start(player))
    play(theirs="theirs", n_games=2)
    assert started[0].patience == engines.COMPILING and "theirs" not in started[0].command
    assert {player.patience for player in started[1:]} == {engines.PATIENCE}
