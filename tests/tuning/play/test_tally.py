"""Games are counted as they come in, and alike if they were there before."""

from tests.support.small_matches import play
from tests.support.told_games import game, tally
from tunesmith.engine.match import NO_RESULT
from tunesmith.tuning.play.resources import Log
from tunesmith.tuning.play.store import read_games
from tunesmith.tuning.play.tally import Tally


def test_capped_games_and_faults_are_counted_apart() -> None:
    found = tally(game([1], 1), game([2], NO_RESULT, "capped"), game([1], NO_RESULT, "fault:ValueError: no"))
    assert (
        found.words()
        == "first player 100.0 % (wins 100, draws 0, losses 0 %), distinct 100.0 %, capped 1, faults 1"
    )
    assert Tally().words() == ""


def test_stored_games_count_like_those_that_have_just_come(tmp_path) -> None:
    class Watcher(Log):
        last = ""

        def progress(self, what: str, done: int, total: int, tally: Tally | None = None) -> None:
            self.last = "" if tally is None else tally.words()

    whole, rest = Watcher(), Watcher()
    play(tmp_path / "one", range(8), listener=whole)
    play(tmp_path / "two", range(5))
    play(tmp_path / "two", range(8), listener=rest)
    stored = Tally()
    stored.add_stored(read_games(tmp_path / "two"))
    assert whole.last == rest.last == stored.words() != ""
